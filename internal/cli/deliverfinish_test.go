//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// repairScript stops as the pipeline does where a person can repair something, as often as it is told.
const repairScript = `export const meta = { name: "issue-delivery", description: "x" };
for (let i = 0; i < args.rounds; i += 1) {
  const done = await checkpoint("Was it repaired by hand? Round " + i, { default: false });
  if (!done) return { success: false, stoppedBy: "checks", status: "needs-human", reason: "the checks are red", nextAction: "mend them", next: "rm -rf /", handover: "/tmp/note.md" };
}
await agent("after");
return { success: true, status: "completed", branch: "assent/abc123-x", commit: "0123456789abcdef", base: "main", checks: "1 of 1 passed", steps: [1, 2] };
`

func newRepairUser(t *testing.T) *user {
	t.Helper()
	u := newUser(t, "answers.toml", "[[answer]]\nprompt = '*'\ntext = 'x'\n", "plain.js", "export const meta = { name: 'plain', description: 'x' };\nreturn { success: false };\n")
	u.put(filepath.Join(u.dir, ".assent", "workflows"), "issue-delivery.js", repairScript)
	return u
}

// Headless the question is nobody's, and the run stops; --finish is the yes of whoever types it, to that
// question alone, and the same run goes on.
func TestFinish(t *testing.T) {
	t.Parallel()
	u := newRepairUser(t)
	stopped := u.wants(3, "run", "issue-delivery", "--arg", "rounds=2", "--task", "it's red", "--agent", "script:answers.toml")
	run := runID.FindString(stopped.errors)
	require.Contains(t, stopped.errors, "assent: stopped by checks: the checks are red\nassent: what to do: mend them\nassent: hand-over note: /tmp/note.md\n")
	require.Contains(t, stopped.errors, `next: assent deliver 'it'"'"'s red'   # begins another delivery`)
	require.NotContains(t, stopped.errors, "rm -rf", "no command is taken from a result")

	repair := filepath.Join(u.store("work"), run, "repair") // as the pipeline makes one
	require.NoError(t, os.MkdirAll(repair, 0o700))
	require.Equal(t, []any{"assent deliver --finish " + run}, u.object(0, "show", run, "--json")["next"])
	require.Contains(t, u.wants(0, "show", run).errors, "assent deliver --finish "+shortID(run))

	again := u.wants(3, "deliver", "--finish", run[:8]) // what is asked then, nobody answers
	require.Contains(t, again.errors, " is answered\n")
	require.Contains(t, again.errors, "to be repaired in "+repair+"\n")
	require.Contains(t, again.errors, "next: assent deliver --finish "+shortID(run)+"   # after you have repaired and committed it there\n")

	done := u.wants(0, "deliver", "--finish", shortID(run))
	require.Contains(t, done.errors, "assent: delivered in 2 steps: branch assent/abc123-x, commit 0123456789ab, onto main\nassent: 1 of 1 passed\n")
	require.Contains(t, done.errors, "next: git merge assent/abc123-x   # on main\n")
	gates := u.object(0, "show", run, "--json")["gates"].([]any)
	require.Len(t, gates, 4, "each question was asked anew")
	for i, want := range []string{"", "command", "", "command"} {
		who, _ := gates[i].(map[string]any)["who"].(map[string]any)
		way, _ := who["way"].(string)
		require.Equal(t, want, way, i)
	}
	require.Contains(t, u.wants(0, "verify", run).out, "OK")

	over := u.wants(3, "deliver", "--finish", run)
	require.Contains(t, over.errors, "REPAIR_NOT_ASKED: run "+run+" has nothing to finish: the repair was told of already, and the run is completed\n")
}

// A question that was left open is answered where it is; a no stands.
func TestFinishOfAQuestionThatWaits(t *testing.T) {
	t.Parallel()
	u := newRepairUser(t)
	waits := u.wants(4, "run", "issue-delivery", "--arg", "rounds=1", "--agent", "script:answers.toml", "--on-gate", "suspend")
	run := runID.FindString(waits.errors)
	require.Contains(t, waits.errors, "next: assent deliver --finish "+shortID(run)+"   # after you have repaired and committed it\n")
	offered, _ := u.completes("deliver", "--finish", "")
	require.Equal(t, []string{shortID(run)}, offered)
	agent := u.command("deliver", "--finish", run)
	agent.Env = append(agent.Env, "ASSENT_AGENT="+run+"/agent#0")
	require.Contains(t, u.run(agent).errors, "APPROVER_IS_AGENT")
	require.Equal(t, "waiting", u.state(run))
	u.wants(0, "deliver", "--finish", run, "--quiet")
	require.Equal(t, "completed", u.state(run))

	no := runID.FindString(u.wants(4, "run", "issue-delivery", "--arg", "rounds=1", "--agent", "script:answers.toml", "--on-gate", "suspend").errors)
	u.wants(3, "answer", no, "no", "--resume")
	require.Contains(t, u.wants(3, "deliver", "--finish", no).errors, "has nothing to finish: it was told that there is no repair, and that answer stands\n")
}

// What is no delivery, and what asked for no repair, is refused with what to do instead.
func TestFinishRefuses(t *testing.T) {
	t.Parallel()
	u := newRepairUser(t)
	run := runID.FindString(u.wants(3, "run", "plain.js").errors)
	refused := u.wants(3, "deliver", "--finish", run).errors
	require.Contains(t, refused, `REPAIR_NOT_ASKED: run `+run+` ("plain") is no delivery, so there is nothing to finish`)
	require.Contains(t, refused, "next: assent resume "+shortID(run)+"   # goes on with it\n")
	run = runID.FindString(u.wants(0, "run", "issue-delivery", "--arg", "rounds=0", "--agent", "script:answers.toml").errors)
	refused = u.wants(3, "deliver", "--finish", run).errors
	require.Contains(t, refused, "has nothing to finish: it is completed, and asked for no repair\nnext: git merge assent/abc123-x   # on main\n")
	require.Contains(t, u.wants(2, "deliver", "--finish", "0000").errors, "RUN_UNKNOWN")
}
