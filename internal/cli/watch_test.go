//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// watching is a watch that goes on while the test does something else.
type watching struct {
	cmd *exec.Cmd
	// out is the file with what it prints.
	out    string
	errors bytes.Buffer
}

func (u *user) watches(args ...string) *watching {
	u.t.Helper()
	w := &watching{cmd: u.command(append([]string{"watch"}, args...)...), out: filepath.Join(u.t.TempDir(), "out")}
	out, err := os.Create(w.out)
	require.NoError(u.t, err)
	w.cmd.Stdout, w.cmd.Stderr = out, &w.errors
	require.NoError(u.t, w.cmd.Start())
	require.NoError(u.t, out.Close())
	u.t.Cleanup(func() {
		_ = w.cmd.Process.Kill() // it has ended already if the test went well
	})
	return w
}

// printed is what it has printed so far.
func (w *watching) printed(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(w.out)
	require.NoError(t, err)
	return string(text)
}

// sees waits until it has printed a text.
func (w *watching) sees(t *testing.T, text string) {
	t.Helper()
	eventually(t, "it prints "+text, func() bool { return strings.Contains(w.printed(t), text) })
}

// ends waits for its end, and gives the exit code.
func (w *watching) ends(t *testing.T) int {
	t.Helper()
	_ = w.cmd.Wait() // the exit code tells
	return w.cmd.ProcessState.ExitCode()
}

// lines are its objects.
func (w *watching) lines(t *testing.T) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.Lines(w.printed(t)) {
		var o map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &o), line)
		require.Equal(t, 1.0, o["format"])
		all = append(all, o)
	}
	require.NotEmpty(t, all, w.errors.String())
	return all
}

// types are the types of objects, but for what agents at work tell; those of entries have to stand there
// without a gap.
func types(t *testing.T, lines []map[string]any) []string {
	t.Helper()
	var all []string
	for _, o := range lines {
		if o["type"] == "call.told" {
			continue
		}
		all = append(all, o["type"].(string))
		if o["type"] != "end" {
			require.Equal(t, float64(len(all)), o["seq"])
		}
	}
	return all
}

const slowScript = `export const meta = { name: "slow", description: "x" };
await agent("1", { label: "first" });
log("between");
await agent("2", { label: "second" });
return await checkpoint("Go?");
`

// stepAnswers let the second call wait for a file, so that a test says when it ends.
const stepAnswers = `[[answer]]
label = "second"
run = "until test -e go; do sleep 0.02; done"
text = "done"
[[answer]]
label = "*"
text = "done"
`

// A run that another process executes is followed to the point where it waits for a person and
// nothing executes it; then watch ends as the run did.
func TestWatchFollowsADetachedRun(t *testing.T) {
	t.Parallel()
	u := newUser(t, "slow.js", slowScript, "answers.toml", stepAnswers)
	run := strings.TrimSpace(u.wants(0, "run", "slow.js", "--agent", "script:answers.toml", "--detach").out)
	w := u.watches("--json") // the only one that is at work
	w.sees(t, `"label":"second"`)
	u.write("go", "")
	require.Equal(t, 4, w.ends(t), w.errors.String())
	lines := w.lines(t)
	require.Equal(t, []string{
		"run.started", "call.started", "call.finished", "note", "call.started", "call.finished", "gate.asked", "run.paused", "end",
	}, types(t, lines))
	last := lines[len(lines)-1]
	require.Equal(t, "waiting", last["state"])
	require.Equal(t, 4.0, last["exit"])
	require.Len(t, last["waiting"], 1)
	require.Equal(t, "second", lines[5]["call"].(map[string]any)["label"])
	require.Equal(t, "between", lines[3]["note"].(map[string]any)["text"])
	require.Contains(t, w.errors.String(), "next: assent review "+shortID(run))
	u.wants(0, "verify", run)
}

// A read-only call has no entry before it has ended, and is seen all the same: by watch, and by show.
func TestWatchSeesReadOnlyCallsAtWork(t *testing.T) {
	t.Parallel()
	u := newUser(t, "look.js", `export const meta = { name: "look", description: "x" };
phase("scout");
return await parallel([() => agent("look here", { label: "scout", readOnly: true })]);
`, "wait.sh", "cat > /dev/null\nwhile [ ! -e ../go ]; do sleep 0.05; done\necho seen\n")
	run := strings.TrimSpace(u.wants(0, "run", "look.js", "--agent", "sh wait.sh", "--detach").out)
	w := u.watches()
	w.sees(t, `"scout" (agent /parallel#0[0]/agent#0) at work`)
	require.Regexp(t, `(?s)scout.*at work|at work.*scout`, u.wants(0, "show", run).out)
	u.write("../go", "") // outside: the agent is to change nothing
	require.Equal(t, 0, w.ends(t), w.errors.String())
	u.wants(0, "verify", run)
}

// Ctrl-C ends the watching, and nothing else: the run goes on.
func TestWatchLeavesTheRunAlone(t *testing.T) {
	t.Parallel()
	u := newUser(t, "slow.js", slowScript, "answers.toml", stepAnswers)
	run := strings.TrimSpace(u.wants(0, "run", "slow.js", "--agent", "script:answers.toml", "--detach").out)
	s := u.terminal("watch", run)
	s.sees("second")
	s.sends("\x03")
	require.Equal(t, 130, s.ends(), s.shown())
	require.Contains(t, s.shown(), "no longer watching run "+run+"; it was left alone")
	require.Equal(t, "running", u.state(run))
	u.write("go", "")
	eventually(t, "the run goes on to its question", func() bool { return u.state(run) == "waiting" })
	u.wants(0, "verify", run)
}

// A run whose process dies and which another process takes over goes on being watched. Without
// --wait, watch ends with the dead process.
func TestWatchSeesTheRunTakenOver(t *testing.T) {
	t.Parallel()
	u := newUser(t, "slow.js", slowScript, "answers.toml", stepAnswers)
	started := u.object(0, "run", "slow.js", "--agent", "script:answers.toml", "--detach", "--json")
	run := started["run"].(string)
	w, short := u.watches(run, "--json", "--wait"), u.watches(run)
	w.sees(t, `"label":"second"`)
	short.sees(t, `"second" (agent /agent#1) started`)
	require.NoError(t, syscall.Kill(int(started["pid"].(float64)), syscall.SIGKILL))
	require.Equal(t, 5, short.ends(t), short.errors.String())
	require.Contains(t, short.errors.String(), "(slow): interrupted, 1 call")

	u.write("go", "")
	u.wants(4, "resume", run, "--rerun-interrupted", "--on-gate", "suspend")
	u.wants(0, "answer", run, "yes", "--resume")
	require.Equal(t, 0, w.ends(t), w.errors.String())
	lines := w.lines(t)
	require.Equal(t, []string{
		"run.started", "call.started", "call.finished", "note", "call.started", // the process died
		"run.resumed", "call.started", "call.finished", "gate.asked", "run.paused",
		"gate.answered", "run.resumed", "run.finished", "end",
	}, types(t, lines))
	require.Equal(t, 2.0, lines[5]["attempt"].(map[string]any)["number"])
	require.Equal(t, "interrupted", lines[6]["call"].(map[string]any)["repeats"])
	require.Equal(t, true, lines[10]["gate"].(map[string]any)["decision"])
	require.Equal(t, "completed", lines[13]["state"])
	u.wants(0, "verify", run)
}

// Several runs at work are listed; the hint names the newest.
func TestWatchOfSeveralRuns(t *testing.T) {
	t.Parallel()
	u := newUser(t, "slow.js", slowScript, "answers.toml", stepAnswers)
	one := strings.TrimSpace(u.wants(0, "run", "slow.js", "--agent", "script:answers.toml", "--detach").out)
	two := strings.TrimSpace(u.wants(0, "run", "slow.js", "--agent", "script:answers.toml", "--detach").out)
	refused := u.wants(2, "watch")
	require.Contains(t, refused.errors, "RUN_AMBIGUOUS: 2 runs of this workspace fit")
	require.Contains(t, refused.errors, one)
	require.Contains(t, refused.errors, "next: assent watch "+shortID(two))
	u.write("go", "")
	for _, run := range []string{one, two} {
		eventually(t, "the run waits", func() bool { return u.state(run) == "waiting" })
	}
}
