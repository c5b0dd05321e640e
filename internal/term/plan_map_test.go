package term_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// mapOf is what stands before a plan's text for reading.
func mapOf(tb testing.TB, plan string, width int) string {
	tb.Helper()
	rows := strings.Join(term.RenderPlan([]byte(plan), width, false), "\n")
	before, _, found := strings.Cut("\n"+rows, "\nThe plan, for reading:\n")
	require.True(tb, found)
	return strings.TrimPrefix(before, "\n")
}

func mapStep(id string, files []string, criteria int, after ...string) map[string]any {
	return map[string]any{
		"id": id, "title": "Do " + id, "files": files, "dependencies": append([]string{}, after...),
		"acceptance": strings.Split(strings.Repeat("go test passes,", criteria)[:max(0, 15*criteria-1)], ",")[:criteria],
	}
}

func TestPlanMapShowsWavesFilesAndChecks(t *testing.T) {
	plan := planOf(t, map[string]any{
		"summary": "Dates",
		"steps": []any{
			mapStep("cli", []string{"cmd/main.go"}, 1, "parser"), mapStep("parser", []string{"parse.go", "a b, c.go"}, 3),
			mapStep("docs", []string{"docs/"}, 0), mapStep("all", []string{}, 2, "cli", "docs"),
		},
		"checks": []any{map[string]any{"name": "test", "command": []string{"go", "test", "./..."}}, map[string]any{"name": "lint", "command": "make lint", "kind": "lint"}},
	})
	require.Equal(t, `The map of its steps (4 steps in 3 waves; all of it follows below):
  first, 2 at once:
    parser: Do parser
      files: parse.go, "a b, c.go"
      3 acceptance criteria
    docs: Do docs
      file: docs/
      acceptance criteria: none
  then:
    cli: Do cli
      after parser
      file: cmd/main.go
      1 acceptance criterion
  then:
    all: Do all
      after cli, docs
      files: none
      2 acceptance criteria
  checks that will run (2):
    test: go test ./...
    lint: make lint
`, mapOf(t, plan, 80))
	// The content follows in full, to the byte.
	screen := show(t, planReview(plan), 80)
	require.Equal(t, plan, readBack(t, screen))
	require.Contains(t, screen, "\nThe plan, for reading:\n  summary: Dates\n")
	require.Equal(t, 1, strings.Count(screen, "The map of its steps"))
}

// Another spelling of the members, and a plan that says that nothing is checked.
func TestPlanMapOfOtherScripts(t *testing.T) {
	require.Equal(t, `The map of its steps (2 steps in 2 waves; all of it follows below):
  first:
    a
      file: x
  then:
    b
      after a
  checks that will run: none
`, mapOf(t, `{"checks":[],"steps":[{"dependsOn":["a"],"id":"b"},{"file":"x","id":"a"}]}`, 80))
}

// A plan that the map does not fit to the letter has none, and is shown like any other.
func TestMalformedPlanHasNoMap(t *testing.T) {
	for _, plan := range []string{
		`{}`, `[]`, `"text"`, `{"steps":[]}`, `{"steps":{}}`, `{"steps":["a"]}`, `{"steps":[{"id":"a"}]}`, `{"steps":[{"dependencies":[]}]}`,
		`{"steps":[{"dependencies":[],"id":7}]}`, `{"steps":[{"dependencies":[],"id":"a b"}]}`, `{"steps":[{"dependencies":[],"id":""}]}`, `{"steps":[{"dependencies":[],"id":"а"}]}`,
		`{"steps":[{"dependencies":"a","id":"a"}]}`, `{"steps":[{"dependencies":[1],"id":"a"}]}`, `{"steps":[{"dependencies":["b"],"id":"a"}]}`, `{"steps":[{"dependencies":["a"],"id":"a"}]}`,
		`{"steps":[{"dependencies":["b"],"id":"a"},{"dependencies":["a"],"id":"b"}]}`, `{"steps":[{"dependencies":[],"id":"a"},{"id":"A"}]}`,
		`{"steps":[{"dependencies":[],"files":"x","id":"a"}]}`, `{"steps":[{"dependencies":[],"files":[1],"id":"a"}]}`, `{"steps":[{"dependencies":[],"file":1,"id":"a"}]}`,
		`{"steps":[{"acceptance":"x","dependencies":[],"id":"a"}]}`,
		`{"checks":"make","steps":[{"dependencies":[],"id":"a"}]}`, `{"checks":[{"name":"x"}],"steps":[{"dependencies":[],"id":"a"}]}`, `{"checks":[{"command":[1],"name":"x"}],"steps":[{"dependencies":[],"id":"a"}]}`,
	} {
		require.Empty(t, mapOf(t, plan, 80), plan)
	}
	require.NotEmpty(t, mapOf(t, `{"steps":[{"dependencies":[],"id":"a"}]}`, 80))
}

// The map is bounded, and says what it leaves to the text below.
func TestPlanMapIsBounded(t *testing.T) {
	steps := func(n int) (all []any) {
		for i := range n {
			all = append(all, mapStep(fmt.Sprint("s", i), []string{fmt.Sprint("f", i)}, 1))
		}
		return all
	}
	require.NotEmpty(t, mapOf(t, planOf(t, map[string]any{"steps": steps(60)}), 80))
	require.Empty(t, mapOf(t, planOf(t, map[string]any{"steps": steps(61)}), 80))
	var files, checks []string
	for i := range 30 {
		files = append(files, fmt.Sprint("f", i))
		checks = append(checks, fmt.Sprintf(`{"command":"c","name":"n%d"}`, i))
	}
	long := mapStep("a", files, 1)
	long["title"] = strings.Repeat("x", 100_000)
	shown := mapOf(t, strings.Replace(planOf(t, map[string]any{"steps": []any{long}}), `{`, `{"checks":[`+strings.Join(checks, ",")+`],`, 1), 80)
	require.Contains(t, shown, "files: f0, f1, f2, f3, f4, f5, f6, f7, and 22 more\n")
	require.Contains(t, shown, "    n19: c\n    and 10 more, below\n")
	require.Less(t, len(shown), 2000)
	whole := strings.Join(term.RenderPlan([]byte(planOf(t, map[string]any{"steps": []any{long}})), 80, false), "\n")
	require.Contains(t, whole, "Its steps name 30 files:", "what the map leaves out is listed as ever")
}

// Nothing on the map can move the cursor, hide, or stand where our words stand.
func TestB57_PlanMapIsEscaped(t *testing.T) {
	for _, tt := range hostile {
		for _, width := range []int{100, 40} {
			s := mapStep("a", []string{tt.in, tt.in + ","}, 1)
			s["title"] = tt.in
			rows := mapOf(t, planOf(t, map[string]any{
				"steps": []any{s}, "checks": []any{map[string]any{"name": tt.in, "command": tt.in}, map[string]any{"name": tt.in, "command": []string{tt.in, tt.in}}},
			}), width)
			require.Empty(t, dangerous(rows), tt.name)
			if width == 40 { // a marker is never cut, also where it is wider than a row
				continue
			}
			for row := range strings.SplitSeq(rows, "\n") {
				require.LessOrEqual(t, term.Width(row), width, tt.name)
				require.True(t, row == "" || strings.HasPrefix(row, " ") || strings.HasPrefix(row, "The map of its steps"), "%s: %q", tt.name, row)
			}
		}
	}
}

func TestReviewSaysWhatWasUsed(t *testing.T) {
	r := planReview(`{}`)
	require.NotContains(t, show(t, r, 100), "Used so far")
	r.Used = "3 agents, 41k tokens, $0.12"
	require.Contains(t, show(t, r, 100), "name release\nUsed so far: 3 agents, 41k tokens, $0.12.\nThe script asks")
}
