package engine_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// newStore makes a store in a folder of the test's own. Every run in it is verified when the
// test ends.
func newStore(t testing.TB) *journal.Store {
	t.Helper()
	dir := t.TempDir()
	store, err := journal.Open(journal.Options{Dir: filepath.Join(dir, "store"), KeyDir: filepath.Join(dir, "keys")})
	require.NoError(t, err)
	t.Cleanup(func() {
		runs, err := store.List(context.Background())
		require.NoError(t, err)
		for _, r := range runs {
			report, err := journal.Verify(context.Background(), store, r.ID)
			require.NoError(t, err)
			require.True(t, report.OK, "%v", report.Problems)
		}
	})
	return store
}

const header = `export const meta = { name: "test", description: "a test" };` + "\n"

// script compiles a body under the usual header.
func script(t testing.TB, body string) *vm.Program {
	t.Helper()
	p, err := compile(body)
	require.NoError(t, err)
	return p
}

func compile(body string) (*vm.Program, error) { return compileText(header + body) }

func compileText(text string) (*vm.Program, error) {
	return vm.Compile(fstest.MapFS{"test.js": {Data: []byte(text)}}, "test.js")
}

// team is an agent that answers by a function and remembers what it was asked.
type team struct {
	mu sync.Mutex
	// calls are the labels of the calls made, or the prompts of those without one.
	calls  []string
	answer func(ctx context.Context, req agent.Request) (any, error)
}

func (m *team) Run(ctx context.Context, req agent.Request, _ agent.Step) (agent.Response, error) {
	name := req.Label
	if name == "" {
		name = req.Prompt
	}
	m.mu.Lock()
	m.calls = append(m.calls, name)
	m.mu.Unlock()
	v, err := any("done: "+req.Prompt), error(nil)
	if m.answer != nil {
		v, err = m.answer(ctx, req)
	}
	if err != nil {
		return agent.Response{}, err
	}
	value, err := json.Marshal(v)
	return agent.Response{Value: value}, err
}

// racers answer at once, but for the one asked to be slow, which never does.
func racers() *team {
	return &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		if req.Prompt == "slow" {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return "fast", nil
	}}
}

// take gives the calls made since the last take.
func (m *team) take() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	calls := m.calls
	m.calls = nil
	return calls
}

// person is an asker that answers by a function and remembers what it was shown.
type person struct {
	mu     sync.Mutex
	shown  []checkpoint.Asked
	answer func(q checkpoint.Asked) string
}

func (p *person) Ask(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = append(p.shown, q)
	return checkpoint.Answer{
		Decision: json.RawMessage(p.answer(q)), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce,
		Who: journal.Who{User: "ann", Host: "here", Way: "asker"},
	}, nil
}

func (p *person) take() []checkpoint.Asked {
	p.mu.Lock()
	defer p.mu.Unlock()
	shown := p.shown
	p.shown = nil
	return shown
}

func says(answer string) *person {
	return &person{answer: func(checkpoint.Asked) string { return answer }}
}

func run(t testing.TB, p *vm.Program, o engine.Options) *engine.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r, err := engine.Run(ctx, p, o)
	require.NoError(t, err)
	return r
}

func resume(t testing.TB, id string, p *vm.Program, o engine.Options) *engine.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r, err := engine.Resume(ctx, id, p, o)
	require.NoError(t, err)
	return r
}

// entries gives the journal of a run.
func state(t testing.TB, store *journal.Store, id string) *journal.State {
	t.Helper()
	v, err := store.Visit(context.Background(), id)
	require.NoError(t, err)
	defer v.Close()
	return v.State()
}
