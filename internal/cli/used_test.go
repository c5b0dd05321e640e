//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const spendingScript = `export const meta = { name: "spend", description: "asks after two agents" };
await agent("one", { label: "one" });
await agent("two", { label: "two" });
const steps = [{ id: "cli", dependencies: ["parser"], files: ["main.go"] }, { id: "parser", dependencies: [], files: ["parse.go"] }];
return (await planApprove({ steps })).decision;
`

const spending = `[[answer]]
label = "one"
text = "1"
usage = { input = 30000, output = 11000, cost = 0.12 }
[[answer]]
label = "*"
text = "2"
`

// What a run has cost is said where a person decides how it goes on, with what is not known of it.
func TestGateSaysWhatWasUsed(t *testing.T) {
	t.Parallel()
	u := newUser(t, "spend.js", spendingScript, "answers.toml", spending)
	run := u.object(4, "run", "spend.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--json")["run"].(string)
	shown := u.wants(4, "review", run).out
	require.Contains(t, shown, "\nUsed so far: 2 agents, 41k tokens, $0.12 (1 told no tokens, 1 told no cost).\n")
	wave := "  first:\n    parser\n      file: parse.go\n  then:\n    cli\n      after parser\n      file: main.go\n\nThe plan, for reading:\n"
	require.Contains(t, shown, wave)
	require.Contains(t, u.wants(0, "show", run, "--plan").out, wave, "as review shows it")
	require.Contains(t, u.wants(0, "show", run, "--call", "/planApprove#0").out, "\nused       41k tokens, $0.12\n")
}

// Where no agent has told anything, or none was asked, nothing is said.
func TestGateSaysNothingOfNoUsage(t *testing.T) {
	t.Parallel()
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers)
	run := u.object(4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--json")["run"].(string)
	require.NotContains(t, u.wants(4, "review", run).out, "Used so far")
	require.NotContains(t, u.wants(0, "show", run, "--call", "/planApprove#0").out, "\nused ")
}

// An asker program is told the same.
func TestAskerProgramIsToldWhatWasUsed(t *testing.T) {
	t.Parallel()
	u := newUser(t, "spend.js", spendingScript, "answers.toml", spending)
	file := filepath.Join(u.dir, "question.json")
	u.program("asker", askerHead+`printf %s "$q" > `+file+"\nanswer false\n")
	u.configures("[approval]\nasker = [\"./asker\"]\n")
	u.wants(3, "run", "spend.js", "--agent", "script:answers.toml")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var question struct {
		Used map[string]any `json:"used"`
	}
	require.NoError(t, json.Unmarshal(text, &question))
	require.Equal(t, map[string]any{"agents": 2.0, "input": 30000.0, "output": 11000.0, "costMicroUSD": 120000.0}, question.Used)
}
