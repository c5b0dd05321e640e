package vm_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

func TestRetry(t *testing.T) {
	t.Parallel()
	p := play(t, `return await retry((i) => agent("try " + i), {attempts: 3, until: async (v) => v === "good"})`)
	p.answer("/agent#0", `"bad"`)
	require.Equal(t, `"try 1"`, string(p.calls[1].Args[0]))
	require.Equal(t, `"good"`, p.answer(p.calls[1].Key, `"good"`).result())

	require.Equal(t, `[2,"tired"]`, play(t, `let n = 0; return [await retry((i) => i, {until: () => false}), await retry(() => { n++; if (n < 3) throw new Error("x"); return "tired" })]`).result())
	require.Equal(t, `["last 2",3]`, play(t, `let n = 0; try { await retry((i) => { n++; throw new Error("last " + i) }) } catch (e) { return [e.message, n] }`).result())

	p = play(t, `let n = 0; try { await retry(() => { n++; return agent("x") }) } catch (e) { log(n) ; throw e }`)
	e := p.fail("/agent#0", "BUDGET_EXCEEDED", "spent", vm.Fatal).failure()
	require.Equal(t, "BUDGET_EXCEEDED", e.Code, "what ends the run is not tried again")
	require.Equal(t, []string{"1"}, p.said())
}

func TestGateRetries(t *testing.T) {
	t.Parallel()
	p := play(t, `return await gate((feedback, i) => agent(i + ": " + feedback), async (v) => ({ok: v === "good", feedback: "not " + v, issues: []}))`)
	p.answer("/agent#0", `"bad"`)
	require.Equal(t, `"0: undefined"`, string(p.calls[0].Args[0]))
	require.Equal(t, `"1: not bad"`, string(p.calls[1].Args[0]))
	require.Equal(t, `{"ok":true,"value":"good","attempts":2}`, p.answer(p.calls[1].Key, `"good"`).result())
	require.Equal(t, `[{"ok":false,"value":1,"attempts":2},{"ok":true,"value":0,"attempts":1}]`,
		play(t, `return [await gate((_, i) => i, () => false, {attempts: 2}), await gate((_, i) => i, () => true)]`).result())
}

// A reviewer that failed has no vote; the threshold itself passes.
func TestVerify(t *testing.T) {
	t.Parallel()
	p := play(t, `return await verify({claim: 1}, {reviewers: 3, lens: ["security", "speed"]})`)
	require.Equal(t, []string{"/verify#0[0]/agent#0", "/verify#0[1]/agent#0", "/verify#0[2]/agent#0"}, p.keys())
	require.Equal(t, "reviewer 3", p.calls[2].Label)
	require.Contains(t, string(p.calls[0].Args[0]), `in this respect: security\n`)
	require.Contains(t, string(p.calls[1].Args[0]), `in this respect: speed\n`)
	require.Contains(t, string(p.calls[2].Args[0]), `in this respect: security\n`)
	require.Contains(t, string(p.calls[2].Args[0]), `instructions:\n{\"claim\":1}"`)
	var options map[string]any
	require.NoError(t, json.Unmarshal(p.calls[0].Args[1], &options))
	require.Equal(t, true, options["readOnly"])
	p.answer("/verify#0[0]/agent#0", `{"real":true,"reason":"seen"}`).answer("/verify#0[1]/agent#0", `{"real":false}`)
	p.fail("/verify#0[2]/agent#0", "AGENT_FAILED", "no", vm.Ordinary)
	require.Equal(t, `{"real":true,"realCount":1,"total":2,"votes":[{"real":true,"reason":"seen"},{"real":false}]}`, p.result())

	p = play(t, `return await verify("x", {reviewers: 1})`)
	p.fail("/verify#0[0]/agent#0", "AGENT_FAILED", "no", vm.Ordinary)
	require.Equal(t, `{"real":false,"realCount":0,"total":0,"votes":[]}`, p.result(), "without a vote nothing is real")
	require.Contains(t, p.said(), "verify: none of 1 reviewers answered, so the item does not count as real")
}

func TestJudgePanel(t *testing.T) {
	t.Parallel()
	p := play(t, `return await judgePanel(["one", , "two", null, "three"], {judges: 2, rubric: "brevity"})`)
	require.Len(t, p.calls, 6)
	require.Equal(t, "judge 3.2", p.calls[3].Label)
	require.Contains(t, string(p.calls[3].Args[0]), `from 0 to 1 for: brevity\n`)
	for i, score := range []string{"0.5", "0.5", "0.25", "0.75", "1", ""} {
		if score == "" {
			p.fail(p.calls[i].Key, "AGENT_FAILED", "no", vm.Ordinary)
			continue
		}
		p.answer(p.calls[i].Key, `{"score":`+score+`}`)
	}
	require.Equal(t, `{"index":4,"attempt":"three","score":1,"judgments":[{"score":1}]}`, p.result(), "the mean is that of the judges who answered")

	p = play(t, `return await judgePanel(["one", "two"], {judges: 1})`)
	p.answer(p.calls[0].Key, `{"score":0.5}`).answer(p.calls[1].Key, `{"score":0.5}`)
	require.Equal(t, `{"index":0,"attempt":"one","score":0.5,"judgments":[{"score":0.5}]}`, p.result(), "a tie goes to the first")
	require.Equal(t, `[true]`, play(t, `return [await judgePanel([]) === undefined]`).result())
}

func TestLoopUntilDry(t *testing.T) {
	t.Parallel()
	require.Equal(t, `[[{"k":1,"v":"a"},{"k":2}],4]`, play(t, `let rounds = 0;
		const items = await loopUntilDry({key: (x) => x.k, round: async (i) => { rounds++; return [[{k: 1, v: "a"}], [{k: 1, v: "b"}, {k: 2}, null], [], null][i] }});
		return [items, rounds]`).result())
	require.Equal(t, `[0,1,2]`, play(t, `return await loopUntilDry({round: (i) => [i], maxRounds: 3})`).result())
	require.Equal(t, `["a","b"]`, play(t, `return await loopUntilDry({round: () => ["a", "b", "a"], consecutiveEmpty: 1})`).result())

	p := play(t, `return await loopUntilDry({round: async (i) => [await agent("r" + i)]})`)
	p.answer(p.calls[0].Key, `"x"`).fail(p.calls[1].Key, "BUDGET_EXCEEDED", "spent", vm.Fatal)
	require.Equal(t, `["x"]`, p.result(), "a spent budget ends it with what there is")
	require.Equal(t, []string{"loopUntilDry: ends in round 2, for there is nothing left to spend: Error: spent"}, p.said())
	p = play(t, `return await loopUntilDry({round: async (i) => [i, await agent("r" + i)]})`)
	p.answer(p.calls[0].Key, `"x"`)
	require.Equal(t, `[0,"x"]`, p.fail(p.calls[1].Key, "PHASE_BUDGET_EXCEEDED", "spent", vm.Thrown).result())
	require.Equal(t, `[[1,"a"],[2,"a"],{"n":3}]`, play(t, `return await loopUntilDry({round: (i) => i === 0 ? [[1, "a"], [2, "a"], [1, "a"], {n: 3}] : null, key: (x) => Array.isArray(x) ? [x[0]] : {n: x.n}})`).result(),
		"keys that are data are told apart")
	p = play(t, `return await loopUntilDry({round: async (i) => [await agent("r" + i)]})`)
	require.Equal(t, "USAGE_LIMIT", p.fail(p.calls[0].Key, "USAGE_LIMIT", "later", vm.Fatal).failure().Code)
}

func TestCompletenessCheck(t *testing.T) {
	t.Parallel()
	p := play(t, `return await completenessCheck({goal: "all"}, ["some"])`)
	require.Equal(t, []string{"/agent#0"}, p.keys())
	require.Contains(t, string(p.calls[0].Args[0]), `{\"goal\":\"all\"}`)
	require.Equal(t, `{"complete":true,"missing":[]}`, p.answer("/agent#0", `{"complete":true}`).result())
	p = play(t, `return await completenessCheck("t", "r")`)
	require.Equal(t, `{"complete":false,"missing":["a"]}`, p.answer("/agent#0", `{"complete":false,"missing":["a"],"more":1}`).result())
	p = play(t, `return await completenessCheck("t", "r")`)
	require.Equal(t, `null`, p.fail("/agent#0", "AGENT_FAILED", "no", vm.Ordinary).result())
	p = play(t, `return await completenessCheck("t", "r")`)
	require.Equal(t, "completeness", p.calls[0].Label)
	require.Equal(t, "SCHEMA_NONCOMPLIANCE", p.fail("/agent#0", "SCHEMA_NONCOMPLIANCE", "no", vm.Thrown).failure().Code)
}

// A panel that does not fit into what the run may still call does not begin.
func TestQualityHelpersCountBeforeTheyStart(t *testing.T) {
	t.Parallel()
	for _, js := range []string{`verify("x", {reviewers: 4})`, `judgePanel(["a", "b"], {judges: 2})`} {
		p := playWith(t, `await agent("first"); return await `+js, vm.Config{Seed: "seed", Limits: vm.Limits{Calls: 4}})
		e := p.answer("/agent#0", `1`).failure()
		require.Equal(t, "CALL_LIMIT", e.Code)
		require.Contains(t, e.Message, "needs 4 calls, and the script may make 3 more")
		require.Len(t, p.calls, 1)
	}
}

// Nothing that a script does to a built-in changes what a helper does.
func TestB16_HelpersKeepTheirWays(t *testing.T) {
	t.Parallel()
	const spoil = `
		for (const name of ["map", "filter", "push", "every", "some", "reduce", "forEach", "concat", "slice", "join"]) Array.prototype[name] = () => { throw new Error("spoiled") };
		Object.defineProperty(Array.prototype, "0", {set() { throw new Error("spoiled") }, configurable: true});
		Object.prototype.attempts = 1; Object.prototype.reviewers = 9; Object.prototype.run = () => 1;
		Object.keys = () => []; JSON.stringify = () => "spoiled";`
	p := play(t, spoil+`return await verify({a: 1}, {})`)
	require.Len(t, p.calls, 2)
	require.Contains(t, string(p.calls[0].Args[0]), `{\"a\":1}`)
	// What an answer does not say is not said for it by a prototype, and only true is a yes.
	const said = `Object.prototype.real = true; Object.prototype.score = 1; Object.prototype.complete = true; Object.prototype.missing = ["inherited"]; Object.prototype.ok = true; Object.prototype.feedback = "inherited";`
	p = play(t, said+`const v = await verify("x", {reviewers: 3}); return [v.real, v.realCount, v.total]`)
	p.answer(p.calls[0].Key, `{}`).answer(p.calls[1].Key, `{"real":"true"}`).answer(p.calls[2].Key, `{"real":1}`)
	require.Equal(t, `[false,0,3]`, p.result())
	p = play(t, said+`return await judgePanel(["a", "b"], {judges: 1})`)
	p.answer(p.calls[0].Key, `{}`).answer(p.calls[1].Key, `{"score":0.5}`)
	require.Equal(t, `{"index":1,"attempt":"b","score":0.5,"judgments":[{"score":0.5}]}`, p.result())
	p = play(t, said+`const c = await completenessCheck("t", "r"); return [c.complete, c.missing]`)
	require.Equal(t, `[false,[]]`, p.answer(p.calls[0].Key, `{}`).result())
	require.Equal(t, `"OPTION_INVALID"`, play(t, `Object.defineProperty(Object.prototype, "real", {get() { throw new Error("spoiled") }}); try { await gate(() => 1, () => Object.create({ok: true})) } catch (e) { return e.code }`).result())
	require.Equal(t, `3`, play(t, spoil+`let n = 0; await retry(() => { n++; return 0 }, {until: () => false}); return n`).result())
	require.Equal(t, `{"results":{"a":1},"status":{"a":"completed"},"errors":{},"skipped":[],"ok":true}`, play(t, spoil+`return await dag([{id: "a", run: () => 1}])`).result())
}

func TestQualityHelpersRefuse(t *testing.T) {
	t.Parallel()
	for js, want := range map[string]string{
		`retry(1)`:                                             `TypeError ARGUMENT_INVALID: retry: the first argument is 1; it has to be a function`,
		`retry(() => 1, {attempt: 2})`:                         `TypeError OPTION_UNKNOWN: retry: unknown option \"attempt\"; did you mean \"attempts\"?; the options are attempts, until`,
		`retry(() => 1, {attempts: 0})`:                        `TypeError ARGUMENT_INVALID: retry: attempts is 0; it has to be a whole number from 1 to 100`,
		`retry(() => 1, {until: true})`:                        `TypeError ARGUMENT_INVALID: retry: until is true; it has to be a function`,
		`gate(() => 1)`:                                        `TypeError ARGUMENT_INVALID: gate: the validator is undefined; it has to be a function`,
		`gate(() => 1, () => 1)`:                               `TypeError OPTION_INVALID: gate: the validator's answer: 1 has to be a plain object {ok, feedback}`,
		`verify("x", {reviewers: 1.5})`:                        `TypeError ARGUMENT_INVALID: verify: reviewers is 1.5; it has to be a whole number from 1 to 100`,
		`verify("x", {threshold: 2})`:                          `TypeError ARGUMENT_INVALID: verify: threshold is 2; it has to be a number from 0 to 1`,
		`verify("x", {lens: 5})`:                               `TypeError OPTION_INVALID: verify: lens is 5; it has to be a text or an array of texts`,
		`judgePanel("x")`:                                      `TypeError ARGUMENT_INVALID: judgePanel: the first argument is \"x\"; it has to be an array`,
		`judgePanel(["x"], {judges: "2"})`:                     `TypeError ARGUMENT_INVALID: judgePanel: judges is \"2\"; it has to be a whole number from 1 to 100`,
		`loopUntilDry({})`:                                     `TypeError ARGUMENT_INVALID: loopUntilDry: round is undefined; it has to be a function`,
		`loopUntilDry({round: () => [1], key: async () => 1})`: `TypeError ARGUMENT_INVALID: loopUntilDry: key gave a promise; it has to give a text, a number or plain data`,
		`loopUntilDry({round: () => [], maxRound: 5})`:         `TypeError OPTION_UNKNOWN: loopUntilDry: unknown option \"maxRound\"; did you mean \"maxRounds\"?; the options are round, key, consecutiveEmpty, maxRounds`,
		`verify("x", {reviewers: 101})`:                        `TypeError ARGUMENT_INVALID: verify: reviewers is 101; it has to be a whole number from 1 to 100`,
		`verify("x", Object.create({reviewers: 3}))`:           `TypeError OPTION_INVALID: verify: a class instance has to be a plain object {reviewers, threshold, lens}`,
		`gate(() => 1, () => ({ok: 1}))`:                       `TypeError ARGUMENT_INVALID: gate: the validator gave a plain object; it has to give true, false or {ok, feedback}`,
		`loopUntilDry({round: () => "items"})`:                 `TypeError ARGUMENT_INVALID: loopUntilDry: round 0 gave \"items\"; it has to give an array of items, or null`,
	} {
		p := play(t, `try { await `+js+` } catch (e) { return e.name + " " + e.code + ": " + e.message }`)
		require.Equal(t, `"`+want+`"`, p.result(), js)
		require.Empty(t, p.calls)
	}
}
