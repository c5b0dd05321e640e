//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// S19, S20: who answers and who is told is the user's to say. The workspace's file may name neither,
// by whatever key, and nothing runs.
func TestS20WorkspaceNamesNoAsker(t *testing.T) {
	t.Parallel()
	for key, text := range map[string]string{
		"approval.asker":         "[approval]\nasker = [\"sh\", \"-c\", \"touch ran\"]\n",
		"approval.asker-timeout": "[approval]\nasker-timeout = \"1s\"\n",
		"notify":                 "[notify]\ncommand = [\"touch\", \"ran\"]\n",
	} {
		u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
		require.NoError(t, os.Mkdir(filepath.Join(u.dir, ".assent"), 0o755))
		u.write(".assent/config.toml", text)
		e := u.wants(2, "run", "gate.js", "--agent", "script:answers.toml")
		require.Contains(t, e.errors, "CONFIG_INVALID")
		if key != "approval.asker-timeout" {
			require.Contains(t, e.errors, key+" belongs in your own configuration alone")
		}
		require.NoFileExists(t, u.dir+"/ran")
		require.Empty(t, u.object(0, "ls", "--json")["runs"])
	}
	u := newUser(t, "gate.js", gateScript)
	u.configures("[approval]\nasker = [\"sh\"]\n")
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, ".assent"), 0o755))
	u.write(".assent/config.toml", "[notify]\nbell = false\n")
	require.Contains(t, u.wants(2, "run", "gate.js").errors, "notify belongs in your own configuration alone")
}

// What decides who answers lies where neither the repository nor an agent in it can change it.
func TestS19ProgramsLieOutsideOfTheWorkspace(t *testing.T) {
	t.Parallel()
	folder := func(u *user) string { return filepath.Join(filepath.Dir(u.dir), "config", "assent") }
	for name, c := range map[string]struct {
		prepare func(t *testing.T, u *user)
		says    string
	}{
		"the program": {func(_ *testing.T, u *user) {
			u.configures("[approval]\nasker = [\"" + u.dir + "/evil\"]\n")
		}, "/evil lies in the workspace"},
		"found by PATH": {func(_ *testing.T, u *user) {
			u.env = append(u.env, "PATH="+u.dir+":"+os.Getenv("PATH"))
			u.configures("[approval]\nasker = [\"evil\"]\n")
		}, "/evil lies in the workspace"},
		"by a link": {func(t *testing.T, u *user) {
			u.configures("[approval]\nasker = [\"./link\"]\n")
			require.NoError(t, os.Symlink(u.dir+"/evil", folder(u)+"/link"))
		}, "/link lies in the workspace"},
		"what it is to run": {func(_ *testing.T, u *user) {
			u.configures("[approval]\nasker = [\"sh\", \"" + u.dir + "/evil\"]\n")
		}, "/evil lies in the workspace"},
		"the configuration": {func(t *testing.T, u *user) {
			u.configures("")
			u.write("mine.toml", "[approval]\nasker = [\"sh\"]\n")
			require.NoError(t, os.Remove(folder(u)+"/config.toml"))
			require.NoError(t, os.Symlink(u.dir+"/mine.toml", folder(u)+"/config.toml"))
		}, "/config.toml lies in the workspace"},
		"not the workspace's": {func(_ *testing.T, u *user) {
			u.configures("[approval]\nasker = [\"./evil\"]\n") // is looked for beside the configuration
		}, "cannot be started"},
		"others write it": {func(t *testing.T, u *user) {
			u.configures("[approval]\nasker = [\"sh\"]\n")
			require.NoError(t, os.Chmod(folder(u)+"/config.toml", 0o666))
		}, "others than you can write"},
		"others write the program": {func(t *testing.T, u *user) {
			u.program("mine", "#!/bin/sh\n")
			require.NoError(t, os.Chmod(folder(u)+"/mine", 0o777))
			u.configures("[approval]\nasker = [\"./mine\"]\n")
		}, "next: chmod go-w"},
		"the command that tells": {func(_ *testing.T, u *user) {
			u.configures("[notify]\ncommand = [\"" + u.dir + "/evil\"]\n")
		}, "notify.command: "},
		"missing": {func(_ *testing.T, u *user) {
			u.configures("[approval]\nasker = [\"no-such-program\"]\n")
		}, `approval.asker: "no-such-program" cannot be started`},
		"missing, to tell": {func(_ *testing.T, u *user) {
			u.configures("[notify]\ncommand = [\"no-such-program\"]\n")
		}, `notify.command: "no-such-program" cannot be started`},
		"no program":        {func(_ *testing.T, u *user) { u.configures("[approval]\nasker = []\n") }, "names no program"},
		"a time for nobody": {func(_ *testing.T, u *user) { u.configures("[approval]\nasker-timeout = \"1s\"\n") }, "needs an asker"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
			require.NoError(t, os.WriteFile(u.dir+"/evil", []byte(askerHead+"touch \"$0.ran\"; answer true\n"), 0o755))
			c.prepare(t, u)
			for _, detached := range [][]string{nil, {"--detach"}} {
				e := u.wants(2, append([]string{"run", "gate.js", "--agent", "script:answers.toml"}, detached...)...)
				require.Contains(t, e.errors, "CONFIG_INVALID")
				require.Contains(t, e.errors, c.says)
			}
			require.NoFileExists(t, u.dir+"/evil.ran")
			require.Empty(t, u.object(0, "ls", "--json")["runs"], "nothing began")
		})
	}
}

// S19: the program gets no way into Assent, and nothing below it has one; nor is it asked by a run
// that an agent starts.
func TestS19AskerIsNoApprover(t *testing.T) {
	t.Parallel()
	u := asked(t, `env >"$0.env"
"`+itself(t)+`" approve --checksum "$sum" >"$0.said" 2>&1
echo '{"later":true}'
`, "")
	u.env = append(u.env, "SSH_AUTH_SOCK=/agent", "DISPLAY=:7", "TMUX=/tmp/t")
	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml")
	folder := filepath.Join(filepath.Dir(u.dir), "config", "assent")
	said, err := os.ReadFile(folder + "/asker.said")
	require.NoError(t, err)
	require.Contains(t, string(said), "APPROVER_IS_AGENT")
	env, err := os.ReadFile(folder + "/asker.env")
	require.NoError(t, err)
	require.NotContains(t, string(env), "ASSENT_HOME")
	require.NotContains(t, string(env), "SSH_AUTH_SOCK")
	require.NotContains(t, string(env), "TMUX")
	require.Contains(t, string(env), "\nDISPLAY=:7\n", "a program that shows a window needs it")
	require.NoFileExists(t, u.dir+"/worked")

	u.program("asker", askerHead+"touch \"$0.ran\"; answer true\n")
	u.env = append(u.env, "ASSENT_AGENT=01JDZX/agent#0")
	u.wants(4, "resume")
	require.NoFileExists(t, folder+"/asker.ran")
	require.Equal(t, "pending", u.gate()["state"])
}

// --headless asks nobody, the program neither; without it a resume asks it what was defaulted.
func TestHeadlessAsksNoProgram(t *testing.T) {
	t.Parallel()
	u := asked(t, "answer true\n", "")
	require.Contains(t, u.wants(3, "run", "gate.js", "--agent", "script:answers.toml", "--headless").errors, "nobody was here to answer")
	run := runID.FindString(u.wants(0, "ls").out)
	again := u.object(0, "resume", run, "--dry-run", "--json")["again"].([]any)
	require.Len(t, again, 1, "the program would be asked")
	require.Equal(t, "defaulted", again[0].(map[string]any)["reason"])
	require.Empty(t, u.object(0, "resume", run, "--dry-run", "--headless", "--json")["again"])
	u.wants(0, "resume", run)
	require.FileExists(t, u.dir+"/worked")
	require.Equal(t, "Anna", u.gate()["who"].(map[string]any)["name"])
}

// A yes to a plan whose copy in the workspace is no longer the plan is none, as in a terminal.
func TestAskerApprovesNoAlteredCopy(t *testing.T) {
	t.Parallel()
	u := asked(t, `dir=$(printf %s "$q" | sed -n 's/.*"workspace":"\([^"]*\)".*/\1/p')
for copy in "$dir"/.assent/plans/*.md; do echo "rm -rf /" >>"$copy"; done
answer true
`, "")
	e := u.wants(4, "run", "gate.js", "--agent", "script:answers.toml")
	require.Regexp(t, `warning: no answer to gate \S+: PLAN_ARTIFACT_HASH_MISMATCH`, e.errors)
	require.NoFileExists(t, u.dir+"/worked")
	require.Equal(t, "pending", u.gate()["state"])
	u.wants(0, "verify")
}

// What the person has to see beside the question, the program gets too.
func TestAskerIsToldWhatChanged(t *testing.T) {
	t.Parallel()
	u := newUser(t, "twice.js", `export const meta = { name: "twice", description: "x" };
const first = await planApprove({ steps: ["a"] });
const second = await planApprove({ steps: ["a", "b"] }, { timeoutMs: 3600000 });
return [first.decision, second.decision];
`)
	u.program("asker", askerHead+`printf '%s\n' "$q" >>"$0.asked"
case $q in
*'"previous"'*) answer '"without b"' ;;
*) answer true ;;
esac
`)
	u.configures("[approval]\nasker = [\"./asker\"]\n")
	require.JSONEq(t, `[true,"without b"]`, u.wants(3, "run", "twice.js").out)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(u.dir), "config", "assent", "asker.asked"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, lines, 2)
	first, second := parsed(t, lines[0]), parsed(t, lines[1])
	require.NotContains(t, first, "previous")
	require.NotContains(t, first, "deadline")
	require.Equal(t, "question", first["event"])
	require.Equal(t, []any{`+ $.steps[1]: "b"`}, second["diff"])
	require.Equal(t, first["checksum"], second["previous"].(map[string]any)["checksum"])
	require.NotEqual(t, first["nonce"], second["nonce"])
	require.Contains(t, second, "deadline")
}

// itself is assent by its path: it may lie where PATH is not searched for programs that ask.
func itself(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("assent")
	require.NoError(t, err)
	return path
}
