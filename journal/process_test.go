//go:build unix

package journal_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// The test binary is also the other process: ASSENT_CHILD says what it does.
func TestMain(m *testing.M) {
	if role := os.Getenv("ASSENT_CHILD"); role != "" {
		if err := child(role, os.Getenv("ASSENT_DIR"), os.Getenv("ASSENT_RUN")); err != nil {
			fmt.Println(fault.CodeOf(err), err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(role, dir, id string) error {
	ctx := context.Background()
	s, err := journal.Open(journal.Options{Dir: filepath.Join(dir, "store"), KeyDir: filepath.Join(dir, "keys")})
	if err != nil {
		return err
	}
	switch role {
	case "answer":
		v, err := s.Visit(ctx, id)
		if err != nil {
			return err
		}
		_, err = v.Update(ctx, func(*journal.State) ([]journal.Draft, error) {
			return []journal.Draft{answered("g1", os.Getenv("ASSENT_DECISION"))}, nil
		})
		return err
	case "take", "work", "agent":
		r, err := s.Take(ctx, id, resume)
		if err != nil {
			return err
		}
		fmt.Println("taken")
		return own(ctx, role, r)
	}
	return fmt.Errorf("no role %s", role)
}

// own is an owner's life, until it is killed.
func own(ctx context.Context, role string, r journal.Run) error {
	switch role {
	case "agent": // an agent in a group of its own, that does not listen
		cmd := exec.Command("sh", "-c", "trap '' TERM; echo up; while :; do sleep 0.05; done")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.Env = append(os.Environ(), "ASSENT_AGENT="+r.ID()+"/agent#0")
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		_, _ = bufio.NewReader(out).ReadString('\n')
		r.Step("/agent#0").Process(cmd.Process.Pid, cmd.Process.Pid)
		r.Step("/agent#1").Process(cmd.Process.Pid, cmd.Process.Pid)() // done at once
		fmt.Println(cmd.Process.Pid)
	case "work":
		for i := len(r.State().Calls); ; i++ {
			if _, err := journal.Append(ctx, r, begun(i)); err != nil {
				return err
			}
			if _, err := journal.Append(ctx, r, ended(i)); err != nil {
				return err
			}
			fmt.Println(i)
		}
	}
	time.Sleep(time.Minute)
	return nil
}

// spawn starts a child; lines are what it prints.
func spawn(t *testing.T, role, dir, id string, env ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "ASSENT_CHILD="+role, "ASSENT_DIR="+dir, "ASSENT_RUN="+id), env...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd, bufio.NewScanner(out)
}

func inFolder(t *testing.T) (string, *journal.Store) {
	t.Helper()
	o := newOptions(t)
	return filepath.Dir(o.Dir), open(t, o)
}

func TestB42_TwoOwnersAtOnce(t *testing.T) {
	dir, s := inFolder(t)
	r := create(t, s)
	require.NoError(t, r.Close())
	rounds := 3
	if os.Getenv("ASSENT_LONG") != "" {
		rounds = 100
	}
	for range rounds {
		var wins, busy int
		var mu sync.Mutex
		var wait sync.WaitGroup
		var winner *exec.Cmd
		for range 2 {
			cmd, lines := spawn(t, "take", dir, r.ID())
			wait.Go(func() {
				lines.Scan()
				mu.Lock()
				defer mu.Unlock()
				switch {
				case lines.Text() == "taken":
					wins++
					winner = cmd
				case strings.HasPrefix(lines.Text(), "RUN_BUSY"):
					busy++
				}
			})
		}
		wait.Wait()
		require.Equal(t, 1, wins)
		require.Equal(t, 1, busy)
		v, err := s.Visit(t.Context(), r.ID())
		require.NoError(t, err)
		owner, alive := v.Owner()
		require.True(t, alive)
		require.Equal(t, winner.Process.Pid, owner.PID)
		_, err = s.Take(t.Context(), r.ID(), resume)
		require.Equal(t, fault.RunBusy, fault.CodeOf(err))
		require.ErrorContains(t, err, fmt.Sprint(winner.Process.Pid))
		require.NoError(t, winner.Process.Kill())
		_ = winner.Wait()
		_, alive = v.Owner()
		require.False(t, alive, "the kernel frees the lease")
		require.NoError(t, v.Close())
	}
	verified(t, s, r.ID())
}

// While Owner asks all the time, every taker gets the lease.
func TestOwnerNeverStopsATaker(t *testing.T) {
	_, s := inFolder(t)
	r := create(t, s)
	require.NoError(t, r.Close())
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					v.Owner()
				}
			}
		})
	}
	for range 30 {
		r, err := s.Take(t.Context(), r.ID(), resume)
		require.NoError(t, err)
		require.NoError(t, r.Close())
	}
	close(stop)
	wait.Wait()
	require.NoError(t, v.Close())
	verified(t, s, r.ID())
}

func TestB28_KillAtAnyMoment(t *testing.T) {
	dir, s := inFolder(t)
	r := create(t, s)
	require.NoError(t, r.Close())
	rounds := 6
	if os.Getenv("ASSENT_LONG") != "" {
		rounds = 300
	}
	for range rounds {
		cmd, lines := spawn(t, "work", dir, r.ID())
		require.True(t, lines.Scan())
		require.Equal(t, "taken", lines.Text())
		time.Sleep(time.Duration(rand.IntN(30_000)) * time.Microsecond)
		require.NoError(t, cmd.Process.Kill())
		last := "-1"
		for lines.Scan() {
			last = lines.Text()
		}
		_ = cmd.Wait()
		require.True(t, verified(t, s, r.ID()).Proven)
		v, err := s.Visit(t.Context(), r.ID())
		require.NoError(t, err)
		if last != "-1" { // what was said to be written is
			require.NotNil(t, v.State().Calls["/agent#"+last].Finish)
		}
		require.NoError(t, v.Close())
	}
}

// A process that is stopped while it has the file is named, in time.
func TestB26_StoppedHolder(t *testing.T) {
	dir, s := inFolder(t)
	r := create(t, s)
	require.NoError(t, r.Close())
	cmd, lines := spawn(t, "work", dir, r.ID())
	require.True(t, lines.Scan())
	// It has the file most of the time; stop it until it was caught with it.
	for {
		require.NoError(t, cmd.Process.Signal(syscall.SIGSTOP))
		begin := time.Now()
		_, err := s.Visit(t.Context(), r.ID())
		if err == nil {
			require.NoError(t, cmd.Process.Signal(syscall.SIGCONT))
			time.Sleep(time.Millisecond)
			continue
		}
		require.Less(t, time.Since(begin), 20*time.Second) // 4 s, on a machine that has time
		require.Equal(t, fault.RunBusy, fault.CodeOf(err))
		require.ErrorContains(t, err, fmt.Sprint(cmd.Process.Pid))
		break
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := s.Visit(ctx, r.ID())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	verified(t, s, r.ID())
}

// Anybody looks at a busy run without waiting long, and the owner goes on.
func TestP9_LookingAtABusyRun(t *testing.T) {
	dir, s := inFolder(t)
	r := create(t, s)
	require.NoError(t, r.Close())
	_, lines := spawn(t, "work", dir, r.ID())
	require.True(t, lines.Scan())
	go func() {
		for lines.Scan() { // keep its pipe empty
		}
	}()
	v, err := s.Visit(t.Context(), r.ID())
	require.NoError(t, err)
	seen := 0
	var looks []time.Duration
	// On a loaded machine the owner may get nowhere for a while, and one look may take long.
	for end := time.Now().Add(time.Minute); len(looks) < 50 || seen == 0 && time.Now().Before(end); {
		begin := time.Now()
		news, err := v.Sync(t.Context())
		require.NoError(t, err)
		looks = append(looks, time.Since(begin))
		seen += len(news)
		time.Sleep(2 * time.Millisecond)
	}
	require.Positive(t, seen)
	slices.Sort(looks)
	require.Less(t, looks[len(looks)/2], time.Second)
	t.Logf("looks took %v, the longest %v; %d entries meanwhile", looks[len(looks)/2], looks[len(looks)-1], seen)
	_, err = v.Update(t.Context(), func(st *journal.State) ([]journal.Draft, error) {
		return []journal.Draft{{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "cancelled"}}}, nil
	})
	require.NoError(t, err)
	require.NoError(t, v.Close())
	require.Equal(t, "cancelled", func() string {
		v, err := s.Visit(t.Context(), r.ID())
		require.NoError(t, err)
		defer v.Close()
		return v.State().StatusWith(false)
	}())
	verified(t, s, r.ID())
}

// Two processes answer at once: one answer stands, the other is told.
func TestS14_TwoAnswersAtOnce(t *testing.T) {
	dir, s := inFolder(t)
	rounds := 3
	if os.Getenv("ASSENT_LONG") != "" {
		rounds = 100
	}
	for range rounds {
		r := create(t, s)
		_, err := journal.Append(t.Context(), r, asked("g1", true))
		require.NoError(t, err)
		codes := make([]string, 2)
		var wait sync.WaitGroup
		for i, decision := range []string{"true", "false"} {
			_, lines := spawn(t, "answer", dir, r.ID(), "ASSENT_DECISION="+decision)
			wait.Go(func() {
				lines.Scan()
				codes[i], _, _ = strings.Cut(lines.Text(), " ")
			})
		}
		wait.Wait()
		require.ElementsMatch(t, []string{"", "INVALID_TRANSITION"}, codes)
		news, err := r.Sync(t.Context())
		require.NoError(t, err)
		require.Len(t, news, 1)
		want := journal.Approved
		if codes[0] != "" {
			want = journal.Rejected
		}
		require.Equal(t, want, r.State().Gates["g1"].State)
		require.NoError(t, r.Close())
		verified(t, s, r.ID())
	}
}

// The answer of another process reaches the owner that waits.
func TestB27_AnswerFromAnotherProcess(t *testing.T) {
	dir, s := inFolder(t)
	r := create(t, s)
	_, err := journal.Append(t.Context(), r, asked("g1", true))
	require.NoError(t, err)
	changes := r.Changes()
	spawn(t, "answer", dir, r.ID(), "ASSENT_DECISION=true")
	timeout := time.After(time.Minute)
	for r.State().Gates["g1"].State == journal.Pending {
		select {
		case <-changes:
		case <-timeout:
			t.Fatal("nobody told")
		}
		_, err := r.Sync(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, journal.Approved, r.State().Gates["g1"].State)
	require.NoError(t, r.Close())
	verified(t, s, r.ID())
}
