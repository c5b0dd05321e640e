package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	if _, ok := c.agents[spelled]; ok {
		return a.configured(spelled, c)
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

// configured gives an agent of the configuration. That its program is there is not checked
// before it is called: a script that calls no agent needs none.
func (a *app) configured(name string, c config) (chosenAgent, error) {
	table := c.agents[name]
	var runner agent.Runner
	if table.script != "" {
		scripted, err := a.scripted(table.script)
		if err != nil {
			return chosenAgent{}, err
		}
		runner = scripted
	} else {
		argv := slices.Clone(table.command)
		if hasFolder(argv[0]) {
			argv[0] = from(table.dir, argv[0])
		}
		runner = &agent.Command{Name: name, Argv: argv, Dir: table.dir, Env: a.Env, Keep: table.keep}
	}
	if table.timeout > 0 {
		runner = timed{runner, table.timeout, name}
	}
	return chosenAgent{runner, name}, nil
}

func (a *app) scripted(path string) (*agent.Scripted, error) {
	runner, err := agent.LoadScripted(path)
	if err != nil {
		return nil, err
	}
	runner.Env = a.Env
	return runner, nil
}

// unknownAgent names the agents that there are.
func (a *app) unknownAgent(err error, spelled string, c config) error {
	if len(c.agents) == 0 || strings.ContainsAny(spelled, " /\\") {
		return err
	}
	names := slices.Sorted(maps.Keys(c.agents))
	next := "name one of them, or add [agents." + spelled + "] to " + configName
	if near := options.Nearest(spelled, names); near != "" {
		next = "did you mean --agent " + near + "?"
	}
	return fault.New(fault.AgentNotConfigured, fmt.Sprintf("there is no agent and no program %q; configured are %s",
		spelled, strings.Join(names, ", ")), next)
}

// pasteAgent are the three ready lines for a script that calls an agent when there is none.
const pasteAgent = "name an agent: add these three lines to " + configName + ", then resume\n" +
	"agent = \"mine\"\n" +
	"[agents.mine]\n" +
	"command = [\"my-agent\", \"--json\"]   # reads one request from stdin; or script = \"answers.toml\""

// timed ends an attempt that takes longer than the agent's configuration allows.
type timed struct {
	agent.Runner
	limit time.Duration
	name  string
}

var _ agent.Runner = timed{}

// Run runs the agent within the limit.
func (t timed) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.limit, fault.New(fault.AgentTimeout,
		fmt.Sprintf("the agent %s did not answer within %s", t.name, t.limit), "raise [agents."+t.name+"] timeout"))
	defer cancel()
	return t.Runner.Run(ctx, req, step)
}

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
