package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
)

// scriptPrefix begins the spelling of a scripted agent.
const scriptPrefix = "script:"

// chosenAgent is the agent of an attempt, and how the journal keeps it, so that a resume from
// any folder finds the same: NAME, script:/absolute/path, or a command line whose program is
// found by PATH or by an absolute path. A path inside the workspace is kept relative to it.
type chosenAgent struct {
	runner agent.Runner
	name   string
}

// agentFrom resolves how an agent was spelled: by --agent (dir is then the current folder), or
// in the journal (dir is the run's workspace).
func (a *app) agentFrom(spelled, dir, workspace string, c config) (chosenAgent, error) {
	if file, ok := strings.CutPrefix(spelled, scriptPrefix); ok {
		path := from(dir, file)
		runner, err := a.scripted(path)
		return chosenAgent{runner, scriptPrefix + within(workspace, path)}, err
	}
	if strings.HasPrefix(spelled, acpPrefix) {
		return a.acpFrom(spelled, dir, workspace)
	}
	if c.has(spelled) {
		return a.configured(spelled, workspace, c)
	}
	argv, err := agent.ParseCommand(spelled)
	if err != nil {
		return chosenAgent{}, err
	}
	if hasFolder(argv[0]) {
		argv[0] = from(dir, argv[0])
	}
	a.anchorFiles(argv[1:], dir, workspace)
	runner := &agent.Command{Argv: argv, Dir: workspace, Env: a.Env}
	if err := runner.Check(); err != nil {
		return chosenAgent{}, a.unknownAgent(err, spelled, c)
	}
	return chosenAgent{runner, quoteCommand(argv)}, nil
}

// anchorFiles makes the words of a command that name files from dir absolute: the program is
// started in the workspace, where it would not find them. A word that names something there too
// stays as it is, and so does one with neither a dot nor a slash: it is as likely to be the value
// of an option.
func (a *app) anchorFiles(words []string, dir, workspace string) {
	for i, word := range words {
		if strings.HasPrefix(word, "-") || filepath.IsAbs(word) || !hasFolder(word) && !strings.Contains(word, ".") {
			continue
		}
		if _, err := os.Lstat(from(workspace, word)); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNotFolder) {
			continue
		}
		path := from(dir, word)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			words[i] = path
			a.say("the agent is started in " + workspace + ", so " + word + " of its command is taken as " + path)
		}
	}
}

// has says that an agent goes by a name: one of the configuration, or one of a known kind.
func (c config) has(name string) bool {
	_, ok := c.agents[name]
	return ok || isKind(name) || isPreset(name)
}

// configured gives an agent by its name, which it has. A file of answers is read at once: what is
// wrong with it is said before anything starts.
func (a *app) configured(name, workspace string, c config) (chosenAgent, error) {
	t := a.tune(name, c.table(name, workspace))
	if _, err := t.runner(); err != nil {
		return chosenAgent{}, err
	}
	return chosenAgent{t, name}, nil
}

func (a *app) scripted(path string) (*agent.Scripted, error) {
	runner, err := agent.LoadScripted(path)
	if err != nil {
		return nil, err
	}
	runner.Env = a.Env
	return runner, nil
}

// unknownAgent names the agents that there are, and the one that was most likely meant.
func (a *app) unknownAgent(err error, spelled string, c config) error {
	names := slices.Sorted(maps.Keys(c.agents))
	near := options.Nearest(spelled, c.knownAgents())
	if strings.ContainsAny(spelled, " /\\") {
		return err
	}
	next := "name one of them, or add [agents." + spelled + "] to " + configName
	if near != "" {
		next = "did you mean --agent " + near + "?"
	}
	there := "none is configured"
	if len(names) > 0 {
		there = "configured are " + strings.Join(names, ", ")
	}
	if near == "" {
		there += "; known without that are " + strings.Join(slices.Concat(kindNames(), presetNames()), ", ")
	}
	return fault.New(fault.AgentNotConfigured, fmt.Sprintf("there is no agent and no program %q; %s", spelled, there), next)
}

// pasteAgent are the three ready lines for a script that calls an agent when there is none.
const pasteAgent = "name an agent: add these three lines to " + configName + ", then resume\n" +
	"agent = \"mine\"\n" +
	"[agents.mine]\n" +
	"command = [\"my-agent\", \"--json\"]   # reads one request from stdin; or script = \"answers.toml\""

// from is path, seen from dir.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// within is path relative to the workspace if it is inside, else as it is.
func within(workspace, path string) string {
	if rel, err := filepath.Rel(workspace, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

func hasFolder(program string) bool {
	return strings.ContainsRune(program, '/') || strings.ContainsRune(program, filepath.Separator)
}

// quoteCommand is the inverse of agent.ParseCommand, and what a shell takes for the same words.
func quoteCommand(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = word
		if word == "" || strings.ContainsAny(word, " \t\r\n'\"\\|;&<>$`()*?[]{}#~!^") {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
		}
	}
	return strings.Join(words, " ")
}
