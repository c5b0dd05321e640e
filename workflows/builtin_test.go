package workflows_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/workflows"
)

// builtin compiles a built-in workflow.
func builtin(t testing.TB, name string) *vm.Program {
	t.Helper()
	p, err := vm.Compile(workflows.Builtin(), "builtin/"+name+".js")
	require.NoError(t, err)
	return p
}

// builtinNames are the names of all of them but issue-delivery, which needs a repository and functions of
// the host: package issuedelivery tests it.
func builtinNames(t testing.TB) []string {
	t.Helper()
	files, err := fs.Glob(workflows.Builtin(), "builtin/*")
	require.NoError(t, err)
	require.Len(t, files, 7)
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".js")
	}
	return slices.DeleteFunc(files, func(name string) bool { return name == "issue-delivery" })
}

// staff is an agent that remembers what it was asked.
type staff struct {
	agent.Runner
	mu    sync.Mutex
	asked []agent.Request // guarded by mu
}

func (s *staff) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	s.mu.Lock()
	s.asked = append(s.asked, req)
	s.mu.Unlock()
	return s.Runner.Run(ctx, req, step)
}

// take gives what was asked since the last take.
func (s *staff) take() []agent.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

// labels are those of requests, in the order in which they were made.
func labels(asked []agent.Request) []string {
	list := []string{}
	for _, req := range asked {
		list = append(list, req.Label)
	}
	return list
}

// effectful are those that may change something.
func effectful(asked []agent.Request) []agent.Request {
	var list []agent.Request
	for _, req := range asked {
		if !req.ReadOnly {
			list = append(list, req)
		}
	}
	return list
}

// scripted answers from the file of prepared answers of a workflow; what is first wins over it.
func scripted(t testing.TB, name, first string) *staff {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "builtin", name+".answers.toml"))
	require.NoError(t, err)
	s, err := agent.ParseScripted([]byte(first+"\n"+string(text)), name)
	require.NoError(t, err)
	return &staff{Runner: s}
}

// fails is a table of answers in which calls with that label fail.
func fails(label string) string {
	return "[[answer]]\nlabel = " + string(must(json.Marshal(label))) + "\nerror = \"out of order\"\n"
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// person answers the questions of a run in turn, each with a JSON text, and the rest with the last.
type person struct {
	mu      sync.Mutex
	answers []string
	shown   []checkpoint.Asked // guarded by mu
}

func says(answers ...string) *person { return &person{answers: answers} }

func (p *person) Ask(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	answer := p.answers[min(len(p.shown), len(p.answers)-1)]
	p.shown = append(p.shown, q)
	return checkpoint.Answer{
		Decision: json.RawMessage(answer), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce,
		Who: journal.Who{User: "ann", Host: "here", Way: "asker"},
	}, nil
}

func storeAt(t testing.TB, dir string) *journal.Store {
	t.Helper()
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

// start runs a built-in workflow.
func start(t testing.TB, name, args string, o engine.Options) *engine.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if o.Store == nil {
		o.Store = storeAt(t, t.TempDir())
	}
	o.Args = json.RawMessage(args)
	r, err := engine.Run(ctx, builtin(t, name), o)
	require.NoError(t, err)
	return r
}

// ends requires how a run ended, and what it gave.
func ends(t testing.TB, r *engine.Result, state, value string) {
	t.Helper()
	require.Equal(t, state, r.State, "%v", r.Err)
	require.JSONEq(t, value, string(r.Value), "%s", r.Value)
}

// prompts are those of requests.
func prompts(asked []agent.Request) []string {
	list := []string{}
	for _, req := range asked {
		list = append(list, req.Prompt)
	}
	return list
}
