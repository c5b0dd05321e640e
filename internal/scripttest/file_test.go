package scripttest_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/scripttest"
)

// A file that says what it cannot say is refused with its line, and with the key that was meant.
func TestMistakesInAFile(t *testing.T) {
	t.Parallel()
	const at = "tested.js.test.toml:"
	for text, want := range map[string][2]string{
		"":                        {"tested.js.test.toml has no [[test]]", "add to it:"},
		"[[tests]]\nname = 'a'\n": {at + `1: unknown key "tests"`, "did you mean test?"},
		"[[test]]\nname = 'a'\n[test.expect]\nreslt = 1\n":                                    {at + `4: unknown key "test.expect.reslt"`, "did you mean test.expect.result?"},
		"[[test]]\n[[test.expect.call]]\nlable = 'a'\n":                                       {at + `3: unknown key "test.expect.call.lable"`, "did you mean test.expect.call.label?"},
		"[[test]]\n[[test.gate]]\nzzzzzzzzzzzz = 1\n":                                         {at + `3: unknown key "test.gate.zzzzzzzzzzzz"`, "[test.gate] has prompt, kind, times, "},
		"[[test]]\n[[test.answer]]\nlabel = 'a'\ntxt = 'x'\n":                                 {at + `4: unknown key "test.answer.txt"`, "did you mean test.answer.text?"},
		"[[test]]\nexpct = 1\n":                                                               {at + `2: unknown key "test.expct"`, "did you mean test.expect?"},
		"[[test]]\nname = 5\n":                                                                {at + "2:8: test.name takes no integer", ""},
		"[[test]]\nname = 'x\n":                                                               {at + "2:", ""},
		"[[test]]\n\n[[test]]\nname = 'b'\n[[test.answer]]\ntext = 'x'":                       {at + "5: [[test.answer]]: it needs label or prompt", ""},
		"[[answer]]\nlabel = 'a'\n[[test]]\n":                                                 {at + "1: [[answer]]: it has 0 of text, value and error", ""},
		"[[test]]\nname = 'b'\n[[test.gate]]\n":                                               {at + "1: [[test]] b: [[test.gate]] 1: it has 0 of decision, answer and later", ""},
		"[[test]]\n[[test.gate]]\ndecision = true\nlater = true":                              {"it has 2 of decision, answer and later", ""},
		"[[test]]\n[[test.gate]]\nkind = 'paln'\ndecision = true":                             {`kind is "paln", not one of plan, confirm, input, select`, ""},
		"[[test]]\n[[test.gate]]\ndecision = false\nmode = 'auto'":                            {"mode, model and effort go with decision = true", ""},
		"[[test]]\n[[test.gate]]\ndecision = true\nmode = 'yolo'":                             {`mode is "yolo", not one of ask, accept-edits, auto`, ""},
		"[[test]]\n[[test.gate]]\ndecision = true\ntimes = 0":                                 {"times is 0", ""},
		"[[test]]\n[[test.gate]]\ndecision = true\nexpect_plan = 1\nexpect_plan_contains = 2": {"one says it all", ""},
		"[[test]]\nheadless = true\n[[test.gate]]\ndecision = true":                           {"headless means that nobody answers", ""},
		"[[test]]\non_gate = 'abort'\n[[test.gate]]\ndecision = true":                         {"on_gate is for when nobody answers", ""},
		"[[test]]\non_gate = 'approve'":                                                       {`on_gate is "approve", not default, abort or suspend`, ""},
		"[[test]]\ntimeout = '5'":                                                             {`timeout is "5"`, ""},
		"[[test]]\nkill_after = 0":                                                            {"kill_after is 0", ""},
		"[[test]]\nkill_after = 1\nresilience = true":                                         {"kill_after goes without it", ""},
		"[[test]]\nmax_agents = 0":                                                            {"max_agents is 0", ""},
		"[[test]]\nbudget = 'much'":                                                           {`the budget "much" is neither tokens nor dollars`, ""},
		"[[test]]\nfiles = {'../x' = ''}":                                                     {`files names "../x"`, ""},
		"[[test]]\nargs = {n = nan}":                                                          {"args are not JSON", ""},
		"[[test]]\n[test.expect]\nstate = 'done'":                                             {`expect.state is "done", not one of completed, `, ""},
		"[[test]]\n[test.expect]\nerror = 'it broke'":                                         {"error_text is for words", ""},
		"[[test]]\n[test.expect]\nresult = 1\nresult_json = '2'":                              {"one says it all", ""},
		"[[test]]\n[test.expect]\nresult_json = '{'":                                          {"expect.result_json is not JSON", ""},
		"[[test]]\n[test.expect]\ncalls = []\ncalls_any_order = []":                           {"one says it all", ""},
		"[[test]]\n[[test.expect.call]]\ntimes = 1":                                           {"it needs label or prompt", ""},
		"[[test]]\n[[test.expect.call]]\nlabel = ''\ntimes = -1":                              {"times is -1", ""},
		"[[test]]\n[test.expect]\nfiles = {'/x' = true}":                                      {`expect.files names "/x"`, ""},
		"[[test]]\n[test.expect]\nfiles = {'x' = 1}":                                          {`expect.files of "x" is neither`, ""},
		"# first\nanswers = 'none.toml'\n[[test]]":                                            {at + `2: answers is "none.toml", and the file of answers is not there: `, ""},
		"answers = '.'\n[[test]]":                                                             {at + "1: answers is", ""},
		"[[test]]\n[[test]]\nworkspace = 'none'":                                              {at + `2: [[test]] test 2: workspace is "none", and there is no such folder: `, ""},
		"[[test]]\nworkspace = 'tested.js'":                                                   {`workspace is "tested.js", and there is no such folder`, ""},
		"[[test]]\n[[test.gate]]\ndecision = 1":                                               {at + "1: [[test]] test 1: [[test.gate]] 1: decision is 1, which answers no gate", ""},
		"[[test]]\n[[test.gate]]\nanswer = ['a']":                                             {"answer is [a], which answers no gate", ""},
	} {
		_, err := load(t, t.TempDir(), "return 1;", text)
		require.True(t, fault.Is(err, fault.ConfigInvalid), "%q: %v", text, err)
		e, ok := errors.AsType[*fault.Error](err)
		require.True(t, ok)
		require.Contains(t, e.What, want[0], "%q", text)
		require.Contains(t, e.Next, want[1], "%q", text)
	}
}

// What the hint shows is a test that can be run.
func TestSampleIsATest(t *testing.T) {
	t.Parallel()
	cases, err := load(t, t.TempDir(), `return await agent("x");`, scripttest.Sample)
	require.NoError(t, err)
	list := runAll(t, noOptions, cases)
	require.Len(t, list, 1)
	require.Equal(t, "it completes", list[0].Case.Test.Name)
	require.True(t, list[0].OK, "%v", list[0].Differences)
}

// A test's own answers come first, then those of the file, then those of a file that it names.
func TestSharedAnswers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "more.toml"), []byte("[[answer]]\nlabel = 'b'\ntext = 'far'\n[[answer]]\nlabel = 'c'\ntimes = 1\ntext = 'named'\n"), 0o600))
	cases, err := load(t, folder, `return [await agent("x", { label: "a" }), await agent("x", { label: "b" }), await agent("x", { label: "c" })];`, `
answers = "more.toml"
[[answer]]
label = "a"
text = "far"
[[answer]]
label = "b"
text = "shared"
[[test]]
[[test.answer]]
label = "a"
text = "own"
[test.expect]
result = ["own", "shared", "named"]
[[test]]
[test.expect]
result = ["far", "shared", "named"]
`)
	require.NoError(t, err)
	for _, r := range runAll(t, noOptions, cases) {
		require.True(t, r.OK, "%v", r.Differences)
	}
}

func TestWhichTestsBelongToWhichScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(names ...string) {
		for _, name := range names {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	put("full.js", "full.js.test.toml", "short.ts", "short.test.toml", "both.js", "both.js.test.toml", "both.test.toml",
		"pair.js", "pair.ts", "pair.test.toml", "none.js", "alone.test.toml", "lost.js.test.toml", "sub/x.mjs", "sub/x.mjs.test.toml", "node_modules/y.test.toml")
	for script, want := range map[string]string{"full.js": "full.js.test.toml", "short.ts": "short.test.toml", "none.js": ""} {
		got, err := scripttest.TestsOf(in(script))
		require.NoError(t, err)
		if want != "" {
			want = in(want)
			back, err := scripttest.ScriptOf(want)
			require.NoError(t, err)
			require.Equal(t, in(script), back)
		}
		require.Equal(t, want, got)
	}
	_, err := scripttest.TestsOf(in("both.js"))
	require.ErrorContains(t, err, "both.js has two files of tests, both.js.test.toml and both.test.toml")
	_, err = scripttest.TestsOf(in("pair.js"))
	require.ErrorContains(t, err, "can be for pair.js and for pair.ts")
	_, err = scripttest.ScriptOf(in("alone.test.toml"))
	require.ErrorContains(t, err, "stands beside no script called alone.js")
	_, err = scripttest.ScriptOf(in("lost.js.test.toml"))
	require.ErrorContains(t, err, "there is no such script beside it")
	list, err := scripttest.Below(in("sub"))
	require.NoError(t, err)
	require.Equal(t, []string{in("sub/x.mjs.test.toml")}, list)
	list, err = scripttest.Below(dir)
	require.NoError(t, err)
	require.Len(t, list, 8)
	list, err = scripttest.Below(in("nowhere"))
	require.NoError(t, err)
	require.Empty(t, list)
}
