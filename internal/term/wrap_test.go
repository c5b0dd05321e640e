package term_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"one two three"}, term.Wrap("one two three", 13, "  "))
	require.Equal(t, []string{"one two", "  three", "  four"}, term.Wrap("one two three four", 9, "  "))
	// A word that is wider than a row is cut; nothing is lost.
	require.Equal(t, []string{"abcdefgh", "ij"}, term.Wrap("abcdefghij", 8, ""))
}
