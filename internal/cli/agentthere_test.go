//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/cli"
)

const namedScript = "export const meta = { name: 'named', description: 'x' };\nreturn await agent('x', { label: 'Ada' });\n"

// without is a user whose PATH has no agent's program.
func without(t *testing.T, files ...string) *user {
	t.Helper()
	u := newUser(t, files...)
	u.env = append(u.env, "PATH="+agentless())
	return u
}

// An agent that --agent names and that is not there is refused before a run is made, with what installs
// it; one that the configuration names is told of by the run that asks it.
func TestAgentThatIsNotThere(t *testing.T) {
	t.Parallel()
	u := without(t, "named.js", namedScript)
	for agent, want := range map[string]string{
		"claude":         "the agent claude is not installed: there is no program \"claude\"\nnext: npm install -g @anthropic-ai/claude-code",
		"acp:gemini":     "next: npm install -g @google/gemini-cli",
		"acp:nothing -x": "the agent's program \"nothing\" cannot be started",
		"foo":            "there is no agent and no program \"foo\"; none is configured; known without that are claude, codex, pi, gemini",
		"claud":          "next: did you mean --agent claude?",
	} {
		require.Contains(t, u.wants(2, "run", "named.js", "--agent", agent).errors, want, agent)
	}
	require.Empty(t, u.object(0, "ls", "--json")["runs"])

	u.config("agent = 'claud'\n")
	require.Contains(t, u.wants(2, "run", "named.js").errors, "next: did you mean claude?")
	u.config("agent = 'claude'\n")
	require.Contains(t, u.wants(1, "run", "named.js").errors, "next: install it: npm install -g @anthropic-ai/claude-code")
	require.Contains(t, u.wants(2, "resume", "--agent", "claude").errors, "the agent claude is not installed")
}

// The command of a known program without its runner has no fence, which is said before it is started.
func TestUnfencedCommandIsWarnedOf(t *testing.T) {
	t.Parallel()
	u := without(t, "named.js", namedScript)
	program := u.put(filepath.Join(filepath.Dir(u.dir), "bin"), "claude", "#!/bin/sh\ncat > /dev/null\necho done\n")
	require.NoError(t, os.Chmod(program, 0o755))
	const warning = "[agents.m] starts claude as a program that speaks Assent's own protocol, without a fence; runner = \"claude\""
	u.configures("[agents.m]\ncommand = ['" + program + "']\n")
	require.Contains(t, u.wants(0, "run", "named.js").errors, "warning: "+warning)
	row := u.object(0, "doctor", "--json", "--agent", "m")["agents"].([]any)[0].(map[string]any)
	require.Contains(t, row["note"], warning)
	require.Contains(t, u.wants(0, "run", "named.js", "--agent", program+" --print").errors, "warning: claude is started as a program that speaks Assent's own protocol")
	u.configures("[agents.m]\ncommand = ['cat']\n")
	require.NotContains(t, u.wants(0, "run", "named.js").errors, "warning: [agents")
}

func TestDoctorLooksUpTheProgramOfAnACPAgent(t *testing.T) {
	t.Parallel()
	u := without(t)
	row := func(agent string) map[string]any {
		return u.object(1, "doctor", "--json", "--agent", agent)["agents"].([]any)[0].(map[string]any)
	}
	require.Equal(t, false, row("acp:nothing --x")["found"])
	require.Contains(t, row("acp:nothing --x")["problem"], "\"nothing\" cannot be started")
	require.Equal(t, "npm install -g @google/gemini-cli", row("acp:gemini")["next"])
	require.NotContains(t, u.wants(1, "doctor").out, "npm install -g pi-acp")
}

// What the tiers stand for is told for the agent that run takes.
func TestAgentsTellsTiersOfTheAgentThatRunTakes(t *testing.T) {
	t.Parallel()
	u := without(t)
	require.Contains(t, u.wants(0, "agents").out, "run takes no agent: none is configured, and none is found on this machine")
	u.config("agent = 'claude'\n[tiers.small]\nmodel = 'mine'\n[agents.a]\ncommand = ['cat']\n")
	o := u.object(0, "agents", "--json")
	require.Equal(t, "claude", o["uses"])
	tiers := o["tiers"].([]any)
	require.Equal(t, map[string]any{"name": "small", "from": "configuration", "model": "mine"}, tiers[0])
	require.Equal(t, "claude", tiers[2].(map[string]any)["from"])
	require.Equal(t, "opus", tiers[2].(map[string]any)["model"])
	found := map[string]any{}
	for _, row := range o["agents"].([]any) {
		found[row.(map[string]any)["name"].(string)] = row.(map[string]any)["found"]
	}
	require.Equal(t, true, found["a"])
	require.Equal(t, false, found["claude"])
	text := u.wants(0, "agents").out
	require.Contains(t, text, "* claude")
	require.Contains(t, text, "model opus, which claude has by itself")
}

// A failure is told once, whether it is seen as it comes or afterwards.
func TestFailureIsToldOnce(t *testing.T) {
	t.Parallel()
	u := newUser(t, "named.js", namedScript)
	e := u.wants(8, "run", "named.js", "--agent", "false")
	require.Equal(t, 1, strings.Count(e.errors, "failed with exit code 1"), e.errors)
	require.NotContains(t, e.errors, "gives null")
	require.Equal(t, 1, strings.Count(u.wants(0, "show", "--timeline").out, "failed with exit code 1"))
	require.Len(t, u.object(0, "show", "--timeline", "--json")["events"], 5, "data is whole")
}

// A pause says why, and from when on it helps to go on; a text that is no time is not taken for one.
func TestPauseSaysUntilWhen(t *testing.T) {
	t.Parallel()
	const answer = "[[answer]]\nlabel = \"*\"\nerror = { code = \"usage_limit\", message = \"no more\", resetAt = "
	u := newUser(t, "named.js", namedScript, "until.toml", answer+"2026-12-02T10:00:00Z }\n", "odd.toml", answer+"\"not a date\" }\n")
	u.env = append(u.env, "TZ=UTC")
	u.wants(5, "run", "named.js", "--agent", "script:until.toml")
	home := u.wants(0).out
	require.Contains(t, home, "no more (until 2026-12-02T10:00:00Z)")
	require.Contains(t, home, "# when the agent's provider gives more, from 2026-12-02 10:00 UTC on")
	u.wants(5, "resume", "--agent", "script:odd.toml", "--budget", "300k")
	home = u.wants(0).out
	require.Contains(t, home, `its resetAt "not a date" is no time that can be read`)
	require.NotContains(t, home, "(until")

	// What a resume changed is told with it.
	require.Contains(t, u.wants(0, "show", "--timeline").out, "attempt 2; from here on budget 300k tokens")
	require.Regexp(t, `budget +300k tokens`, u.wants(0, "show").out)
}

func TestCallsThatThereAre(t *testing.T) {
	t.Parallel()
	u := newUser(t, "named.js", namedScript)
	u.wants(0, "run", "named.js", "--agent", "echo done")
	require.Contains(t, u.wants(2, "show", "--call", "elsewhere").errors, `has no call "elsewhere"; there are Ada`)
	require.Contains(t, u.wants(0, "show", "--call", "agent#0").out, "agent /agent#0")
}

func TestMistypedOptionIsNamedWithTheOneThatIsMeant(t *testing.T) {
	t.Parallel()
	u := newUser(t, "typo.js", "export const meta = { name: 'typo', description: 'x' };\nreturn await agent('x', { efort: 'high' });\n")
	require.Contains(t, u.wants(1, "run", "typo.js", "--agent", "cat").errors, `agent has no option "efort" (did you mean "effort"?)`)
}

// The end of a run names the branches that its calls left work on, and no other.
func TestRunNamesItsBranches(t *testing.T) {
	t.Parallel()
	u := newIsolating(t)
	u.write("iso.js", "export const meta = { name: 'iso', description: 'x' };\nreturn await agent('x', { isolation: 'worktree' });\n")
	u.git("config", "user.name", "Ann")
	u.git("config", "user.email", "ann@example.org")
	e := u.wants(0, "run", "iso.js", "--agent", "sh -c 'cat >/dev/null; echo x > new; echo done'")
	list := rows(u.object(0, "worktrees", "--json"))
	require.Len(t, list, 1)
	branch := list[0]["branch"].(string)
	require.Contains(t, e.errors, "assent: branches: "+branch+"; assent worktrees ")
	require.NotContains(t, u.wants(0, "run", "iso.js", "--agent", "echo done").errors, "branches:")
}

// A worktree that its run holds is not given up because it is named: naming it again is no advice.
func TestDiscardOfARunAtWork(t *testing.T) {
	t.Parallel()
	u := newIsolating(t)
	u.write("iso.js", "export const meta = { name: 'iso', description: 'x' };\nreturn await agent('x', { isolation: 'worktree' });\n")
	at := u.start("run", "iso.js", "--agent", "sleep 60")
	var name, run string
	eventually(t, "the call has a worktree", func() bool {
		list := rows(u.object(0, "worktrees", "--json"))
		if len(list) == 1 {
			run = list[0]["run"].(string)
			name = run + "/" + list[0]["call"].(string)
		}
		return len(list) == 1
	})
	e := u.wants(1, "worktrees", "--discard", name)
	require.Contains(t, e.out, "its run is at work")
	require.NotContains(t, e.out, "--discard")
	u.wants(0, "cancel", run)
	at.ends(t, 1)
}

// What an encoder hid from HTML is shown as it is; a text that only looks like that stays.
func TestToolInputsAreLegible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"command":"a \u003e b \u0026\u0026 c \u003C d"}`: `{"command":"a > b && c < d"}`,
		`{"text":"\\u003e \"\u001b\""}`:                    `{"text":"\\u003e \"\u001b\""}`,
		`\`:                                                `\`, `\u00`: `\u00`, `x`: `x`,
	} {
		require.Equal(t, want, cli.Legible(text))
	}
}
