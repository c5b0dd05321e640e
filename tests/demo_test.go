package tests_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// run runs the program and gives what it printed, and its exit code.
func (v *visitor) run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(built, "assent"), args...)
	cmd.Dir, cmd.Env = v.dir, v.env
	var out, trouble strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &trouble
	code = exitOf(t, cmd.Run())
	return out.String(), trouble.String(), code
}

func exitOf(t *testing.T, err error) int {
	t.Helper()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return e.ExitCode()
	}
	require.NoError(t, err)
	return 0
}

// newDemoVisitor has a folder of its own for what is temporary, and a home in which everything
// stands against a commit.
func newDemoVisitor(t *testing.T) (v *visitor, temporary string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	v = newVisitor(t)
	temporary = filepath.Join(filepath.Dir(v.home), "tmp")
	require.NoError(t, os.Mkdir(temporary, 0o700))
	v.env = append(v.env, "TMPDIR="+temporary, "GIT_DIR=/nowhere", "GIT_AUTHOR_DATE=never", "ASSENT_HOME=/nowhere")
	hostile := "[commit]\n\tgpgsign = true\n[user]\n\tuseConfigOnly = true\n[core]\n\thooksPath = /nowhere\n[gpg]\n\tprogram = false\n"
	require.NoError(t, os.WriteFile(filepath.Join(v.home, ".gitconfig"), []byte(hostile), 0o600))
	return v, temporary
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	list := []string{}
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

// Nobody is there: declined, waiting, approved by a command, completed; and nothing is left.
func TestDemoWithoutPerson(t *testing.T) {
	t.Parallel()
	v, temporary := newDemoVisitor(t)
	stdout, stderr, code := v.run(t, "demo")
	require.Equal(t, 0, code, "%s%s", stdout, stderr)
	require.Empty(t, stderr)
	rest := stdout
	for _, part := range []string{
		"$ assent deliver 'Greet the world when nobody is named' --no-pr --headless --simulated", "exit code 3", "nothing changed",
		"$ assent resume --on-gate suspend", "replayed", "exit code 4", "nothing changed",
		"$ assent show ", "--raw", `"greet.sh","tests/greet.sh"`, "exit code 0",
		"$ assent approve ", "--checksum ", "exit code 0",
		"$ assent resume ", "completed", "delivered in 2 steps: branch assent/", "exit code 0",
		"nothing changed", "$ git merge assent/",
		"Say goodbye to the world when nobody is named", "leave.sh ", "2 files changed",
		"Greet the world when nobody is named", "Assent-Plan: sha256:", "Approved-by: ", "greet.sh ", "2 files changed",
		"right: Hello, Ada!", "right: Hello, world!", "right: Goodbye, Ada!", "right: Goodbye, world!",
		"$ assent verify ", "OK", "simulated", "exit code 0",
	} {
		_, after, found := strings.Cut(rest, part)
		require.True(t, found, "%q is not there, or not in its place:\n%s", part, stdout)
		rest = after
	}
	require.Empty(t, names(t, temporary))
	require.Equal(t, []string{".gitconfig"}, names(t, v.home))
}

// What is kept can be checked without the demo.
func TestDemoKeeps(t *testing.T) {
	t.Parallel()
	v, temporary := newDemoVisitor(t)
	stdout, stderr, code := v.run(t, "demo", "--keep", "--json")
	require.Equal(t, 0, code, stderr)
	var said struct {
		Format                       int
		Run, Outcome, Commit, Folder string
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &said))
	require.Equal(t, "committed", said.Outcome)
	require.Equal(t, []string{filepath.Base(said.Folder)}, names(t, temporary))

	git := exec.Command("git", "-C", filepath.Join(said.Folder, "project"), "log", "--format=%H %an %s", "--shortstat")
	log, err := git.CombinedOutput()
	require.NoError(t, err, string(log))
	require.Contains(t, string(log), said.Commit+" Assent Demo Say goodbye to the world when nobody is named\n\n 2 files changed")
	for args, want := range map[string]string{"greet.sh": "Hello, world!\n", "greet.sh Grace": "Hello, Grace!\n", "leave.sh": "Goodbye, world!\n"} {
		greet := exec.Command("sh", strings.Fields(args)...)
		greet.Dir = filepath.Join(said.Folder, "project")
		out, err := greet.CombinedOutput()
		require.NoError(t, err)
		require.Equal(t, want, string(out))
	}
}

// In a terminal the person decides, and only approve changes anything.
func TestDemoAtTerminal(t *testing.T) {
	t.Parallel()
	for words, want := range map[string][]string{
		"reject": {"exit code 3", "nothing changed", "You did not approve, so no worker started"},
		"later":  {"exit code 4", "nothing changed", "assent demo --keep   # keeps"},
		"changes,greet Mars instead,,approve": {
			"the answers of the demonstration are prepared", "greet Mars instead", "2 files changed", "OK", "(terminal)",
		},
	} {
		t.Run(words[:5], func(t *testing.T) {
			t.Parallel()
			v, temporary := newDemoVisitor(t)
			cmd := exec.CommandContext(t.Context(), filepath.Join(built, "assent"), "demo")
			cmd.Dir, cmd.Env = v.dir, v.env
			output, err := atTerminal(t, cmd, strings.Split(words, ","))
			require.NoError(t, err, output)
			for _, part := range want {
				require.Contains(t, output, part)
			}
			require.NotContains(t, output, "simulated")
			require.NotContains(t, output, "next:", "the folder is gone, and what a hint would name with it")
			require.Empty(t, names(t, temporary))
		})
	}
}

// A question that was left for later in a kept demo is answered with the lines that it prints.
func TestDemoLaterKept(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	v := newVisitor(t)
	v.env = append(v.env, "TMPDIR="+v.dir)
	cmd := exec.CommandContext(t.Context(), filepath.Join(built, "assent"), "demo", "--keep")
	cmd.Dir, cmd.Env = v.dir, v.env
	output, err := atTerminal(t, cmd, []string{"later"})
	require.NoError(t, err, output)
	lines := regexp.MustCompile(`(?m)^   (cd|export|assent review) .*$`).FindAllString(output, -1)
	require.Len(t, lines, 3, output)
	cmd = exec.CommandContext(t.Context(), "/bin/sh", "-e", "-c", strings.Join(lines, "\n")+"\ngit merge --quiet $(git for-each-ref --format='%(refname:short)' refs/heads/assent)\ngit rev-list --count HEAD")
	cmd.Dir, cmd.Env = v.dir, v.env
	output, err = atTerminal(t, cmd, []string{"approve"})
	require.NoError(t, err, output)
	require.True(t, strings.HasSuffix(output, "\n3\n"), output)
}

// The commands that a run of the demo names work in another terminal after the lines that the demo
// prints for that, also where the program is not on the PATH.
func TestDemoElsewhere(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a Unix shell")
	}
	v := newVisitor(t)
	v.env = append(v.env, "TMPDIR="+v.dir, "PATH="+os.Getenv("PATH"))
	cmd := exec.CommandContext(t.Context(), filepath.Join(built, "assent"), "demo", "--keep")
	cmd.Dir, cmd.Env = v.dir, v.env
	output, err := atTerminal(t, cmd, []string{"later"})
	require.NoError(t, err, output)
	lines := regexp.MustCompile(`(?m)^      (cd|export) .*$`).FindAllString(output, -1)
	require.Len(t, lines, 2, output)
	cmd = exec.CommandContext(t.Context(), "/bin/sh", "-e", "-c", strings.Join(lines, "\n")+"\nassent show --raw | sha256sum")
	cmd.Dir, cmd.Env = v.dir, v.env
	sum, err := cmd.CombinedOutput()
	require.NoError(t, err, string(sum))
	require.Contains(t, output, strings.Fields(string(sum))[0])
}

// Ctrl-C ends the demo, and it clears away.
func TestDemoInterrupted(t *testing.T) {
	t.Parallel()
	v, temporary := newDemoVisitor(t)
	cmd := exec.CommandContext(t.Context(), filepath.Join(built, "assent"), "demo")
	cmd.Dir, cmd.Env = v.dir, v.env
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = out.Read(make([]byte, 1))
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_, err = io.Copy(io.Discard, out)
	require.NoError(t, err)
	require.Equal(t, 130, exitOf(t, cmd.Wait()))
	require.Empty(t, names(t, temporary))
}

func TestDemoWithoutGit(t *testing.T) {
	t.Parallel()
	v, temporary := newDemoVisitor(t)
	v.env = append(v.env, "PATH="+temporary)
	stdout, stderr, code := v.run(t, "demo")
	require.Equal(t, 1, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "PROGRAM_MISSING")
	require.Contains(t, stderr, "next: install")
}

// A run that the demo did not make takes no simulated answer.
func TestSimulatedAnswerElsewhere(t *testing.T) {
	v := newVisitor(t)
	_, stderr, code := v.run(t, "init")
	require.Equal(t, 0, code, stderr)
	_, stderr, code = v.run(t, "run", "first", "--on-gate", "suspend")
	require.Equal(t, 4, code, stderr)
	command := strings.Fields(v.fill(t, "approve RUN --gate GATE --checksum CHECKSUM"))
	_, stderr, code = v.run(t, append(command, "--simulated")...)
	require.Equal(t, 3, code)
	require.Contains(t, stderr, "ANSWER_INVALID")
	_, stderr, code = v.run(t, command...) // it waits as before
	require.Equal(t, 0, code, stderr)
}

// Files that are there are not touched, whatever is in them.
func TestInitLeavesFilesAlone(t *testing.T) {
	v := newVisitor(t)
	config := filepath.Join(v.dir, ".assent", "config.toml")
	require.NoError(t, os.MkdirAll(filepath.Dir(config), 0o755))
	require.NoError(t, os.WriteFile(config, []byte("# mine\n"), 0o600))
	_, stderr, code := v.run(t, "init")
	require.Equal(t, 0, code)
	require.Contains(t, stderr, "left as it is: .assent/config.toml")
	require.Contains(t, stderr, "wrote .assent/workflows/first.js")
	require.Contains(t, stderr, "assent run first --agent script:.assent/first.answers.toml")
	text, err := os.ReadFile(config)
	require.NoError(t, err)
	require.Equal(t, "# mine\n", string(text))

	_, stderr, code = v.run(t, "run", "first", "--agent", "script:.assent/first.answers.toml", "--on-gate", "suspend")
	require.Equal(t, 4, code, stderr)
}

// A link does not lead init out of the folder.
func TestInitFollowsNoLinkOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	v := newVisitor(t)
	outside := t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(v.dir, ".assent")))
	_, stderr, code := v.run(t, "init")
	require.Equal(t, 1, code, stderr)
	require.Empty(t, names(t, outside))
}
