package cli_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What watch and show --timeline print has only fields that docs/reference/json.md shows, and all
// of the objects that it names.
func TestReferenceNamesEveryFieldOfEvents(t *testing.T) {
	t.Parallel()
	documented := examples(t)
	u := newUser(t, "all.js", `export const meta = { name: "all", description: "x" };
phase("look");
log("hi");
setSemanticStatus({ status: "spawned", reason: "x" });
await parallel([() => agent("1", { label: "fails", readOnly: true }), async () => log("in a branch")]);
return (await planApprove({ steps: ["write"] })).decision;
`, "answers.toml", "[[answer]]\nlabel = \"fails\"\nerror = \"broken\"\n")
	u.wants(4, "run", "all.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--quiet")
	u.wants(8, "approve", "--checksum", planSum, "--resume")
	run := u.object(0, "show", "--json")["run"].(string)

	before := u.hashes()
	timeline := u.object(0, "show", run, "--timeline", "--json")
	seen := map[string]bool{}
	keys(seen, "", timeline)
	for name := range seen {
		require.True(t, documented["timeline"][name], "timeline: %s is not documented", name)
	}
	for _, name := range []string{".attempt", ".call", ".gate", ".note", ".end", ".call.failure", ".call.usage", ".note.data", ".note.frame"} {
		require.True(t, seen[".events[]"+name], name)
	}
	require.Equal(t, []any{map[string]any{
		"phase": "look", "calls": 1.0, "failed": 1.0, "durationMs": timeline["totals"].([]any)[0].(map[string]any)["durationMs"],
		"usage": map[string]any{"input": nil, "output": nil, "costMicroUSD": nil}, "unknown": 1.0,
	}}, timeline["totals"])

	lines := strings.Split(strings.TrimSpace(u.wants(8, "watch", run, "--json").out), "\n")
	events := timeline["events"].([]any)
	require.Len(t, lines, len(events)+1)
	for i, line := range lines {
		var o map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &o))
		found, example := map[string]bool{}, "watched"
		keys(found, "", o)
		if i == len(events) {
			example = "watchend"
			require.Equal(t, map[string]any{"type": "end", "exit": 8.0, "state": "completed"}, map[string]any{"type": o["type"], "exit": o["exit"], "state": o["state"]})
		} else {
			event := maps.Clone(o)
			delete(event, "format")
			delete(event, "run")
			require.Equal(t, events[i], event, "the same events as in the timeline")
		}
		for name := range found {
			require.True(t, documented[example][name], "%s: %s is not documented", example, name)
		}
	}

	require.Equal(t, before, u.hashes(), "looking changes nothing")
	for example, args := range map[string][]string{"man": {"man", "run"}, "manuals": {"man", "--dir", "pages"}} {
		found := map[string]bool{}
		keys(found, "", u.object(0, append(args, "--json")...))
		require.Equal(t, documentedOnly(documented[example]), found)
	}
}

// documentedOnly leaves out the gates, which are the same everywhere.
func documentedOnly(fields map[string]bool) map[string]bool {
	own := map[string]bool{}
	for name := range fields {
		if !strings.HasPrefix(name, "GATE") {
			own[name] = true
		}
	}
	return own
}
