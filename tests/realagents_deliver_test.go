package tests_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/modeltest"
)

// deliver has a planner that only reads, a gate, and a worker in a worktree under the approval.
const deliver = `export const meta = { name: "deliver", description: "plan, ask, and carry out", planFirst: true };
const plan = await agent("Plan a warmer greeting in greet.txt.", {
  label: "planner",
  schema: { type: "object", properties: { steps: { type: "array", items: { type: "string" } } }, required: ["steps"], additionalProperties: false },
});
const approval = await planApprove(plan);
if (approval.decision !== true) return { success: false };
return await agent("Carry out: " + approval.plan.steps.join("; "), { label: "worker", isolation: "worktree", under: approval });
`

const (
	planning, working = "Plan a warmer greeting", "Carry out:"

	proposal = `{"steps":["say hello warmly"]}`
)

// used is a turn that took so many tokens.
func used(t modeltest.Turn, input, output int) modeltest.Turn {
	t.Input, t.Output = input, output
	return t
}

// delivery is the play of a delivery.
func delivery(a realAgent) modeltest.Play {
	return modeltest.Play{
		{Prompt: planning, Turns: []modeltest.Turn{used(a.read("greet.txt"), 100, 10), used(a.value(proposal), 200, 20)}},
		{Prompt: working, Turns: []modeltest.Turn{
			used(a.read("greet.txt"), 300, 30), used(a.edit("greet.txt", "Hello", "Hello, dear"), 400, 40),
			used(modeltest.Says("It is warmer."), 500, 50),
		}},
	}
}

// One workflow from its plan to a commit, with each of the programs.
func TestRealAgentsDeliver(t *testing.T) {
	t.Parallel()
	for _, a := range realAgents(t) {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			v := newRealVisitor(t, a, delivery(a))
			lay(t, deliver, v.dir, "deliver.js")
			before := v.own(t)

			said := v.says(t, 4, "run", "deliver.js", "--agent", a.name, "--headless", "--on-gate", "suspend")
			require.Len(t, said.Waiting, 1)
			require.Equal(t, before, v.own(t), "the planner only reads")
			require.Empty(t, v.asked(working), "no worker before the yes")
			planner := v.asked(planning)
			require.Len(t, planner, 2)
			require.Contains(t, planner[1].LastResult(), "Hello")

			run := said.Run
			said = v.says(t, 0, "approve", run, "--checksum", said.Waiting[0].Checksum, "--mode", "accept-edits", "--resume")
			require.Equal(t, "completed", said.State)
			require.Equal(t, before, v.own(t), "the worker works elsewhere")
			var result string
			require.NoError(t, json.Unmarshal(said.Result, &result))
			require.Contains(t, result, "It is warmer.")
			require.Len(t, v.asked(planning), 2, "the planner is not asked again")

			v.delivered(t, run, result)
		})
	}
}

// delivered looks at a delivery as its person would.
func (v *realVisitor) delivered(t *testing.T, run, result string) {
	t.Helper()
	shown := v.says(t, 0, "show", run)
	require.Equal(t, "completed", shown.State)
	require.Equal(t, []string{"approved", "accept-edits"}, []string{shown.Gates[0].State, shown.Gates[0].Mode})
	require.Len(t, shown.Calls, 2)
	require.Equal(t, int64(100+200+300+400+500), *shown.Usage.Input)
	require.Equal(t, int64(10+20+30+40+50), *shown.Usage.Output)
	require.True(t, shown.Calls[0].ReadOnly)
	require.JSONEq(t, proposal, string(shown.Calls[0].Value))

	made := shown.Calls[1].Worktree
	require.NotNil(t, made)
	require.Contains(t, result, made.Branch)
	require.Equal(t, "Hello, dear\n", v.git(t, "show", made.Branch+":greet.txt"))
	require.Equal(t, "as it was\n", v.git(t, "show", made.Branch+":other.txt"), "what is not committed stays with its person")
	require.Equal(t, "greet.txt\n", v.git(t, "diff", "--name-only", "main", made.Branch))
	require.Equal(t, made.Commit+" Ada\n", v.git(t, "log", "-1", "--format=%H %an", made.Branch))
	require.Equal(t, "1\n", v.git(t, "rev-list", "--count", "main.."+made.Branch))

	for _, call := range shown.Calls {
		told := v.told(t, run, call.Key)
		var tools []string
		for _, e := range told.Events {
			if e.Type == "tool" && e.Tool != "StructuredOutput" { // which is how Claude answers
				tools = append(tools, e.Tool+" "+e.Input)
			}
		}
		require.Len(t, tools, map[string]int{"planner": 1, "worker": 2}[call.Label], "%+v", told.Events)
		for _, tool := range tools {
			require.Contains(t, tool, "greet.txt")
		}
	}

	stdout, stderr, code := v.run(t, "verify", run)
	require.Zero(t, code, stdout+stderr)
	require.Contains(t, stdout+stderr, "OK")
	stdout, stderr, code = v.run(t, "replay", run)
	require.Zero(t, code, stdout+stderr)
	stdout, stderr, code = v.run(t, "worktrees")
	require.Zero(t, code, stdout+stderr)
	require.Contains(t, stdout, made.Branch)

	asked := len(v.model.Asked())
	v.says(t, 0, "resume", run)
	require.Len(t, v.model.Asked(), asked, "what is done is paid for once")
	require.DirExists(t, made.Path, "nothing is removed unasked")
}
