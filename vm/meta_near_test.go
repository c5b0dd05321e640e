package vm_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// A field that is nearly one that has a meaning is a mistake: kept, it would mean nothing.
func TestMetaRefusesNearMisses(t *testing.T) {
	t.Parallel()
	for key, meant := range map[string]string{
		"planfirst": "planFirst", "PlanFirst": "planFirst", "plan_first": "planFirst", "plan-first": "planFirst", "planFrist": "planFirst",
		"planFirst ": "planFirst", " planFirst": "planFirst", "planFirst\u00a0": "planFirst", "planFirst\u200b": "planFirst", "plan First": "planFirst",
		"planFirts": "planFirst", "plansFirst": "planFirst", "planFir": "planFirst", "pl\u0430nFirst": "planFirst", // a Cyrillic letter
		"Interactive": "interactive", "interative": "interactive", "limit": "limits", "phase": "phases", "Model": "model", "arg": "args", "names": "name",
	} {
		_, err := compileText("a.js", `export const meta = {name:"n",description:"d",`+strconv.Quote(key)+`:true}`)
		require.ErrorContains(t, err, "META_INVALID: meta has no field ", "%q", key)
		require.ErrorContains(t, err, ": did you mean "+meant+"?", "%q", key)
		// Beside the right one it is a mistake, too: which of the two was meant?
		_, err = compileText("a.js", `export const meta = {name:"n",description:"d",planFirst:false,`+strconv.Quote(key)+`:true}`)
		require.ErrorContains(t, err, "did you mean", "%q", key)
	}
	for key, meant := range map[string]string{"maxcalls": "maxCalls", "max_calls": "maxCalls", "heapMb": "heapMB", "Budget": "budget", "concurency": "concurrency"} {
		_, err := compileText("a.js", `export const meta = {name:"n",description:"d",limits:{`+key+`:1}}`)
		require.ErrorContains(t, err, "META_INVALID: meta.limits has no field")
		require.ErrorContains(t, err, "did you mean "+meant+"?")
	}
	// What is another word is kept, as ever.
	for _, key := range []string{"", "x", "version", "title", "author", "tags", "date", "note", "plan", "first", "owner", "when", "limitations"} {
		_, err := compileText("a.js", `export const meta = {name:"n",description:"d",`+strconv.Quote(key)+`:true}`)
		require.NoError(t, err, "%q", key)
	}
}
