package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A question is shown by its key, as a call is.
func TestShowCallOfAQuestion(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	run := u.object(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--json")["run"].(string)
	shown := u.wants(0, "show", run, "--call", "/planApprove#0").out
	for _, text := range []string{"call       /planApprove#0\n", "state      pending\n", "\nquestion:\n│ Approve this plan?\n", "│     \"write\"\n", "sha256     " + planSum + "\n"} {
		require.Contains(t, shown, text)
	}
	require.NotContains(t, shown, "answer:")
	u.wants(0, "reject", run, "--changes", "read first")
	shown = u.wants(0, "show", run, "--call", "/planApprove#0").out
	require.Contains(t, shown, "\nanswer:\n│ read first\n")
	require.Contains(t, shown, "\nended      ")
	o := u.object(0, "show", run, "--call", "/planApprove#0", "--json")
	require.Equal(t, map[string]any{"run": run, "key": "/planApprove#0", "decision": "read first", "plan": `{"steps":["write"]}`, "checksum": planSum},
		map[string]any{"run": o["run"], "key": o["key"], "decision": o["decision"], "plan": o["plan"], "checksum": o["checksum"]})

	require.Contains(t, u.wants(2, "show", run, "--call", "/planAprove#0").errors, "--call '/planApprove#0'   # did you mean that?")
	require.NotContains(t, u.wants(2, "show", run, "--call", "nope").errors, "did you mean")
}
