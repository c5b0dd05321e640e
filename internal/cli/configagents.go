package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
)

// agentTable is [agents.NAME] as it is written.
type agentTable struct {
	Runner  string   `toml:"runner"`
	Command []string `toml:"command"`
	Args    []string `toml:"args"`
	Script  string   `toml:"script"`
	Model   string   `toml:"model"`
	Models  []string `toml:"models"`
	Effort  string   `toml:"effort"`
	Timeout string   `toml:"timeout"`
	Env     []string `toml:"env"`
}

// agentConfig is one configured agent.
type agentConfig struct {
	// kind is how it is spoken to: one of the kinds, acpKind, or "" for a command or a script.
	kind string
	// command is its program with its arguments; empty is the program of its kind.
	command []string
	// args are more of them.
	args []string
	// script is the absolute path of a file of answers.
	script string
	// model and effort are for calls that name none; models are those that there are, if that is known.
	model, effort string
	models        []string
	timeout       time.Duration
	keep          []string
	// dir is the folder of the file that configures it; relative paths start there.
	dir string
	// repository says that the workspace's file configures it, insteadOf the user's file if that has an
	// agent of the name too. told has that be said once.
	repository bool
	insteadOf  string
	told       *sync.Once
	// workspace is that of the run: where nothing names the program by its path, one that lies there is
	// taken last.
	workspace string
}

// agent checks a table.
func (t agentTable) agent(path, name string) (agentConfig, error) {
	refuse := func(what, next string) (agentConfig, error) {
		return agentConfig{}, fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: [agents.%s] %s", path, name, what), next)
	}
	c := agentConfig{
		kind: t.Runner, command: t.Command, args: t.Args, model: t.Model, models: t.Models, effort: t.Effort, keep: t.Env, dir: filepath.Dir(path),
	}
	if c.kind == "" && len(t.Command) == 0 && t.Script == "" && isKind(name) {
		c.kind = name
	}
	switch {
	case len(t.Command) > 0 && t.Script != "":
		return refuse("has both command and script", "take one of them out")
	case t.Script != "" && (t.Runner != "" || len(t.Args) > 0):
		return refuse("has a script, which takes neither runner nor args", "take them out; a script of answers starts no program")
	case c.kind == "" && len(t.Command) == 0 && t.Script == "":
		return refuse("needs a command, a runner, or a script of answers", `write command = ["my-agent", "--json"]`)
	case c.kind != "" && !isKind(c.kind) && c.kind != acpKind:
		return refuse(fmt.Sprintf("has an unknown runner %q", c.kind), nearest(c.kind, append(kindNames(), acpKind), "the runners are"))
	case c.kind == acpKind && len(t.Command) == 0 && !isPreset(name):
		return refuse("needs the command of a program that speaks the Agent Client Protocol", `write command = ["my-agent", "--acp"]`)
	case len(t.Command) > 0 && t.Command[0] == "":
		return refuse("has a command that names no program", `write command = ["my-agent", "--json"]`)
	case slices.ContainsFunc(t.Env, ours):
		return refuse(fmt.Sprintf("lets %s through in env, and no agent gets a variable of Assent's own", t.Env[slices.IndexFunc(t.Env, ours)]), "take it out of env")
	case t.Model != "" && len(t.Models) > 0 && !slices.Contains(t.Models, t.Model):
		return refuse(fmt.Sprintf("has the model %q, which is none of its models", t.Model), nearest(t.Model, t.Models, "these are"))
	}
	if t.Script != "" {
		c.script = from(c.dir, filepath.FromSlash(t.Script))
	}
	if t.Timeout != "" {
		d, err := duration(t.Timeout)
		if err != nil {
			return refuse("timeout: "+err.Error(), `write timeout = "15m"`)
		}
		c.timeout = d
	}
	return c, nil
}

// ours says that a name, or a pattern of names, is of variables that Assent keeps to itself.
func ours(name string) bool { return strings.HasPrefix(strings.ToUpper(name), "ASSENT_") }

// nearest says what was meant, or else which there are.
func nearest(given string, names []string, there string) string {
	if near := options.Nearest(given, names); near != "" {
		return "did you mean " + near + "?"
	}
	return there + " " + strings.Join(names, ", ")
}
