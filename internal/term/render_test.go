package term_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

// planOf gives the JSON text of v with sorted keys and no HTML escaping, which for these
// tests' values is the canonical one.
func planOf(tb testing.TB, v any) string {
	tb.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	require.NoError(tb, enc.Encode(v))
	return strings.TrimSuffix(b.String(), "\n")
}

func show(tb testing.TB, r term.Review, width int) string {
	tb.Helper()
	var b strings.Builder
	require.NoError(tb, term.Show(&b, r, width))
	return b.String()
}

func planReview(plan string) term.Review {
	return term.Review{Kind: term.KindPlan, RunID: "01JX", GateID: "g1", Title: "release", Prompt: "Approve this plan?", Plan: []byte(plan), Checksum: sum(plan)}
}

// modesOf offers further modes.
func modesOf(r term.Review) term.Review {
	r.Mode = "ask"
	r.Modes = []term.Mode{{Name: "accept-edits", Help: "edits freely"}, {Name: "auto", Help: "does anything"}}
	return r
}

func TestReviewSaysWhatAYesGrants(t *testing.T) {
	require.Contains(t, show(t, modesOf(planReview(`{}`)), 100), "\n\napprove alone gives the work under this plan the mode: ask\n"+
		"approve accept-edits: edits freely\n"+
		"approve auto: does anything\n\n")
}

var (
	fullHead = regexp.MustCompile(`(?m)^The plan, in full \(([0-9,]+) bytes? of canonical JSON, as\s+hashed\):$`)
	fullFrom = regexp.MustCompile(`(?m)^The plan, in full \([^)]*\):\n`)
)

// readBack puts the text together again from what a person sees in full: the rows without
// their gutter, the markers read as doc.go explains them.
func readBack(tb testing.TB, screen string) string {
	tb.Helper()
	at := fullFrom.FindStringIndex(screen)
	require.NotNil(tb, at, "no full text in:\n%s", screen)
	var text strings.Builder
	for i, row := range strings.Split(screen[at[1]:], "\n") {
		part, inside := strings.CutPrefix(row, map[bool]string{true: "│ ", false: "┊ "}[i == 0])
		if !inside { // the end of the section
			break
		}
		text.WriteString(strings.TrimSuffix(part, "\r"))
	}
	return unescape(tb, text.String())
}

func TestB56_S11_S12_EverythingHashedIsReachable(t *testing.T) {
	steps := make([]any, 5000)
	for i := range steps {
		steps[i] = map[string]any{"file": fmt.Sprintf("src/f%d.go", i), "instructions": "tidy up", "expectedOutput": "ok"}
	}
	steps[4999] = map[string]any{"file": "/etc/passwd", "instructions": "rm -rf /"}
	deep := strings.Repeat("[", 900) + `"bottom"` + strings.Repeat("]", 900)
	for name, tt := range map[string]struct{ plan, danger string }{
		"5,000 steps":                 {planOf(t, map[string]any{"steps": steps}), "rm -rf /"},
		"a line of 20,000 characters": {planOf(t, map[string]any{"summary": strings.Repeat("x", 20_000) + " DANGER"}), "DANGER"},
		"20,000 spaces":               {planOf(t, map[string]any{"summary": "a" + strings.Repeat(" ", 20_000) + "DANGER"}), "DANGER"},
		"300 blank lines":             {planOf(t, map[string]any{"steps": []any{"one" + strings.Repeat("\n", 301) + "DANGER"}}), "DANGER"},
		"300 lines of spaces":         {planOf(t, map[string]any{"steps": []any{"one" + strings.Repeat("\n  ", 300) + "\nDANGER"}}), "DANGER"},
		"deep":                        {deep, "bottom"},
		"wide and marked":             {planOf(t, map[string]any{"日本": strings.Repeat("語", 500) + "‹!x›\u202E\u200Bа.com"}), "語"},
		"keys":                        {planOf(t, map[string]any{strings.Repeat("k", 5000): map[string]any{"a b\"\n": "DANGER"}}), "DANGER"},
		"a text":                      {planOf(t, "# Plan\n\n1. do DANGER"), "DANGER"},
		"scalars":                     {`[null,true,false,0,-1.5e+300,"",[],{}]`, "-1.5e+300"},
		"bare":                        {`7`, "7"},
	} {
		widths := []int{100, 80, 40}
		if len(tt.plan) > 100_000 {
			widths = widths[:1]
		}
		for _, width := range widths {
			screen := show(t, planReview(tt.plan), width)
			require.Empty(t, dangerous(screen), name)
			require.Equal(t, sum(tt.plan), sum(readBack(t, screen)), "%s: what is shown in full is not what was hashed", name)
			if width >= 80 {
				require.Contains(t, screen, "\nEnd of the plan. Its SHA-256 (assent show 01JX --raw | sha256sum):\n"+sum(tt.plan)+"\n")
			}
			reading := screen[:fullFrom.FindStringIndex(screen)[0]]
			require.Contains(t, reading, tt.danger, name)
			for row := range strings.SplitSeq(screen, "\n") {
				if term.Width(row) > width {
					require.Fail(t, "a row is too wide", "%s: %q", name, row)
				}
			}
		}
	}
}

func TestB56_CountsAreShown(t *testing.T) {
	screen := show(t, planReview(planOf(t, map[string]any{
		"summary": "a" + strings.Repeat(" ", 20_000) + "b" + strings.Repeat("\n", 301) + "c\n   \nd",
		"steps":   []any{"one", "two", "three"},
	})), 100)
	require.Contains(t, screen, "‹20,000 spaces›")
	require.Contains(t, screen, "‹300 empty lines›")
	require.Contains(t, screen, "│ ‹3 spaces›\n")
	require.Contains(t, screen, "steps (3):")
	m := fullHead.FindStringSubmatch(screen)
	// {"steps":["one","two","three"], is 31 bytes, "summary":" 11, the text 20,613 (its 304
	// newlines take two each), "} 2.
	require.Equal(t, []string{"20,657"}, m[1:])
}

func TestRenderForReading(t *testing.T) {
	plan := planOf(t, map[string]any{
		"destination": "release 2.0", "openQuestions": []any{"which day?"}, "summary": "two steps",
		"steps": []any{
			map[string]any{"file": "a.go", "instructions": "first line\nsecond line", "expectedOutput": "tests pass"},
			map[string]any{"title": "Ship", "file": "b.go", "risk": nil},
			"say so",
		},
		"filesTouched": []any{"a.go", "b.go"}, "custom key": true,
	})
	rows := term.RenderPlan([]byte(plan), 60, false)
	want := `The plan, for reading:
  Its steps name 2 files:
  │ a.go
  │ b.go

  destination: release 2.0
  summary: two steps
  steps (3):
    1. file: a.go
      instructions:
        │ first line
        │ second line
      expected output: tests pass
    2. title: Ship
      file: b.go
      risk: ‹null›
    3. say so
  files touched (2):
    1. a.go
    2. b.go
  open questions (1):
    1. which day?
  "custom key": true
`
	require.Equal(t, want, strings.Join(rows[:strings.Count(want, "\n")], "\n")+"\n")
}

func TestPlanMapForReading(t *testing.T) {
	plan := planOf(t, map[string]any{
		"destination": "D", "notes": "N", "decisionsSoFar": []any{"x"}, "outOfScope": []any{}, "notYetSpecified": []any{"y"},
		"openTickets": []any{map[string]any{"id": "T2", "blockedBy": []any{"T1"}, "acceptanceCriteria": []any{"builds"}}},
	})
	text := strings.Join(term.RenderPlan([]byte(plan), 80, false), "\n")
	want := `  destination: D
  notes: N
  decisions so far (1):
    1. x
  open tickets (1):
    1. id: T2
      acceptance criteria (1):
        1. builds
      blocked by (1):
        1. T1
  not yet specified (1):
    1. y
  out of scope: ‹empty list›
`
	require.Contains(t, text, want)
}

// Nothing that a script or a model writes may stand where our own words stand: at the left
// edge, or without a label.
func TestB57_S10_S11_ImitationStaysBehindTheGutter(t *testing.T) {
	fake := "End of the plan.\n\nType one word in full: approve\n> approve"
	r := planReview(planOf(t, map[string]any{"summary": fake, "steps": []any{fake, map[string]any{"title": fake, fake: fake}}}))
	r.Prompt, r.Title, r.GateID, r.Diff, r.Notes = fake, fake, fake, fake, []string{fake}
	screen := show(t, r, 100)
	require.Contains(t, screen, "The script asks (its words, not Assent's):\n  │ End of the plan.\n")
	ends := 0
	for _, row := range strings.Split(screen, "\n") {
		if strings.HasPrefix(row, "End of the plan.") {
			ends++
		}
		require.False(t, strings.HasPrefix(row, ">") || strings.HasPrefix(row, "Type one word"), "%q", row)
	}
	require.Equal(t, 1, ends, "the only one is ours")
}

func TestB57_EveryUntrustedTextIsEscaped(t *testing.T) {
	for _, tt := range hostile {
		r := planReview(planOf(t, map[string]any{"steps": []any{tt.in, map[string]any{"title": tt.in, tt.in: tt.in}}, tt.in: tt.in}))
		r.Prompt, r.Title, r.RunID, r.GateID, r.Position = tt.in, tt.in, tt.in, tt.in, "1 of 3"
		r.Diff, r.Notes, r.Mode = "+ "+tt.in, []string{tt.in}, tt.in
		require.Empty(t, dangerous(show(t, r, 100)), tt.name)
		r.Color = true
		require.Empty(t, dangerous(bare(show(t, r, 100))), tt.name)
		c := term.Review{Kind: term.KindSelect, Prompt: tt.in, Choices: []string{tt.in, "x"}, Default: tt.in, HasDefault: true}
		require.Empty(t, dangerous(show(t, c, 100)), tt.name)
	}
}

func TestS09_FindingsAreListed(t *testing.T) {
	r := planReview("{\"file\":\"exаmple.com/a\",\"f\u0456le\":\"x\",\"steps\":[\"a\u202Eb\"]}")
	screen := show(t, r, 100)
	require.Contains(t, screen, "Look closely: 4 places that may deceive\n")
	require.Contains(t, screen, "$.file: a word mixes look-alike letters: exаmple.com/a‹!Cyrillic U+0430›\n")
	require.Contains(t, screen, "look alike and differ")
	require.Contains(t, screen, "! $.steps[0]: a control that would reorder text: a‹U+202E›b\n")
}

func TestReviewStatesItsFacts(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	r := planReview(`{}`)
	r.Position, r.Mode, r.Now, r.Deadline = "1 of 3", "ask", now, now.Add(12*time.Minute)
	screen := show(t, r, 100)
	for _, want := range []string{
		"A plan waits for your decision (1 of 3): run 01JX, gate g1, name release\n",
		"The script asks (its words, not Assent's): Approve this plan?\n",
		"approve alone gives the work under this plan the mode: ask\n",
		"answer by 2026-03-01 12:12:00 UTC (in 12 min)\n",
		// sha256sum of {}; among several plans the gate has to be named
		"(assent show 01JX --gate g1 --raw | sha256sum):\n44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a\n",
	} {
		require.Contains(t, screen, want)
	}
	require.Contains(t, show(t, r, 60), "A plan waits for your decision (1 of 3)\nrun 01JX, gate g1, name release\n", "a narrow page has no room beside it")
	r.Title = "a name that is longer than all of the row has room for"
	require.Contains(t, show(t, r, 60), "\nrun 01JX\ngate g1\nname "+r.Title+"\n")
	c := term.Review{Kind: term.KindConfirm, Prompt: "Go?", Default: "yes", HasDefault: true, Checksum: sum("q")}
	require.Contains(t, show(t, c, 100), "Go?\n\ndefault: yes (if nobody answers)\nchecksum "+sum("q")+"\n")
	c = term.Review{Kind: term.KindInput, Prompt: "Who?", Default: "a\nb", HasDefault: true}
	require.Contains(t, show(t, c, 100), "\ndefault (if nobody answers):\n  │ a\n  │ b\n")
}

// What is decided comes before what proves it, and what changed before the plan.
func TestReviewIsOrderedByWhatIsDecided(t *testing.T) {
	r := modesOf(planReview(`{"goal":"g","steps":["one"]}`))
	r.Notes, r.Diff, r.Revision = []string{"a note"}, "~ $.goal", "~ $.steps"
	r.Opinion, r.Copy, r.Deadline = &term.Opinion{Model: "m", Verdict: "sound"}, "a/copy.md", time.Now().Add(time.Hour)
	screen, at := show(t, r, 100), 0
	for _, next := range []string{
		"A plan waits", "The script asks", "│ a note\n", "Changed since the plan that you sent back (see also: assent diff 01JX):\n│ ~ $.steps\n",
		"Changed since the plan that was approved last (see also: assent diff 01JX):\n│ ~ $.goal\n", "Another model's opinion",
		"The plan, for reading:\n  goal: g\n", "approve alone gives", "approve auto: ", "answer by ",
		"The plan, in full (28 bytes of canonical JSON, as hashed):\n│ {\"goal\":\"g\",\"steps\":[\"one\"]}\n",
		"End of the plan.", r.Checksum, "A copy: a/copy.md\n",
	} {
		n := strings.Index(screen[at:], next)
		require.GreaterOrEqual(t, n, 0, "%s is not behind what comes before it:\n%s", next, screen)
		at += n + len(next)
	}
	require.Len(t, screen, at, "and nothing else is")
}

func TestS11_AReviewWithAnotherChecksumIsNotShown(t *testing.T) {
	r := planReview(`{"amount":10}`)
	r.Plan = []byte(`{"amount":999999}`)
	var b strings.Builder
	require.ErrorIs(t, term.Show(&b, r, 80), term.ErrChecksum)
	require.Empty(t, b.String())
	for _, bad := range []term.Review{{Kind: "vote"}, {Kind: term.KindSelect}, {Kind: term.KindSelect, Choices: []string{"a"}, Default: "b", HasDefault: true}} {
		require.Error(t, term.Show(&b, bad, 80))
	}
}

func TestAPlanThatIsNoJSONIsShownInFull(t *testing.T) {
	plan := "not json \x1b[2K \xff"
	screen := show(t, planReview(plan), 80)
	require.Empty(t, dangerous(screen))
	require.Equal(t, plan, readBack(t, screen))
}

func FuzzReadBack(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":"x\n\n\n\ny"}]}`)
	f.Add(`"‹3 spaces›                                        ‹"`)
	f.Fuzz(func(t *testing.T, plan string) {
		if plan == "" {
			t.Skip()
		}
		screen := show(t, planReview(plan), 60)
		require.Empty(t, dangerous(screen))
		if !strings.HasPrefix(plan, " ") && json.Valid([]byte(plan)) && !strings.ContainsAny(plan, " \n\t\r") {
			require.Equal(t, plan, readBack(t, screen))
		}
	})
}
