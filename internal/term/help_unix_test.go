//go:build linux || darwin

package term_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// size changes the size of the person's screen.
func (p *person) size(columns, rows uint16) {
	p.t.Helper()
	require.NoError(p.t, unix.IoctlSetWinsize(int(p.tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}))
}

// A plan of one step is read and answered on one screen of 80 by 24, its prompt included.
func TestAPlanOfOneStepFitsOneScreen(t *testing.T) {
	p := sitDown(t, term.Options{})
	p.size(80, 24)
	r := modesOf(planReview(`{"goal":"Say hello to whoever opens this folder","steps":[{"file":"hello.txt","title":"Write a greeting of two lines"}]}`))
	r.RunID, r.GateID, r.Title = "5zk3qa", "5zk3qa-1", "first"
	r.Copy = ".assent/plans/first-20261130t170747z-4f0a1b2c.md"
	r.Modes[0].Help, r.Modes[1].Help = "agents may edit files without asking", "agents may do everything without asking"
	done := p.ask(t.Context(), r)
	p.see("A copy: ")
	p.prompt()
	screen := strings.TrimPrefix(bare(p.all()), "\x1b[?2004h")
	require.NotContains(t, screen, "hidden")
	require.LessOrEqual(t, strings.Count(screen, "\n"), 23, screen)
	p.press("approve\r")
	require.Equal(t, term.Approve, wait(t, done).Kind)
}

// What asks for help, or does nothing where it is typed, is not held against anyone, and answers
// nothing.
func TestHelpIsNoUnusableAnswer(t *testing.T) {
	confirm := term.Review{Kind: term.KindConfirm, Prompt: "Go?"}
	choose := term.Review{Kind: term.KindSelect, Prompt: "Which?", Choices: []string{"red"}}
	input := term.Review{Kind: term.KindInput, Prompt: "Who?", Default: "me", HasDefault: true}
	for _, tt := range []struct {
		review term.Review
		words  []string
		shows  string
		want   term.DecisionKind
		last   string
	}{
		{modesOf(planReview(`{}`)), []string{"?", "help", "all"}, "approve auto          says yes, in this mode: does anything", term.Approve, "approve"},
		{confirm, []string{"?", "help", "all"}, "yes         answers yes", term.Answer, "yes"},
		{choose, []string{"?", "help", "all", ":help"}, ":again      shows it from its beginning", term.Answer, "#1"},
		{input, []string{":help"}, ":default    takes the default", term.Answer, "?"},
	} {
		p := sitDown(t, term.Options{})
		done := p.ask(t.Context(), tt.review)
		for range 3 {
			for _, word := range tt.words {
				p.prompt()
				p.press(word + "\r")
			}
		}
		p.prompt()
		require.Contains(t, p.all(), tt.shows)
		require.NotContains(t, p.all(), "more tr")
		p.press(tt.last + "\r")
		require.Equal(t, tt.want, wait(t, done).Kind, "%v", tt.review.Kind)
	}
}

// B59: help in between does not give more tries.
func TestB59_HelpDoesNotStartTheCountAnew(t *testing.T) {
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), planReview(`{}`))
	for _, line := range []string{"y", "?", "y", "all", "y", "help", "y"} {
		p.prompt()
		p.press(line + "\r")
	}
	require.Equal(t, outcome{}, wait(t, done))

	chosen := make(chan error, 1)
	go func() {
		_, err := term.AskChoice(t.Context(), p.term, "Go on?", nil, []term.Choice{{Word: "yes", Help: "goes on"}})
		chosen <- err
	}()
	for _, line := range []string{"y", "?", "y", "y", "help", "y"} {
		p.prompt()
		p.press(line + "\r")
	}
	require.ErrorIs(t, <-chosen, term.ErrNoAnswer)
}

// Before the end help is shown too, a refused answer says what is hidden once, and several presses
// of Enter behind the last page count as answers that cannot be used.
func TestB56_HelpBeforeTheEnd(t *testing.T) {
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), planReview(longPlan(t, 60)))
	p.prompt()
	p.press("?\r")
	p.see("Enter, all  before the end: the next page, or the rest at once")
	p.prompt()
	seen := len(p.all())
	p.press("approve\r")
	p.see("not yet: a plan can be approved when its end was shown.")
	p.prompt()
	require.Equal(t, 1, strings.Count(p.all()[seen:], "still hidden"))
	still(t, done)
	p.press("all\r")
	for _, line := range []string{"", "x", "x", "x", "x"} {
		p.prompt()
		p.press(line + "\r")
	}
	require.Equal(t, outcome{}, wait(t, done))
}
