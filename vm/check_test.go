package vm_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// Check says first what Compile says, and goes on behind it.
func TestCheckGivesAllRefusals(t *testing.T) {
	t.Parallel()
	const meta = `export const meta = { name: "n", description: "d" };` + "\n"
	for text, want := range map[string][]string{
		`export const meta = { name: 7, model: "" }; return /(/.test("")`: {
			`s.js:1:29: META_INVALID: meta.name has to be a text that is not empty, not 7`,
			`s.js:1:21: META_INVALID: meta needs a description: a text that is not empty`,
			`s.js:1:39: META_INVALID: meta.model has to be a text that is not empty, not ""`,
			`s.js:1:52: SCRIPT_SYNTAX: Invalid regular expression /(/: Unterminated group`,
		},
		meta + "import { a } from './one.js';\nimport { b } from './two.ts';\na(b)": {
			`s.js:2:19: IMPORT_NOT_FOUND: import "./one.js" finds no file; tried one.js, one.ts`,
			`s.js:3:19: IMPORT_NOT_FOUND: import "./two.ts" finds no file; tried two.ts`,
		},
		meta + "return 1": nil,
	} {
		files := fstest.MapFS{"s.js": {Data: []byte(text)}}
		checked := vm.Check(files, "s.js")
		var said []string
		for _, refusal := range checked.Refusals {
			said = append(said, refusal.Error())
		}
		require.Equal(t, want, said)
		program, err := vm.Compile(files, "s.js")
		if want == nil {
			require.Equal(t, program.Hash(), checked.Program.Hash())
			require.NotNil(t, checked.Tree)
			continue
		}
		require.Nil(t, checked.Program)
		require.Equal(t, err.Error(), said[0])
	}
}

// The options that helpers written in JavaScript take, as docs/reference/globals.md has them.
func TestHelpersKnowTheirOptions(t *testing.T) {
	t.Parallel()
	require.Equal(t, map[string]vm.HelperOptions{
		"retry":             {Argument: 1, Names: []string{"attempts", "until"}},
		"gate":              {Argument: 2, Names: []string{"attempts"}},
		"verify":            {Argument: 1, Names: []string{"reviewers", "threshold", "lens"}},
		"judgePanel":        {Argument: 1, Names: []string{"judges", "rubric"}},
		"loopUntilDry":      {Argument: 0, Names: []string{"round", "key", "consecutiveEmpty", "maxRounds"}},
		"phase":             {Argument: 1, Names: []string{"budget"}},
		"setSemanticStatus": {Argument: 0, Names: []string{"status", "reason", "nextAction", "details"}},
		"dag":               {Argument: 0, Names: []string{"id", "dependsOn", "run"}},
	}, vm.Helpers())
}

func TestHasGlobal(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"agent", "args", "meta", "structuredClone", "Float64Array", "globalThis", "undefined", "Iterator"} {
		require.True(t, vm.HasGlobal(name), name)
	}
	for _, name := range []string{"fetch", "agnet", "Intl", "require", "WeakRef", ""} {
		require.False(t, vm.HasGlobal(name), name)
	}
	require.Equal(t, "wait with await sleep(ms)", vm.Instead("setTimeout"))
	require.Equal(t, "did you mean agent?", vm.Instead("agnet"))
	require.Empty(t, vm.Instead("something"))
}

func TestComments(t *testing.T) {
	t.Parallel()
	source := vm.Source{Path: "s.js", Text: "\uFEFFconst a = 'mark // mark' // mark 1\r\n\u2028  /* 😀 mark\n 2 */ f(/mark/) // other\n// mark 3"}
	require.Equal(t, []vm.Comment{
		{At: vm.Position{File: "s.js", Line: 1, Column: 26}, Text: "// mark 1"},
		{At: vm.Position{File: "s.js", Line: 3, Column: 3}, Text: "/* 😀 mark\n 2 */", Alone: true},
		{At: vm.Position{File: "s.js", Line: 5, Column: 1}, Text: "// mark 3", Alone: true},
	}, source.Comments("mark"))
	require.Empty(t, source.Comments("nothing"))
}
