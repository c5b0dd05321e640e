//go:build linux || darwin

package term_test

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

var hiddenLines = regexp.MustCompile(`lines 1–([0-9,]+) of ([0-9,]+) were shown; ([0-9,]+) lines? (?:is|are) still hidden`)

// longPlan has a dangerous last step, far below the first screen.
func longPlan(t *testing.T, steps int) string {
	t.Helper()
	list := make([]any, steps)
	for i := range list {
		list[i] = map[string]any{"file": "f" + strconv.Itoa(i) + ".go", "instructions": "tidy"}
	}
	list[steps-1] = map[string]any{"file": "f.go", "instructions": "DANGER"}
	return planOf(t, map[string]any{"steps": list})
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	require.NoError(t, err)
	return n
}

func TestB56_S12_ApproveIsRefusedUntilTheEndWasShown(t *testing.T) {
	plan := longPlan(t, 5000)
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), planReview(plan))
	for range 5 { // refused, and not counted as an unusable answer
		p.prompt()
		p.press("approve\r")
		p.see("not yet: a plan can be approved when its end was shown.")
	}
	p.prompt()
	m := hiddenLines.FindStringSubmatch(p.all())
	require.Equal(t, number(t, m[2]), number(t, m[1])+number(t, m[3]), "what is hidden is stated")
	require.Greater(t, number(t, m[3]), 10_000)
	require.NotContains(t, p.all(), "DANGER")
	still(t, done)
	p.press("all\r")
	p.see("End of the plan.")
	p.prompt()
	shown := bare(p.all())
	require.Contains(t, shown, "instructions: DANGER")
	require.Equal(t, sum(plan), sum(readBack(t, shown)), "all that was hashed was on the screen")
	p.press("approve\r")
	require.Equal(t, outcome{Decision: term.Decision{Kind: term.Approve}}, wait(t, done))
}

func TestB56_PagesGoToTheEnd(t *testing.T) {
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), planReview(longPlan(t, 60)))
	pages, total := 0, 0
	for !strings.Contains(p.all(), "End of the plan.") {
		p.prompt()
		if m := hiddenLines.FindAllStringSubmatch(p.all(), -1); m != nil && !strings.Contains(p.all(), "End of the plan.") {
			require.Equal(t, 40*(pages+1), number(t, m[len(m)-1][1]), "44 rows hold 40 lines and the prompt")
			pages, total = pages+1, number(t, m[len(m)-1][2])
			p.press("\r")
			time.Sleep(20 * time.Millisecond)
		}
	}
	require.Equal(t, (total-2)/40, pages, "the last page may hold 41")
	p.see("Type in full: approve")
	p.prompt()
	time.Sleep(1100 * time.Millisecond) // however long the last page was read
	p.press("\r")                       // one Enter too many is no answer, and is not held against anyone
	p.prompt()
	require.NotContains(t, p.all(), "an empty line is not an answer")
	p.press("approve\r")
	require.Equal(t, term.Approve, wait(t, done).Kind)
}

func TestB56_DecliningNeedsNoEnd(t *testing.T) {
	for keys, want := range map[string]term.DecisionKind{"reject\r": term.Reject, "later\r": term.Later} {
		p := sitDown(t, term.Options{})
		done := p.ask(t.Context(), planReview(longPlan(t, 500)))
		p.prompt()
		p.press(keys)
		require.Equal(t, want, wait(t, done).Kind)
	}
}

func TestChangeRequests(t *testing.T) {
	for name, tt := range map[string]struct {
		keys []string
		want string
	}{
		"two lines and an empty one": {[]string{"first line\r", "second ü\r", "\r"}, "first line\nsecond ü"},
		"a lone dot":                 {[]string{"only\r", ".\r"}, "only"},
		"Ctrl-D":                     {[]string{"only\r", "\x04"}, "only"},
		"pasted with empty lines":    {[]string{"\x1b[200~a\r\rb\x1b[201~\r", "\r"}, "a\n\nb"},
		"approve is a word here":     {[]string{"approve\r", "\r"}, "approve"},
		"a bad line is not taken":    {[]string{"bad \xff\r", "good\r", "\r"}, "good"},
	} {
		p := sitDown(t, term.Options{})
		done := p.ask(t.Context(), planReview(`{}`))
		p.prompt()
		p.press("changes\r")
		for _, keys := range tt.keys {
			p.see("  > ")
			p.press(keys)
		}
		require.Equal(t, outcome{Decision: term.Decision{Kind: term.Changes, Text: tt.want}}, wait(t, done), name)
	}
}

func TestAnEmptyChangeRequestGoesBack(t *testing.T) {
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), planReview(`{}`))
	for range 6 {
		p.prompt()
		p.press("changes\r")
		p.see("  > ")
		p.press("\r")
	}
	p.prompt()
	p.press("changes\r")
	p.see("  > ")
	p.press("some text\x03")
	require.ErrorIs(t, wait(t, done).err, term.ErrInterrupted)
}

func TestCheckpointAnswers(t *testing.T) {
	confirm := term.Review{Kind: term.KindConfirm, Prompt: "Go on?", Default: "yes", HasDefault: true}
	input := term.Review{Kind: term.KindInput, Prompt: "Which name?", Default: "main", HasDefault: true}
	free := term.Review{Kind: term.KindInput, Prompt: "Which name?"}
	pick := term.Review{Kind: term.KindSelect, Prompt: "Which?", Choices: []string{"small fix", "rewrite", ""}}
	numbers := term.Review{Kind: term.KindSelect, Prompt: "How many?", Choices: []string{"3", "1", "10"}}
	answer := func(text string) term.Decision { return term.Decision{Kind: term.Answer, Text: text} }
	for _, tt := range []struct {
		review term.Review
		lines  []string // each typed at its own prompt; all but the last are asked again
		want   term.Decision
	}{
		{confirm, []string{"yes"}, answer("yes")},
		{confirm, []string{"no"}, answer("no")},
		{confirm, []string{"", "y", "Yes", "no"}, answer("no")},
		{confirm, []string{"", "", "", ""}, term.Decision{}},
		{confirm, []string{"yes ", "n", "later"}, term.Decision{Kind: term.Later}},
		{input, []string{"", "release"}, answer("release")},
		{input, []string{":default"}, answer("main")},
		{input, []string{":later"}, term.Decision{Kind: term.Later}},
		{input, []string{"later"}, answer("later")},
		{input, []string{":latr", "::later"}, answer(":later")},
		{free, []string{":default", "x y "}, answer("x y ")},
		{free, []string{"bad \xff", "ok"}, answer("ok")},
		{pick, []string{"2"}, answer("rewrite")},
		{pick, []string{"#1"}, answer("small fix")},
		{pick, []string{"small fix"}, answer("small fix")},
		{pick, []string{"", "#3"}, answer("")},
		{pick, []string{"0", "4", "01", "Rewrite"}, term.Decision{}},
		{numbers, []string{"2", "1", "#1"}, answer("3")}, // 2 is no choice, 1 is two
		{numbers, []string{"#2"}, answer("1")},
		{numbers, []string{"10"}, answer("10")},
	} {
		p := sitDown(t, term.Options{})
		done := p.ask(t.Context(), tt.review)
		for _, line := range tt.lines {
			p.prompt()
			p.press(line + "\r")
		}
		require.Equal(t, outcome{Decision: tt.want}, wait(t, done), "%s %q", tt.review.Kind, tt.lines)
	}
}

func TestInputGoesOnAfterABackslash(t *testing.T) {
	p := sitDown(t, term.Options{})
	done := p.ask(t.Context(), term.Review{Kind: term.KindInput, Prompt: "Why?"})
	p.prompt()
	p.press("one\\\rtwo\\\r\r")
	require.Equal(t, outcome{Decision: term.Decision{Kind: term.Answer, Text: "one\ntwo\n"}}, wait(t, done))
}

func TestB56_ALongQuestionIsShownToItsEndBeforeAnAnswer(t *testing.T) {
	long := strings.Repeat("line\n", 200) + "and delete everything?"
	for _, r := range []term.Review{
		{Kind: term.KindConfirm, Prompt: long},
		{Kind: term.KindInput, Prompt: long},
		{Kind: term.KindSelect, Prompt: long, Choices: []string{"yes", "b"}},
	} {
		p := sitDown(t, term.Options{})
		done := p.ask(t.Context(), r)
		p.prompt()
		p.press("yes\r")
		p.see("not yet: it can be answered when its end was shown.")
		p.prompt()
		p.press("all\r")
		p.see("and delete everything?")
		p.prompt()
		p.press("yes\r")
		require.Equal(t, outcome{Decision: term.Decision{Kind: term.Answer, Text: "yes"}}, wait(t, done), r.Kind)
	}
}

func TestAskRefusesWhatMustNotBeShown(t *testing.T) {
	p := sitDown(t, term.Options{})
	r := planReview(`{}`)
	r.Checksum = sum(`{"other":1}`)
	_, err := term.Ask(t.Context(), p.term, r)
	require.ErrorIs(t, err, term.ErrChecksum)
	require.Empty(t, p.all())
}

func TestAskChoice(t *testing.T) {
	choices := []term.Choice{{Word: "rerun", Help: "run them again"}, {Word: "fail", Help: "take them as failed"}, {Word: "stop", Help: "leave"}}
	ask := func(p *person, ctx context.Context) <-chan outcome {
		done := make(chan outcome, 1)
		go func() {
			word, err := term.AskChoice(ctx, p.term, "Two calls were interrupted:", []string{"scout\x1b[2K", "worker"}, choices)
			done <- outcome{term.Decision{Text: word}, err}
		}()
		return done
	}
	p := sitDown(t, term.Options{})
	done := ask(p, t.Context())
	p.see("│ scout‹ESC›[2K\r\n│ worker\r\n")
	p.see("  rerun  run them again\r\n")
	for _, line := range []string{"", "r", "Rerun", "rerun"} {
		p.prompt()
		p.press(line + "\r")
	}
	require.Equal(t, outcome{Decision: term.Decision{Text: "rerun"}}, wait(t, done))

	done = ask(p, t.Context())
	for range 4 {
		p.prompt()
		p.press("\r")
	}
	require.Equal(t, outcome{err: term.ErrNoAnswer}, wait(t, done))

	done = ask(p, t.Context())
	p.prompt()
	p.press("\x03")
	require.Equal(t, outcome{err: term.ErrInterrupted}, wait(t, done))

	ctx, cancel := context.WithTimeoutCause(t.Context(), 200*time.Millisecond, term.ErrDeadline)
	defer cancel()
	require.Equal(t, outcome{err: term.ErrDeadline}, wait(t, ask(p, ctx)))
}
