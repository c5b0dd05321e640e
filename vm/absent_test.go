package vm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A name from elsewhere is answered with what does its work here, a slip with the name meant.
func TestAbsentGlobalsNameWhatToUse(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		`fetch("x")`:             "ReferenceError: fetch is not defined; a workflow reaches no network; an agent() can",
		`setTimeout(() => 1, 5)`: "ReferenceError: setTimeout is not defined; wait with await sleep(ms)",
		`await agnet("x")`:       "ReferenceError: agnet is not defined; did you mean agent?",
		`chekpoint("x")`:         "ReferenceError: chekpoint is not defined; did you mean checkpoint?",
		`planapprove({})`:        "ReferenceError: planapprove is not defined; did you mean planApprove?",
		`something()`:            "ReferenceError: something is not defined",
		`throw new Error("ReferenceError: fetch is not defined")`: "Error: ReferenceError: fetch is not defined",
	} {
		e := play(t, code).failure()
		require.Equal(t, "SCRIPT_ERROR", e.Code)
		require.Equal(t, want, e.Message, code)
	}
}
