package cli_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/docs"
)

// Every entry of the page is found, in any case of letters, and a slip is told.
func TestExplain(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	all := u.wants(0, "explain").out
	require.Len(t, regexp.MustCompile("(?m)^  [A-Z][A-Z0-9_]+ ").FindAllString(all, -1), strings.Count(docs.Errors, "\n### "))
	require.Regexp(t, `(?m)^Gates\n  ANSWER_INVALID +The answer is not one that the question takes\.$`, all, "by part, and sorted there")
	require.NotContains(t, all, "`")
	for line := range strings.Lines(all) {
		require.Regexp(t, `^(\S|  [A-Z]|                                   +\S|\n)`, line)
		require.LessOrEqual(t, len([]rune(line)), 101)
	}
	text := u.wants(0, "explain", "plan_not_json").out
	require.True(t, strings.HasPrefix(text, "PLAN_NOT_JSON\n"), text)
	require.Contains(t, text, "  do     change the value at the path; write large ids as text")
	require.Contains(t, u.wants(2, "explain", "PLAN_NOT_JSN").errors, "next: assent explain PLAN_NOT_JSON   # did you mean that?")
	require.Equal(t, docs.Guide, u.wants(0, "guide").out)
}
