//go:build unix

package process_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/agenttest"
	"github.com/seed-8d4a6081/assent/agent/process"
)

// job is a shell script as a job with a short grace.
func job(t *testing.T, script string) process.Job {
	t.Helper()
	j := process.New(t.TempDir(), "01RUN/agent#0", []string{"PATH=" + os.Getenv("PATH")}, nil)
	j.Argv, j.Grace = []string{"/bin/sh", "-c", script}, 300*time.Millisecond
	return j
}

func run(t *testing.T, j process.Job) process.Outcome {
	t.Helper()
	out, err := j.Run(t.Context(), nil)
	require.NoError(t, err)
	return out
}

// linesOf runs a script and gives its lines.
func linesOf(t *testing.T, j process.Job) ([]string, process.Outcome) {
	t.Helper()
	var lines []string
	j.Lines = func(line []byte) { lines = append(lines, string(line)) }
	out := run(t, j)
	require.Empty(t, out.Stdout)
	return lines, out
}

func TestB60_InputOfAJobEnds(t *testing.T) {
	require.Equal(t, "0\n", string(run(t, job(t, "cat | wc -c | tr -d ' '")).Stdout))
	j := job(t, "cat; echo .")
	j.Stdin = []byte("the input")
	require.Equal(t, "the input.\n", string(run(t, j).Stdout))
	j = job(t, "exec 0<&-; echo closed") // what is not read holds nothing up
	j.Stdin = bytes.Repeat([]byte("x"), 8<<20)
	out := run(t, j)
	require.True(t, out.Success())
	require.Equal(t, "closed\n", string(out.Stdout))
}

func TestJobLines(t *testing.T) {
	for script, want := range map[string][]string{
		`printf 'a\nb\n'`:                              {"a", "b"},
		`printf 'a\r\n\r\nb\r\n'`:                      {"a", "", "b"},
		`printf 'a\n\n\nb'`:                            {"a", "", "", "b"},
		`printf 'a\rb\r\r\n'`:                          {"a\rb\r"},
		`printf 'a\n'; printf b; sleep 0.05; printf c`: {"a", "bc"},
		`printf '\n'`:                                  {""},
		`true`:                                         nil,
	} {
		lines, out := linesOf(t, job(t, script))
		require.Equal(t, want, lines, script)
		require.False(t, out.Over || out.Late || out.Held)
		require.True(t, out.Success())
	}
}

// A line is handed over when it is there, and not when the child has ended.
func TestJobLinesComeAtOnce(t *testing.T) {
	j := job(t, `echo first; while [ ! -e go ]; do sleep 0.01; done; echo second`)
	var lines []string
	j.Lines = func(line []byte) {
		if lines = append(lines, string(line)); len(lines) == 1 {
			require.NoError(t, os.WriteFile(filepath.Join(j.Dir, "go"), nil, 0o600))
		}
	}
	require.True(t, run(t, j).Success())
	require.Equal(t, []string{"first", "second"}, lines)
}

func TestB64_LineOf11MB(t *testing.T) {
	lines, out := linesOf(t, job(t, `head -c 11000000 /dev/zero | tr '\0' y; echo; echo found`))
	require.False(t, out.Over)
	require.Len(t, lines, 2)
	require.Equal(t, strings.Repeat("y", 11_000_000), lines[0])
	require.Equal(t, "found", lines[1])
}

func TestB64_LineOverTheCap(t *testing.T) {
	j := job(t, `printf '1234567\n12345678\r\n123456789\nx\n'`)
	j.MaxLine = 8
	lines, out := linesOf(t, j)
	require.Equal(t, []string{"1234567", "12345678"}, lines, "a line of the cap itself, and its end, are allowed")
	require.True(t, out.Over)
	require.True(t, out.LongLine)
	j = job(t, `echo a; tr '\0' x </dev/zero`)
	j.MaxLine = 1 << 20
	lines, out = linesOf(t, j)
	require.Equal(t, []string{"a"}, lines)
	require.True(t, out.Over)
}

func TestB64_LinesOf2GiB(t *testing.T) {
	var before, after runtime.MemStats
	j := job(t, `echo $$ >pid; exec dd if=/dev/zero bs=1048576 count=2048`)
	j.MaxOutput, j.MaxLine = 64<<20, 1<<20
	runtime.ReadMemStats(&before)
	_, out := linesOf(t, j)
	require.True(t, out.Over)
	require.True(t, out.LongLine)
	agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))

	j = job(t, `echo $$ >pid; exec yes "a line that is not long"`)
	j.MaxOutput = 64 << 20
	size := int64(0)
	j.Lines = func(line []byte) { size += int64(len(line)) + 1 }
	out = run(t, j)
	runtime.ReadMemStats(&after)
	require.True(t, out.Over)
	require.False(t, out.LongLine, "it was the whole that was too long")
	require.LessOrEqual(t, size, int64(64<<20))
	require.Greater(t, size, int64(63<<20), "what fits is handed over")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(32<<20), "memory is bounded by a line")
	agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))
}

func TestB64_Output(t *testing.T) {
	j := job(t, `exec dd if=/dev/zero bs=1048576 count=2048`)
	j.MaxOutput = 4 << 20
	out := run(t, j)
	require.True(t, out.Over)
	require.Empty(t, out.Stdout)
	j = job(t, `printf 12345`)
	j.MaxOutput = 5
	require.Equal(t, "12345", string(run(t, j).Stdout))
	out = run(t, job(t, `head -c 300000 /dev/zero | tr '\0' e >&2; echo last >&2; exit 3`))
	require.Len(t, out.Stderr, 64<<10, "the end of standard error is kept")
	require.True(t, bytes.HasSuffix(out.Stderr, []byte("eelast\n")))
	require.Equal(t, 3, out.State.ExitCode())
}

// A line that is cut because something held the output is no line.
func TestB61_HeldOutputOfLines(t *testing.T) {
	lines, out := linesOf(t, job(t, `printf 'whole\ncut'; (trap '' TERM; exec sleep 300) & echo $! >pid`))
	require.Equal(t, []string{"whole"}, lines[:1])
	require.True(t, out.Held)
	require.True(t, out.Success())
	require.LessOrEqual(t, len(lines), 2)
}

// A reader that is slow with what the child printed is waited for: nothing is lost, and nothing is held.
func TestSlowReaderLosesNothing(t *testing.T) {
	j := job(t, `i=0; while [ $i -lt 20 ]; do echo $i; i=$((i+1)); done; echo $$ >pid`)
	j.Grace = 20 * time.Millisecond
	last := ""
	j.Lines = func(line []byte) {
		if last == "" { // the rest is in the pipe, and the child has ended
			agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))
			time.Sleep(10 * j.Grace)
		}
		last = string(line)
	}
	out := run(t, j)
	require.False(t, out.Held)
	require.Equal(t, "19", last)
}

// What prints for ever after the child has ended holds the output too.
func TestB61_GrandchildThatPrints(t *testing.T) {
	j := job(t, `(trap '' TERM; exec yes) & echo $! >pid`)
	j.Lines = func([]byte) {}
	out := run(t, j)
	require.True(t, out.Held || out.Over)
	agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))
}

func TestB61_GrandchildInASessionOfItsOwn(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil || runtime.GOOS != "linux" {
		t.Skip("no setsid, or the environment of a process cannot be read")
	}
	j := job(t, `setsid sh -c 'trap "" TERM; echo $$ >pid; sleep 300; sleep 300' & while [ ! -s pid ]; do sleep 0.01; done; echo done`)
	out := run(t, j)
	require.True(t, out.Held)
	require.Equal(t, "done\n", string(out.Stdout))
	agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))
}

// Nothing of a call that only reads is left, also not what neither is in its group nor holds its output.
func TestB75_NothingIsLeftBehindThatReads(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil || runtime.GOOS != "linux" {
		t.Skip("no setsid, or the environment of a process cannot be read")
	}
	j := job(t, `setsid sh -c 'echo $$ >pid; exec sleep 300' >/dev/null 2>&1 & while [ ! -s pid ]; do sleep 0.01; done; echo done`)
	j.ReadOnly()
	out := run(t, j)
	require.False(t, out.Held)
	require.Equal(t, "done\n", string(out.Stdout))
	agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))
}

// What was said before the end came is there, also when ctx ended it.
func TestJobThatIsEndedKeepsWhatItSaid(t *testing.T) {
	j := job(t, `trap 'echo "and leave"; exit 0' TERM; echo "I work"; echo $$ >pid; while :; do sleep 0.01; done`)
	j.Grace = 5 * time.Second
	ctx, cancel := context.WithCancel(t.Context())
	go agenttest.WhenWritten(cancel, j.Dir+"/pid")
	out, err := j.Run(ctx, nil)
	require.NoError(t, err)
	require.True(t, out.Late)
	require.Equal(t, "I work\nand leave\n", string(out.Stdout))
	agenttest.RequireGone(t, agenttest.PidIn(t, j.Dir+"/pid"))

	out, err = j.Run(ctx, nil) // it has ended: nothing is started any more
	require.NoError(t, err)
	require.True(t, out.Late)
	require.Nil(t, out.State)
}

func TestJobThatCannotBeStarted(t *testing.T) {
	j := job(t, "")
	j.Argv = []string{filepath.Join(j.Dir, "none")}
	_, err := j.Run(t.Context(), &groups{t: t})
	require.ErrorIs(t, err, os.ErrNotExist)
	j = job(t, "true")
	j.Dir = filepath.Join(j.Dir, "none")
	_, err = j.Run(t.Context(), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Zero(t, openPipes(t), "nothing stays open")
}

// openPipes counts the pipes that this process has beyond those that it was started with.
func openPipes(t *testing.T) int {
	t.Helper()
	return pipes() - inherited
}

var inherited = pipes()

func pipes() int {
	count := 0
	entries, _ := os.ReadDir("/proc/self/fd") // Linux alone has it
	for _, e := range entries {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.HasPrefix(to, "pipe:") {
			count++
		}
	}
	return count
}

// groups is a Step that holds that a group is told of before it has its work, and is over when it says
// so.
type groups struct {
	t     *testing.T
	file  string // made by the child once it has its input
	mu    sync.Mutex
	began []int
	ended int
}

func (g *groups) Process(pid, group int) func() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if got, err := syscall.Getpgid(pid); err == nil { // a child that needs no input may be over already
		require.Equal(g.t, group, got)
	}
	if g.file != "" {
		require.NoFileExists(g.t, g.file)
	}
	g.began = append(g.began, group)
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		require.False(g.t, agenttest.Alive(group))
		g.ended++
	}
}

func TestStepOfAJob(t *testing.T) {
	j := job(t, `cat >/dev/null; touch asked; sleep 300 & echo done`)
	g := &groups{t: t, file: filepath.Join(j.Dir, "asked")}
	j.Talk = func(_ context.Context, in io.WriteCloser, out io.Reader) error {
		require.NoError(t, in.Close())
		line := make([]byte, 5)
		_, err := io.ReadFull(out, line)
		return errors.Join(err, fmt.Errorf("%s", line))
	}
	out, err := j.Run(t.Context(), g)
	require.NoError(t, err)
	require.EqualError(t, out.Talked, "done\n")
	require.FileExists(t, g.file)
	require.Len(t, g.began, 1)
	require.Equal(t, 1, g.ended)
	require.NotEqual(t, syscall.Getpgrp(), g.began[0])
}

// Many at once, of every kind, end with nothing left open.
func TestJobsTogether(t *testing.T) {
	g := &groups{t: t}
	var wait sync.WaitGroup
	for i := range 16 {
		j := job(t, fmt.Sprintf(`cat; echo %d`, i))
		j.Stdin = []byte("in\n")
		if i%2 == 1 {
			j.Lines = func([]byte) {}
		}
		wait.Go(func() {
			out, err := j.Run(t.Context(), g)
			if err != nil || !out.Success() || i%2 == 0 && string(out.Stdout) != fmt.Sprintf("in\n%d\n", i) {
				t.Errorf("%d: %v %+v", i, err, out)
			}
		})
	}
	wait.Wait()
	require.Len(t, g.began, 16)
	require.Equal(t, 16, g.ended)
	require.Zero(t, openPipes(t))
}
