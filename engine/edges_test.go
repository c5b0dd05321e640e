package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func cancelNow(store *journal.Store, id string) error {
	v, err := store.Visit(context.Background(), id)
	if err != nil {
		return err
	}
	defer v.Close()
	_, err = v.Update(context.Background(), func(*journal.State) ([]journal.Draft, error) {
		return []journal.Draft{{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "cancelled", Who: &journal.Who{User: "bob"}}}}, nil
	})
	return err
}

func TestRaiseAfterCallLimit(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, Agent: &team{}, Settings: journal.Settings{MaxCalls: 2}}
	r := run(t, script(t, `for (let i=0;i<4;i++) await agent("a"+i,{readOnly:true}); return "ok"`), o)
	require.Equal(t, "failed", r.State)
	require.Equal(t, "CALL_LIMIT", r.Code)
	o.Settings.MaxCalls = 100
	again := resume(t, r.Run, nil, o)
	require.Equal(t, "completed", again.State, "%s %v", again.Code, again.Err)
}

func TestCancelAtTheEnd(t *testing.T) {
	store := newStore(t)
	var once sync.Once
	o := engine.Options{Store: store, Agent: &team{}, Observe: func(e engine.Event) {
		if e.Type == engine.CallEnded {
			once.Do(func() { require.NoError(t, cancelNow(store, e.Run)) })
		}
	}}
	r := run(t, script(t, `return await agent("a")`), o)
	st := state(t, store, r.Run)
	require.Equal(t, "cancelled", st.Finished.State)
	require.Equal(t, "cancelled", r.State)
}

func TestOwnCancelIsLost(t *testing.T) {
	store := newStore(t)
	workers := &team{answer: func(context.Context, agent.Request) (any, error) {
		return nil, fmt.Errorf("http: %w", context.Canceled)
	}}
	r := run(t, script(t, `return await agent("x")`), engine.Options{Store: store, Agent: workers})
	require.Equal(t, "completed", r.State, "%s %v, waiting %d", r.Code, r.Err, len(r.Waiting))
}

func TestWallClockStarves(t *testing.T) {
	store := newStore(t)
	workers := &team{answer: func(context.Context, agent.Request) (any, error) { time.Sleep(30 * time.Millisecond); return "x", nil }}
	r := run(t, script(t, `for (let i=0;i<60;i++) await agent("a"+i,{readOnly:true}); return "ok"`), engine.Options{Store: store, Agent: workers, Settings: journal.Settings{WallMs: 300}})
	require.Equal(t, "WALL_CLOCK_LIMIT", r.Code, "%s", r.State)
}

func TestDryRunOfARace(t *testing.T) {
	workers := racers()
	store := newStore(t)
	r := run(t, script(t, `return await Promise.race([agent("slow"), agent("fast")])`), engine.Options{Store: store, Agent: workers})
	require.Equal(t, "completed", r.State)
	f, err := engine.DryRun(context.Background(), r.Run, nil, engine.Options{Store: store})
	require.NoError(t, err)
	require.True(t, f.Ends)
	require.Empty(t, f.Again)
}

func TestReplayAfterCaughtBudget(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, Agent: costs{60, 40}, Settings: journal.Settings{Budget: journal.Usage{Tokens: 150}}}
	r := run(t, script(t, `let n=0; try { for (;;) { await agent("a"+n,{readOnly:true}); n++ } } catch (e) { return {n, code: e.code} }`), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	_, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
	require.NoError(t, err)
}

func TestReplayOfNoAgent(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, `await agent("x")`), engine.Options{Store: store})
	require.Equal(t, "failed", r.State)
	_, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
	require.NoError(t, err)
}

func TestSuccessCase(t *testing.T) {
	r := run(t, script(t, `return {SUCCESS: false}`), engine.Options{Store: newStore(t)})
	require.Equal(t, "completed", r.State)
}

func TestArgsBadUTF8(t *testing.T) {
	store := newStore(t)
	_, err := engine.Run(context.Background(), script(t, `return args`), engine.Options{Store: store, Args: json.RawMessage("{\"a\":\"\xff\"}")})
	require.True(t, fault.Is(err, fault.ArgsInvalid), "%v", err)
}

func TestNegativeConcurrency(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	_, err := engine.Run(ctx, script(t, `return await agent("x")`), engine.Options{Store: newStore(t), Agent: &team{}, Settings: journal.Settings{Concurrency: -1}})
	require.Error(t, err)
	require.NoError(t, ctx.Err(), "hung")
}

func TestFinishLeaksWorkers(t *testing.T) {
	dir := t.TempDir()
	open := func() *journal.Store {
		s, err := journal.Open(journal.Options{Dir: filepath.Join(dir, "store"), KeyDir: filepath.Join(dir, "keys")})
		require.NoError(t, err)
		return s
	}
	store, other := open(), open()
	began := make(chan string, 3)
	slow := make(chan struct{})
	workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		began <- req.Run
		<-ctx.Done()
		if req.Prompt != "0" {
			<-slow
		}
		return "paid for", nil
	}}
	ctx, cut := context.WithCancel(context.Background())
	type out struct {
		r   *engine.Result
		err error
	}
	res := make(chan out, 1)
	program := script(t, `return await parallel([0,1,2].map(i => () => agent(""+i)))`)
	go func() {
		r, err := engine.Run(ctx, program, engine.Options{Store: store, Agent: workers, Settings: journal.Settings{Concurrency: 3}})
		res <- out{r, err}
	}()
	id := ""
	for range 3 {
		id = <-began
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "store", "locks", id+".lease")))
	run, err := other.Take(context.Background(), id, func(st *journal.State) (journal.RunResumed, error) {
		return journal.RunResumed{Settings: st.Settings}, nil
	})
	require.NoError(t, err)
	defer run.Close()
	time.AfterFunc(100*time.Millisecond, func() { close(slow) })
	cut()
	o := <-res
	require.True(t, fault.Is(o.err, fault.LeaseLost), "%v", o.err)
	time.Sleep(300 * time.Millisecond)
	var b strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&b, 1)
	n := strings.Count(b.String(), "attempt).launch.func1")
	require.Zero(t, n, "goroutines left in launch")
}

func TestOverHoldsTheLock(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	o := engine.Options{Store: store, Agent: &team{}, Settings: journal.Settings{StretchMs: 2500}}
	r := run(t, script(t, `await agent("x",{readOnly:true}); for(;;){}`), o)
	require.Equal(t, "STRETCH_LIMIT", r.Code)
	done := make(chan struct{})
	go func() { defer close(done); _, _ = engine.Resume(context.Background(), r.Run, nil, o) }()
	time.Sleep(300 * time.Millisecond)
	at := time.Now()
	v, err := store.Visit(context.Background(), r.Run)
	took := time.Since(at)
	if err == nil {
		v.Close()
	}
	<-done
	require.NoError(t, err)
	require.Less(t, took, 500*time.Millisecond)
}

func TestDryRunOfAWaitingGate(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, gated), engine.Options{Store: store, OnGate: checkpoint.Suspend})
	f, err := engine.DryRun(context.Background(), r.Run, nil, engine.Options{Store: store})
	require.NoError(t, err)
	require.Empty(t, f.New, "the journal has an entry for the gate")
}

type named struct{ adder }

func (named) Name() string { return "agent" }

func TestPrimitiveNamedAgent(t *testing.T) {
	store := newStore(t)
	_, err := engine.Run(context.Background(), script(t, `return 1`), engine.Options{Store: store, Primitives: []engine.Primitive{&named{}}})
	require.True(t, fault.Is(err, fault.OptionInvalid), "%v", err)
	list, err := store.List(context.Background())
	require.NoError(t, err)
	require.Empty(t, list, "refused before there is a run")
}

type outside struct{ adder }

func (*outside) Parse([]json.RawMessage) (engine.Request, error) {
	return engine.Request{Identity: json.RawMessage("1"), Outside: json.RawMessage("nope")}, nil
}

func TestOutsideNotJSON(t *testing.T) {
	store := newStore(t)
	r, err := engine.Run(context.Background(), script(t, `return await add(1,2)`), engine.Options{Store: store, Primitives: []engine.Primitive{&outside{}}})
	require.NoError(t, err)
	require.Equal(t, "failed", r.State)
	require.ErrorContains(t, r.Err, "Request.Outside is not JSON")
}

func TestGateHasNoCallFinished(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, `try { await checkpoint("Delete?") } catch (e) { return e.code }`), engine.Options{Store: store})
	st := state(t, store, r.Run)
	require.Empty(t, st.Calls)
}

func TestBudgetOfBothKinds(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, Agent: costs{60, 40}, Settings: journal.Settings{Budget: journal.Usage{Tokens: 150, CostMicroUSD: 5e6}}}
	_, err := engine.Run(context.Background(), script(t, `return 1`), o)
	require.True(t, fault.Is(err, fault.OptionInvalid), "%v", err)
}

func TestReplayOfWall(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, `await checkpoint("x", {headless: "suspend"})`), engine.Options{Store: store})
	require.NoError(t, cancelNow(store, r.Run))
	_, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
	require.NotContains(t, err.Error(), "does not lead to the end")
}
