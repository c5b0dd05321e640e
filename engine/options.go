package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// Error is a refusal with a stable code, what was wrong, and what to do next.
type Error = fault.Error

// Asker puts a question to a person; see [checkpoint.Asker].
type Asker = checkpoint.Asker

// Store keeps the journals of runs. *journal.Store is one; package journaltest checks any other.
type Store interface {
	// Create begins a new run, which the caller owns.
	Create(ctx context.Context, r journal.RunStarted) (journal.Run, error)
	// Take makes the caller the owner of a run; see [journal.Store.Take].
	Take(ctx context.Context, id string, fn func(st *journal.State) (journal.RunResumed, error)) (journal.Run, error)
	// Visit opens a run for reading and answering, whoever owns it.
	Visit(ctx context.Context, id string) (journal.Visit, error)
}

var _ Store = (*journal.Store)(nil)

// Options say how a run is driven. Store is needed; everything else has a working zero value.
type Options struct {
	// Store keeps the journals.
	Store Store
	// Agent answers agent() calls; nil makes them fail with AGENT_NOT_CONFIGURED.
	Agent agent.Runner
	// AgentName is recorded, so that a resume can name the same.
	AgentName string
	// Agents are further agents, by the names that agent types and tiers have for them.
	Agents map[string]agent.Runner
	// Models gives the models that an agent has, by its name; nil, or an empty list, is that any may be
	// named.
	Models func(name string) []string
	// Types finds agent types; nil means that there are none.
	Types Types
	// Work is a folder for what runs make outside of the workspace, worktrees and files of agents that
	// only read, outside of every repository and of the store; "" means that there is none.
	Work string
	// Guarded are files and folders outside of the workspace that no call that only reads may change
	// either, such as the user's configuration.
	Guarded []string
	// Environ are environment variables whose secrets are kept out of transcripts; nil is this process's
	// own.
	Environ []string
	// Primitives are further functions of the script.
	Primitives []Primitive
	// Calculations are further functions that only compute.
	Calculations []Calculation
	// Workflows finds what workflow() names; nil means that only texts can be started.
	Workflows Workflows

	// Asker puts gates to a person; nil means that nobody is here (headless).
	Asker Asker
	// OnGate settles gates that have no rule of their own when nobody is here.
	OnGate checkpoint.Rule
	// Recover decides about calls that may have changed something and would run again; nil
	// means that nobody is here, and only the flags below decide. It returns when ctx ends.
	Recover func(ctx context.Context, r Recovery) (Choice, error)
	// RetryFailed runs failed calls again although something else is unfinished.
	RetryFailed bool
	// RerunInterrupted runs calls again that were cut off and may have changed something.
	RerunInterrupted bool
	// RerunChanged runs finished calls again that may have changed something, if something
	// before them ran again or the script now asks for something else.
	RerunChanged bool

	// Args are the script's arguments: JSON, nil is {}. A resume keeps those of the start.
	Args json.RawMessage
	// Workspace is the folder that the run belongs to and that its agents work in.
	Workspace string
	// Settings are limits and policies. Zero fields are taken, in this order, from the run
	// that is resumed, the script's meta.limits, and the defaults.
	Settings journal.Settings

	// Observe is told what happens, on the engine's goroutine: it must not block.
	Observe func(Event)
	// Told gets what the agent of a call says and does, as its transcript has it, on goroutines of the
	// agents: it must not block either. Nil is nobody.
	Told func(key string, e agent.Event)
	// Logger gets what a developer wants to know; nil discards it.
	Logger *slog.Logger
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Observe == nil {
		o.Observe = func(Event) {}
	}
	if o.Environ == nil {
		o.Environ = process.Environ()
	}
	if len(o.Args) == 0 {
		o.Args = json.RawMessage("{}")
	}
	return o
}

// functions gives the functions that the engine answers, by name.
func (a *attempt) functions() map[string]worker {
	all := map[string]worker{agentName: a.agents(), workflowName: loader(a.o, a.program)}
	for _, p := range a.o.Primitives {
		all[p.Name()] = hosted(p)
	}
	return all
}

// manner is what the journal keeps of how this attempt settles things.
func (o Options) manner() journal.Manner {
	return journal.Manner{Asker: o.Asker != nil, OnGate: string(o.OnGate), RetryFailed: o.RetryFailed}
}

var functionName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*(\.[A-Za-z_$][A-Za-z0-9_$]*)?$`)

// checkPrimitives refuses names that a script could not call, or that mean something else.
func (o Options) checkPrimitives() error {
	taken := map[string]bool{agentName: true, checkpointName: true, planName: true, sleepName: true, workflowName: true}
	names := make([]string, 0, len(o.Primitives)+len(o.Calculations))
	for _, p := range o.Primitives {
		names = append(names, p.Name())
	}
	for _, c := range o.Calculations {
		names = append(names, c.Name)
	}
	for _, name := range names {
		if object, _, _ := strings.Cut(name, "."); !functionName.MatchString(name) || taken[name] || taken[object] {
			return fault.New(fault.OptionInvalid, fmt.Sprintf("a primitive cannot be named %q", name), "choose an identifier that no other function of the script has, or two with a dot between them")
		}
		taken[name] = true
	}
	return nil
}

// functions are the embedder's functions as the machine needs them.
func (o Options) functions() []vm.Function {
	list := make([]vm.Function, len(o.Primitives))
	for i, p := range o.Primitives {
		a, ok := p.(Approvable)
		list[i] = vm.Function{Name: p.Name(), Approved: ok && a.TakesApproval()}
	}
	return list
}

// calculations are those of the embedder, likewise.
func (o Options) calculations() []vm.Calculation {
	list := make([]vm.Calculation, len(o.Calculations))
	for i, c := range o.Calculations {
		list[i] = vm.Calculation(c)
	}
	return list
}
