package engine_test

import (
	"context"
	"fmt"
	"math/rand"
	"path"
	"strconv"
	"strings"
	"sync"
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

// finder finds workflows by what they are asked for: the text and, where that begins with a dot, the folder of the file that asks.
type finder map[string]string

func (f finder) Load(ref, from string) (*vm.Program, error) {
	where := ref
	if strings.HasPrefix(ref, "./") {
		where = path.Join(path.Dir(from), ref)
	}
	body, found := f[where]
	if !found {
		return nil, fault.New(fault.WorkflowUnknown, "there is no workflow "+where, "")
	}
	name := path.Base(where) + ".js" // as of a file that is known by its name alone
	return vm.Compile(fstest.MapFS{name: {Data: []byte(header + body)}}, name)
}

// scriptNamed compiles a script that has a name of its own.
func scriptNamed(t *testing.T, name, body string) *vm.Program {
	t.Helper()
	p, err := vm.Compile(fstest.MapFS{name: {Data: []byte(header + body)}}, name)
	require.NoError(t, err)
	return p
}

// Two files can be known by one name, and a text that is handed over has the name of any file: an edit of one of them is none of another.
func TestEditedWorkflowOfAnothersName(t *testing.T) {
	store, workers := newStore(t), &team{}
	books := finder{"a": `return "saved";`, "lib/a": `return "first";`, "inline": `return "file";`}
	p := scriptNamed(t, "lib/main.js", `const r = [await workflow("./a"), await workflow("a"), await workflow("inline")];
r.push(await workflow("export const meta = {name: 'x', description: 'a text'};\nreturn 'text';"));
await agent(JSON.stringify(r));
return r;`)
	o := engine.Options{Store: store, Agent: workers, Workflows: books, RerunChanged: true}
	r := run(t, p, o)
	require.JSONEq(t, `["first","saved","file","text"]`, string(r.Value))
	require.Len(t, workers.take(), 1)
	books["lib/a"], books["inline"] = `return "second";`, `return "edited";`
	r = resume(t, r.Run, p, o)
	require.JSONEq(t, `["second","saved","edited","text"]`, string(r.Value))
	require.Len(t, workers.take(), 1)
	for _, again := range []*vm.Program{nil, p, p} {
		r = resume(t, r.Run, again, o)
		require.JSONEq(t, `["second","saved","edited","text"]`, string(r.Value))
		require.Zero(t, r.Live, "nothing was edited since")
	}
}

// What the program holds needs no file any more, also where it is started once more; and an edit that is no script is said.
func TestHeldWorkflow(t *testing.T) {
	store := newStore(t)
	down := true
	workers := &team{answer: func(_ context.Context, req agent.Request) (any, error) {
		if req.Prompt == "breaks" && down {
			return nil, fault.New(fault.AgentFailed, "no", "")
		}
		return req.Prompt, nil
	}}
	books := shelf{"inner": `return 1;`}
	p := script(t, `const r = [await workflow("inner")];
await agent("breaks", {onError: "throw"});
r.push(await workflow("inner"));
return r;`)
	o := engine.Options{Store: store, Agent: workers, Workflows: books, RerunChanged: true}
	r := run(t, p, o)
	books["inner"] = `return 2;`
	r = resume(t, r.Run, p, o)
	require.Equal(t, journal.StatusFailed, r.State)
	hash := state(t, store, r.Run).Program.Hash

	books["inner"] = `return (;`
	_, err := engine.Resume(context.Background(), r.Run, p, o)
	require.ErrorContains(t, err, "inner.js:2:9")

	delete(books, "inner")
	r = resume(t, r.Run, p, o)
	o.Workflows = nil
	r = resume(t, r.Run, p, o)
	require.Equal(t, hash, state(t, store, r.Run).Program.Hash, "it is part of the program, whether somebody can look at files or not")
	down = false
	r = resume(t, r.Run, nil, o)
	require.JSONEq(t, `[2,2]`, string(r.Value))
}

// A script that has another name by now, in the same folder, asks for the same workflows, and edits of them are seen.
func TestWorkflowOfARenamedScript(t *testing.T) {
	store, workers := newStore(t), &team{}
	books := finder{"lib/a": `return await agent("one");`}
	const body = `return await workflow("./a");`
	o := engine.Options{Store: store, Agent: workers, Workflows: only{books, "lib/old.js"}, RerunChanged: true}
	r := run(t, scriptNamed(t, "lib/old.js", body), o)
	require.Equal(t, []string{"one"}, workers.take())
	o.Workflows = only{books, "lib/new.js"}
	r = resume(t, r.Run, scriptNamed(t, "lib/new.js", body), o)
	require.Empty(t, workers.take())
	books["lib/a"] = `return await agent("two");`
	r = resume(t, r.Run, scriptNamed(t, "lib/new.js", body), o)
	require.Equal(t, []string{"two"}, workers.take())
	require.JSONEq(t, `"done: two"`, string(r.Value))
}

// only finds files beside one script alone: others are not there.
type only struct {
	finder
	script string
}

func (o only) Load(ref, from string) (*vm.Program, error) {
	if from != o.script {
		return nil, fault.New(fault.WorkflowUnknown, "there is no "+from, "")
	}
	return o.finder.Load(ref, from)
}

// A path that starts where the asking file lies needs one: the engine of the language may call workflow itself.
func TestWorkflowAskedForByNobody(t *testing.T) {
	r := run(t, script(t, `const r = [];
for (const start of [workflow, (w) => workflow(w)]) r.push(await Promise.resolve("./a").then(start).catch((e) => e.message));
return r;`), engine.Options{Store: newStore(t), Workflows: finder{"a": `return 1;`}})
	require.JSONEq(t, `["workflow(\"./a\"): nobody knows which file asks, because no function of it does; write () => workflow(\"./a\")",1]`, string(r.Value))
}

// Whatever is edited and whenever a run is cut off, it ends as a fresh run of the last texts does, and its journal proves it.
func TestEditedWorkflowsAtRandom(t *testing.T) {
	t.Parallel()
	for seed := range int64(8) {
		rng := rand.New(rand.NewSource(seed))
		books := finder{}
		edit := func() {
			for level := range 3 {
				for _, name := range []string{"a", "b"} {
					for _, folder := range []string{"", "lib/"} {
						where := folder + name + strconv.Itoa(level)
						if _, written := books[where]; !written || rng.Intn(4) == 0 {
							books[where] = randomBody(rng, level+1)
						}
					}
				}
			}
		}
		edit()
		var mu sync.Mutex
		var cancel context.CancelFunc
		left := 0 // answers until the run is cut off
		workers := &team{answer: func(ctx context.Context, req agent.Request) (any, error) {
			mu.Lock()
			defer mu.Unlock()
			if left--; left == 0 {
				cancel()
				return nil, ctx.Err()
			}
			return "r:" + req.Prompt, nil
		}}
		attempt := func(run func(ctx context.Context) (*engine.Result, error)) *engine.Result {
			var ctx context.Context
			ctx, cancel = context.WithCancel(context.Background())
			defer cancel()
			left = 1 + rng.Intn(15)
			r, err := run(ctx)
			require.NoError(t, err, "seed %d", seed)
			return r
		}
		p := scriptNamed(t, "lib/main.js", randomBody(rng, 0))
		o := engine.Options{Store: newStore(t), Agent: workers, Workflows: books, Asker: says("true"), RerunInterrupted: true, RerunChanged: true}
		r := attempt(func(ctx context.Context) (*engine.Result, error) { return engine.Run(ctx, p, o) })
		for i := 0; i < 5 || r.State != journal.StatusCompleted; i++ {
			require.Less(t, i, 60, "seed %d", seed)
			named := p
			if i < 5 && rng.Intn(2) == 0 {
				edit()
			} else if i < 4 && rng.Intn(2) == 0 {
				named = nil
			}
			r = attempt(func(ctx context.Context) (*engine.Result, error) { return engine.Resume(ctx, r.Run, named, o) })
		}
		left = 0
		r = resume(t, r.Run, p, o)
		fresh := run(t, p, engine.Options{Store: newStore(t), Agent: workers, Workflows: books, Asker: says("true")})
		require.JSONEq(t, string(fresh.Value), string(r.Value), "seed %d", seed)
		proof, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: o.Store})
		require.NoError(t, err, "seed %d", seed)
		require.JSONEq(t, string(r.Value), string(proof.Value))
		require.Zero(t, resume(t, r.Run, p, o).Live, "seed %d", seed)
	}
}

// randomBody asks agents and people, and starts workflows of its level, each by a name or a path.
func randomBody(rng *rand.Rand, level int) string {
	var body strings.Builder
	body.WriteString("const r = [];\n")
	for range 1 + rng.Intn(3) {
		switch kind := rng.Intn(8); {
		case kind < 2 || kind > 3 && level == 3:
			fmt.Fprintf(&body, "r.push(await agent('%d' + JSON.stringify(r)));\n", rng.Intn(9))
		case kind == 2:
			fmt.Fprintf(&body, "r.push(...await parallel([() => agent('p%d'), () => agent('q')]));\n", rng.Intn(9))
		case kind == 3:
			fmt.Fprintf(&body, "{ const ok = await planApprove({r, n: %d}); if (ok.decision === true) r.push(await agent('under', {under: ok})); }\n", rng.Intn(9))
		default:
			which := []string{"a", "b", "./a", "./b"}[rng.Intn(4)] + strconv.Itoa(level)
			fmt.Fprintf(&body, []string{
				"r.push(await workflow(%q, {r}));\n",
				"r.push(...await parallel([() => workflow(%q), () => agent('z'), () => workflow(%[1]q)]));\n",
				"r.push(await Promise.all([workflow(%q), agent('w')]));\n",
			}[rng.Intn(3)], which)
		}
	}
	return body.String() + "return r;"
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
		`await workflow("x".repeat(5000))`:                  `ARGUMENT_INVALID workflow: no name and no path has 5000 bytes`,
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

// A plan comes first for all that such a workflow starts, too.
func TestPlanFirstHoldsFurtherIn(t *testing.T) {
	workers := readers()
	r := run(t, script(t, `const inner = await workflow("export const meta = {name: 'x', description: 'plans', planFirst: true};\nreturn await workflow('leaf');");
return [inner, await workflow("leaf")];`), engine.Options{Store: newStore(t), Agent: workers, Workflows: shelf{"leaf": `return await agent("writes").catch((e) => e.code);`}})
	require.JSONEq(t, `["reads: writes","done: writes"]`, string(r.Value), "only the one that stands in no workflow with planFirst may write")
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

// A yes is for the workflow that asked: no other one acts under it, and only what stands inside of it is opened by it.
func TestApprovalIsOfItsWorkflow(t *testing.T) {
	under := shelf{"inner": `return await agent("x", {under: globalThis.yes}).catch((e) => e.code);`}
	p := script(t, `globalThis.yes = await planApprove({a: 1});
return await workflow("inner");`)
	workers := &team{}
	r := run(t, p, engine.Options{Store: newStore(t), Agent: workers, Workflows: under, Asker: says("true")})
	require.JSONEq(t, `"PLAN_NOT_APPROVED"`, string(r.Value))
	require.Empty(t, workers.take())

	out := shelf{"inner": `globalThis.yes = await planApprove({a: 1}); return 1;`}
	p = script(t, `await workflow("inner"); return await agent("x", {under: globalThis.yes}).catch((e) => e.code);`)
	r = run(t, p, engine.Options{Store: newStore(t), Agent: workers, Workflows: out, Asker: says("true")})
	require.JSONEq(t, `"PLAN_NOT_APPROVED"`, string(r.Value))
	require.Empty(t, workers.take())
}

// With meta.planFirst, the header that wants a plan is the innermost one, and a yes inside opens nothing outside.
func TestPlanFirstOfWorkflows(t *testing.T) {
	first := `export const meta = {name: "f", description: "x", planFirst: true};` + "\n"
	plain := `export const meta = {name: "p", description: "x"};` + "\n"
	try := `[(await agent("w")).split(":")[0], await agent("w", {readOnly: false}).then(() => "written", (e) => e.code)].join()`
	text := func(head, body string) string {
		return "`" + strings.ReplaceAll(head+body, "`", "\\`") + "`"
	}
	for _, c := range []struct{ name, main, want string }{
		{"main's yes does not open a workflow that wants its own", plain + `await planApprove({}); return await workflow(` + text(first, "return "+try) + `)`, `"reads,PLAN_NOT_APPROVED"`},
		{"its own yes does", plain + `return await workflow(` + text(first, "await planApprove({}); return "+try) + `)`, `"done,written"`},
		{"a yes inside opens nothing outside", first + `await workflow(` + text(plain, "await planApprove({}); return 1") + `); return ` + try, `"reads,PLAN_NOT_APPROVED"`},
		{"but the inside", first + `return await workflow(` + text(plain, "await planApprove({}); return "+try) + `)`, `"done,written"`},
		{"main's yes opens what is inside", first + `await planApprove({}); return await workflow(` + text(plain, "return "+try) + `)`, `"done,written"`},
		{"and without one it stays shut", first + `return await workflow(` + text(plain, "return "+try) + `)`, `"reads,PLAN_NOT_APPROVED"`},
	} {
		p, err := compileText(c.main)
		require.NoError(t, err, c.name)
		r := run(t, p, engine.Options{Store: newStore(t), Agent: readers(), Asker: says("true")})
		require.JSONEq(t, c.want, string(r.Value), c.name)
	}
}

// A phase that was given more goes on where it was refused.
func TestPhaseBudgetIsRaised(t *testing.T) {
	store, workers := newStore(t), usingTokens(600)
	body := func(budget string) string {
		return `phase("search", {budget: ` + budget + `}); const got = [];
for (const n of [1, 2, 3]) got.push(await agent("s" + n));
return got;`
	}
	r := run(t, script(t, body("1000")), engine.Options{Store: store, Agent: workers})
	require.Equal(t, journal.StatusFailed, r.State)
	require.Equal(t, "PHASE_BUDGET_EXCEEDED", r.Code)
	same := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers})
	require.Equal(t, journal.StatusFailed, same.State)
	require.Equal(t, 2, workers.asked)
	more := resume(t, r.Run, script(t, body("5000")), engine.Options{Store: store, Agent: workers})
	require.JSONEq(t, `["ok","ok","ok"]`, string(more.Value))
	require.Equal(t, 3, workers.asked, "what had finished is not paid for again")
}
