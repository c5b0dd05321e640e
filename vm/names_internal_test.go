package vm

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// What HasGlobal says without asking a realm is what a realm would say.
func TestHasGlobalSaysWhatARealmWould(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Concat(usual, ownGlobals) {
		require.True(t, everyGlobal()[name] || name == "args" || name == "meta", name) // each workflow has its own
	}
	for name := range elsewhere {
		require.False(t, everyGlobal()[name], name)
	}
}
