package plan_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/plan"
)

// The page has the table of rules as it is, in its order, and a plan that breaks none of them.
func TestPageOfPlans(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/delivery-plans.md")
	require.NoError(t, err)
	var rows, want []string
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| `") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	for _, rule := range plan.Codes {
		want = append(want, fmt.Sprintf("| `%s` | %s | %s |", rule.Code, rule.Level, rule.Meaning))
	}
	require.Equal(t, want, rows)
	_, rest, _ := strings.Cut(string(page), "```json\n")
	example, _, _ := strings.Cut(rest, "\n```")
	r := plan.Check(json.RawMessage(example), plan.Options{})
	require.True(t, r.OK, "%v", r.Violations)
	require.Empty(t, r.Warnings)
	require.Equal(t, [][]string{{"parser"}, {"cli"}}, r.Waves)
}
