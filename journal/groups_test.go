//go:build unix

package journal_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

func TestTakeEndsADeadOwnersProcesses(t *testing.T) {
	dir, s := inFolder(t)
	r := create(t, s)
	require.NoError(t, r.Close())
	owner, lines := spawn(t, "agent", dir, r.ID())
	require.True(t, lines.Scan())
	require.True(t, lines.Scan())
	var pid int
	_, err := fmt.Sscan(lines.Text(), &pid)
	require.NoError(t, err)
	require.NoError(t, owner.Process.Kill())
	_ = owner.Wait()
	require.NotZero(t, journal.StartTime(pid), "the agent outlives its owner")

	next, err := s.Take(t.Context(), r.ID(), resume)
	require.NoError(t, err)
	require.Zero(t, journal.StartTime(pid))
	require.NoError(t, next.Close())
	verified(t, s, r.ID())
}

// sleeper is a process in the group of another, or in one of its own.
func sleeper(t *testing.T, pgid int, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sleep", "60")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: pgid}
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

// Whoever can write to the lease file makes nobody end a process that is no agent of the run.
func TestTakeEndsNobodyElse(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows the environment of a process")
	}
	_, s := inFolder(t)
	r := create(t, s)
	require.NoError(t, r.Close())
	mark := "ASSENT_AGENT=" + r.ID() + "/agent#0"
	mine := sleeper(t, 0, "A=1", mark)
	first := sleeper(t, 0, mark, "A=1")
	plain := sleeper(t, 0)
	group := sleeper(t, 0)
	spared := map[string]*exec.Cmd{
		"its number was given again": sleeper(t, 0, mark),
		"no mark":                    plain,
		"another run's":              sleeper(t, 0, "ASSENT_AGENT=01KB8ANC3N0000000000000000/agent#0"),
		"a longer name":              sleeper(t, 0, "ASSENT_AGENT="+r.ID()+"X/agent#0"),
		"another variable":           sleeper(t, 0, "NOT_"+mark),
		"in a value":                 sleeper(t, 0, "A= "+mark),
		"not the leader":             sleeper(t, group.Process.Pid, mark),
	}
	lease := readFile(t, s.LeasePath(r.ID()))
	note := func(cmd *exec.Cmd, pgid int, started int64) {
		record := fmt.Sprintf(`{"pid":%d,"pgid":%d,"started":%d}`, cmd.Process.Pid, pgid, started)
		lease = append(lease, fmt.Sprintf("%-127s\n", record)...)
	}
	for name, cmd := range spared {
		pid := cmd.Process.Pid
		switch name {
		case "its number was given again":
			note(cmd, pid, journal.StartTime(pid)+1)
		case "not the leader":
			note(cmd, group.Process.Pid, journal.StartTime(pid))
		default:
			note(cmd, pid, journal.StartTime(pid))
		}
	}
	note(mine, mine.Process.Pid, journal.StartTime(mine.Process.Pid))
	note(first, first.Process.Pid, journal.StartTime(first.Process.Pid))
	writeFile(t, s.LeasePath(r.ID()), lease)

	next, err := s.Take(t.Context(), r.ID(), resume)
	require.NoError(t, err)
	require.Zero(t, journal.StartTime(mine.Process.Pid))
	require.Zero(t, journal.StartTime(first.Process.Pid))
	for name, cmd := range spared {
		require.NotZero(t, journal.StartTime(cmd.Process.Pid), name)
	}
	require.NotZero(t, journal.StartTime(group.Process.Pid))
	require.NoError(t, next.Close())
	verified(t, s, r.ID())
}

// Not even root's assent ends a process of somebody else.
func TestTakeEndsNobodyOfAnotherUser(t *testing.T) {
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("only root starts processes of others")
	}
	_, s := inFolder(t)
	r := create(t, s)
	require.NoError(t, r.Close())
	cmd := exec.Command("sleep", "60")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: &syscall.Credential{Uid: 12345, Gid: 12345}}
	cmd.Env = []string{"ASSENT_AGENT=" + r.ID() + "/agent#0"}
	cmd.Dir = "/"
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	pid := cmd.Process.Pid
	record := fmt.Sprintf(`{"pid":%d,"pgid":%d,"started":%d}`, pid, pid, journal.StartTime(pid))
	writeFile(t, s.LeasePath(r.ID()), append(readFile(t, s.LeasePath(r.ID())), fmt.Sprintf("%-127s\n", record)...))
	next, err := s.Take(t.Context(), r.ID(), resume)
	require.NoError(t, err)
	require.NotZero(t, journal.StartTime(pid))
	require.NoError(t, next.Close())
}
