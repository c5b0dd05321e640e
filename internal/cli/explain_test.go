package cli_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/docs"
)

// Every entry of the page is found, in any case of letters, and a slip is told.
func TestExplain(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	all := strings.Fields(u.wants(0, "explain").out)
	require.Len(t, all, strings.Count(docs.Errors, "\n### "))
	text := u.wants(0, "explain", "plan_not_json").out
	require.True(t, strings.HasPrefix(text, "PLAN_NOT_JSON\n"), text)
	require.Contains(t, text, "  do     change the value at the path; write large ids as text")
	require.Contains(t, u.wants(2, "explain", "PLAN_NOT_JSN").errors, "did you mean PLAN_NOT_JSON?")
	require.Equal(t, docs.Guide, u.wants(0, "guide").out)
}
