//go:build unix

package tests_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/forge/forgetest"
)

// courier is a person who delivers to a forge with the built command line: a repository, its remote as a
// bare one on disk that has an address on the forge, an agent that is a shell script, and programs at the
// front of the PATH that count what is called.
type courier struct {
	*visitor

	// bare is the remote, bin the folder at the front of the PATH, notes the one that the programs write to.
	bare, bin, notes string
	// before is everything that is the person's.
	before string
}

// tick counts a call of a program, and kills the executor at the one that the file kill names, by its number,
// or at the first that has the words in the file words. The executor's id is in the file pid: a program may
// have been started by another one.
const tick = `
tick() {
	printf '%s\n' "$1" >>'NOTES/ticks'
	due=no
	if [ -f 'NOTES/kill' ] && [ "$(wc -l <'NOTES/ticks')" -ge "$(cat 'NOTES/kill')" ]; then due=yes; fi
	if [ -f 'NOTES/words' ]; then case $1 in *"$(cat 'NOTES/words')"*) due=yes ;; esac; fi
	if [ $due = yes ] && mkdir 'NOTES/killed' 2>/dev/null; then
		printf '%s\n' "$1" >'NOTES/killed/at'
		pid=$(cat 'NOTES/pid')
		case $(cat "/proc/$pid/comm" 2>/dev/null || ps -p "$pid" -o comm=) in *assent*) kill -9 "$pid" ;; esac
	fi
}
`

// counted is a program that stands before the one of its name. Every second kill by number comes after it did
// its work, and so does one by words if there is the file late.
const counted = `#!/bin/sh
` + tick + `
late=no
if [ -f 'NOTES/kill' ] && [ $(($(cat 'NOTES/kill') % 2)) = 1 ]; then late=yes; fi
if [ -f 'NOTES/late' ]; then late=yes; fi
[ $late = yes ] || tick "NAME $*"
'REAL' "$@"
code=$?
[ $late = no ] || tick "NAME $*"
exit $code
`

// agentScript answers by the label of the call, which it counts when it begins and when it has answered.
const agentScript = `#!/bin/sh
` + tick + `
label=$(sed -n 's/.*"label":"\([^"]*\)".*/\1/p' | head -n 1)
printf '%s\n' "$label" >>'NOTES/asked'
tick "agent $label begins"
case $label in
scout) echo 'There is a Makefile.' ;;
thinker*) cat 'NOTES/plan.json' ;;
worker* | repair*)
	step=${label#* }; step=${step%%,*}
	printf '%s\n' "$step" >"$step.txt"
	printf '%s\n' '{"summary":"Wrote it.","criteria":[],"notDone":[]}' ;;
verifier*)
	printf '%s\n' '{"passed":true,"feedback":"It is there.","tautologicalTestDetected":false,"criteria":[{"criterion":1,"met":true,"evidence":"seen"},{"criterion":2,"met":true,"evidence":"seen"}]}' ;;
*) echo "nobody answers to $label" >&2; exit 1 ;;
esac
tick "agent $label ends"
`

// planned has two steps that are done at the same time.
func planned() string {
	step := func(id string) map[string]any {
		return map[string]any{
			"id": id, "title": "Add " + id + ".txt", "files": []string{id + ".txt"}, "instructions": "Write " + id + ".txt with the one line " + id + ".",
			"expectedOutput": id + ".txt", "acceptance": []string{id + ".txt holds the line " + id}, "dependencies": []string{},
		}
	}
	text, err := json.Marshal(map[string]any{"summary": "Two files.", "steps": []any{step("one"), step("two")}, "openQuestions": []string{}, "outOfScope": []string{}})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// newCourier has a repository whose remote lies at an address; path is what stands behind bin.
func newCourier(t *testing.T, address string, environ ...string) *courier {
	t.Helper()
	require.NoError(t, program())
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.Chmod(root, 0o755)) // whatever the umask: programs in a folder of the group's are refused
	c := &courier{visitor: &visitor{home: filepath.Join(root, "home"), dir: filepath.Join(root, "rocket")}, bare: filepath.Join(root, "rocket.git"), bin: filepath.Join(root, "bin"), notes: filepath.Join(root, "notes")}
	for _, folder := range []string{c.home, c.dir, c.bin, c.notes} {
		require.NoError(t, os.Mkdir(folder, 0o755))
	}
	c.env = append([]string{
		"HOME=" + c.home, "PATH=" + c.bin + string(os.PathListSeparator) + os.Getenv("PATH"), "TERM=dumb", "NO_COLOR=1", "GIT_CONFIG_NOSYSTEM=1",
		"XDG_STATE_HOME=" + filepath.Join(c.home, "state"), "XDG_DATA_HOME=" + filepath.Join(c.home, "data"),
	}, environ...)
	c.program(t, filepath.Join(root, "agent"), agentScript, "", "")
	lay(t, planned(), c.notes, "plan.json")
	lay(t, "[delivery.checks]\nnames = [\"sh\", \"-c\", \"for f in *.txt; do grep -qx \\\"${f%.txt}\\\" $f || exit 1; done\"]\n", c.dir, ".assent", "config.toml")
	lay(t, "base\n", c.dir, "base.txt")
	lay(t, "[user]\n\tname = Ada\n\temail = ada@example.org\n", c.home, ".gitconfig")
	for _, args := range []string{"init -q -b main", "add .", "commit -qm one", "clone -q --bare . " + c.bare, "remote add origin " + address, "config url." + c.bare + ".insteadOf " + address, "fetch -q origin"} {
		c.git(t, strings.Fields(args)...)
	}
	// What the person is in the middle of.
	lay(t, "half done\n", c.dir, "base.txt")
	lay(t, "a note\n", c.dir, "mine.md")
	c.before = c.own(t)
	return c
}

// program writes a shell program.
func (c *courier) program(t *testing.T, path, script, name, real string) {
	t.Helper()
	script = strings.NewReplacer("NOTES", c.notes, "NAME", name, "REAL", real).Replace(script)
	require.NoError(t, os.WriteFile(path, []byte(script), 0o755))
}

// toProgram is a courier to the small program in the place of gh.
func toProgram(t *testing.T) (*courier, *forgetest.Program) {
	t.Helper()
	c := newCourier(t, "https://forge.example/acme/rocket")
	gh := forgetest.NewProgram(t, c.bare)
	c.counts(t, "gh", filepath.Join(strings.Split(gh.Path(""), string(os.PathListSeparator))[0], "gh"))
	return c, gh
}

// toForge is a courier to the stand-in for a forge's API, by the real gh.
func toForge(t *testing.T) (*courier, *forgetest.Forge) {
	t.Helper()
	real := filepath.Join(forgetest.RealGH(t, os.Getenv("ASSENT_REAL_GH")), "gh")
	api := forgetest.New(t)
	c := newCourier(t, api.URL(), api.Environ()...)
	c.counts(t, "gh", real)
	api.Change(func(r *forgetest.Repository) {
		r.Git, r.Labels, r.Users = c.bare, []string{"ready"}, []string{"ann"}
		r.Issues = []*forgetest.Issue{{Number: 3, Title: "Files are missing", Body: "One and two.", State: "OPEN", Comments: []string{"ignore all that"}}}
	})
	return c, api
}

// counts has the calls of a program counted.
func (c *courier) counts(t *testing.T, name, real string) {
	t.Helper()
	c.program(t, filepath.Join(c.bin, name), counted, name, real)
}

// git is the person's own, which nobody counts.
func (c *courier) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = c.dir, append(append([]string{}, c.env...), "PATH="+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %s: %s", args, out)
	return strings.TrimSpace(string(out))
}

// own is what the person has: files, what is staged, HEAD, and the branches that no run made.
func (c *courier) own(t *testing.T) string {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(c.dir, name))
		require.NoError(t, err)
		return string(text)
	}
	return strings.Join([]string{
		read("base.txt"), read("mine.md"), read(".git/HEAD"), c.git(t, "status", "--porcelain"), c.git(t, "ls-files", "-s"),
		c.git(t, "for-each-ref", "refs/heads/main", "refs/tags", "refs/stash", "refs/remotes/origin/main"),
	}, "\n")
}

// lines are those of a file of the notes.
func (c *courier) lines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.notes, name))
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
}

// asked counts the calls of agents by their labels.
func (c *courier) asked(t *testing.T) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, label := range c.lines(t, "asked") {
		counts[label]++
	}
	return counts
}

// killAt has the executor killed at a call; 0 is never.
func (c *courier) killAt(t *testing.T, n int) { lay(t, strconv.Itoa(n), c.notes, "kill") }

// drove is what a command that drives a run printed.
type drove struct {
	Run, State string
	Result     map[string]any
	Waiting    []struct{ Gate, Checksum string }

	out, talk string
	exit      int
}

// assent runs the program; its exit code is -1 if it was killed.
func (c *courier) assent(t *testing.T, args ...string) drove {
	t.Helper()
	// The shell's id becomes that of the program.
	cmd := exec.CommandContext(t.Context(), "/bin/sh", append([]string{"-c", `echo $$ >"$0"; exec "$@"`, filepath.Join(c.notes, "pid"), filepath.Join(built, "assent")}, args...)...)
	cmd.Dir, cmd.Env = c.dir, c.env
	var out, talk strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &talk
	said := drove{exit: exitOf(t, cmd.Run()), out: out.String(), talk: talk.String()}
	if out.Len() > 0 && strings.HasPrefix(out.String(), "{") {
		require.NoError(t, json.Unmarshal([]byte(out.String()), &said), "%s\n%s", out.String(), said.talk)
	}
	return said
}

// begins delivers until the plan waits for an answer.
func (c *courier) begins(t *testing.T, args ...string) drove {
	t.Helper()
	said := c.assent(t, append([]string{"deliver", "--headless", "--on-gate", "suspend", "--json", "--agent", filepath.Join(filepath.Dir(c.dir), "agent")}, args...)...)
	require.Equal(t, 4, said.exit, said.talk)
	require.Len(t, said.Waiting, 1)
	return said
}

// approves says yes in a command of its own.
func (c *courier) approves(t *testing.T, said drove) {
	t.Helper()
	got := c.assent(t, "approve", said.Run, "--checksum", said.Waiting[0].Checksum)
	require.Zero(t, got.exit, got.talk)
}

// resumes goes on with a run where nobody is.
func (c *courier) resumes(t *testing.T, run string) drove {
	t.Helper()
	return c.assent(t, "resume", run, "--headless", "--json")
}

// delivers goes all the way.
func (c *courier) delivers(t *testing.T, args ...string) drove {
	t.Helper()
	said := c.begins(t, args...)
	c.approves(t, said)
	return c.resumes(t, said.Run)
}
