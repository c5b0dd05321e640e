package scripttest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const plans = `
const scope = await agent("look", { label: "scout", readOnly: true });
const approval = await planApprove({ goal: scope, steps: ["a", "b"] }, { prompt: "Build it?" });
if (approval.decision !== true) return { success: false, said: approval.decision };
phase("build");
const built = await parallel(["a", "b"].map((s) => () => agent("build " + s, { label: "builder " + s, under: approval })));
log("built " + built.length);
return { success: true, built };
`

const answers = `
[[test.answer]]
label = "scout"
text = "small"
[[test.answer]]
label = "builder ?"
text = "done"
`

const approve = `
[[test.gate]]
decision = true
`

func TestEveryExpectationHolds(t *testing.T) {
	t.Parallel()
	r := passes(t, plans, `name = "all of it"
resilience = true
[[test.gate]]
kind = "plan"
prompt = "Build*"
expect_prompt = "Build it?"
expect_plan = {goal = "small", steps = ["a", "b"]}
decision = true
`+answers+`
[test.expect]
state = "completed"
exit = 0
result = {success = true, built = ["done", "done"]}
result_contains = {success = true}
calls = ["scout", "builder a", "builder b"]
call_count = 3
logs = ["built 2"]
changed = []
files = {"none.txt" = false}
no_call_before_approval = true
[[test.expect.call]]
label = "builder *"
phase = "build"
under = true
read_only = false
times = 2
[[test.expect.call]]
prompt = "look"
under = false
read_only = true
`)
	require.Equal(t, []string{"scout", "builder a", "builder b"}, r.Calls)
	require.Equal(t, "completed", r.State)
	require.Contains(t, r.Talk, `gate plan "Build it?"`)
}

// Each expectation can fail, and says what was expected and what was there.
func TestEveryExpectationCanFail(t *testing.T) {
	t.Parallel()
	for expect, want := range map[string]string{
		`state = "failed"`: "state: expected failed, got completed",
		`exit = 3`:         "exit: expected 3, got 0",
		`result = {success = true, built = ["done"]}`:                 `result.built[1]: not expected, got "done"`,
		`result_json = '{"success": null, "built": ["done","done"]}'`: "result.success: expected null, got true",
		`result_contains = {built = ["done", "none"]}`:                `result.built[1]: expected "none", got "done"`,
		`result_contains = {other = 1}`:                               "result.other: expected 1, and there is none",
		`error = "PLAN_NOT_APPROVED"`:                                 "error: expected PLAN_NOT_APPROVED, got none",
		`error_text = "*broken*"`:                                     `error_text: expected "*broken*", got ""`,
		`calls = ["scout", "builder b", "builder a"]`:                 "calls: expected scout, builder b, builder a, got scout, builder a, builder b",
		`calls_any_order = ["builder *", "builder *", "late"]`:        "calls_any_order: not made: late|calls_any_order: not expected: scout",
		`call_count = 2`:                                         "call_count: expected 2, got 3: scout, builder a, builder b",
		`logs = ["sold"]`:                                        `logs: no line contains "sold"; they are: built 2`,
		`files = {"none.txt" = true}`:                            "files: expected none.txt, and there is none",
		`changed = ["x"]`:                                        "changed: expected x, got none",
		"[[test.expect.call]]\nlabel = 'tester'":                 `call with label = "tester": there is none; the calls are scout, builder a, builder b`,
		"[[test.expect.call]]\nlabel = 'builder *'\ntimes = 1":   `call with label = "builder *": expected 1 times, got 2; the calls are scout, builder a, builder b`,
		"[[test.expect.call]]\nlabel = 'scout'\nunder = true":    `call with label = "scout": under of "scout": expected true, got false`,
		"[[test.expect.call]]\nprompt = 'look'\nphase = 'x'":     `call with prompt = "look": phase of "scout": expected "x", got ""`,
		"[[test.expect.call]]\nlabel = 'scout'\nread_only=false": `call with label = "scout": read_only of "scout": expected false, got true`,
		"[[test.expect.call]]\nlabel = 'scout'\nmodel='big'":     `call with label = "scout": model of "scout": expected "big", got ""`,
	} {
		t.Run(expect, func(t *testing.T) {
			fails(t, plans, approve+answers+"[test.expect]\n"+expect+"\n", splitBars(want)...)
		})
	}
}

// A value that is different altogether is not shown altogether.
func TestDifferencesAreLimited(t *testing.T) {
	t.Parallel()
	r := reports(t, noOptions, `return Array.from({ length: 1000 }, (_, i) => i);`, "[[test]]\n[test.expect]\nresult = [0]\n")
	require.Len(t, r[0].Differences, 21)
	require.Equal(t, "result[1]: not expected, got 1", r[0].Differences[0])
	require.Equal(t, "result: 979 more differences", r[0].Differences[20])
}

func TestFilesAreCompared(t *testing.T) {
	t.Parallel()
	script := `await agent("write", { label: "writer" }); return null;`
	writes := "[[test.answer]]\nlabel = 'writer'\ntext = ''\nwrite = {'out/a.txt' = 'one', 'kept.txt' = 'same'}\n"
	passes(t, script, "files = {'kept.txt' = 'same', 'old.txt' = 'x'}\nresilience = true\n"+writes+
		"[test.expect]\nresult_json = 'null'\nchanged = ['out/a.txt']\nfiles = {'out/a.txt' = 'one', 'old.txt' = true}\n")
	fails(t, script, writes+"[test.expect]\nchanged = ['out/a.txt']\nfiles = {'out/a.txt' = 'two', 'kept.txt' = false}\n",
		"files: kept.txt is there, and was expected not to be", `files: out/a.txt: expected "two", got "one"`, "changed: expected out/a.txt, got kept.txt, out/a.txt")
}

func TestWorkBeforeAnApproval(t *testing.T) {
	t.Parallel()
	script := `await agent("dig", { label: "digger" }); await planApprove({ a: 1 }); await agent("fill", { label: "filler" }); return 1;`
	fails(t, script, approve+"[[test.answer]]\nlabel = '*'\ntext = 'x'\n[test.expect]\nno_call_before_approval = true\n",
		`the call "digger" may change something, and was made before a plan was approved`)
	// A plan that was declined opens nothing.
	fails(t, `await planApprove({ a: 1 }); await agent("fill", { label: "filler" }); return 1;`,
		"[[test.gate]]\ndecision = false\n[[test.answer]]\nlabel = '*'\ntext = 'x'\n[test.expect]\nstate = 'stopped'\nno_call_before_approval = true\n",
		`the call "filler" may change something, and was made before a plan was approved`)
}

func TestHowARunEnds(t *testing.T) {
	t.Parallel()
	passes(t, `throw new Error("it broke");`, "[test.expect]\nstate = 'failed'\nerror_text = '*it broke*'\n")
	fails(t, `throw new Error("it broke");`, "[test.expect]\nresult = 1\nexit = 0\n",
		"exit: expected 0, got 3 (tested.js:2:7: SCRIPT_ERROR: Error: it broke)", "result: expected 1, and there is none")
	// An agent that fails is not a run that fails.
	passes(t, `return await agent("x", { label: "a" });`, "[[test.answer]]\nlabel = 'a'\nerror = 'ill'\n[test.expect]\nexit = 8\nresult_json = 'null'\n")
	// Nobody is here: the rules of a real run.
	ask := `return await checkpoint("Go?", { default: true });`
	passes(t, ask, "[test.expect]\nresult = true\n")
	passes(t, ask, "headless = true\non_gate = 'abort'\n[test.expect]\nstate = 'stopped'\nerror = 'HUMAN_INPUT_REQUIRED'\n")
	passes(t, ask, "on_gate = 'suspend'\n[test.expect]\nstate = 'waiting'\n")
	passes(t, ask, "[[test.gate]]\nlater = true\n[test.expect]\nstate = 'waiting'\n")
	passes(t, `return await checkpoint("Go?");`, "[test.expect]\nerror = 'CHECKPOINT_NEEDS_DEFAULT'\n")
	// Without a word about it, the run has to complete.
	fails(t, `return { success: false };`, "", "state: expected completed, got stopped")
}

func TestArgumentsAndLimits(t *testing.T) {
	t.Parallel()
	passes(t, `return { n: args.n, two: [random() === random(), uuid().length] };`,
		"args = {n = 5}\nresilience = true\n[test.expect]\nresult = {n = 5, two = [false, 36]}\n")
	passes(t, `return [await agent("x"), await agent("y")];`,
		"max_agents = 1\n[[test.answer]]\nprompt = '*'\ntext = 'a'\n[test.expect]\nerror = 'CALL_LIMIT'\n")
	passes(t, `await agent("x"); return budget.total;`, "budget = '1k'\n[[test.answer]]\nprompt = 'x'\ntext = 'a'\nusage = {input = 5}\n[test.expect]\nresult = 1000\n")
	passes(t, `return await agent("x");`, "read_only = true\n[[test.answer]]\nprompt = 'x'\ntext = 'a'\n[[test.expect.call]]\nprompt = 'x'\nread_only = true\n")
}

func TestTimeIsLimited(t *testing.T) {
	t.Parallel()
	fails(t, `return await agent("x", { label: "slow" });`, "timeout = '3s'\n[[test.answer]]\nlabel = 'slow'\ndelay = '1h'\ntext = ''\n",
		"it was not over after 3s; at work: slow")
	// A script that does not come back is ended too.
	passes(t, `while (true) {}`, "timeout = '4s'\n[test.expect]\nerror = 'STRETCH_LIMIT'\n")
}
