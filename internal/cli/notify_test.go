//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// told makes a user whose command keeps what it is told.
func told(t *testing.T, script string, files ...string) *user {
	t.Helper()
	u := newUser(t, files...)
	u.program("tell", "#!/bin/sh\n"+script)
	u.configures("[notify]\ncommand = [\"./tell\"]\n")
	return u
}

// keeps is a command that appends what it is told to a file.
const keeps = "cat >>\"$0.told\"\n"

func (u *user) told() []map[string]any {
	u.t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(u.dir), "config", "assent", "tell.told"))
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(u.t, err)
	var items []map[string]any
	for line := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n") {
		items = append(items, parsed(u.t, line))
	}
	return items
}

const twoGates = `export const meta = { name: "two\u001b]2;x\u0007", description: "x" };
const answers = await parallel([
  () => checkpoint("Delete \u001b[2J\u202e\u009b A?", { kind: "select", choices: ["yes", "no"], default: "no" }),
  () => planApprove({ steps: ["write"] }, { timeoutMs: 3600000 }),
]);
return answers.length;
`

// A gate that begins to wait is told once, with the commands that answer it, and never again: not
// when the run ends, nor when it is resumed while the gate still waits.
func TestNotifyOncePerGate(t *testing.T) {
	t.Parallel()
	u := told(t, keeps, "two.js", twoGates)
	e := u.wants(4, "run", "two.js", "--on-gate", "suspend")
	run := runID.FindString(e.errors)
	items := u.told()
	require.Len(t, items, 2)
	first, second := items[0], items[1]
	require.Equal(t, run, first["run"])
	require.Equal(t, strings.ToLower(run[20:]), first["short"])
	require.Equal(t, u.dir, first["workspace"])
	require.Equal(t, "waiting", first["event"])
	require.Equal(t, "Delete \u001b[2J\u202e\u009b A?", first["prompt"], "the text as it is, once it is read as JSON")
	require.Equal(t, "plan", second["kind"])
	require.Equal(t, planSum, second["checksum"])
	require.Contains(t, second, "deadline")
	require.NotContains(t, second, "nonce")
	require.NotContains(t, second, "plan")
	require.Equal(t, []any{
		"assent review " + run + " --resume",
		"assent approve " + run + " --gate " + second["gate"].(string) + " --checksum " + planSum + " --resume",
	}, second["next"])
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(u.dir), "config", "assent", "tell.told"))
	require.NoError(t, err)
	require.NotRegexp(t, "[^\\x20-\\x7e\n]", string(raw), "nothing that a terminal could take for a command")

	u.wants(4, "resume", run)
	u.wants(4, "resume", run, "--on-gate", "suspend")
	require.Len(t, u.told(), 2, "no news")

	// What it says is a command works as it stands.
	command := strings.Fields(second["next"].([]any)[1].(string))
	u.wants(4, command[1:]...)
	require.Len(t, u.told(), 2)
	u.wants(0, "answer", run, "no", "--resume")
	require.Len(t, u.told(), 2)
	u.wants(0, "verify")
}

// A gate that is declined by a rule does not wait, and nobody is told.
func TestNotifyOnlyOfWhatWaits(t *testing.T) {
	t.Parallel()
	u := told(t, keeps, "gate.js", gateScript)
	u.wants(3, "run", "gate.js")
	require.Nil(t, u.told())
	u.wants(4, "resume", runID.FindString(u.wants(0, "ls").out), "--on-gate", "suspend")
	require.Len(t, u.told(), 1, "asked anew, and so it is news")
}

// Whatever the command does, the run goes on as without it, and a warning says what went wrong.
func TestNotifyHurtsNoRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, why string }{
		"fails":          {"echo 'no \033[2Jbus' >&2; exit 1\n", "tell failed with exit code 1; standard error ends: no ‹ESC›[2Jbus"},
		"hangs":          {"trap '' TERM\nsleep 300 & echo $! >\"$0.child\"; sleep 300\n", "it did not end within 1.5s"},
		"floods":         {"yes\n", "printed more than"},
		"is killed":      {"kill -9 $$\n", "signal: killed"},
		"reads nothing":  {"exec <&-\nexit 0\n", ""},
		"says something": {"echo approve; echo '{\"decision\":true}'\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := told(t, c.script, "gate.js", gateScript, "answers.toml", answers)
			if name == "hangs" {
				u.env = append(u.env, "TEST_NOTIFY_LIMIT=1.5s")
			}
			e := u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
			require.NotContains(t, e.errors, "\x1b")
			require.NotContains(t, e.out, "approve")
			if c.why == "" {
				require.NotContains(t, e.errors, "warning")
			} else {
				require.Regexp(t, `warning: notify\.command did not tell of gate \S+: `, e.errors)
				require.Contains(t, e.errors, c.why)
			}
			if child := filepath.Join(filepath.Dir(u.dir), "config", "assent", "tell.child"); exists(child) {
				gone(t, []int{number(t, child)})
			}
			require.Equal(t, "pending", u.gate()["state"])
			require.NoFileExists(t, u.dir+"/worked")
			u.wants(0, "verify")
		})
	}
}

// A command that is still at work when the run is interrupted is ended with it.
func TestNotifyIsInterruptedWithTheRun(t *testing.T) {
	t.Parallel()
	u := told(t, "sleep 300 & echo $! >\"$0.new\"; mv \"$0.new\" \"$0.child\"; wait\n", "slow.js", `export const meta = { name: "slow", description: "x" };
return await parallel([() => checkpoint("Go?"), () => agent("1", { label: "slow" })]);
`, "answers.toml", answers)
	run := u.start("run", "slow.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	child := filepath.Join(filepath.Dir(u.dir), "config", "assent", "tell.child")
	eventually(t, "the command is at work", func() bool { return exists(child) })
	require.NoError(t, run.cmd.Process.Signal(syscall.SIGINT))
	run.ends(t, 5)
	require.NotContains(t, run.errors.String(), "warning")
	gone(t, []int{number(t, child)})
}

// A detached run tells too, and its log has the warning.
func TestNotifyOfADetachedRun(t *testing.T) {
	t.Parallel()
	u := told(t, keeps+"exit 9\n", "gate.js", gateScript)
	run := strings.TrimSpace(u.wants(0, "run", "gate.js", "--detach").out)
	eventually(t, "the log has it", func() bool {
		log, err := os.ReadFile(u.store("logs", run+".log"))
		return err == nil && strings.Contains(string(log), "warning: notify.command did not tell of gate")
	})
	require.Len(t, u.told(), 1)
	require.Equal(t, run, u.told()[0]["run"])
}

// S19: the command can answer nothing, also if it tries to.
func TestS19NotifyAnswersNothing(t *testing.T) {
	t.Parallel()
	u := told(t, "cat >/dev/null; '"+itself(t)+"' approve --checksum "+planSum+" >\"$0.said\" 2>&1; env >\"$0.env\"\n", "gate.js", gateScript)
	u.wants(4, "run", "gate.js", "--on-gate", "suspend")
	folder := filepath.Join(filepath.Dir(u.dir), "config", "assent")
	said, err := os.ReadFile(folder + "/tell.said")
	require.NoError(t, err)
	require.Contains(t, string(said), "APPROVER_IS_AGENT")
	env, err := os.ReadFile(folder + "/tell.env")
	require.NoError(t, err)
	require.NotContains(t, string(env), "ASSENT_HOME")
	require.Equal(t, "pending", u.gate()["state"])
}

// Where a program is asked as well, the command says so.
func TestNotifyBesideAnAsker(t *testing.T) {
	t.Parallel()
	u := told(t, keeps, "gate.js", gateScript, "answers.toml", answers)
	u.program("asker", askerHead+"answer true\n")
	u.configures("[notify]\ncommand = [\"./tell\"]\n[approval]\nasker = [\"./asker\"]\n")
	u.wants(0, "run", "gate.js", "--agent", "script:answers.toml")
	items := u.told()
	require.Len(t, items, 1)
	require.Equal(t, true, items[0]["asker"])
}
