package cli

import (
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/agent/runners"
)

// acpKind is the runner of programs that speak the Agent Client Protocol, and what begins the
// spelling of such an agent.
const (
	acpKind   = "acp"
	acpPrefix = acpKind + ":"
)

// kindNames are the kinds of agent programs that are known, presetNames the agents that are known to
// speak the Agent Client Protocol. All of them go by their names without any configuration.
func kindNames() []string {
	var names []string
	for _, k := range runners.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

func presetNames() []string {
	var names []string
	for _, p := range acp.Known() {
		names = append(names, p.Name)
	}
	return names
}

func isKind(name string) bool   { return slices.Contains(kindNames(), name) }
func isPreset(name string) bool { return slices.Contains(presetNames(), name) }

// unconfigured is what holds for an agent that goes by a known name, and has no table.
func unconfigured(name, dir string) agentConfig {
	if isKind(name) {
		return agentConfig{kind: name, dir: dir}
	}
	return agentConfig{kind: acpKind, dir: dir}
}

// runnerFor makes the runner of an agent. That its program is there is found out when it is first
// started: a script that calls no agent needs none.
func (a *app) runnerFor(name string, c agentConfig) (agent.Runner, error) {
	argv := slices.Clone(c.command)
	if len(argv) == 0 {
		argv = a.commandOf(name, c)
	} else if hasFolder(argv[0]) {
		argv[0] = from(c.dir, argv[0])
	}
	argv = append(argv, c.args...)
	kind, known := runners.KindOf(c.kind)
	switch {
	case c.script != "":
		return a.scripted(c.script)
	case c.kind == acpKind:
		return acp.New(acp.Options{Name: name, Command: argv, Model: c.model, Effort: c.effort, Dir: c.dir, Env: a.Env, Keep: c.keep}), nil
	case known:
		return kind.New(runners.Options{
			Name: name, Program: argv[0], Args: argv[1:], Model: c.model, Effort: c.effort, Dir: c.dir, Env: a.Env, Keep: c.keep,
		}), nil
	}
	return &agent.Command{Name: name, Argv: argv, Dir: c.dir, Env: a.Env, Keep: c.keep}, nil
}

// acpFrom is an agent that is spelled acp:COMMAND ARGS, or acp:NAME of one that is known.
func (a *app) acpFrom(spelled, dir, workspace string) (chosenAgent, error) {
	argv, err := agent.ParseCommand(strings.TrimPrefix(spelled, acpPrefix))
	if err != nil {
		return chosenAgent{}, err
	}
	if preset, ok := acp.KnownAs(argv[0]); ok && len(argv) == 1 {
		argv = preset.Command()
	}
	if hasFolder(argv[0]) {
		argv[0] = from(dir, argv[0])
	}
	a.anchorFiles(argv[1:], dir, workspace)
	runner := acp.New(acp.Options{Command: argv, Dir: workspace, Env: a.Env})
	return chosenAgent{runner, acpPrefix + quoteCommand(argv)}, nil
}
