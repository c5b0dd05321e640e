package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What doctor --json prints has the fields that docs/reference/json.md shows, and all that it does not
// call optional.
func TestDoctorJSON(t *testing.T) {
	t.Parallel()
	documented := examples(t)["doctor"]
	u := newUser(t, "answers.toml", "[[answer]]\nlabel = \"*\"\ntext = \"ready\"\nusage = { input = 30, output = 7, cost = 0.3 }\n",
		"fails.toml", "[[answer]]\nlabel = \"*\"\nerror = \"broken\"\n")
	seen := map[string]bool{}
	for agent, code := range map[string]int{"": 1, "script:answers.toml": 0, "script:fails.toml": 1} {
		o := u.object(code, "doctor", "--json", "--try", "--agent", agent)
		require.Equal(t, code == 0, o["ok"])
		keys(seen, "", o)
	}
	for name := range seen {
		require.True(t, documented[name], name)
	}
	optional := map[string]bool{
		".agents[].path": true, ".agents[].version": true, ".agents[].account": true, ".agents[].note": true, ".agents[].tried.error": true, ".checks[].next": true,
		".agents[].tried.error.code": true, ".agents[].tried.error.what": true, ".agents[].tried.error.next": true,
	}
	for name := range documented {
		require.True(t, seen[name] || optional[name] || len(name) > 4 && name[:4] == "GATE", name)
	}
	o := u.object(0, "doctor", "--json", "--try", "--agent", "script:answers.toml")
	tried := o["agents"].([]any)[0].(map[string]any)["tried"].(map[string]any)
	require.Equal(t, map[string]any{"input": 30.0, "output": 7.0, "costMicroUSD": 300000.0}, tried["usage"])
	require.Equal(t, "ready", tried["answer"])
}

// A store that cannot be used, and a key that is gone, are told of with what to do.
func TestDoctorTellsOfStoreAndKey(t *testing.T) {
	t.Parallel()
	u := newUser(t, "answers.toml", "[[answer]]\nlabel = \"*\"\ntext = \"x\"\n", "plain.js", "export const meta = { name: 'plain', description: 'x' };\nreturn 1;\n")
	u.wants(0, "run", "plain.js")
	u.wants(0, "doctor", "--agent", "script:answers.toml")
	require.NoError(t, os.RemoveAll(filepath.Join(filepath.Dir(u.dir), "home")))
	check := func(name string) map[string]any {
		for _, row := range u.object(1, "doctor", "--json", "--agent", "script:answers.toml")["checks"].([]any) {
			if row := row.(map[string]any); row["name"] == name {
				return row
			}
		}
		return nil
	}
	require.Equal(t, false, check("key")["ok"])
	require.NotEmpty(t, check("key")["next"])
	require.NoError(t, os.RemoveAll(u.store()))
	require.NoError(t, os.WriteFile(u.store(), []byte("x"), 0o600))
	require.Equal(t, false, check("store")["ok"])
}
