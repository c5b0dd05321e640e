package runners

import (
	"context"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
)

// Options say how a runner starts its program. The zero value starts the program by its own name,
// found by PATH.
type Options struct {
	// Name is how messages call the agent; empty is the kind's name.
	Name string
	// Program is the path or the name of the program; Args are put before the runner's own arguments.
	Program string
	Args    []string
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

// Kind is a sort of agent program that there is a runner for.
type Kind struct {
	// Name is the kind's name, in the configuration and for --agent.
	Name string
	// Program is the name of its program, Install the command that installs it.
	Program, Install string
	// Tiers are what the three tiers stand for where the configuration says nothing of them.
	Tiers journal.Tiers
	// New makes a runner. That the program is there is found out when it is first started.
	New func(Options) agent.Runner
	// Probe says what can be told of the program without a request to its model.
	Probe func(ctx context.Context, o Options) Probe
}

// byEffort are tiers of programs whose models have no names of sizes.
var byEffort = journal.Tiers{Small: journal.Tier{Effort: "low"}, Medium: journal.Tier{Effort: "medium"}, Big: journal.Tier{Effort: "high"}}

// Probe is what can be told of an agent's program without a request to its model.
type Probe struct {
	// Path is where the program is, "" if it is not there; Version what it says of itself.
	Path, Version string
	// SignedIn is nil if it cannot be told; Account says as what, or by which variable.
	SignedIn *bool
	Account  string
	// Problem is what a person would have to mend, "" if nothing is known of; Next is how.
	Problem, Next string
}

// Kinds are the kinds that there are, in the order in which they are looked for where nothing is
// configured.
func Kinds() []Kind { return []Kind{claude, codex, pi} }

// KindOf finds a kind by its name.
func KindOf(name string) (Kind, bool) {
	for _, k := range Kinds() {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}
