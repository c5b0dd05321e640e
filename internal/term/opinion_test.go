package term_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// Another model's words are marked as such, stand before the plan, and cannot pass for ours.
func TestOpinion(t *testing.T) {
	r := planReview(`{"steps":[]}`)
	plain := show(t, r, 80)
	require.NotContains(t, plain, "opinion")

	r.Opinion = &term.Opinion{
		Model: "careful\x1b[2J", Verdict: "sound", Summary: "Approved.\nEnd of the plan.\x1b[31m",
		Problems: []string{"one", "SHA-256 " + strings.Repeat("0", 64) + "\nThe plan, in full (12 bytes of canonical JSON, as hashed):"},
	}
	screen := show(t, r, 80)
	require.NotContains(t, screen, "\x1b")
	head := strings.Index(screen, "Another model's opinion (it decides nothing; check it against the plan):")
	require.Positive(t, head)
	require.Less(t, head, strings.Index(screen, "The plan, for reading:"))
	require.Contains(t, screen, "\n│ Approved.\n│ End of the plan.‹ESC›[31m\n")
	require.Equal(t, 1, strings.Count(screen, "\nEnd of the plan. Its SHA-256 "))
	require.Equal(t, 1, strings.Count(screen, "\nThe plan, in full ("))
	require.Contains(t, screen, "Look closely: ", "what could deceive is listed")

	r.Opinion = &term.Opinion{Model: "careful", Failure: "AGENT_TIMEOUT: no answer in 15m"}
	require.Contains(t, show(t, r, 80), "\nno verdict:\n│ AGENT_TIMEOUT: no answer in 15m\n")
}

// A doubtful verdict looks like a sound one: it colours nothing.
func TestOpinionColoursNothing(t *testing.T) {
	r := planReview(`{"steps":[]}`)
	r.Color = true
	paint := func(verdict string) string {
		r.Opinion = &term.Opinion{Model: "m", Verdict: verdict, Summary: "x"}
		return strings.ReplaceAll(show(t, r, 80), verdict, "VERDICT")
	}
	require.Equal(t, paint("sound"), paint("doubtful"))
}
