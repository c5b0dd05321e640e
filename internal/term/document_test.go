package term_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

func planRows(t *testing.T, plan string) string {
	t.Helper()
	return strings.Join(term.RenderPlan([]byte(plan), 60, false), "\n") + "\n"
}

// A document is shown as it is written: nothing of its Markdown is interpreted, and so nothing
// of it is hidden.
func TestS11_ADocumentIsShownAsItsSource(t *testing.T) {
	markdown := "# Ship\n\n<!-- rm -rf / -->\n[docs](https://evil.example \"docs\")\n[x]: <hidden>\n&nbsp;\x1b[2Jgone\u202e\n\tindented\n" +
		strings.Repeat("\n", 300) + strings.Repeat("long ", 40) + "\nlast"
	raw, err := json.Marshal(map[string]string{"title": "Ship it", "markdown": markdown, "question": "Ship?"})
	require.NoError(t, err)
	text := planRows(t, string(raw))
	require.True(t, strings.HasPrefix(text, "The plan, for reading:\n  title: Ship it\n  question: Ship?\n  markdown, as it is written:\n  │ # Ship\n"), text)
	for _, shown := range []string{
		"  │ <!-- rm -rf / -->\n", "  │ [docs](https://evil.example \"docs\")\n", "  │ [x]: <hidden>\n", "  │ &nbsp;‹ESC›[2Jgone‹U+202E›\n",
		"  │ ‹TAB›indented\n", "‹300 empty lines›", "  ┊ long long", "  │ last\n", "The plan, in full (",
	} {
		require.Contains(t, text, shown)
	}
	require.NotContains(t, text, "\x1b")
}

// What has another member is laid out like any plan: no member is left out.
func TestWhatIsNoDocumentIsLaidOut(t *testing.T) {
	for _, plan := range []string{
		`{"markdown":"text","more":"also","title":"T"}`, `{"markdown":"text"}`, `{"markdown":1,"title":"T"}`, `{"markdown":"text","title":""}`,
		`{"markdown":"text","question":"","title":"T"}`, `{"question":"q","title":"T"}`,
	} {
		require.NotContains(t, planRows(t, plan), "as it is written", plan)
	}
	require.Contains(t, planRows(t, `{"markdown":"text","more":"also","title":"T"}`), "more: also\n")
	require.Contains(t, planRows(t, `{"markdown":"","title":"T"}`), "  markdown: ‹empty text›\n")
}
