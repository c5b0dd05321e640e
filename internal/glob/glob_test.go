package glob_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/glob"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "a/b\nc", true},
		{"a*", "ab", true},
		{"a*", "ba", false},
		{"*b", "aab", true},
		{"a?c", "aéc", true},
		{"a?c", "ac", false},
		{"a*b*c", "a1b2b3c", true},
		{"a*b*c", "a1c2b", false},
		{`a\*`, "a*", true},
		{`a\*`, "ab", false},
		{`a\\b`, `a\b`, true},
		{`\?`, "x", false},
		{"[a]", "a", false},
		{"[a]", "[a]", true},
	} {
		require.Equal(t, c.want, glob.Match(c.pattern, c.text), "%q %q", c.pattern, c.text)
	}
}
