//go:build unix

package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const partialScript = `export const meta = { name: "partial", description: "x" };
const found = await parallel([
  () => agent("exit", { label: "exit" }),
  () => agent("hang", { label: "hang", timeoutMs: 300 }),
  () => agent("shape", { label: "shape", schema: { type: "object", required: ["n"] } }),
  () => agent("signal", { label: "signal" }),
  () => agent("nothing", { label: "nothing" }),
]);
return { found, failed: found.filter((a) => a === null).length, empty: found.filter((a) => a === "").length };
`

const partialAgent = `read request
case $request in
*'"label":"exit"'*) echo "disk full" >&2; exit 1 ;;
*'"label":"hang"'*) exec sleep 300 ;;
*'"label":"shape"'*) echo '{"m":1}' ;;
*'"label":"signal"'*) kill -KILL $$ ;;
*) echo ;;
esac
`

// B44: four of five fail, each in its own way. The exit code says so, the object has each cause, the
// script tells a failure from an answer that is empty, and each call has an end in the journal.
func TestB44_PartialFailureIsTold(t *testing.T) {
	t.Parallel()
	u := newUser(t, "partial.js", partialScript, "agent.sh", partialAgent)
	o := u.object(8, "run", "partial.js", "--agent", "sh agent.sh", "--concurrency", "5", "--json")
	require.Equal(t, "completed", o["state"])
	require.Equal(t, 8.0, o["exit"])
	require.Equal(t, map[string]any{"found": []any{nil, nil, nil, nil, ""}, "failed": 4.0, "empty": 1.0}, o["result"])
	want := []struct{ label, code, cause string }{
		{"exit", "AGENT_FAILED", "disk full"},
		{"hang", "AGENT_TIMEOUT", "300ms"},
		{"shape", "SCHEMA_NONCOMPLIANCE", "'n'"},
		{"signal", "AGENT_FAILED", "killed"},
	}
	failures := o["failures"].([]any)
	require.Len(t, failures, 4)
	for i, w := range want {
		f := failures[i].(map[string]any)
		require.Equal(t, w.label, f["label"])
		require.Equal(t, w.code, f["code"])
		require.Contains(t, f["message"], w.cause)
	}
	require.Len(t, failures[2].(map[string]any)["attempts"], 3)

	run := o["run"].(string)
	for _, c := range u.object(0, "show", run, "--json")["calls"].([]any) {
		call := c.(map[string]any)
		if call["label"] == "nothing" {
			require.Equal(t, "done", call["state"])
			require.Contains(t, call, "value")
			require.Empty(t, call["value"])
			continue
		}
		require.Equal(t, "failed", call["state"], "%v", call["label"])
		require.NotContains(t, call, "value")
		require.Contains(t, call, "failure")
	}
	talk := u.wants(8, "watch", run).out
	for _, w := range want {
		require.Regexp(t, `"`+w.label+`" \(agent \S+\) failed.*`+w.code, talk)
	}
	u.wants(0, "verify", run)
	u.wants(0, "replay", run)
}
