package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/cli"
)

// A short id stands for a run only where it cannot mean another one: not if a second run ends so,
// and not if the id of any begins so.
func TestShortIDsAreUnique(t *testing.T) {
	t.Parallel()
	const one, two = "01M8PRYJT626A450TN1G5F0CMK", "01M8PRYJQPRVP75P3F1HWYT186"
	require.Equal(t, "5f0cmk", cli.ShortIn([]string{one, two}, one))
	require.Equal(t, "wyt186", cli.ShortIn([]string{one, two}, two))
	require.Equal(t, one, cli.ShortIn([]string{one, "01M8PRYJQPRVP75P3F1H5F0CMK"}, one), "two end so")
	require.Equal(t, one, cli.ShortIn([]string{one, "5F0CMKYJQPRVP75P3F1HWYT186"}, one), "one begins so")
	require.Equal(t, one, cli.ShortIn([]string{two}, one), "a run of another store")
	require.Equal(t, one, cli.ShortIn(nil, one))
}
