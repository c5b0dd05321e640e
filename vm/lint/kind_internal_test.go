package lint

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// The globals that give promises are those of the machine: it is asked.
func TestPromisingGlobalsAreThoseOfTheMachine(t *testing.T) {
	t.Parallel()
	const script = `export const meta = { name: "n", description: "d" };
	const found = [];
	for (const name of Object.getOwnPropertyNames(globalThis)) {
		const value = globalThis[name];
		if (typeof value !== "function" || !Object.isFrozen(value)) continue;
		let given;
		try { given = value() } catch {}
		if (given instanceof Promise) {
			found.push(name);
			given.catch(() => {});
		}
	}
	return found.sort();`
	program, err := vm.Compile(fstest.MapFS{"s.js": {Data: []byte(script)}}, "s.js")
	require.NoError(t, err)
	turn, err := vm.New(program, vm.Config{}).Start(t.Context(), nil, vm.At{})
	require.NoError(t, err)
	require.Nil(t, turn.Err)
	var found []string
	require.NoError(t, json.Unmarshal(turn.Result, &found))
	require.Equal(t, slices.Sorted(maps.Keys(promising)), found)
}
