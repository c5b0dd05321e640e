package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// commandLine is the command line of an agent that goes by a name or is spelled acp:COMMAND, the folder
// where a relative path in it starts, and what installs it if that is known. A file of answers has none,
// and that of any other spelling was looked at when it was read.
func (a *app) commandLine(spelled, workspace string, c config) (argv []string, dir, install string) {
	if line, ok := strings.CutPrefix(spelled, acpPrefix); ok {
		argv, err := agent.ParseCommand(line)
		if err != nil {
			return nil, "", ""
		}
		preset, known := acp.KnownAs(argv[0])
		if known && len(argv) == 1 {
			argv = preset.Command()
		}
		return argv, a.Dir, preset.Install
	}
	if !c.has(spelled) {
		return nil, "", ""
	}
	t := c.table(spelled, workspace)
	switch {
	case t.script != "":
		return nil, "", ""
	case len(t.command) > 0:
		return t.command, t.dir, ""
	}
	return a.commandOf(spelled, t), t.dir, installOf(spelled, t.kind)
}

// installOf is the command that installs an agent, "" if none is known.
func installOf(name, kind string) string {
	if k, ok := runners.KindOf(kind); ok {
		return k.Install
	}
	preset, _ := acp.KnownAs(name)
	return preset.Install
}

// startable refuses an agent whose program is not there. A run is made for nothing if that is first
// noticed by its first call.
func (a *app) startable(spelled, workspace string, c config) error {
	argv, dir, install := a.commandLine(spelled, workspace, c)
	if len(argv) == 0 {
		return nil
	}
	_, err := agent.FindProgram(argv[0], dir)
	if err == nil || install == "" {
		return err
	}
	return fault.New(fault.AgentNotConfigured, fmt.Sprintf("the agent %s is not installed: there is no program %q", spelled, argv[0]), install)
}

// there says that the program of an agent, or its file of answers, is there.
func (a *app) there(name, workspace string, c config) bool {
	if t := c.table(name, workspace); t.script != "" {
		_, err := a.scripted(t.script)
		return err == nil
	}
	return a.startable(name, workspace, c) == nil
}

// unfenced warns of an agent whose command is that of a known program, but which is started as one that
// speaks Assent's own protocol: it gets no fence. "" if it is none.
func (c config) unfenced(name string) string {
	t, configured := c.agents[name]
	argv := t.command
	if !configured && !c.has(name) && !strings.HasPrefix(name, acpPrefix) && !strings.HasPrefix(name, scriptPrefix) {
		argv, _ = agent.ParseCommand(name) // that it is no command was said before
	}
	if t.kind != "" || len(argv) == 0 {
		return ""
	}
	base := strings.ToLower(filepath.Base(argv[0]))
	for _, ending := range []string{".exe", ".cmd"} {
		base = strings.TrimSuffix(base, ending)
	}
	kind := base
	switch {
	case isKind(base):
	case isPreset(base):
		kind = acpKind
	default:
		return ""
	}
	if !configured {
		return fmt.Sprintf("%s is started as a program that speaks Assent's own protocol, without a fence; --agent %s has it fenced, and reads what it says", base, base)
	}
	return fmt.Sprintf("[agents.%s] starts %s as a program that speaks Assent's own protocol, without a fence; runner = %q has it fenced, and reads what it says", name, base, kind)
}
