//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A detached run goes on by itself, in a session of its own; it waits for a person, says so, and
// its log is for its user alone.
func TestDetach(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	started := u.wants(0, "run", "gate.js", "--agent", "script:answers.toml", "--detach")
	run := strings.TrimSpace(started.out)
	require.Regexp(t, "^"+runID.String()+"$", run)
	require.Contains(t, started.errors, "next: assent show "+shortID(run))
	require.Contains(t, started.errors, "next: assent review "+shortID(run))
	eventually(t, "the run waits", func() bool { return u.state(run) == "waiting" })

	info, err := os.Stat(u.store("logs", run+".log"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	entries, err := os.ReadDir(u.store("logs"))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	log, err := os.ReadFile(u.store("logs", run+".log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "next: assent approve "+shortID(run)+" --gate ")

	u.wants(0, "approve", "--checksum", planSum)
	resumed := u.object(0, "resume", run, "--detach", "--json")
	require.Equal(t, run, resumed["run"])
	eventually(t, "the run ends", func() bool { return u.state(run) == "completed" })
	require.FileExists(t, u.dir+"/worked")
	u.wants(0, "verify")
}

// What is wrong before there is a run comes back from the background, with its exit code.
func TestDetachFails(t *testing.T) {
	t.Parallel()
	u := newUser(t, "bad.js", "export const meta = {", "ok.js", "export const meta = {name: 'ok', description: 'x', interactive: true};\n")
	require.Contains(t, u.wants(1, "run", "bad.js", "--detach").errors, "bad.js")
	require.Contains(t, u.wants(2, "run", "ok.js", "--detach").errors, "PLAN_REQUIRES_INTERACTIVE_SESSION")
	entries, err := os.ReadDir(u.store("logs"))
	require.NoError(t, err)
	require.Empty(t, entries)
}

// The logs are as closed as the rest of the store: a link in their place is not followed, and what
// others may read is not used.
func TestDetachWritesNoLogElsewhere(t *testing.T) {
	t.Parallel()
	u := newUser(t, "ask.js", "export const meta = { name: 'ask', description: 'x' };\nreturn await checkpoint('Go?');\n", "notes", "mine\n")
	u.wants(4, "run", "ask.js", "--on-gate", "suspend")
	run := runID.FindString(u.wants(0, "ls").out)
	logs := u.store("logs")

	require.NoError(t, os.Symlink(u.dir, logs))
	require.Contains(t, u.soon(1, "run", "ask.js", "--detach").errors, "STORE_UNSAFE: "+logs+" is a symbolic link")
	require.NoError(t, os.Remove(logs))
	require.NoError(t, os.Mkdir(logs, 0o755))
	require.Contains(t, u.soon(1, "run", "ask.js", "--detach").errors, "next: chmod 700 "+logs)
	require.NoError(t, os.Chmod(logs, 0o700))

	log := u.store("logs", run+".log")
	require.NoError(t, os.Symlink(u.dir+"/notes", log))
	require.Contains(t, u.soon(1, "resume", run, "--detach").errors, "STORE_UNSAFE: the log of the run cannot be written")
	require.NoError(t, os.Remove(log))
	require.NoError(t, syscall.Mkfifo(log, 0o600))
	require.Contains(t, u.soon(1, "resume", run, "--detach").errors, "STORE_UNSAFE")
	require.NoError(t, os.Remove(log))
	require.NoError(t, os.WriteFile(log, nil, 0o644))
	require.NoError(t, os.Chmod(log, 0o644)) // whatever the umask is
	require.Contains(t, u.soon(1, "resume", run, "--detach").errors, "next: chmod 600 "+log)

	notes, err := os.ReadFile(u.dir + "/notes")
	require.NoError(t, err)
	require.Equal(t, "mine\n", string(notes))
}

const busyScript = `export const meta = { name: "busy", description: "x" };
await agent("first", { label: "first" });
return await agent("second", { label: "slow" });
`

// B26: while one process executes a run, another is told so at once, with its pid and exit code
// 6; all that only looks, or answers, works. When the owner is killed, the run is free.
func TestB26Busy(t *testing.T) {
	t.Parallel()
	u := newUser(t, "busy.js", busyScript, "answers.toml", answers)
	started := u.object(0, "run", "busy.js", "--agent", "script:answers.toml", "--detach", "--json")
	run, pid := started["run"].(string), int(started["pid"].(float64))
	eventually(t, "the second call is at work", func() bool { return strings.Contains(u.wants(0, "show", run).out, "at work") })

	began := time.Now()
	refused := u.wants(6, "resume", run)
	require.Less(t, time.Since(began), 5*time.Second)
	require.Contains(t, refused.errors, fmt.Sprintf("RUN_BUSY: run %s is executed by process %d", run, pid))
	unnamed := u.wants(6, "resume")
	require.Contains(t, unnamed.errors, fmt.Sprintf("RUN_BUSY: run %s is executed by process %d", run, pid))
	require.Regexp(t, `next: assent watch \S+   # shows it as it goes`, unnamed.errors)
	require.Contains(t, u.wants(0, "ls").out, "running")
	require.Contains(t, u.wants(0, "verify").out, "OK")
	require.Contains(t, u.wants(0, "export").out, `"run.started"`)

	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	eventually(t, "the run is free", func() bool { return u.state(run) == "interrupted" })
	stopped := u.object(5, "resume", run, "--json")
	require.Equal(t, "slow", stopped["recovery"].(map[string]any)["interrupted"].([]any)[0].(map[string]any)["label"])
	require.Contains(t, stopped["next"], "assent resume "+run+" --rerun-interrupted")
	u.write("fast.toml", "[[answer]]\nlabel = \"*\"\ntext = \"done\"\n")
	require.JSONEq(t, `"done"`, u.wants(0, "resume", run, "--rerun-interrupted", "--agent", "script:fast.toml").out)
	u.wants(0, "verify")
}

// A question that waits beside calls that were cut off does not hide those: what helps with them
// comes first, and leaves the question open as this attempt did.
func TestHintsPastInterruptedCalls(t *testing.T) {
	t.Parallel()
	u := newUser(t, "cut.js", `export const meta = { name: "cut", description: "x" };
return await parallel([() => checkpoint("Go?"), () => agent("1", { label: "slow" })]);
`, "answers.toml", answers)
	started := u.object(0, "run", "cut.js", "--agent", "script:answers.toml", "--detach", "--json")
	run, pid := started["run"].(string), int(started["pid"].(float64))
	eventually(t, "the call is at work, and the gate waits", func() bool {
		shown := u.wants(0, "show", run).out
		return strings.Contains(shown, "at work") && strings.Contains(shown, "pending")
	})
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	eventually(t, "the run is free", func() bool { return u.state(run) == "interrupted" })
	again := "assent resume " + run + " --rerun-interrupted --on-gate suspend"
	stopped := u.object(5, "resume", run, "--on-gate", "suspend", "--json")
	require.Equal(t, "CALLS_INTERRUPTED", stopped["error"].(map[string]any)["code"])
	require.Equal(t, []any{"assent resume " + run + " --on-gate suspend", again, "assent review " + run}, stopped["next"].([]any)[:3])
	require.Contains(t, u.object(0, "show", run, "--json")["next"], again)
	require.Contains(t, u.wants(0).out, "next: assent resume "+shortID(run)+" --on-gate suspend\n")
}

// A busy run is cancelled from another terminal: its process ends by itself.
func TestCancelBusy(t *testing.T) {
	t.Parallel()
	u := newUser(t, "busy.js", busyScript, "answers.toml", answers)
	started := u.object(0, "run", "busy.js", "--agent", "script:answers.toml", "--detach", "--json")
	pid := int(started["pid"].(float64))
	eventually(t, "the second call is at work", func() bool { return strings.Contains(u.wants(0, "show").out, "at work") })
	u.wants(0, "cancel")
	// The child was started by a process that has left; it is gone when it takes no signal.
	eventually(t, "the process ends", func() bool { return syscall.Kill(pid, 0) != nil || zombie(pid) })
	require.Equal(t, "cancelled", u.state(""))
	u.wants(0, "verify")
}

// The agents of an owner that was killed are ended by cancel, which then says the last word.
func TestCancelEndsWhatIsLeft(t *testing.T) {
	t.Parallel()
	u := newUser(t, "one.js", `export const meta = { name: "one", description: "x" };
return await agent("work");
`, "work.sh", "echo $$ >pid\nexec sleep 60\n")
	started := u.object(0, "run", "one.js", "--agent", "sh work.sh", "--detach", "--json")
	eventually(t, "the agent starts", func() bool { text, _ := os.ReadFile(u.dir + "/pid"); return len(text) > 1 })
	require.NoError(t, syscall.Kill(int(started["pid"].(float64)), syscall.SIGKILL))
	eventually(t, "the run is free", func() bool { return u.state("") == "interrupted" })
	text, err := os.ReadFile(u.dir + "/pid")
	require.NoError(t, err)
	var pid int
	_, err = fmt.Sscan(string(text), &pid)
	require.NoError(t, err)
	require.False(t, zombie(pid), "the agent outlives its owner; else this test shows nothing")
	u.wants(0, "cancel")
	eventually(t, "the agent is ended", func() bool { return zombie(pid) })
	require.Equal(t, "cancelled", u.state(""))
	u.wants(0, "verify")
}

// zombie says that a process has ended and nobody has taken note.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}

// B42: two resumes at the same moment: one goes on, the other is told who has the run (exit 6);
// the agent is called once.
func TestB42TwoResumes(t *testing.T) {
	t.Parallel()
	const script = `export const meta = { name: "two", description: "x" };
await checkpoint("Go?");
return await agent("work");
`
	for range 3 {
		u := newUser(t, "two.js", script, "work.sh", "cat >/dev/null; echo x >>calls; sleep 1; echo done\n")
		u.wants(4, "run", "two.js", "--agent", "sh work.sh", "--on-gate", "suspend")
		u.wants(0, "answer", "yes")
		run := u.object(0, "ls", "--json")["runs"].([]any)[0].(map[string]any)["run"].(string)
		var codes [2]ended
		var both sync.WaitGroup
		for i := range codes {
			both.Go(func() { codes[i] = u.assent("resume", run) })
		}
		both.Wait()
		require.ElementsMatch(t, []int{0, 6}, []int{codes[0].code, codes[1].code}, "%s\n%s", codes[0].errors, codes[1].errors)
		calls, err := os.ReadFile(u.dir + "/calls")
		require.NoError(t, err)
		require.Equal(t, "x\n", string(calls))
		u.wants(0, "verify")
	}
}

// SIGINT ends a run without a terminal in good order too, and its agent with it.
func TestInterruptEndsAgents(t *testing.T) {
	t.Parallel()
	u := newUser(t, "one.js", `export const meta = { name: "one", description: "x" };
return await agent("work");
`, "work.sh", "echo $$ >pid\nsleep 30\n")
	cmd := u.command("run", "one.js", "--agent", "sh work.sh")
	var trouble strings.Builder
	cmd.Stderr = &trouble
	require.NoError(t, cmd.Start())
	eventually(t, "the agent starts", func() bool { text, _ := os.ReadFile(u.dir + "/pid"); return len(text) > 1 })
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	require.Error(t, cmd.Wait())
	require.Equal(t, 5, cmd.ProcessState.ExitCode(), trouble.String())
	require.Contains(t, trouble.String(), "next: assent resume ")
	text, err := os.ReadFile(u.dir + "/pid")
	require.NoError(t, err)
	var pid int
	_, err = fmt.Sscan(string(text), &pid)
	require.NoError(t, err)
	require.True(t, syscall.Kill(pid, 0) != nil || zombie(pid), "the agent is still at work")
}
