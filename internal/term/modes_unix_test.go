//go:build linux || darwin

package term_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

func modesReview(plan string) term.Review { return modesOf(planReview(plan)) }

func TestAnApprovalNamesItsMode(t *testing.T) {
	for typed, mode := range map[string]string{"approve": "ask", "approve accept-edits": "accept-edits", "approve auto": "auto"} {
		p := sitDown(t, term.Options{})
		done := p.ask(t.Context(), modesReview(`{}`))
		p.prompt()
		p.press(typed + "\r")
		require.Equal(t, outcome{Decision: term.Decision{Kind: term.Approve, Mode: mode}}, wait(t, done), typed)
	}
}

// Exactly these words approve; what is only like them is no answer.
func TestB59_NothingLikeAModeApproves(t *testing.T) {
	for _, lines := range [][]string{
		{"approve ask", "approve  auto", "approve auto ", " approve auto"},
		{"Approve auto", "approve Auto", "approve\tauto", "approve-auto"},
		{"auto", "accept-edits", "approve accept", "approve acceptedits"},
		{"approve accept-edits auto", "approve bypass", "approve \u0430uto", "approve auto."}, // a Cyrillic letter
	} {
		p := sitDown(t, term.Options{})
		done := p.ask(t.Context(), modesReview(`{}`))
		for _, line := range lines {
			p.prompt()
			p.press(line + "\r")
		}
		require.Equal(t, outcome{}, wait(t, done), "%q", lines)
	}
	p := sitDown(t, term.Options{}) // a review that offers no modes takes none
	done := p.ask(t.Context(), planReview(`{}`))
	p.prompt()
	p.press("approve auto\r")
	p.prompt()
	p.press("reject\r")
	require.Equal(t, term.Reject, wait(t, done).Kind)
}

func TestB56_AModeIsGrantedAtTheEndOnly(t *testing.T) {
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), modesReview(longPlan(t, 500)))
	p.prompt()
	p.press("approve auto\r")
	p.see("not yet: ")
	p.prompt()
	p.press("reject\r")
	require.Equal(t, term.Reject, wait(t, done).Kind)
}
