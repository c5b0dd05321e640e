package journaltest_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/journal/journaltest"
)

// faults are stand-ins that do one thing wrong.
var faults = map[string]func(*memory) journaltest.Store{
	"gives a run to two owners":  func(m *memory) journaltest.Store { return generous{m} },
	"forgets to interrupt":       func(m *memory) journaltest.Store { return forgetting{m} },
	"lets a visitor do anything": func(m *memory) journaltest.Store { return trusting{m} },
	"gives the same news again":  func(m *memory) journaltest.Store { return repeating{m} },
	"says nothing of changes":    func(m *memory) journaltest.Store { return silent{m} },
}

// Every fault is found. The suite fails the test it runs in, so that it runs in another process.
func TestTheSuiteFindsFaults(t *testing.T) {
	for name := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestFaulty$")
			cmd.Env = append(os.Environ(), "ASSENT_FAULT="+name)
			out, err := cmd.CombinedOutput()
			require.Error(t, err, "%s", out)
			require.Contains(t, string(out), "--- FAIL: TestFaulty/")
		})
	}
}

func TestFaulty(t *testing.T) {
	faulty := faults[os.Getenv("ASSENT_FAULT")]
	if faulty == nil {
		t.Skip("run by TestTheSuiteFindsFaults")
	}
	journaltest.Test(t, func(*testing.T) journaltest.Store { return faulty(newMemory()) })
}

type (
	generous   struct{ *memory }
	forgetting struct{ *memory }
	trusting   struct{ *memory }
	repeating  struct{ *memory }
	silent     struct{ *memory }
)

func (g generous) Take(ctx context.Context, id string, fn func(*journal.State) (journal.RunResumed, error)) (journal.Run, error) {
	if g.memory.runs[id] != nil {
		g.ForgetOwner(id)
	}
	return g.memory.Take(ctx, id, fn)
}

func (f forgetting) Take(ctx context.Context, id string, fn func(*journal.State) (journal.RunResumed, error)) (journal.Run, error) {
	return f.memory.Take(ctx, id, func(st *journal.State) (journal.RunResumed, error) {
		for _, gate := range st.Pending() {
			gate.Suspended = true
		}
		return fn(st)
	})
}

func (s trusting) Visit(ctx context.Context, id string) (journal.Visit, error) {
	v, err := s.memory.Visit(ctx, id)
	if err == nil {
		v.(*opened).attempt = 1
	}
	return v, err
}

type again struct {
	*opened
	last []journal.Entry
}

func (r repeating) Create(ctx context.Context, first journal.RunStarted) (journal.Run, error) {
	run, err := r.memory.Create(ctx, first)
	if err != nil {
		return nil, err
	}
	return &again{opened: run.(*opened)}, nil
}

func (a *again) Sync(ctx context.Context) ([]journal.Entry, error) {
	news, err := a.opened.Sync(ctx)
	a.last = append(a.last, news...)
	return a.last, err
}

type deaf struct{ *opened }

func (s silent) Create(ctx context.Context, first journal.RunStarted) (journal.Run, error) {
	run, err := s.memory.Create(ctx, first)
	if err != nil {
		return nil, err
	}
	return deaf{run.(*opened)}, nil
}

func (deaf) Changes() <-chan struct{} { return nil }
