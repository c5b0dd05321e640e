//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const tiered = "export const meta = { name: 'tiered', description: 'x' };\nawait checkpoint('Go?');\nreturn await agent('1', { tier: 'big' });\n"

// The tiers that a kind of agent has stay with that agent, also when the run goes on with another one
// and when it takes the tiers of now.
func TestTiersOfAKindAreThatAgents(t *testing.T) {
	t.Parallel()
	u := newUser(t, "tiered.js", tiered, "answers.toml", "[[answer]]\nlabel = '*'\nprompt = '*'\ntext = 'x'\n")
	folder := filepath.Join(u.dir, ".assent")
	require.NoError(t, os.Chmod(u.put(folder, "fake.sh", "#!/bin/sh\nexit 1\n"), 0o700))
	u.config("[agents.mine]\nrunner = 'claude'\ncommand = ['./fake.sh']\n")
	tiers := func(run string) map[string]any {
		return u.object(0, "show", run, "--json")["settings"].(map[string]any)["tiers"].(map[string]any)
	}
	run := runID.FindString(u.wants(4, "run", "tiered.js", "--on-gate", "suspend").errors)
	want := map[string]any{"agent": "mine", "model": "opus"}
	require.Equal(t, want, tiers(run)["big"])

	u.config("[agents.mine]\nrunner = 'claude'\ncommand = ['./fake.sh']\n[tiers.small]\nmodel = 'tiny'\n")
	u.wants(4, "resume", run, "--tiers", "--on-gate", "suspend")
	require.Equal(t, want, tiers(run)["big"], "those of the kind are still there")
	require.Equal(t, map[string]any{"model": "tiny"}, tiers(run)["small"])
	u.wants(0, "answer", run, "yes")
	require.Contains(t, u.assent("resume", run, "--agent", "script:answers.toml").errors, "agent: mine: ./fake.sh", "another agent of the run is not asked for that tier")
}

// What an edited script would make of a run is seen with the agents and agent types that there are.
func TestAgainstKnowsAgentsAndTypes(t *testing.T) {
	t.Parallel()
	u := newUser(t, "typed.js", "export const meta = { name: 'typed', description: 'x' };\nreturn [await agent('1', { agentType: 'looker' }), await agent('2', { tier: 'small' })];\n")
	u.put(filepath.Join(u.dir, ".assent", "agents"), "looker.md", "---\nagent: other\nreadOnly: true\n---\nx\n")
	u.put(filepath.Join(u.dir, ".assent"), "answers.toml", "[[answer]]\nlabel = '*'\nprompt = '*'\ntext = 'x'\n")
	u.config("agent = 'mine'\n[agents.mine]\nscript = 'answers.toml'\n[agents.other]\nscript = 'answers.toml'\n[tiers.small]\nagent = 'other'\nmodel = 'm'\n")
	run := runID.FindString(u.wants(0, "run", "typed.js").errors)
	u.wants(0, "replay", run)
	same := u.object(0, "replay", "--against", "typed.js", run, "--json")["runs"].([]any)[0].(map[string]any)
	require.Equal(t, false, same["diverges"])

	// A call that is new in the script is looked at as a run would: its type and tier are there.
	u.write("typed.js", "export const meta = { name: 'typed', description: 'x' };\nconst old = [await agent('1', { agentType: 'looker' }), await agent('2', { tier: 'small' })];\nreturn [...old, await agent('3', { agentType: 'looker', tier: 'small' })];\n")
	edited := u.object(1, "replay", "--against", "typed.js", run, "--json")["runs"].([]any)[0].(map[string]any)
	require.Len(t, edited["new"], 1)
	require.Nil(t, edited["error"])
	require.NotContains(t, edited, "ending", "it waits for the answer of that call")
}
