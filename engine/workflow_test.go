package engine_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// shelf is workflows by name. A name that is empty there cannot be found.
type shelf map[string]string

func (s shelf) Load(ref, from string) (*vm.Program, error) {
	ref = strings.TrimPrefix(ref, "./")
	body, found := s[ref]
	if !found {
		return nil, fault.New(fault.WorkflowUnknown, "there is no workflow "+ref+", asked for in "+from, "assent workflows")
	}
	name := ref + ".js"
	return vm.Compile(fstest.MapFS{name: {Data: []byte(`export const meta = { name: "` + ref + `", description: "x", args: {type: "object", properties: {n: {type: "number"}}} };` + "\n" + body)}}, name)
}

// A workflow runs in the run that starts it, and its calls replay as the script's own do.
func TestWorkflowRunsAndReplays(t *testing.T) {
	store, workers := newStore(t), &team{}
	books := shelf{"inner": `
const a = await agent("a" + args.n);
const [b] = await parallel([() => workflow("./leaf")]);
const ok = await planApprove({n: args.n});
return {a, b, ok: ok.decision};`, "leaf": `return await agent("leaf");`}
	p := script(t, `const r = await workflow("inner", {n: 7});
await agent("last");
return r;`)
	ask := says("true")
	r := run(t, p, engine.Options{Store: store, Agent: workers, Workflows: books, Asker: ask})
	require.JSONEq(t, `{"a":"done: a7","b":"done: leaf","ok":true}`, string(r.Value))
	require.Equal(t, []string{"a7", "leaf", "last"}, workers.take())
	require.Len(t, ask.take(), 1)

	// The files are gone; the journal has what ran.
	proof, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
	require.NoError(t, err)
	require.JSONEq(t, string(r.Value), string(proof.Value))
	again := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, Asker: ask})
	require.Equal(t, journal.StatusCompleted, again.State)
	require.Empty(t, workers.take())
	require.Empty(t, ask.take())
}

// A resume goes on with the workflow that it began with; with a script that is named, edited workflows count, their calls run
// again where they have to, and approvals are asked again.
func TestEditedWorkflow(t *testing.T) {
	store := newStore(t)
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.Prompt == "breaks" {
			return nil, fault.New(fault.AgentFailed, "no", "")
		}
		return req.Prompt, nil
	}}
	books := shelf{"inner": `await agent("first"); return await agent("breaks", {onError: "throw"});`}
	p := script(t, `const before = await agent("before");
const ok = await planApprove({x: 1});
if (ok.decision !== true) return "no";
return await workflow("inner");`)
	ask := says("true")
	o := engine.Options{Store: store, Agent: workers, Workflows: books, Asker: ask}
	r := run(t, p, o)
	require.Equal(t, journal.StatusFailed, r.State)
	require.Equal(t, []string{"before", "first", "breaks"}, workers.take())
	require.Len(t, ask.take(), 1)

	books["inner"] = `await agent("first"); return await agent("mended");`
	r2 := resume(t, r.Run, nil, o)
	require.Equal(t, journal.StatusFailed, r2.State, "it goes on as it began")
	require.Equal(t, []string{"breaks"}, workers.take())
	require.Empty(t, ask.take())

	o.RerunChanged = true
	r3 := resume(t, r.Run, p, o)
	require.JSONEq(t, `"mended"`, string(r3.Value))
	require.Len(t, ask.take(), 1, "the program is another one")
	require.Equal(t, []string{"first", "mended"}, workers.take())
	st := state(t, store, r.Run)
	require.NotEqual(t, p.Hash(), st.Program.Hash)
	require.Equal(t, "inner", func() string {
		kept, err := vm.FromSources(st.Program.Name, sourcesOf(st))
		require.NoError(t, err)
		for name := range kept.Children() {
			return name
		}
		return ""
	}())

	// Nothing is asked or done again once more, with the script named or without.
	for _, named := range []*vm.Program{nil, p} {
		r4 := resume(t, r.Run, named, o)
		require.JSONEq(t, `"mended"`, string(r4.Value))
		require.Empty(t, ask.take())
		require.Empty(t, workers.take())
	}
	_, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
	require.NoError(t, err)
}

func sourcesOf(st *journal.State) []vm.Source {
	var list []vm.Source
	for _, s := range st.Program.Sources {
		list = append(list, vm.Source{Path: s.Path, Text: s.Text})
	}
	return list
}

// What cannot be started is thrown where the script asked, with a code.
func TestWorkflowRefused(t *testing.T) {
	for body, want := range map[string]string{
		`await workflow("nowhere")`:                         `WORKFLOW_UNKNOWN there is no workflow nowhere, asked for in test.js`,
		`await workflow("typed", {n: "x"})`:                 `ARGS_INVALID`,
		`await workflow("broken")`:                          `SCRIPT_SYNTAX broken.js:2:9`,
		`await workflow("export const meta = {name: 'x'}")`: `META_INVALID`,
		"await workflow('```js\\nexport const meta = {name: \"x\", description: \"y\"};\\nthrow new Error(\"own\")\\n```')": `undefined own`,
		`await parallel([() => workflow("self")])`: `WORKFLOW_DEPTH`,
	} {
		store := newStore(t)
		books := shelf{"typed": `return args.n;`, "broken": `return (;`, "self": `return await workflow("self");`}
		r := run(t, script(t, `try { `+body+`; } catch (e) { return e.code + " " + e.message; } return "nothing";`), engine.Options{Store: store, Workflows: books})
		require.Contains(t, string(r.Value), want, body)
	}
}

// The budget of a phase ends its agents, and not the run.
func TestPhaseBudgetIsOfThePhase(t *testing.T) {
	store := newStore(t)
	workers := usingTokens(600)
	p := script(t, `
phase("search", {budget: 1000});
const found = await parallel([1, 2, 3].map((n) => async () => { await sleep(n); return n; }));
const got = [];
for (const n of found) { try { got.push(await agent("s" + n)); } catch (e) { got.push(e.code); } }
phase("write");
got.push(await agent("w"));
return got;`)
	r := run(t, p, engine.Options{Store: store, Agent: workers})
	require.JSONEq(t, `["ok","ok","PHASE_BUDGET_EXCEEDED","ok"]`, string(r.Value), "%+v", r)
	require.Equal(t, 3, workers.asked)
	again := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers})
	require.JSONEq(t, string(r.Value), string(again.Value))
}

// tokenUser is an agent that uses so many tokens each time.
type tokenUser struct {
	tokens int64
	asked  int
}

func usingTokens(n int64) *tokenUser { return &tokenUser{tokens: n} }

func (s *tokenUser) Run(context.Context, agent.Request, agent.Step) (agent.Response, error) {
	s.asked++
	return agent.Response{Value: []byte(`"ok"`), Usage: journal.Usage{Input: s.tokens}}, nil
}
