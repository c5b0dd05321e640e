package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// guardNotes are the lines of the loop guard in a run's journal.
func guardNotes(t *testing.T, store *journal.Store, id string) []string {
	t.Helper()
	entries, err := journal.Entries(context.Background(), store, id)
	require.NoError(t, err)
	var said []string
	for _, e := range entries {
		if e.Kind != journal.KindNote {
			continue
		}
		n, err := journal.Decode[journal.Note](e)
		require.NoError(t, err)
		if strings.HasPrefix(n.Text, "loop guard: ") {
			require.Equal(t, "warn", n.Level)
			said = append(said, n.Text)
		}
	}
	return said
}

// What is a loop that has lost its way, and what only looks like one. warns is how many loops are
// warned of.
var loops = map[string]struct {
	body  string
	warns int
}{
	"a while loop":                    {`for (let i = 0; i < 7; i++) await agent("Fix the tests.")`, 1},
	"one round too few":               {`for (let i = 0; i < 4; i++) await agent("Fix the tests.")`, 0},
	"as many as it has":               {`for (let i = 0; i < 5; i++) await agent("Fix the tests.")`, 1},
	"the prompt changes":              {"for (let i = 0; i < 9; i++) await agent(`Fix the tests, round ${i}.`)", 0},
	"an option changes":               {"for (let i = 0; i < 9; i++) await agent('Fix.', {model: `m${i}`})", 0},
	"a label is not another question": {"for (let i = 0; i < 6; i++) await agent('Fix.', {label: `try ${i}`})", 1},
	"two loops":                       {`for (let i = 0; i < 6; i++) { await agent("a"); await agent("b") }`, 2},
	"a call within":                   {"const f = async (n) => n && (await agent('Fix.'), await f(n - 1)); await f(6)", 1},
	"a chain of then":                 {`let n = 0; const f = () => agent("Fix.").then(() => ++n < 6 ? f() : null); await f()`, 1},
	"caught failures":                 {`for (let i = 0; i < 6; i++) try { await agent("bad", {onError: "throw"}) } catch {}`, 1},
	"reviewers":                       {`await parallel([1,2,3,4,5,6,7,8].map(() => () => agent("Review.")))`, 0},
	"reviewers without parallel":      {`await Promise.all([1,2,3,4,5,6,7,8].map(() => agent("Review.")))`, 0},
	"three votes, three times":        {`for (let i = 0; i < 3; i++) await Promise.all([1,2,3].map(() => agent("Vote.")))`, 0},
	"a loop of parallel":              {`for (let i = 0; i < 6; i++) await parallel([() => agent("a"), () => agent("b" + i)])`, 1},
	"a loop in a branch":              {`await parallel([async () => { for (let i = 0; i < 6; i++) await agent("a") }, () => agent("a")])`, 1},
	"items of a pipeline":             {`await pipeline([1,2,3,4,5,6,7], v => agent("one " + v), () => agent("and now?"))`, 0},
	"a loop of workflows":             {"for (let i = 0; i < 6; i++) await workflow({script: 'export const meta = {name: \"child\", description: \"x\"};\\nreturn await agent(\"a\")'})", 1},
	"a race":                          {`for (let i = 0; i < 6; i++) await Promise.race([agent("same"), agent("other " + i)])`, 1},
	"a generator":                     {`async function* ask() { for (let i = 0; i < 6; i++) yield await agent("same") }; for await (const a of ask()) log(a)`, 1},
	"then within await":               {`for (let i = 0; i < 6; i++) await agent("same").then(a => a.length)`, 1},
	"two workers":                     {`const work = async (n) => { for (let i = 0; i < 6; i++) await agent("same " + n) }; await Promise.all([work(1), work(2)])`, 2},
	"items that end with the same":    {`await Promise.all([1,2,3,4,5,6,7,8].map(async i => { await agent("item " + i); await agent("and now?") }))`, 0},
	"branches that end with the same": {`await parallel([1,2,3,4,5,6,7,8].map(i => async () => { await agent("item " + i); await agent("and now?") }))`, 0},
	"a loop of questions":             {`for (let i = 0; i < 8; i++) await checkpoint("Go?", {default: true})`, 0},
}

func TestLoopGuardWarns(t *testing.T) {
	for name, c := range loops {
		for _, concurrency := range []int{1, 8} {
			t.Run(fmt.Sprintf("%s, %d at once", name, concurrency), func(t *testing.T) { warns(t, c.body, c.warns, concurrency) })
		}
	}
}

func warns(t *testing.T, body string, loops, concurrency int) {
	store := newStore(t)
	o := engine.Options{Store: store, Agent: &team{answer: failsAt("bad")}, Settings: journal.Settings{Concurrency: concurrency}}
	r := run(t, script(t, body), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	said := guardNotes(t, store, r.Run)
	require.Len(t, said, loops)
	for _, line := range said {
		require.Regexp(t, `^loop guard: agent.* at .*/agent#\d+ at (test|inline)\.js:2 asks an agent the same for the 5th time, each time after the answer to the last$`, line)
	}
	if len(r.Failures) == 0 {
		proved, err := engine.Replay(context.Background(), r.Run, o)
		require.NoError(t, err)
		require.Equal(t, r.Value, proved.Value)
	}
	require.Len(t, guardNotes(t, store, r.Run), loops)
}

func failsAt(prompt string) func(context.Context, agent.Request) (any, error) {
	return func(_ context.Context, req agent.Request) (any, error) {
		if req.Prompt == prompt {
			return nil, context.DeadlineExceeded
		}
		return "done", nil
	}
}

// A run that is stopped makes no further call, nothing in the script can catch it, and what was
// finished is kept. A resume comes to the same end without paying anything, until somebody says otherwise.
func TestLoopGuardStops(t *testing.T) {
	store := newStore(t)
	workers := &team{}
	o := engine.Options{Store: store, Agent: workers, Settings: journal.Settings{LoopGuard: "stop", LoopGuardRepeats: 3}}
	body := `let n = 0;
for (;;) {
  try { await agent("Are we there?", {label: "drive", readOnly: true}); if (++n == 6) return n }
  catch (e) { log("caught " + e) }
}`
	r := run(t, script(t, body), o)
	require.Equal(t, "failed", r.State)
	require.Equal(t, "LOOP_GUARD", r.Code)
	require.ErrorContains(t, r.Err, `agent "drive" at /agent#2 at test.js:4 asks an agent the same for the 3rd time`)
	require.Equal(t, []string{"drive", "drive"}, workers.take())
	require.Nil(t, state(t, store, r.Run).Calls["/agent#2"])

	proved, err := engine.Replay(context.Background(), r.Run, o)
	require.NoError(t, err)
	require.Equal(t, "failed", proved.State)

	o.Settings = journal.Settings{} // the run's own hold
	again := resume(t, r.Run, nil, o)
	require.Equal(t, "LOOP_GUARD", again.Code)
	require.Empty(t, workers.take())
	require.Equal(t, "stop", state(t, store, r.Run).Settings.LoopGuard)

	o.Settings.LoopGuard = "warn"
	done := resume(t, r.Run, nil, o)
	require.Equal(t, "completed", done.State, "%v", done.Err)
	require.Equal(t, "6", string(done.Value))
	require.Len(t, workers.take(), 4)
	require.Len(t, guardNotes(t, store, r.Run), 1)
	require.Equal(t, 3, state(t, store, r.Run).Settings.LoopGuardRepeats)
}

// Calls that are at work when the guard stops the run end, and are kept.
func TestLoopGuardLetsWorkEnd(t *testing.T) {
	store := newStore(t)
	open := make(chan struct{})
	workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
		if req.Prompt == "slow" {
			select {
			case <-open:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return "done", nil
	}}
	o := engine.Options{Store: store, Agent: workers, Settings: journal.Settings{LoopGuard: "stop", LoopGuardRepeats: 2, Concurrency: 4}}
	o.Observe = func(e engine.Event) {
		if e.Type == engine.Warned {
			require.Contains(t, e.Text, "nothing more begins, and 1 call at work may end")
			close(open)
		}
	}
	r := run(t, script(t, `const slow = agent("slow", {readOnly: true});
for (;;) await agent("same", {readOnly: true});`), o)
	require.Equal(t, "LOOP_GUARD", r.Code)
	require.Equal(t, `"done"`, string(state(t, store, r.Run).Calls["/agent#0"].Finish.Value))
}

func TestLoopGuardOff(t *testing.T) {
	store := newStore(t)
	o := engine.Options{Store: store, Agent: &team{}, Settings: journal.Settings{LoopGuard: "off"}}
	r := run(t, script(t, `for (let i = 0; i < 9; i++) await agent("same", {readOnly: true})`), o)
	require.Equal(t, "completed", r.State)
	require.Empty(t, guardNotes(t, store, r.Run))

	for _, s := range []journal.Settings{{LoopGuard: "no"}, {LoopGuardRepeats: 1}, {LoopGuardRepeats: -1}, {ContextWarning: 101}, {ContextWarning: -1}} {
		o.Settings = s
		_, err := engine.Run(context.Background(), script(t, `return 1`), o)
		require.ErrorContains(t, err, "OPTION_INVALID", "%+v", s)
	}
}

// The warning is written once, also if the run is cut off and goes on.
func TestLoopGuardWarnsOnceInARun(t *testing.T) {
	store := newStore(t)
	workers := &team{}
	o := engine.Options{Store: store, Agent: workers, OnGate: "suspend"}
	body := `for (let i = 0; i < 6; i++) await agent("same", {readOnly: true});
await checkpoint("Go on?");
for (let i = 0; i < 6; i++) await agent("same", {readOnly: true});
return "there"`
	first := run(t, script(t, body), o)
	require.Equal(t, "waiting", first.State)
	require.Len(t, guardNotes(t, store, first.Run), 1)
	workers.take()
	again := resume(t, first.Run, nil, o)
	require.Equal(t, "waiting", again.State)
	require.Empty(t, workers.take())
	require.Len(t, guardNotes(t, store, first.Run), 1)
}
