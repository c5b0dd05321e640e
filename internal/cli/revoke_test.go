package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A waiting run's approval is taken back, and shown as such everywhere; the resume asks anew, and
// says who took it back and why.
func TestRevoke(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	require.Contains(t, u.wants(2, "revoke").errors, "no run of this workspace that can go on has an approved plan")
	run := u.object(4, "review", "--json")["run"].(string)
	e := u.wants(3, "revoke", run)
	require.Contains(t, e.errors, "PLAN_APPROVAL_STALE: run "+run+" has no approved plan: its gates are ")
	require.Contains(t, e.errors, "pending")
	u.wants(0, "approve", "--checksum", planSum, "--mode", "auto", "--model", "big")
	require.Contains(t, u.wants(0, "show").out, "mode auto, model big")
	require.Contains(t, u.wants(2, "revoke", "--reason", " ").errors, "--reason is empty")
	e = u.wants(0, "revoke", "--reason", "wrong branch")
	require.Contains(t, e.errors, "is revoked\n")
	require.Contains(t, e.errors, "next: assent resume "+shortID(run)+" --on-gate suspend")
	require.Contains(t, u.wants(0, "revoke", run).errors, "was revoked already, by ")
	e = u.wants(3, "approve", run, "--checksum", planSum)
	require.Contains(t, e.errors, "PLAN_APPROVAL_STALE")
	require.Contains(t, e.errors, "its approval was revoked by ")

	require.Regexp(t, `revoked by .*\(command\), "wrong branch"; it was approved by .*\(command\)`, u.wants(0, "show").out)
	require.Contains(t, u.wants(0, "ls").out, ", approval revoked")
	require.Regexp(t, `revoked by .* wrong branch\n`, u.wants(0, "verify").out)
	require.Contains(t, u.wants(0, "export").out, `"kind":"gate.revoked"`)

	require.Contains(t, u.wants(0, "resume", "--dry-run").out, "planApprove /planApprove#0: revoked")
	u.wants(4, "resume", "--on-gate", "suspend")
	require.NoFileExists(t, u.dir+"/worked")
	review := u.wants(4, "review").out
	require.Regexp(t, `(?s)You are asked again: gate \S+ approved this before, and its approval was revoked\s.*by .*"wrong branch"`, review)
	gates := u.object(0, "show", "--json")["gates"].([]any)
	require.Equal(t, "revoked", gates[0].(map[string]any)["state"])
	require.Equal(t, "revoked", gates[1].(map[string]any)["reason"])
	u.wants(0, "approve", "--gate", gates[1].(map[string]any)["gate"].(string), "--checksum", planSum, "--resume")
	require.FileExists(t, u.dir+"/worked")
	u.wants(0, "verify")
	require.Contains(t, u.wants(0, "revoke", run).errors, "is revoked", "a run that has ended has to be named")
	require.Contains(t, u.wants(0, "show").errors, "asks about the plan anew")

	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	cancelled := u.object(4, "review", "--json")["run"].(string)
	u.wants(0, "approve", "--checksum", planSum)
	u.wants(0, "cancel", cancelled)
	require.Contains(t, u.wants(3, "revoke", cancelled).errors, "was cancelled, so nothing will be done under its approvals")
}

// A run at work ends what it is at, and stops.
func TestRevokeARunAtWork(t *testing.T) {
	t.Parallel()
	u := newUser(t, "two.js", `export const meta = { name: "two", description: "two steps under a plan" };
const approval = await planApprove({ steps: ["write"] });
await agent("one", { label: "one", under: approval });
await agent("two", { label: "two", under: approval });
`, "answers.toml", "[[answer]]\nlabel = \"one\"\nrun = \"touch begun; while ! test -e go; do sleep 0.05; done\"\ntext = \"1\"\n[[answer]]\nlabel = \"two\"\nwrite = { worked = \"yes\" }\ntext = \"2\"\n")
	u.wants(4, "run", "two.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	u.wants(0, "approve", "--checksum", planSum)
	cmd := u.command("resume")
	var talk bytes.Buffer
	cmd.Stderr = &talk
	require.NoError(t, cmd.Start())
	eventually(t, "the first step is at work", func() bool { return exists(u.dir + "/begun") })
	e := u.wants(0, "revoke", "--reason", "not now")
	require.Contains(t, e.errors, "begins nothing more, and stops when 1 call that is at work has ended")
	u.write("go", "")
	_ = cmd.Wait() // its exit code is looked at below
	require.Equal(t, 3, cmd.ProcessState.ExitCode(), talk.String())
	require.Contains(t, talk.String(), "PLAN_NOT_APPROVED: gate ")
	require.Contains(t, talk.String(), `"not now"`)
	require.NoFileExists(t, u.dir+"/worked")
	shown := u.object(0, "show", "--json")
	require.Equal(t, "stopped", shown["state"])
	calls := shown["calls"].([]any)
	require.Len(t, calls, 1)
	require.Equal(t, "done", calls[0].(map[string]any)["state"])
	u.wants(0, "verify")
}

// Below an agent nothing is revoked: it would be recorded as a person's word.
func TestS19AgentsDoNotRevoke(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	u.wants(0, "approve", "--checksum", planSum)
	u.env = append(u.env, "ASSENT_AGENT=01JDZX/agent#0")
	require.Contains(t, u.wants(3, "revoke").errors, "APPROVER_IS_AGENT")
	require.Equal(t, "approved", u.object(0, "show", "--json")["gates"].([]any)[0].(map[string]any)["state"])
}

// A model that is no name is refused, not replaced, and a second yes with another one conflicts.
func TestApproveWithAModel(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	for _, bad := range []string{"", " ", "\t", "big\n", " big", strings.Repeat("m", 201), "b\x1big"} {
		require.Contains(t, u.wants(2, "approve", "--checksum", planSum, "--model", bad).errors, "the name of the model", "%q", bad)
		require.Contains(t, u.wants(2, "approve", "--checksum", planSum, "--effort", bad).errors, "the name of the effort", "%q", bad)
	}
	require.Contains(t, u.wants(2, "approve", "--checksum", planSum, "--mode", "Auto").errors, "--mode is one of ask, accept-edits, auto")
	u.wants(0, "approve", "--checksum", planSum, "--mode", "auto", "--model", "big", "--effort", "high")
	require.Contains(t, u.wants(0, "approve", "--checksum", planSum, "--mode", "auto", "--model", "big", "--effort", "high").errors, "with the same answer")
	for _, other := range [][]string{{}, {"--mode", "auto"}, {"--mode", "auto", "--model", "small", "--effort", "high"}, {"--model", "big", "--effort", "high"}} {
		e := u.wants(3, append([]string{"approve", "--checksum", planSum}, other...)...)
		require.Contains(t, e.errors, "PLAN_APPROVAL_CONFLICT", "%v", other)
		require.Contains(t, e.errors, "mode auto, model big, effort high")
	}
	gate := u.object(0, "show", "--json")["gates"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"auto", "big", "high"}, []any{gate["mode"], gate["model"], gate["effort"]})
}

// An agent that has not got the model that a person chose ends the run, which says how to go on.
func TestApprovedModelIsNotThere(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", "[[answer]]\nlabel = \"*\"\nerror = { code = \"model_unavailable\", message = \"no such model\" }\n")
	u.wants(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	e := u.wants(1, "approve", "--checksum", planSum, "--model", "big", "--resume")
	run := runID.FindString(e.errors)
	require.Contains(t, e.errors, `PLAN_CONFIGURATION_BLOCKED`)
	require.Contains(t, e.errors, `the plan was approved for the model "big", which the agent does not have: no such model`)
	require.Contains(t, e.errors, "next: assent resume "+shortID(run)+"   # when the agent has it\n")
	require.Contains(t, e.errors, "next: assent revoke "+shortID(run)+"   # takes the approval back;")
	u.wants(0, "revoke", run)
	u.write("answers.toml", answers)
	u.wants(4, "resume", run, "--on-gate", "suspend")
	gate := u.object(4, "review", "--json")["waiting"].([]any)[0].(map[string]any)["gate"].(string)
	u.wants(0, "approve", "--gate", gate, "--checksum", planSum, "--resume")
	require.FileExists(t, u.dir+"/worked")
	u.wants(0, "verify")
}

// A usage limit beside a question that waits: both are said, the limit first.
func TestLimitBesideAQuestion(t *testing.T) {
	t.Parallel()
	u := newUser(t, "both.js", `export const meta = { name: "both", description: "a question and work" };
await Promise.all([checkpoint("Go on?"), agent("work", { label: "limited" })]);
`, "answers.toml", "[[answer]]\nlabel = \"limited\"\nerror = { code = \"usage_limit\", message = \"no more today\" }\n")
	e := u.wants(5, "run", "both.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	run := runID.FindString(e.errors)
	first := strings.Index(e.errors, "next: assent resume "+shortID(run)+" --on-gate suspend   # when the agent's provider gives more\n")
	answer := strings.Index(e.errors, "next: assent answer "+shortID(run)+" --gate ")
	require.Positive(t, first, e.errors)
	require.Greater(t, answer, first)
}
