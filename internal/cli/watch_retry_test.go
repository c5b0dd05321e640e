//go:build unix

package cli_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// While a further attempt at a call is at work, watch says which it is, and why, in lines and in objects.
// The run's own talk says it too.
func TestWatchTellsOfRetries(t *testing.T) {
	t.Parallel()
	u := newUser(t, "tries.js", `export const meta = { name: "tries", description: "x" };
return await agent("1", { label: "scout", retries: 2, readOnly: true });
`, "answers.toml", `[[answer]]
label = "scout"
error = "br\u001boken"
times = 1
[[answer]]
label = "scout"
delay = "10m"
text = "late"
`)
	run := u.object(0, "run", "tries.js", "--agent", "script:answers.toml", "--detach", "--json")["run"].(string)
	lines, objects := u.watches(run), u.watches(run, "--json")
	lines.sees(t, `"scout" (agent /agent#0): attempt 2 of 3, after AGENT_FAILED: br‹ESC›oken`)
	objects.sees(t, `"type":"call.retried"`)
	u.wants(0, "cancel", run)
	require.Equal(t, 1, lines.ends(t))
	require.Equal(t, 1, objects.ends(t))
	documented, found := examples(t), false
	for _, o := range objects.lines(t) {
		if o["type"] != "call.retried" {
			continue
		}
		found = true
		call := o["call"].(map[string]any)
		require.Equal(t, "attempt 2 of 3: AGENT_FAILED: br\u001boken", call["trying"])
		require.Equal(t, "scout", call["label"])
		require.Equal(t, 0.0, o["seq"])
		seen := map[string]bool{}
		keys(seen, "", o)
		for name := range seen {
			require.True(t, documented["watched"][name], "%s is not documented", name)
		}
	}
	require.True(t, found)
	log, err := os.ReadFile(u.store("logs", run+".log"))
	require.NoError(t, err)
	require.Contains(t, string(log), `call "scout" (/agent#0): attempt 2 of 3, after AGENT_FAILED: `)
	u.wants(0, "verify", run)
}
