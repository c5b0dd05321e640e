package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// ledger remembers what every answer was based on, over all attempts at one script.
type ledger struct {
	// version is the seq of the answer that this attempt's script has from a call, by name.
	version map[string]uint64
	// begun are the live calls at work, by key; done all that finished.
	begun map[string]work
	done  []work
	live  []string
	// What is wrong.
	unsound, miskeyed, wasted []string
}

// work is one live execution of a call: who made it, what for, and which answers it knew.
type work struct {
	name, prompt string
	start        uint64
	knew         map[string]uint64
	ok           bool
}

func parseLabel(label string) (name string, knows []string) {
	name, list, _ := strings.Cut(label, "|")
	if list == "" {
		return name, nil
	}
	return name, strings.Split(list, ",")
}

func (l *ledger) knew(knows []string) map[string]uint64 {
	versions := map[string]uint64{}
	for _, u := range knows {
		versions[u] = l.version[u]
	}
	return versions
}

// observe follows an attempt; st is the journal as the attempt found it.
func (l *ledger) observe(st *journal.State, prompts *sync.Map) func(engine.Event) {
	return func(e engine.Event) {
		name, knows := parseLabel(e.Label)
		switch e.Type {
		case engine.CallReplayed:
			if e.Name != "agent" {
				return
			}
			old := st.Calls[e.Key]
			if first, _ := parseLabel(old.Call.Label); first != name {
				l.miskeyed = append(l.miskeyed, fmt.Sprintf("%s: the answer of %s was given to %s", e.Key, first, name))
			}
			for u, v := range l.knew(knows) {
				if v > old.StartSeq {
					l.unsound = append(l.unsound, fmt.Sprintf("%s began at %d and knows %s@%d", name, old.StartSeq, u, v))
				}
			}
			l.version[name] = e.Seq
		case engine.CallBegan:
			prompt, _ := prompts.Load(e.Key)
			text, _ := prompt.(string)
			w := work{name: name, prompt: text, start: e.Seq, knew: l.knew(knows)}
			l.begun[e.Key] = w
			l.live = append(l.live, name)
		case engine.CallEnded:
			if e.Name != "agent" {
				return
			}
			w := l.begun[e.Key]
			prompt, _ := prompts.Load(e.Key)
			w.prompt, w.ok = prompt.(string), e.Failure == nil
			for _, p := range l.done {
				if p.ok && p.name == w.name && p.prompt == w.prompt && sameKnowledge(p, w) {
					l.wasted = append(l.wasted, w.name)
					break
				}
			}
			l.done = append(l.done, w)
			l.version[name] = e.Seq
		}
	}
}

// sameKnowledge reports whether p, an earlier execution, rests on exactly the answers that w
// knew.
func sameKnowledge(p, w work) bool {
	if len(p.knew) != len(w.knew) {
		return false
	}
	for u, v := range w.knew {
		if p.knew[u] != v || v > p.start {
			return false
		}
	}
	return true
}

// TestModel holds the replay rules against random scripts with failures, cuts and resumes: no
// unsound replay, no answer to the wrong call, no wasted call where branches share no state,
// no false alarm, no deadlock, and a last replay that makes no live call.
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
		{"races", generator{race: true, plain: true}, false},
		{"shared state", generator{shared: true, plain: true, race: true}, false},
		{"everything", generator{race: true, plain: true, promises: true, deferred: true, sleeps: true}, false},
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
	store := newStore(t)
	settings := journal.Settings{Concurrency: 6}
	want := run(t, program, engine.Options{Store: store, Agent: &team{}, Settings: settings})
	require.Equal(t, "completed", want.State, "%v\n%s", want.Err, body)

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
			name, _ := parseLabel(req.Label)
			mu.Lock()
			defer mu.Unlock()
			if !last && failed[name] < 2 && rng.Intn(7) == 0 {
				failed[name]++
				return nil, errors.New("it broke")
			}
			return "done: " + req.Prompt, nil
		}}
		ctx, cut := context.WithCancel(context.Background())
		ends := -1
		if !last && chance(4) > 0 {
			ends = chance(10)
		}
		l.version, l.begun, l.live = map[string]uint64{}, map[string]work{}, nil
		o := engine.Options{Store: store, Agent: workers, Settings: settings, RerunInterrupted: true, RerunChanged: true}
		st := &journal.State{}
		if id != "" {
			st = state(t, store, id)
		}
		follow := l.observe(st, &prompts)
		o.Observe = func(e engine.Event) {
			follow(e)
			if e.Type == engine.CallEnded {
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
		require.Contains(t, []string{"completed", "interrupted"}, res.State, "%s: %v\n%s", res.Code, res.Err, body)
		require.Empty(t, l.unsound, body)
		require.Empty(t, l.miskeyed, body)
		if !g.shared && !g.race {
			require.Empty(t, l.wasted, body)
		}
		if last && res.State == "completed" && len(res.Failures) == 0 {
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
