//go:build unix

package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patient waits with a child of its own, and when it is told to end it says yes after all.
const patient = `sleep 300 &
echo $! >"$0.child"
trap 'answer true; exit 0' TERM
echo $$ >"$0.pid"
wait
`

// started is a command that runs beside the test.
type started struct {
	cmd    *exec.Cmd
	errors *bytes.Buffer
	out    *bytes.Buffer
}

func (u *user) start(args ...string) *started {
	u.t.Helper()
	s := &started{cmd: u.command(args...), errors: &bytes.Buffer{}, out: &bytes.Buffer{}}
	s.cmd.Stdout, s.cmd.Stderr = s.out, s.errors
	require.NoError(u.t, s.cmd.Start())
	late := time.AfterFunc(time.Minute, func() { _ = s.cmd.Process.Kill() })
	u.t.Cleanup(func() { late.Stop(); _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() })
	return s
}

func (s *started) ends(t *testing.T, code int) {
	t.Helper()
	_ = s.cmd.Wait() // its exit code says it
	require.Equal(t, code, s.cmd.ProcessState.ExitCode(), "%s%s", s.out, s.errors)
}

// pids are the asker and its child, once it asks.
func (u *user) pids() []int {
	u.t.Helper()
	asker := filepath.Join(filepath.Dir(u.dir), "config", "assent", "asker")
	var pids []int
	eventually(u.t, "the asker asks", func() bool {
		pids = nil
		for _, name := range []string{".child", ".pid"} {
			text, err := os.ReadFile(asker + name)
			if err != nil || !strings.HasSuffix(string(text), "\n") {
				return false
			}
			pids = append(pids, number(u.t, asker+name))
		}
		return true
	})
	return pids
}

// gone says that no process has one of the numbers, zombies apart.
func gone(t *testing.T, pids []int) {
	t.Helper()
	eventually(t, "the asker and its child end", func() bool {
		for _, pid := range pids {
			stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
			zombie := err == nil && strings.Contains(string(stat), ") Z ")
			if syscall.Kill(pid, 0) == nil && !zombie {
				return false
			}
		}
		return true
	})
}

// Whatever settles the question while the program asks ends the program and its children, and makes
// void what it says to that.
func TestAskerIsEnded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		flags []string
		meets func(u *user, run *started)
		code  int
		state string
		works bool
	}{
		"answered elsewhere": {nil, func(u *user, _ *started) { u.wants(0, "reject") }, 3, "rejected", false},
		"approved elsewhere": {nil, func(u *user, _ *started) { u.wants(0, "approve", "--checksum", planSum) }, 0, "approved", true},
		"cancelled":          {nil, func(u *user, _ *started) { u.wants(0, "cancel") }, 1, "cancelled", false},
		"deadline":           {[]string{"--timeout", "3s"}, func(*user, *started) {}, 3, "expired", false},
		"ctrl-c": {nil, func(u *user, run *started) {
			require.NoError(u.t, run.cmd.Process.Signal(syscall.SIGINT))
		}, 5, "pending", false},
		"sigterm": {nil, func(u *user, run *started) {
			require.NoError(u.t, run.cmd.Process.Signal(syscall.SIGTERM))
		}, 5, "pending", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := asked(t, patient, "")
			run := u.start(append([]string{"run", "gate.js", "--agent", "script:answers.toml"}, c.flags...)...)
			pids := u.pids()
			c.meets(u, run)
			run.ends(t, c.code)
			gone(t, pids)
			g := u.gate()
			require.Equal(t, c.state, g["state"], run.errors)
			require.Equal(t, c.works, exists(u.dir+"/worked"))
			if who, ok := g["who"].(map[string]any); ok {
				require.Equal(t, "command", who["way"])
			}
			if c.state == "pending" {
				u.wants(0, "approve", "--checksum", planSum, "--resume")
			}
			u.wants(0, "verify")
		})
	}
}

// A question that a killed process left to a program is asked anew; what is left of the program is
// ended first, and has no way to answer the new asking.
func TestAskerOfAKilledRun(t *testing.T) {
	t.Parallel()
	u := asked(t, patient, "")
	run := u.start("run", "gate.js", "--agent", "script:answers.toml")
	pids := u.pids()
	first := u.gate()["gate"]
	require.NoError(t, run.cmd.Process.Kill())
	run.ends(t, -1)
	require.Contains(t, u.wants(3, "approve", "--checksum", planSum).errors, "PLAN_APPROVAL_INTERRUPTED")
	u.program("asker", askerHead+"answer false\n")
	u.wants(3, "resume")
	if exists("/proc/self/environ") {
		gone(t, pids)
	} else {
		_ = syscall.Kill(-pids[1], syscall.SIGKILL)
	}
	g := u.gate()
	require.NotEqual(t, first, g["gate"])
	require.Equal(t, "rejected", g["state"])
	u.wants(0, "verify")
}

// A detached run asks through the program too; what that leaves open waits as ever.
func TestAskerOfADetachedRun(t *testing.T) {
	t.Parallel()
	u := asked(t, `test -e "$0.yes" && answer true || exit 7`+"\n", "")
	run := strings.TrimSpace(u.wants(0, "run", "gate.js", "--agent", "script:answers.toml", "--detach").out)
	eventually(t, "the run waits", func() bool { return u.state(run) == "waiting" })
	log, err := os.ReadFile(u.store("logs", run+".log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "warning: no answer to gate")
	require.Contains(t, string(log), "exit code 7")
	u.program("asker.yes", "")
	u.wants(0, "resume", run, "--detach")
	eventually(t, "the run ends", func() bool { return u.state(run) == "completed" })
	require.FileExists(t, u.dir+"/worked")
	u.wants(0, "verify")
}

// One question after the other, in the order of the journal; a plan larger than a pipe goes to a
// program that takes its time, whole.
func TestAskerGetsItAll(t *testing.T) {
	t.Parallel()
	u := newUser(t, "big.js", `export const meta = { name: "big", description: "x" };
const filler = "\u001b[2J\u202e<&>é".repeat(40000);
return await parallel([1, 2].map((n) => async () => (await planApprove({ n, filler })).decision));
`)
	u.program("asker", `#!/bin/sh
exec `+python(t)+` -c '
import array, fcntl, hashlib, json, sys, termios, time
ready, before = array.array("i", [0]), -1
while not before == ready[0] > 0: # until nothing more goes into the pipe
    before = ready[0]
    time.sleep(0.02)
    fcntl.ioctl(0, termios.FIONREAD, ready)
line = sys.stdin.buffer.read()
q = json.loads(line)
assert all(32 <= b < 127 or b > 127 for b in line[:-1]) and "\u202e" not in line.decode(), "not safe to print"
assert hashlib.sha256(q["planText"].encode()).hexdigest() == q["checksum"], "not the bytes"
assert json.loads(q["planText"]) == q["plan"] and len(q["plan"]["filler"]) == 360000, "not the plan"
assert (q["position"], q["waiting"]) == ((1, 2) if q["plan"]["n"] == 1 else (1, 1)), "not in order"
print(json.dumps({"decision": True, "checksum": q["checksum"], "nonce": q["nonce"], "who": "Anna"}))
'
`)
	u.configures("[approval]\nasker = [\"./asker\"]\n")
	require.JSONEq(t, `[true,true]`, u.wants(0, "run", "big.js").out)
	u.wants(0, "verify")
}

// python is the interpreter that the examples are written for.
func python(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	return path
}
