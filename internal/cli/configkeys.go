package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/options"
)

// anyName stands for a part of a key that a user chooses.
const anyName = "NAME"

// configKey is one key of a file of configuration. The table of docs/reference/config.md is made of
// these, and so are the messages about mistakes.
type configKey struct {
	// path is the key with its tables.
	path string
	// takes says what kind of value, example is one in TOML.
	takes, example string
	// without says what counts where the key is not there.
	without string
	// yours marks a key that only the user's own file may have.
	yours bool
	// about is Markdown, as it stands on the page.
	about string
}

const (
	aProgram = "a list of texts: a program and its arguments"
	aTime    = "a length of time, as a text"
	aNumber  = "a whole number"
	aTruth   = "true or false"
	aText    = "a text"
	anAgent  = "the name of an agent, as a text"
)

// configKeys are all keys, in the order of the page.
var configKeys = slices.Concat(
	[]configKey{{
		"agent", anAgent, `"mine"`, "the only agent of both files; else the first that [is found](agents.md)", false,
		"the agent that answers `agent()` without `--agent`: one of `agents`, or a kind by its own name, such as `\"claude\"`",
	}},
	[]configKey{
		{"agents.NAME.runner", "the kind of the agent, as a text", `"acp"`, "`command` or `script` says it; else the agent's own name, if it is that of a kind", false, "how the agent is spoken to: [a kind](agents.md), or `\"acp\"` for a program that speaks the Agent Client Protocol"},
		{"agents.NAME.command", aProgram, `["my-agent", "--json"]`, "the program of its kind", false, "found by `PATH`, or by a path; there is no shell. Without `runner` it is a [command agent](agents.md#the-command-agent)"},
		{"agents.NAME.args", "a list of texts: arguments", `["--verbose"]`, "none", false, "more arguments of the program, behind those of `command` and before the runner's own"},
		{"agents.NAME.script", "the path of a file of answers, as a text", `"answers.toml"`, "a program answers", false, "answers [from a file](agents.md#the-scripted-agent), in place of a model; it goes with no `command` and no `runner`"},
		{"agents.NAME.model", "the agent's own name of a model, as a text", `"large-2"`, "the program's own default", false, "for calls that nothing else names a model for: no script, no agent type, no tier"},
		{"agents.NAME.models", "a list of names of models", `["large-2", "small-2"]`, "any model may be named", false, "those that there are; a call, a type or a tier that names another one is refused, and the nearest is named"},
		{"agents.NAME.effort", "the agent's own word for how long it thinks, as a text", `"high"`, "the program's own default", false, "for calls that nothing else names an effort for"},
		{"agents.NAME.timeout", aTime, `"15m"`, "`timeoutMs` of a call alone", false, "ends an attempt that takes longer"},
		{"agents.NAME.env", "a list of names of variables", `["PLAYWRIGHT_BROWSERS_PATH"]`, "what every agent gets", false, "[variables](agents.md#surroundings) to hand on that agents do not get by themselves; `*` stands for any run of characters, in your own file. Those of Assent are never given, and [a repository's file](#what-a-repository-may-say) names none that may hold a secret"},
	},
	tierKeys("small"), tierKeys("medium"), tierKeys("big"),
	[]configKey{
		{"approval.timeout", aTime, `"24h"`, "none", false, "a deadline for gates without one of their own; an expired gate is declined"},
		{"approval.asker", aProgram, `["my-asker", "--room", "ops"]`, "nobody is asked without a terminal", true, "carries questions to a person; see [an asker](#an-asker)"},
		{"approval.asker-timeout", aTime, `"8h"`, "the gate's deadline alone", true, "ends one asking; the gate then waits for another answer"},
		{"notify.bell", aTruth, "false", "`true`", true, "whether a terminal rings when a question comes up"},
		{"notify.title", aTruth, "false", "`true`", true, "whether a terminal's title says how many questions wait"},
		{"notify.command", aProgram, `["my-notifier"]`, "none", true, "see [a command that is told](#a-command-that-is-told)"},
		{"delivery.base", "the name of a branch, as a text", `"main"`, "that of `origin/HEAD`, else the only one of `main` and `master`, else the current one", false, "the branch that [a delivery](cli.md#assent-deliver-task) begins at and goes to"},
		{"delivery.remote", "the name of a remote, as a text", `"origin"`, "`origin`, else the only one", false, "where that branch lies, and where a delivery is pushed to"},
		{"delivery.reviewers", "a list of names of users or teams", `["ada", "acme/core"]`, "nobody", false, "who is asked to review its pull request"},
		{"delivery.labels", "a list of labels", `["assent"]`, "none", false, "labels of its pull request"},
		{"delivery.ready", aTruth, "true", "`false`", false, "whether its pull request is opened as one that is ready, and not as a draft"},
		{"delivery.max-steps", aNumber, "6", "12", false, "how many steps a plan may have; 40 at most"},
		{"delivery.check-timeout", aTime, `"15m"`, "`\"15m\"`", false, "ends a check, or a command of the setup, that takes longer"},
		{"delivery.env", "a list of names of variables", `["GOFLAGS"]`, "what every agent gets, but no keys and tokens", false, "variables to hand on to checks and setup besides; `*` stands for any run of characters, in your own file. Those of Assent are never given, and [a repository's file](#what-a-repository-may-say) names none that may hold a secret"},
		{"delivery.checks.NAME", aProgram, `["go", "test", "./..."]`, "checks are found by what the repository has", false, "a check. With any named, none is looked for"},
		{"delivery.setup.NAME", aProgram, `["npm", "ci"]`, "found, where a lock file says what to do", false, "what a fresh tree needs before its checks can run"},
		{"limits.max-agents", aNumber, "200", "1000", false, "calls of agents and gates in a run, as the flag of that name"},
		{"limits.concurrency", aNumber, "4", "by the machine's cores, 2 to 16", false, "agents at once"},
		{"limits.budget", "a text of tokens or dollars", `"500k"`, "none", false, "what agents may use in a run: tokens (`\"500k\"`, `\"1.5m\"`) or dollars (`\"5usd\"`)"},
		{"limits.max-time", aTime, `"2h"`, "none", false, "how long one attempt at a run may work; waiting for a person does not count"},
		{"limits.read-only", aTruth, "true", "`false`", false, "makes every agent read-only"},
		{"limits.loop-guard", "warn, stop or off, as a text", `"stop"`, "`\"warn\"`", false, "what becomes of [a loop that asks the same again and again](globals.md#loops). Of two files `\"stop\"` counts before `\"warn\"`, and that before `\"off\"`"},
		{"limits.loop-guard-repeats", aNumber, "8", "5", false, "how often makes a loop; 2 at least"},
		{"limits.context-warning", "a part of maxContextTokens, between 0 and 1", "0.8", "0.8", false, "the part of a call's [`maxContextTokens`](globals.md#context) from which on it is warned of, in hundredths"},
	},
)

// tierKeys are the keys of a tier.
func tierKeys(tier string) []configKey {
	at := "tiers." + tier + "."
	return []configKey{
		{at + "agent", anAgent, `"mine"`, "the run's own agent", false, "which agent answers calls of the tier `\"" + tier + "\"`"},
		{at + "model", "the agent's own name of a model, as a text", `"large-2"`, "that of the phase, the header or the agent", false, "the model of these calls"},
		{at + "effort", "the agent's own word for how long it thinks, as a text", `"high"`, "that of the agent", false, "the effort of these calls"},
	}
}

// keyAt finds what a key is; ok is false if there is none.
func keyAt(key []string) (k configKey, ok bool) {
	at := slices.IndexFunc(configKeys, func(k configKey) bool {
		parts := strings.Split(k.path, ".")
		return slices.EqualFunc(parts, key, func(part, given string) bool { return part == given || part == anyName })
	})
	if at < 0 {
		return configKey{}, false
	}
	return configKeys[at], true
}

// keyTakes says what a key takes, with an example.
func keyTakes(key []string) (want, example string) {
	k, _ := keyAt(key)
	return k.takes, k.example
}

// beside are the keys of the table that a key stands in, each once.
func beside(key []string) []string {
	var names []string
	for _, k := range configKeys {
		parts := strings.Split(k.path, ".")
		inside := len(parts) >= len(key)
		for i := 0; inside && i < len(key)-1; i++ {
			inside = parts[i] == key[i] || parts[i] == anyName
		}
		if inside && !slices.Contains(names, parts[len(key)-1]) {
			names = append(names, parts[len(key)-1])
		}
	}
	return names
}

// unknownKey says which keys there are where one stands that is none.
func unknownKey(key []string) string {
	for len(key) > 1 && len(beside(key)) == 0 {
		key = key[:len(key)-1] // what stands above it is the mistake
	}
	names := beside(key)
	text := ""
	if near := options.Nearest(key[len(key)-1], names); near != "" && near != key[len(key)-1] {
		text = fmt.Sprintf("did you mean %s? ", near)
	}
	list := names[0]
	if last := len(names) - 1; last > 0 {
		list = strings.Join(names[:last], ", ") + " and " + names[last]
	}
	switch {
	case len(key) == 1:
		return text + "the keys are " + list + "; docs/reference/config.md explains them"
	case key[0] == "agents":
		return text + "an agent has " + list
	case key[0] == "tiers" && len(key) == 2:
		return text + "the tiers are " + list
	case key[0] == "tiers":
		return text + "a tier has " + list
	case key[0] == "approval":
		return text + "approval has " + list + ": nothing but a person answers a gate"
	}
	return text + key[0] + " has " + list
}
