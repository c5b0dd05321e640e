package vm_test

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// child is the answer to workflow() that starts a script with this body.
func child(t testing.TB, body, args string) vm.Outcome {
	t.Helper()
	p, err := vm.Compile(fstest.MapFS{"child.js": {Data: []byte("export const meta = {name: \"c\", description: \"child\", model: \"m\"};\n" + body)}}, "child.js")
	require.NoError(t, err)
	started := vm.StartedBy(p, nil)
	if args != "" {
		started.Args = json.RawMessage(args)
	}
	text, err := json.Marshal(started)
	require.NoError(t, err)
	return vm.Outcome{Value: text}
}

// A workflow that the script starts has a frame, arguments and a header of its own, and gives a copy of its result.
func TestWorkflowHasAFrameOfItsOwn(t *testing.T) {
	t.Parallel()
	p := play(t, `phase("outer");
const r = await workflow("review", {n: 1});
r.list.push(2);
await agent("after");
return {r, args: args === undefined, name: meta.name};`)
	require.Equal(t, []string{"/workflow#0"}, p.keys())
	require.JSONEq(t, `"review"`, string(p.calls[0].Args[0]))
	require.JSONEq(t, `{"n":1}`, string(p.calls[0].Args[1]))
	p.outcome("/workflow#0", child(t, `const [x] = await parallel([() => agent("in " + args.n + meta.name)]);
phase("inner"); await agent("2");
return {list: [1], x, frozen: Object.isFrozen(args)};`, `{"n":1}`))
	require.Equal(t, "/workflow#0[0]/parallel#0[0]/agent#0", p.turn.Calls[0].Key)
	require.Equal(t, `"in 1c"`, string(p.turn.Calls[0].Args[0]))
	require.Equal(t, "outer", p.turn.Calls[0].Phase)
	require.Equal(t, "m", p.turn.Calls[0].Within[0].Meta.Model)
	require.Equal(t, vm.Position{File: "child.js", Line: 2, Column: 35}, p.turn.Calls[0].Pos)
	p.outcome("/workflow#0[0]/parallel#0[0]/agent#0", vm.Outcome{Value: []byte(`"a"`)})
	require.Equal(t, "inner", p.turn.Calls[0].Phase)
	p.outcome("/workflow#0[0]/agent#0", vm.Outcome{Value: []byte(`"b"`)})
	require.Equal(t, "/agent#0", p.turn.Calls[0].Key)
	require.Equal(t, "outer", p.turn.Calls[0].Phase)
	require.Empty(t, p.turn.Calls[0].Within)
	p.outcome("/agent#0", vm.Outcome{})
	require.JSONEq(t, `{"r":{"list":[1,2],"x":"a","frozen":true},"args":true,"name":"t"}`, string(p.turn.Result))
}

// Its errors are thrown where it was started, limits stay limits, and what it returns has to be JSON.
func TestWorkflowFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want string }{
		"it throws":       {`throw new Error("boom");`, "boom"},
		"no JSON":         {`return () => 1;`, "workflow: the result of child.js at $: a function is not JSON"},
		"an unknown name": {`return nothing.here;`, "nothing is not defined"},
	} {
		p := play(t, `try { await workflow("x"); } catch (e) { return e.message; }`)
		p.outcome("/workflow#0", child(t, c.body, ""))
		require.True(t, p.turn.Done, name)
		require.Nil(t, p.turn.Err, name)
		require.Contains(t, string(p.turn.Result), c.want, name)
	}
	p := play(t, `await workflow("x");`)
	p.outcome("/workflow#0", child(t, "\n  null.x;", ""))
	require.Equal(t, "child.js", p.turn.Err.File)
	require.Equal(t, 3, p.turn.Err.Line)
}

// The fifth workflow in each other is one too many, and the error passes through parallel.
func TestWorkflowDepth(t *testing.T) {
	t.Parallel()
	p := play(t, `await parallel([() => workflow("again")]);`)
	key := "/parallel#0[0]/workflow#0"
	for range 4 {
		require.Equal(t, key, p.turn.Calls[0].Key)
		p.outcome(key, child(t, `await workflow("again");`, ""))
		key += "[0]/workflow#0"
	}
	require.True(t, p.turn.Done)
	require.Equal(t, "WORKFLOW_DEPTH", p.turn.Err.Code)
}

// What names a workflow: a text, or an object with one of three fields.
func TestWorkflowArguments(t *testing.T) {
	t.Parallel()
	p := play(t, `const bad = [undefined, 1, "", " ", {}, {name: "a", script: "b"}, {path: "x"}, ["a"], {name: 1}];
const said = [];
for (const b of bad) await workflow(b).catch((e) => said.push(e.code));
workflow({scriptPath: "./x.js"}); workflow({name: "n"}, null); workflow({script: "s"}, [1]);
await agent(said.join());`)
	require.Equal(t, `"ARGUMENT_INVALID,ARGUMENT_INVALID,ARGUMENT_INVALID,ARGUMENT_INVALID,ARGUMENT_INVALID,ARGUMENT_INVALID,ARGUMENT_INVALID,ARGUMENT_INVALID,ARGUMENT_INVALID"`, string(p.turn.Calls[3].Args[0]))
	require.Equal(t, `"./x.js"`, string(p.turn.Calls[0].Args[0]))
	require.Equal(t, `null`, string(p.turn.Calls[1].Args[1]))
}

// A phase's budget belongs to the frame, and to those that begin in it.
func TestPhaseBudget(t *testing.T) {
	t.Parallel()
	p := play(t, `phase("a", {budget: 2000}); agent("1");
parallel([() => agent("2"), () => { phase("b"); return agent("3"); }, () => { phase("c", {budget: "1.5usd"}); return agent("4"); }]);
const bad = [0, -1, NaN, "", "x", "5eur", true, null, {}];
await agent(bad.map((budget) => { try { phase("x", {budget}); return "taken"; } catch (e) { return e.code; } }).join());`)
	var got []string
	for _, c := range p.calls {
		got = append(got, c.Phase+"="+c.PhaseBudget)
	}
	require.Equal(t, []string{"a=2000", "a=2000", "b=", "c=1.5usd", "a=2000"}, got)
	require.NotContains(t, string(p.calls[4].Args[0]), "taken")
}

// A program that holds edited workflows is another program, and comes back from its sources.
func TestProgramWithWorkflows(t *testing.T) {
	t.Parallel()
	p := compile(t, "return 1;")
	c, err := vm.Compile(fstest.MapFS{"w/c.js": {Data: []byte(header + "import {x} from './d.js';\nreturn x;")}, "w/d.js": {Data: []byte("export const x = 2;")}}, "w/c.js")
	require.NoError(t, err)
	with := p.With(map[string]*vm.Program{"./c.js\nw": c})
	require.NotEqual(t, p.Hash(), with.Hash())
	again, err := vm.FromSources(with.Name(), with.Sources())
	require.NoError(t, err)
	require.Equal(t, with.Hash(), again.Hash())
	require.Equal(t, vm.SourcesHash(with.Name(), with.Sources()), again.Hash())
	require.Equal(t, c.Hash(), again.Children()["./c.js\nw"].Hash())
	require.Equal(t, p.Hash(), again.With(nil).Hash())
	lost := with.Sources()[:len(with.Sources())-1]
	back, err := vm.FromSources(with.Name(), lost)
	require.NoError(t, err)
	require.Equal(t, p.Hash(), back.Hash(), "what no list names is no part of it")
}

// Nothing that a script can import is taken for a workflow that the program holds.
func TestProgramImportsWhatLooksHeld(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"main.js":                  {Data: []byte(header + "import {x} from './@workflows/0/c.js';\nimport list from './@workflows.json';\nreturn [x, list];")},
		"@workflows/0/c.js":        {Data: []byte("export const x = 'own';")},
		"@workflows.json":          {Data: []byte("[]")},
		"@workflows/0/c.js.loaded": {Data: []byte("export const x = 'forged';")},
		"c.js":                     {Data: []byte(header + "return 'child';")},
	}
	p, err := vm.Compile(files, "main.js")
	require.NoError(t, err)
	require.Equal(t, p.Hash(), p.With(nil).Hash())
	c, err := vm.Compile(files, "c.js")
	require.NoError(t, err)
	with := p.With(map[string]*vm.Program{"c": c})
	again, err := vm.FromSources(with.Name(), with.Sources())
	require.NoError(t, err)
	require.Equal(t, with.Hash(), again.Hash())
	require.Equal(t, c.Hash(), again.Children()["c"].Hash())
	files["@workflows/0/c.js"] = &fstest.MapFile{Data: []byte("export const x = 'edited';")}
	p, err = vm.Compile(files, "main.js")
	require.NoError(t, err)
	require.NotEqual(t, with.Hash(), p.With(map[string]*vm.Program{"c": c}).Hash())
	files["main.js"] = &fstest.MapFile{Data: []byte(header + "import {x} from './@workflows/0/c.js.loaded';\nreturn x;")}
	_, err = vm.Compile(files, "main.js")
	require.Error(t, err)
}

// An answer that is no program, or not the one that it says, starts nothing.
func TestWorkflowAnswerIsForged(t *testing.T) {
	t.Parallel()
	var s vm.Started
	require.NoError(t, json.Unmarshal(child(t, "return 1;", "").Value, &s))
	for name, change := range map[string]func(*vm.Started){
		"other text":   func(s *vm.Started) { s.Sources[0].Text += "\n" },
		"other name":   func(s *vm.Started) { s.Name = "d.js" },
		"another file": func(s *vm.Started) { s.Sources = append(s.Sources, vm.Source{Path: "x.js"}) },
		"its hash also": func(s *vm.Started) {
			s.Sources = append(s.Sources, vm.Source{Path: "x.js"})
			s.Hash = vm.SourcesHash(s.Name, s.Sources)
		},
		"no source": func(s *vm.Started) { s.Sources = nil; s.Hash = vm.SourcesHash(s.Name, nil) },
	} {
		forged := s
		forged.Sources = append([]vm.Source(nil), s.Sources...)
		change(&forged)
		text, err := json.Marshal(forged)
		require.NoError(t, err)
		p := play(t, `try { await workflow("x"); } catch (e) { return e.code; } return "it ran";`)
		p.outcome("/workflow#0", vm.Outcome{Value: text})
		require.JSONEq(t, `"SCRIPT_SYNTAX"`, string(p.turn.Result), name)
	}
}

// A workflow that runs many times is compiled once, and each time has what is its own.
func TestWorkflowRunsTwice(t *testing.T) {
	t.Parallel()
	p := play(t, `return await Promise.all([workflow("x", {n: 1}), workflow("x", {n: 2})]);`)
	body := `const seen = []; seen.push(args.n); await agent("a"); seen.push(/b+/.exec("abb")[0]); return seen;`
	p.outcome("/workflow#0", child(t, body, `{"n":1}`))
	p.outcome("/workflow#1", child(t, body, `{"n":2}`))
	for _, c := range p.calls[2:] {
		p.outcome(c.Key, vm.Outcome{Value: []byte(`"x"`)})
	}
	require.JSONEq(t, `[[1,"bb"],[2,"bb"]]`, string(p.turn.Result))
}

// Programs that have files of one path keep their own places, and their own expressions.
func TestWorkflowOfTheSamePath(t *testing.T) {
	t.Parallel()
	p := play(t, `const seen = [];
for (const w of ["x", "y"]) await workflow(w).catch((e) => seen.push(e.message));
seen.push(/m(?<x>\p{L}+)/u.exec("main!").groups.x);
null.main;`)
	for i, body := range []string{"\n\nthrow new Error(/c(?<x>\\p{L}+)/u.exec('child!').groups.x);", "\n\n\n\nconst re = /d(?<x>\\p{L}+)/u; await agent('a'); throw new Error(re.exec('drei!').groups.x);"} {
		c, err := vm.Compile(fstest.MapFS{"main.js": {Data: []byte(header + body)}}, "main.js")
		require.NoError(t, err)
		text, err := json.Marshal(vm.StartedBy(c, nil))
		require.NoError(t, err)
		p.outcome([]string{"/workflow#0", "/workflow#1"}[i], vm.Outcome{Value: text})
	}
	require.Equal(t, vm.Position{File: "main.js", Line: 6, Column: 36}, p.turn.Calls[0].Pos)
	p.outcome("/workflow#1[0]/agent#0", vm.Outcome{})
	require.Equal(t, 5, p.turn.Err.Line)
	require.Contains(t, p.turn.Err.Message, "main")
}
