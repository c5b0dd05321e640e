//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// printing is a program that answers with what its request has of a key that is a text.
func printing(key string) string {
	return `["sed", "-n", 's/.*"` + key + `":"\([^"]*\)".*/\1/p']`
}

const onceScript = "export const meta = { name: 'once', description: 'x' };\nreturn await agent('x', args);\n"

// config writes the workspace's configuration.
func (u *user) config(text string) { u.put(filepath.Join(u.dir, ".assent"), "config.toml", text) }

// Every table that says what cannot be, with the words that say so.
func TestAgentTablesAreStrict(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for text, want := range map[string]string{
		"[agents.a]\n": "[agents.a] needs a command, a runner, or a script of answers",
		"[agents.a]\ncommand = ['x']\nscript = 'y'":                                               "[agents.a] has both command and script",
		"[agents.a]\nscript = 'y'\nrunner = 'acp'":                                                "[agents.a] has a script, which takes neither runner nor args",
		"[agents.a]\nscript = 'y'\nargs = ['z']":                                                  "[agents.a] has a script, which takes neither runner nor args",
		"[agents.a]\nrunner = 'accp'\ncommand = ['x']":                                            "[agents.a] has an unknown runner \"accp\"\nnext: did you mean acp?",
		"[agents.a]\nrunner = 'acp'":                                                              "[agents.a] needs the command of a program that speaks the Agent Client Protocol",
		"[agents.a]\ncommand = ['x']\nenv = ['ASSENT_HOME']":                                      "[agents.a] lets ASSENT_HOME through in env, and no agent gets a variable of Assent's own",
		"[agents.a]\ncommand = ['']":                                                              "[agents.a] has a command that names no program",
		"[agents.a]\ncommand = ['x']\nmodels = ['big']\nmodel = 'bigg'":                           "[agents.a] has the model \"bigg\", which is none of its models\nnext: did you mean big?",
		"[agents.a]\ncommand = ['x']\nmodell = 'm'":                                               "config.toml:3: unknown key \"agents.a.modell\"\nnext: did you mean model? an agent has runner, command, args, script, model, models, effort, timeout and env",
		"[tiers.smal]\nmodel = 'x'":                                                               "config.toml:1: unknown key \"tiers.smal\"\nnext: did you mean small? the tiers are small, medium and big",
		"[tiers.small]\nmodel = 'x'\nagennt = 'x'":                                                "config.toml:3: unknown key \"tiers.small.agennt\"\nnext: did you mean agent? a tier has agent, model and effort",
		"[tiers.small]\n":                                                                         "[tiers.small] says nothing",
		"[tiers.small]\nagent = 'mien'\n[agents.mine]\ncommand = ['x']":                           "[tiers.small] has the agent \"mien\", which is not configured; there are ",
		"[tiers.big]\nagent = 'a'\nmodel = 'bigg'\n[agents.a]\ncommand = ['x']\nmodels = ['big']": "[tiers.big] has the model \"bigg\", which is none of the models of the agent a\nnext: did you mean big?",
		"[limits]\nmax-agent = 3":                                                                 "config.toml:2: unknown key \"limits.max-agent\"\nnext: did you mean max-agents? limits has max-agents, ",
		"agennt = 'x'":                                                                            "config.toml:1: unknown key \"agennt\"\nnext: did you mean agent? the keys are agent, agents, tiers, approval, notify, delivery and limits; ",
	} {
		u.config(text)
		require.Contains(t, u.wants(2, "agents").errors, want, text)
	}
}

// A call that names no model gets the agent's; arguments stand behind those of the command; a model
// that the agent has not got is refused before it is started.
func TestAgentDefaults(t *testing.T) {
	t.Parallel()
	u := newUser(t, "once.js", onceScript)
	u.config("agent = 'a'\n[agents.a]\ncommand = " + printing("model") + "\nmodel = 'small-2'\nmodels = ['small-2', 'large-2']\n")
	require.Equal(t, "\"small-2\"\n", u.wants(0, "run", "once.js").out)
	require.Equal(t, "\"large-2\"\n", u.wants(0, "run", "once.js", "--arg", "model=large-2").out)
	refused := u.wants(1, "run", "once.js", "--arg", "model=large-3").errors
	require.Contains(t, refused, "the agent a has no model \"large-3\"; it has small-2, large-2")
	u.config("[agents.a]\ncommand = ['echo']\nargs = ['more']\neffort = 'high'\n")
	require.Equal(t, "\"more\"\n", u.wants(0, "run", "once.js").out)
	u.config("[agents.a]\ncommand = " + printing("effort") + "\neffort = 'high'\n")
	require.Equal(t, "\"high\"\n", u.wants(0, "run", "once.js").out)
}

const triage = `export const meta = { name: "triage", description: "x" };
const found = await agent("1", { tier: "small", readOnly: true });
await checkpoint("Go?", { kind: "confirm", default: true });
return [found, await agent("2", { tier: "big", readOnly: true })];
`

// The workspace's tiers win over the user's, each as a whole. A run keeps those that it began with,
// unless a resume takes those of now.
func TestTiersOfARun(t *testing.T) {
	t.Parallel()
	u := newUser(t, "triage.js", triage)
	u.configures("[tiers.small]\nmodel = 'mine'\n[tiers.big]\nmodel = 'mine'\neffort = 'high'\n")
	agents := "agent = 'a'\n[agents.a]\ncommand = " + printing("model") + "\n[agents.b]\ncommand = ['echo', 'b']\n"
	u.config(agents + "[tiers.big]\nmodel = 'before'\n")
	tiers := u.object(0, "agents", "--json")["tiers"]
	require.Equal(t, []any{
		map[string]any{"name": "small", "from": "configuration", "model": "mine"},
		map[string]any{"name": "medium"},
		map[string]any{"name": "big", "from": "configuration", "model": "before"},
	}, tiers)
	var runs []string
	for range 2 {
		runs = append(runs, runID.FindString(u.wants(4, "run", "triage.js", "--on-gate", "suspend").errors))
	}
	settings := u.object(0, "show", runs[0], "--json")["settings"].(map[string]any)
	require.Equal(t, map[string]any{"small": map[string]any{"model": "mine"}, "big": map[string]any{"model": "before"}}, settings["tiers"])

	u.config(agents + "[tiers.big]\nagent = 'b'\n")
	for _, run := range runs {
		u.wants(0, "answer", run, "yes")
	}
	require.Equal(t, `["mine","before"]`+"\n", u.wants(0, "resume", runs[0]).out)
	require.Equal(t, `["mine","b"]`+"\n", u.wants(0, "resume", runs[1], "--tiers").out)
	settings = u.object(0, "show", runs[1], "--json")["settings"].(map[string]any)
	require.Equal(t, map[string]any{"small": map[string]any{"model": "mine"}, "big": map[string]any{"agent": "b"}}, settings["tiers"])
}

func TestTiersThatAreNotThere(t *testing.T) {
	t.Parallel()
	u := newUser(t, "triage.js", triage, "answers.toml", answers)
	run := runID.FindString(u.wants(4, "run", "triage.js", "--agent", "script:answers.toml", "--on-gate", "suspend").errors)
	require.Contains(t, u.wants(2, "resume", run, "--tiers").errors, "--tiers takes the tiers of the configuration, and it has none")
}

// The list for people: what hides what, what is wrong with a file, what a tier stands for.
func TestAgentsList(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.config("[agents.mine]\ncommand = ['my-agent', 'two words']\nmodel = 'm'\neffort = 'e'\n[agents.other]\nscript = 'answers.toml'\n[tiers.small]\nagent = 'mine'\nmodel = 's'\n")
	folder := filepath.Join(u.dir, ".assent", "agents")
	u.put(folder, "broken.md", "\x1b[2J no front matter")
	u.put(folder, "twice.md", "---\nname: code-scout\ndescription: \"mine\\e[2J\"\ntools: []\nskills: a, b\nagent: mien\n---\nx\n")
	u.put(filepath.Join(u.dir, ".claude", "agents"), "x.md", "---\nname: x\ntools: Read, Bash(git log:*)\ncolor: red\npermissionMode: plan\n---\n")
	text := u.wants(0, "agents").out
	require.NotContains(t, text, "\x1b")
	for _, want := range []string{
		"command: my-agent 'two words'", "model m, effort e", "script: .assent/answers.toml",
		"small mine model s", "stands for nothing; [tiers.big] of the configuration says what for",
		"cannot be used: AGENT_TYPE_INVALID", "no tools; skills a b",
		"cannot be used: AGENT_NOT_CONFIGURED: it names the agent mien", "did you mean mine?",
		"built-in, hidden by .assent/agents/twice.md", "read-only; tools Read Bash(git log:*)", ".claude/agents/x.md: keys of other programs, without effect here: color",
	} {
		require.Contains(t, strings.Join(strings.Fields(text), " "), want)
	}
}

// In a test of a workflow no agent is started, whatever a type or a tier names; but what they say else holds.
func TestWorkflowTestsHaveTypesAndTiers(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.config("[agents.real]\ncommand = ['no-such-program']\n[tiers.small]\nagent = 'real'\nmodel = 'small-2'\n")
	u.put(filepath.Join(u.dir, ".assent", "agents"), "looker.md", "---\nagent: real\nreadOnly: true\n---\nx\n")
	u.save("look.js", "export const meta = { name: 'look', description: 'x' };\nreturn [await agent('1', { agentType: 'looker' }), await agent('2', { tier: 'small' })];\n")
	u.save("look.js.test.toml", "[[test]]\n[[test.answer]]\nprompt = '1'\nwrite = { a = 'b' }\ntext = 'l'\n[[test.answer]]\nprompt = '2'\ntext = 's'\n[test.expect]\nexit = 8\n[[test.expect.call]]\nprompt = '2'\nmodel = 'small-2'\n[[test.expect.call]]\nprompt = '1'\nread_only = true\n")
	u.wants(0, "test")
}

// An agent of a known kind has its program where the configuration says, found from the file's folder,
// with the arguments before the runner's own; and it works in the workspace.
func TestAgentsOfAKind(t *testing.T) {
	t.Parallel()
	u := newUser(t, "once.js", onceScript)
	folder, marker := filepath.Join(u.dir, ".assent"), filepath.Join(u.dir, "marker")
	require.NoError(t, os.Chmod(u.put(folder, "fake.sh", "#!/bin/sh\n{ echo \"$@\"; pwd; } > "+marker+"\n"), 0o700))
	u.config("[agents.mine]\nrunner = 'codex'\ncommand = ['./fake.sh', 'lead']\nargs = ['extra']\nmodel = 'm'\n")
	u.wants(8, "run", "once.js")
	lines := strings.Split(u.read("marker"), "\n")
	require.True(t, strings.HasPrefix(lines[0], "lead extra exec "), lines[0])
	require.Contains(t, lines[0], "--model m ")
	require.Equal(t, u.dir, lines[1])

	u.config("[agents.mine]\nrunner = 'acp'\ncommand = ['./fake.sh', 'lead']\nargs = ['extra']\n")
	u.wants(8, "run", "once.js", "--agent", "mine")
	require.Equal(t, "lead extra\n"+u.dir+"\n", u.read("marker"))
	run := runID.FindString(u.wants(8, "run", "once.js", "--agent", "acp:.assent/fake.sh 'two words'").errors)
	require.Equal(t, "acp:"+folder+"/fake.sh 'two words'", u.object(0, "show", run, "--json")["agent"])
	require.NoError(t, os.Remove(marker))
	u.wants(8, "resume", run)
	require.Equal(t, "two words\n"+u.dir+"\n", u.read("marker"), "a resume finds the same")
}

// The default, a tier and --agent may name an agent that needs no table; what is spelled nearly so is
// told which.
func TestKnownAgentsNeedNoTable(t *testing.T) {
	t.Parallel()
	u := newUser(t, "plain.js", "export const meta = { name: 'plain', description: 'x' };\nreturn 1;\n")
	u.config("agent = 'codex'\n[tiers.small]\nagent = 'gemini'\n")
	u.wants(0, "run", "plain.js")
	u.wants(0, "run", "plain.js", "--agent", "pi")
	refused := u.wants(2, "run", "plain.js", "--agent", "codx").errors
	require.Contains(t, refused, "there is no agent and no program \"codx\"; none is configured\nnext: did you mean --agent codex?")
	offers, _ := u.completes("run", "--agent", "code")
	require.Contains(t, strings.Join(offers, "\n"), "codex")
}
