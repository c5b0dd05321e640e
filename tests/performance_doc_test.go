package tests_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The bounds on the page about performance are those that scripts/bench holds figures to.
func TestDocsPerformanceBounds(t *testing.T) {
	script, err := os.ReadFile("../scripts/bench")
	require.NoError(t, err)
	_, list, ok := strings.Cut(string(script), "cat <<'EOT'\n")
	require.True(t, ok)
	list, _, _ = strings.Cut(list, "\nEOT\n")
	inWords := map[string]string{">=": "at least ", "<=": "at most "}
	want := map[string]int{}
	for line := range strings.SplitSeq(list, "\n") {
		words := strings.Fields(line)
		if strings.HasPrefix(line, "#") || words[0] == "Append" { // Append is a part of Sequential
			continue
		}
		bound := strings.TrimSuffix(words[3], "000000") // of nanoseconds, milliseconds
		want[words[0]+" "+inWords[words[2]]+bound]++
	}
	page, err := os.ReadFile("../docs/explanation/performance.md")
	require.NoError(t, err)
	got := map[string]int{}
	for _, row := range regexp.MustCompile("(?m)^\\|[^|]*\\|[^|]*\\| (at [^|]+) \\| `([^`]+)` \\|$").FindAllStringSubmatch(string(page), -1) {
		got[row[2]+" "+row[1]]++
	}
	require.Equal(t, want, got)
}
