package scripttest_test

import (
	"strings"
	"testing"

	"github.com/seed-8d4a6081/assent/engine"
)

var noOptions engine.Options

func splitBars(text string) []string { return strings.Split(text, "|") }

const revises = `
let plan = { goal: "one" };
let approval = await planApprove(plan, { prompt: "First?" });
while (typeof approval.decision === "string") {
	plan = { goal: approval.decision };
	approval = await planApprove(plan, { prompt: "Revised?" });
}
const colour = await checkpoint("Which?", { kind: "select", choices: ["red", "blue"] });
return { decision: approval.decision, goal: approval.plan.goal, mode: approval.permissionMode ?? null, colour };
`

func TestGatesInOrder(t *testing.T) {
	t.Parallel()
	passes(t, revises, `resilience = true
[[test.gate]]
decision = "two"
[[test.gate]]
expect_plan = {goal = "two"}
decision = true
mode = "accept-edits"
[[test.gate]]
answer = "blue"
[test.expect]
result = {decision = true, goal = "two", mode = "accept-edits", colour = "blue"}
`)
}

func TestGatesByPromptAndKind(t *testing.T) {
	t.Parallel()
	passes(t, revises, `
[[test.gate]]
kind = "select"
answer = "red"
[[test.gate]]
prompt = "Revised*"
decision = true
[[test.gate]]
prompt = "First?"
decision = "more"
[test.expect]
result_contains = {goal = "more", colour = "red"}
`)
}

func TestGatesThatDiffer(t *testing.T) {
	t.Parallel()
	for gates, want := range map[string]string{
		"[[test.gate]]\ndecision = true\n":                                  `no [[test.gate]] for the select gate with prompt "Which?"; [[test.gate]] 1 fits, and has answered already`,
		"[[test.gate]]\nprompt = 'Second*'\ndecision = true\n":              `no [[test.gate]] for the plan gate with prompt "First?"; those left are [[test.gate]] 1 (prompt = "Second*")`,
		"[[test.gate]]\ndecision = true\n[[test.gate]]\nanswer = 'green'\n": `gate "Which?" cannot be answered with "green": the answer must be one of the choices, not "green"`,
		"[[test.gate]]\nanswer = 'x'\nkind = 'confirm'\n":                   `no [[test.gate]] for the plan gate with prompt "First?"; those left are [[test.gate]] 1 (kind = "confirm")`,
		"[[test.gate]]\nexpect_prompt = 'Go*'\nexpect_plan_contains = {goal = 'two', why = 1}\ndecision = true\n[[test.gate]]\nanswer = 'red'\n[[test.gate]]\ntimes = 2\ndecision = false\n": `gate: expected the prompt "Go*", got "First?"|` +
			`plan.goal: expected "two", got "one"|plan.why: expected 1, and there is none|no gate came for [[test.gate]] 3`,
		"[[test.gate]]\nkind = 'plan'\ntimes = 2\ndecision = true\n[[test.gate]]\nanswer = 'red'\n": `no gate came for [[test.gate]] 1 (kind = "plan") 1 more times`,
		"[[test.gate]]\ndecision = true\n[[test.gate]]\nexpect_plan = 'x'\nanswer = 'red'\n":        `gate "Which?": expected a plan, and it is a checkpoint (select)`,
	} {
		t.Run(want, func(t *testing.T) { fails(t, revises, gates, splitBars(want)...) })
	}
}

func TestCallsThatNothingAnswers(t *testing.T) {
	t.Parallel()
	ask := func(label string) string { return `return [await agent("do\nit", { label: "` + label + `" })];` }
	const worker = "[[test.answer]]\nlabel = 'worker'\nprompt = 'Do *'\ntext = 'x'\n"
	fails(t, ask("wroker"), worker, `no answer for the call with label "wroker" and prompt "do\nit"; the nearest answer has label = "worker"`)
	fails(t, ask("worker"), worker, `no answer for the call with label "worker" and prompt "do\nit"; the label of the answer with label = "worker" and prompt = "Do *" fits, its prompt does not`)
	fails(t, ask("completely other"), worker, `no answer for the call with label "completely other" and prompt "do\nit"; there are answers for the labels worker`)
	// Several are named in the order of the calls, also if they are at work at the same time.
	fails(t, `return await parallel([..."abc"].map((l) => () => agent("x".repeat(130), { label: l })));`, "",
		`no answer for the call with label "a" and prompt "`+strings.Repeat("x", 119)+`…"; write [[test.answer]] for it`,
		`no answer for the call with label "b" and prompt "`+strings.Repeat("x", 119)+`…"; write [[test.answer]] for it`,
		`no answer for the call with label "c" and prompt "`+strings.Repeat("x", 119)+`…"; write [[test.answer]] for it`)
	fails(t, `return await agent("plain");`, "", `no answer for the call and prompt "plain"; write [[test.answer]] for it`)
	fails(t, `await agent("a", { label: "w" }); return await agent("b", { label: "w" });`, "[[test.answer]]\nlabel = 'w'\ntimes = 1\ntext = 'x'\n",
		`no answer for the call with label "w" and prompt "b"; the answer with label = "w" fits, and is used up (times)`)
}
