package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A look at what a resume would do names everything that it may do again, and what would stop it.
func TestForecastShowsWhatFollowsAndWhatIsRefused(t *testing.T) {
	t.Parallel()
	script := func(first string) string {
		return `export const meta = { name: "three", description: "x" };
const a = await agent("` + first + `", { label: "one" });
const b = await agent("two " + a, { label: "two", readOnly: true });
return await agent("three " + b, { label: "three" });
`
	}
	u := newUser(t, "three.js", script("one"), "edited.js", script("another"), "answers.toml", "[[answer]]\nlabel = \"*\"\ntext = \"done\"\n")
	u.wants(0, "run", "three.js", "--agent", "script:answers.toml")
	run := runID.FindString(u.wants(0, "ls").out)
	require.Equal(t, `0 calls would be replayed.

Would run again:
  one (/agent#0): the script asks for something else now
  Without a person nothing would run: FINISHED_WORK_WOULD_REPEAT. --rerun-changed is leave to repeat them.

May run again too, because they follow:
  two (/agent#1): it has finished
  three (/agent#2): it has finished, and may have changed something
`, u.wants(0, "resume", run, "--script", "edited.js", "--dry-run").out)
	forecast := u.object(0, "resume", run, "--script", "edited.js", "--dry-run", "--json")
	require.Equal(t, []any{
		map[string]any{"key": "/agent#1", "name": "agent", "label": "two", "reason": "it has finished", "mayHaveChanged": false},
		map[string]any{"key": "/agent#2", "name": "agent", "label": "three", "reason": "it has finished", "mayHaveChanged": true},
	}, forecast["behind"])
	require.Equal(t, "FINISHED_WORK_WOULD_REPEAT", forecast["refused"])
	require.Contains(t, u.wants(5, "resume", run, "--script", "edited.js").errors, "FINISHED_WORK_WOULD_REPEAT")
	leave := u.object(0, "resume", run, "--script", "edited.js", "--dry-run", "--json", "--rerun-changed")
	require.Len(t, leave["behind"], 2)
	require.NotContains(t, leave, "refused")
	require.NotContains(t, u.wants(0, "resume", run, "--script", "edited.js", "--dry-run", "--rerun-changed").out, "Without a person")
}
