package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// hasEnded reports whether the script came to its end: that of a plan that is not approved is a
// stop.
func hasEnded(r *engine.Result) bool {
	return r.State == "completed" || r.State == "stopped" && r.Code == "PLAN_NOT_APPROVED"
}

// TestModel holds the replay rules against random scripts with failures, cuts and resumes, some of
// them with plans, validators and attempts without a person: no unsound replay, no answer to the
// wrong call, no wasted call where branches share no state, no false alarm, no deadlock, nothing
// early under meta.planFirst, and a last replay that makes no live call.
func TestModel(t *testing.T) {
	scripts := 6
	if os.Getenv("ASSENT_LONG") != "" {
		scripts = 400
	}
	for _, c := range []struct {
		name string
		g    generator
		// pure scripts share no state and race nothing: their result is that of a clean run.
		pure bool
	}{
		{"frames", generator{}, true},
		{"promises of all kinds", generator{plain: true}, true},
		{"shared promises", generator{promises: true, deferred: true, sleeps: true}, true},
		{"nested", generator{nested: true, plain: true, sleeps: true}, true},
		{"nested, with plans", generator{nested: true, plans: true, plain: true}, true},
		{"races", generator{race: true, plain: true}, false},
		{"shared state", generator{shared: true, plain: true, race: true}, false},
		{"everything", generator{race: true, plain: true, promises: true, deferred: true, sleeps: true}, false},
		{"plans", generator{plans: true, plain: true}, true},
		{"plans and everything", generator{plans: true, race: true, plain: true, promises: true, sleeps: true}, false},
		{"plan first", generator{plans: true, planFirst: true, plain: true, race: true}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			base := time.Now().UnixNano()
			for i := range scripts {
				seed := base + int64(i)
				if !t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { modelOne(t, seed, c.g, c.pure) }) {
					return
				}
			}
		})
	}
}

func modelOne(t *testing.T, seed int64, g generator, pure bool) {
	r := rand.New(rand.NewSource(seed))
	g.r = r
	body := g.script()
	program := script(t, body)
	if g.planFirst {
		program = planFirst(t, body)
	}
	store := newStore(t)
	settings := journal.Settings{Concurrency: 6}
	ann := &person{answer: decides}
	want := run(t, program, engine.Options{Store: store, Agent: &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.Label == planapprove.ValidatorLabel {
			return sound, nil
		}
		return "done: " + req.Prompt, nil
	}}, Settings: settings, Asker: ann})
	require.True(t, hasEnded(want), "%v\n%s", want.Err, body)

	l := &ledger{}
	var id string
	var prompts sync.Map
	failed := map[string]int{}
	for attempt := range 9 {
		last := attempt >= 6
		var mu sync.Mutex
		rng := rand.New(rand.NewSource(seed + int64(attempt)))
		chance := func(n int) int { mu.Lock(); defer mu.Unlock(); return rng.Intn(n) }
		workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
			prompts.Store(req.Call, req.Prompt)
			select {
			case <-time.After(time.Duration(chance(400)) * time.Microsecond):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			name, _ := nameOf(req.Label, req.Prompt)
			mu.Lock()
			defer mu.Unlock()
			if !last && failed[name] < 2 && rng.Intn(7) == 0 {
				failed[name]++
				return nil, errors.New("it broke")
			}
			if req.Label == planapprove.ValidatorLabel {
				return sound, nil
			}
			return "done: " + req.Prompt, nil
		}}
		ctx, cut := context.WithCancel(context.Background())
		ends := -1
		if !last && chance(4) > 0 {
			ends = chance(10)
		}
		l.version, l.begun, l.live, l.approved = map[string]uint64{}, map[string]work{}, nil, false
		o := engine.Options{Store: store, Agent: workers, Settings: settings, RerunInterrupted: true, RerunChanged: true, Asker: ann}
		if g.plans && !last && chance(3) == 0 {
			o.Asker, o.OnGate = nil, rules[chance(len(rules))]
		}
		st := &journal.State{}
		if id != "" {
			st = state(t, store, id)
		}
		follow := l.observe(st, &prompts)
		o.Observe = func(e engine.Event) {
			follow(e)
			if e.Type == engine.CallEnded || e.Type == engine.GateOpened || e.Type == engine.GateEnded {
				if ends--; ends == 0 {
					cut()
				}
			}
		}
		var res *engine.Result
		var err error
		if id == "" {
			res, err = engine.Run(ctx, program, o)
		} else {
			res, err = engine.Resume(ctx, id, nil, o)
		}
		cut()
		require.NoError(t, err)
		id = res.Run
		states := []string{"completed", "interrupted"}
		if g.plans {
			states = append(states, "stopped", "waiting")
		}
		require.Contains(t, states, res.State, "%s: %v\n%s", res.Code, res.Err, body)
		require.Empty(t, l.unsound, body)
		require.Empty(t, l.miskeyed, body)
		if g.planFirst {
			require.Empty(t, l.early, body)
		}
		if !g.shared && !g.race && !g.planFirst {
			require.Empty(t, l.wasted, body)
		}
		if last && hasEnded(res) && len(res.Failures) == 0 {
			if pure {
				require.Equal(t, string(want.Value), string(res.Value), body)
			}
			again, err := engine.Resume(context.Background(), id, nil, o)
			require.NoError(t, err)
			require.Zero(t, again.Live, body)
			require.Equal(t, string(res.Value), string(again.Value), body)
			proof, err := engine.Replay(context.Background(), id, engine.Options{Store: store})
			require.NoError(t, err, body)
			require.Equal(t, string(res.Value), string(proof.Value), body)
			return
		}
	}
	t.Fatalf("the run never completed without failures\n%s", body)
}
