package engine_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// three has three calls, one after the other, of which the second may change something. Its
// lines are 2 to 5 of the file; each call stands in column 17.
const three = `const a = await agent("one", {label: "a", readOnly: true});
const b = await agent("two", {label: "b"});
const c = await agent("three", {label: "c", readOnly: true});
return [a, b, c];
`

// against compares an edited script with a run's.
func against(t testing.TB, store *journal.Store, id string, edited *vm.Program) *engine.Comparison {
	t.Helper()
	head := state(t, store, id).Head
	c, err := engine.Against(context.Background(), id, edited, engine.Options{Store: store})
	require.NoError(t, err)
	require.Equal(t, head, state(t, store, id).Head, "it wrote something")
	return c
}

func ranThree(t testing.TB) (*journal.Store, string) {
	t.Helper()
	store := newStore(t)
	r := run(t, script(t, three), engine.Options{Store: store, Agent: &team{}})
	require.Equal(t, "completed", r.State)
	return store, r.Run
}

func changedKeys(calls []engine.ChangedCall) []string {
	var list []string
	for _, c := range calls {
		list = append(list, c.Key)
	}
	return list
}

func repeatedKeys(calls []engine.RepeatedCall) []string {
	var list []string
	for _, c := range calls {
		list = append(list, c.Key)
	}
	return list
}

func TestAgainstTheSameScript(t *testing.T) {
	store, id := ranThree(t)
	c := against(t, store, id, script(t, three))
	require.False(t, c.Diverges(true))
	require.Equal(t, 3, c.Replayed)
	require.True(t, c.SameEnding)
	require.JSONEq(t, `["done: one","done: two","done: three"]`, string(c.Ending.Result))
	require.Nil(t, c.First)
}

func TestAgainstAChangedPrompt(t *testing.T) {
	store, id := ranThree(t)
	c := against(t, store, id, script(t, `const a = await agent("one", {label: "a", readOnly: true});
const b = await agent("two and a half", {label: "b"});
const c = await agent("three", {label: "c", readOnly: true});
return [a, b, c];
`))
	require.True(t, c.Diverges(false))
	require.Equal(t, 1, c.Replayed)
	require.Equal(t, []string{"/agent#1"}, changedKeys(c.Again))
	require.Empty(t, c.New)
	again := c.Again[0]
	require.Equal(t, "the script asks for something else now", again.Reason)
	require.Contains(t, again.Diff, "-two\n+two and a half\n")
	require.True(t, again.Repeats)
	require.Empty(t, again.Was)
	require.Equal(t, &vm.Position{File: "test.js", Line: 3, Column: 17}, c.First)
	require.Nil(t, c.Ending)
	require.Equal(t, []string{"/agent#2"}, repeatedKeys(c.Behind))
	require.Empty(t, c.Gone)
}

// A call that is put before the others takes the place of the first.
func TestAgainstAnAddedCall(t *testing.T) {
	store, id := ranThree(t)
	c := against(t, store, id, script(t, `await agent("zero", {label: "z", readOnly: true});
`+three))
	require.Equal(t, []string{"/agent#0"}, changedKeys(c.Again))
	require.False(t, c.Again[0].Repeats) // it was read-only
	require.Equal(t, 0, c.Replayed)
	require.Equal(t, []string{"/agent#1", "/agent#2"}, repeatedKeys(c.Behind))
	// One behind the others is new, and the others replay.
	c = against(t, store, id, script(t, `const a = await agent("one", {label: "a", readOnly: true});
const b = await agent("two", {label: "b"});
const c = await agent("three", {label: "c", readOnly: true});
await agent("four", {label: "d"});
return [a, b, c];
`))
	require.Equal(t, []string{"/agent#3"}, changedKeys(c.New))
	require.Equal(t, 3, c.Replayed)
	require.Equal(t, 5, c.First.Line)
	require.Empty(t, c.Behind)
	require.True(t, c.Diverges(false))
}

func TestAgainstARemovedCall(t *testing.T) {
	store, id := ranThree(t)
	// The second is gone, so what was the third takes its place.
	c := against(t, store, id, script(t, `const a = await agent("one", {label: "a", readOnly: true});
const c = await agent("three", {label: "c", readOnly: true});
return [a, "done: two", c];
`))
	require.Equal(t, []string{"/agent#1"}, changedKeys(c.Again))
	require.Equal(t, "/agent#2", c.Again[0].Was)
	require.True(t, c.Diverges(false))
	// The last is gone, and what it said stands in the script: the work is the same.
	c = against(t, store, id, script(t, `const a = await agent("one", {label: "a", readOnly: true});
const b = await agent("two", {label: "b"});
return [a, b, "done: three"];
`))
	require.Equal(t, []string{"/agent#2"}, repeatedKeys(c.Gone))
	require.True(t, c.SameEnding)
	require.False(t, c.Diverges(false))
	require.True(t, c.Diverges(true))
}

func TestAgainstAnotherResult(t *testing.T) {
	store, id := ranThree(t)
	c := against(t, store, id, script(t, three[:len(three)-len("return [a, b, c];\n")]+"return [c, b, a];\n"))
	require.True(t, c.Diverges(false))
	require.False(t, c.SameEnding)
	require.Equal(t, 3, c.Replayed)
	require.JSONEq(t, `["done: three","done: two","done: one"]`, string(c.Ending.Result))
	require.JSONEq(t, `["done: one","done: two","done: three"]`, string(c.Before.Result))
	require.Empty(t, append(c.Again, c.New...))
	require.Nil(t, c.First)
}

func TestAgainstAScriptThatThrows(t *testing.T) {
	store, id := ranThree(t)
	c := against(t, store, id, script(t, `const a = await agent("one", {label: "a", readOnly: true});
throw new Error("no " + a);
`))
	require.True(t, c.Diverges(false))
	require.Equal(t, "failed", c.Ending.State)
	require.ErrorContains(t, c.Ending.Err, "no done: one")
	require.Equal(t, 3, c.First.Line)
	require.Equal(t, []string{"/agent#1", "/agent#2"}, repeatedKeys(c.Gone))
}

// A failed run that throws the same, elsewhere in the file, ends alike; another message does not.
func TestAgainstAFailedRun(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, `throw new Error("out of luck")`), engine.Options{Store: store})
	require.Equal(t, "failed", r.State)
	require.False(t, against(t, store, r.Run, script(t, "\n\n"+`throw new Error("out of luck")`)).Diverges(true))
	require.True(t, against(t, store, r.Run, script(t, `throw new Error("out of money")`)).Diverges(false))
	require.True(t, against(t, store, r.Run, script(t, `return 1`)).Diverges(false))
}

// An imported file is part of the script.
func TestAgainstAChangedImport(t *testing.T) {
	store := newStore(t)
	with := func(word string) *vm.Program {
		p, err := vm.Compile(fstest.MapFS{
			"main.js": {Data: []byte(`import { word } from "./lib/word.js";
` + header + `return await agent(word(), {label: "a"});
`)},
			"lib/word.js": {Data: []byte("export const word = () => \"" + word + "\";\n")},
		}, "main.js")
		require.NoError(t, err)
		return p
	}
	r := run(t, with("hello"), engine.Options{Store: store, Agent: &team{}})
	require.False(t, against(t, store, r.Run, with("hello")).Diverges(true))
	c := against(t, store, r.Run, with("bye"))
	require.Equal(t, []string{"/agent#0"}, changedKeys(c.Again))
	require.Contains(t, c.Again[0].Diff, "-hello\n+bye\n")
	require.Equal(t, "main.js", c.First.File)
	require.Equal(t, 3, c.First.Line)
}

// Arguments that the edited script does not take are a refusal, as a resume would meet it.
func TestAgainstAnotherArgsSchema(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, `return args.n`), engine.Options{Store: store, Args: []byte(`{"n":"1"}`)})
	edited, err := compileText(`export const meta = { name: "test", description: "a test", args: { type: "object", properties: { n: { type: "number" } } } };
return args.n`)
	require.NoError(t, err)
	c := against(t, store, r.Run, edited)
	require.True(t, c.Diverges(false))
	require.Equal(t, "refused", c.Ending.State)
	require.True(t, fault.Is(c.Ending.Err, fault.ArgsInvalid), "%v", c.Ending.Err)
}

// What the run's own script would do too is no difference: calls that were never made, calls that
// were cut off.
func TestAgainstARunThatHasNotFinished(t *testing.T) {
	store := newStore(t)
	ctx, cancel := context.WithCancel(context.Background())
	workers := &team{answer: cutOffAt("two", cancel)}
	r, err := engine.Run(ctx, script(t, three), engine.Options{Store: store, Agent: workers})
	require.NoError(t, err)
	require.Equal(t, "interrupted", r.State)
	c := against(t, store, r.Run, script(t, "\n"+three))
	require.False(t, c.Diverges(true))
	require.Equal(t, 1, c.Replayed)
	require.Equal(t, []string{"/agent#1"}, repeatedKeys(c.Anyway))
	require.Equal(t, "it was interrupted", c.Anyway[0].Reason)
	require.True(t, c.SameEnding)
	require.Nil(t, c.Ending)
	// An edit of that very call is one.
	c = against(t, store, r.Run, script(t, `const a = await agent("one", {label: "a", readOnly: true});
const b = await agent("other", {label: "b"});
`))
	require.Equal(t, []string{"/agent#1"}, changedKeys(c.Again))
	// A script that ends where the run's own would go on ends otherwise.
	c = against(t, store, r.Run, script(t, `return await agent("one", {label: "a", readOnly: true});`))
	require.True(t, c.Diverges(false))
	require.Equal(t, "completed", c.Ending.State)
	require.Nil(t, c.Before)
	// A cancelled run is compared as far as its journal goes.
	require.NoError(t, cancelNow(store, r.Run))
	c = against(t, store, r.Run, script(t, "\n"+three))
	require.Equal(t, "cancelled", c.State)
	require.False(t, c.Diverges(true))
	require.Equal(t, []string{"/agent#1"}, repeatedKeys(c.Anyway))
}

// The script waits for the loser of a race that it did not wait for before.
func TestAgainstALoserThatIsAwaited(t *testing.T) {
	store := newStore(t)
	r := run(t, script(t, `return await Promise.race([agent("slow"), agent("fast")])`), engine.Options{Store: store, Agent: racers()})
	c := against(t, store, r.Run, script(t, `return (await Promise.all([agent("slow"), agent("fast")]))[1]`))
	require.True(t, c.Diverges(false))
	require.Len(t, append(c.Again, c.New...), 1)
	require.Equal(t, "/agent#0", append(c.Again, c.New...)[0].Key)
}

// A run that is not there, or whose journal does not hold, is an error.
func TestAgainstAnUnknownRun(t *testing.T) {
	_, err := engine.Against(context.Background(), "01ARZ3NDEKTSV4RRFFQ69G5FAV", script(t, "return 1"), engine.Options{Store: newStore(t)})
	require.True(t, fault.Is(err, fault.RunUnknown), "%v", err)
}

// cutOffAt answers every call but one, at which the run is told to end.
func cutOffAt(prompt string, cancel context.CancelFunc) func(context.Context, agent.Request) (any, error) {
	return func(ctx context.Context, req agent.Request) (any, error) {
		if req.Prompt != prompt {
			return "done: " + req.Prompt, nil
		}
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
}
