package acp

import (
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
)

// Options say how a runner starts its program.
type Options struct {
	// Name is how messages call the agent; empty is the program's name.
	Name string
	// Command is the program, by its path or its name, and its arguments.
	Command []string
	// Model and Effort are for requests that name none.
	Model, Effort string
	// Dir is where a relative path of the program starts, and the folder of a request without cwd.
	Dir string
	// Env is the environment before process.FilterEnv, nil is this process's own; Keep names variables
	// that agents do not get by themselves.
	Env, Keep []string
	// MaxOutput caps standard output in bytes, Grace is how long a group may take to end; 0 is
	// process's own.
	MaxOutput int64
	Grace     time.Duration
}

// Runner is an agent.Runner for the agent that Options name.
type Runner struct{ o Options }

var _ agent.Runner = (*Runner)(nil)

// New makes a runner. That the program is there is found out when it is first started.
func New(o Options) *Runner { return &Runner{o: o} }

// Preset is an agent that is known to speak the protocol.
type Preset struct {
	// Name is its name in the configuration and for --agent.
	Name string
	// Program and Args start it; Install is the command that installs it, "" if none is to be named.
	Program string
	Args    []string
	Install string
	// SignIn is the command that signs in, with what to do then.
	SignIn string
	// Set are variables that make it ask before it acts, unless the environment has them; one without a
	// value is taken away.
	Set []string
}

// known are the presets, in the order in which they are looked for: agents that speak the protocol
// themselves, then adapters of other programs.
var known = []Preset{
	{Name: "gemini", Program: "gemini", Args: []string{"--acp"}, Install: "npm install -g @google/gemini-cli", SignIn: "gemini   # then /auth; or set GEMINI_API_KEY"},
	{
		// By itself OpenCode does whatever its model wants without asking.
		Name: "opencode", Program: "opencode", Args: []string{"acp"}, Install: "npm install -g opencode-ai", SignIn: "opencode auth login",
		Set: []string{`OPENCODE_PERMISSION={"edit":"ask","bash":"ask","webfetch":"ask"}`},
	},
	{
		// The variable has it offer Claude Code's mode without permissions, with which that does not start for root.
		Name: "claude-agent-acp", Program: "claude-agent-acp", Install: "npm install -g @zed-industries/claude-agent-acp",
		SignIn: "claude   # then /login; or set ANTHROPIC_API_KEY", Set: []string{"IS_SANDBOX="},
	},
	{Name: "codex-acp", Program: "codex-acp", Install: "npm install -g @zed-industries/codex-acp", SignIn: "codex login   # or set CODEX_API_KEY"},
	// Of pi-acp and pi no two versions are known that fit each other, so nothing is said to install it.
	{Name: "pi-acp", Program: "pi-acp", SignIn: "pi   # then /login; or set the provider's key, such as ANTHROPIC_API_KEY"},
}

// Known are the agents that are known to speak the protocol, in the order in which they are looked
// for where nothing is configured.
func Known() []Preset { return slices.Clone(known) }

// KnownAs finds a preset by its name.
func KnownAs(name string) (Preset, bool) {
	i := slices.IndexFunc(known, func(p Preset) bool { return p.Name == name })
	if i < 0 {
		return Preset{}, false
	}
	return known[i], true
}

// Command is the preset's command line.
func (p Preset) Command() []string { return append([]string{p.Program}, p.Args...) }

// presetOf finds the preset of a program by the name of its file.
func presetOf(program string) Preset {
	base := program[strings.LastIndexAny(program, `/\`)+1:]
	for _, p := range known {
		if p.Program == strings.TrimSuffix(strings.TrimSuffix(base, ".exe"), ".cmd") {
			return p
		}
	}
	return Preset{}
}
