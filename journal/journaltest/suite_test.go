package journaltest_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/journal/journaltest"
	"github.com/seed-8d4a6081/assent/vm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// files is the Store that keeps journals in files.
type files struct {
	*journal.Store
	dir string
}

var _ journaltest.Forgetful = files{}

// ForgetOwner removes the lease's file, as somebody may by hand.
func (f files) ForgetOwner(id string) {
	if err := os.Remove(filepath.Join(f.dir, "store", "locks", id+".lease")); err != nil {
		panic(err)
	}
}

func inFiles(shared bool) func(t *testing.T) journaltest.Store {
	return func(t *testing.T) journaltest.Store {
		dir := t.TempDir()
		s, err := journal.Open(journal.Options{
			Dir: filepath.Join(dir, "store"), KeyDir: filepath.Join(dir, "keys"), Version: "test", Shared: shared,
		})
		require.NoError(t, err)
		t.Cleanup(func() {
			rows, err := s.List(context.Background())
			require.NoError(t, err)
			for _, row := range rows {
				report, err := journal.Verify(context.Background(), s, row.ID)
				require.NoError(t, err)
				require.True(t, report.OK && report.Proven, "%v", report.Problems)
			}
		})
		return files{s, dir}
	}
}

// stores are all that passes.
var stores = map[string]func(t *testing.T) journaltest.Store{
	"own":    inFiles(false),
	"shared": inFiles(true),
	"memory": func(*testing.T) journaltest.Store { return newMemory() },
}

func TestStores(t *testing.T) {
	for name, open := range stores {
		t.Run(name, func(t *testing.T) { journaltest.Test(t, open) })
	}
}

type greeter struct{}

func (greeter) Run(_ context.Context, req agent.Request, _ agent.Step) (agent.Response, error) {
	value, err := json.Marshal("done: " + req.Prompt)
	return agent.Response{Value: value}, err
}

const script = `export const meta = { name: "greet", description: "Ask, greet" };
const name = await agent("who?", { readOnly: true });
const approval = await planApprove({ greet: name }, { headless: "suspend" });
if (approval.decision !== true) return "no";
return await agent("greet " + approval.plan.greet, { under: approval });`

// The engine drives a run on whatever passes: it starts, waits for a person, and goes on.
func TestTheEngineOnEach(t *testing.T) {
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			s := open(t)
			program, err := vm.Compile(fstest.MapFS{"greet.js": {Data: []byte(script)}}, "greet.js")
			require.NoError(t, err)
			o := engine.Options{Store: s, Agent: greeter{}}
			result, err := engine.Run(ctx, program, o)
			require.NoError(t, err)
			require.Equal(t, journal.StatusWaiting, result.State)

			v, err := s.Visit(ctx, result.Run)
			require.NoError(t, err)
			gate := v.State().Pending()[0]
			require.JSONEq(t, `{"greet":"done: who?"}`, gate.Asked.Plan)
			_, err = checkpoint.Respond(ctx, v, func() bool { return false }, time.Now, checkpoint.Response{
				Gate: gate.Asked.Gate, Checksum: gate.Asked.Checksum, Nonce: gate.Asked.Nonce,
				Decision: json.RawMessage("true"), Who: journal.Who{User: "ann", Host: "here", Way: "command"},
			})
			require.NoError(t, err)
			require.NoError(t, v.Close())

			result, err = engine.Resume(ctx, result.Run, nil, o)
			require.NoError(t, err)
			require.Equal(t, journal.StatusCompleted, result.State)
			require.JSONEq(t, `"done: greet done: who?"`, string(result.Value))
			replay, err := engine.Replay(ctx, result.Run, o)
			require.NoError(t, err)
			require.NotNil(t, replay)
		})
	}
}
