package cli

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/acp"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/vm"
)

// candidate is an agent's program that is looked for on the machine.
type candidate struct {
	name, program, install string
	// probe says what can be told of it, whose program is at a path, without a request to its model.
	probe func(ctx context.Context, path string) runners.Probe
	// quick says that the probe opens no session.
	quick bool
}

// candidates are the programs that are known, in the order in which the first that is there is taken
// where nothing is configured.
func candidates(dir string, env []string) []candidate {
	var all []candidate
	for _, k := range runners.Kinds() {
		all = append(all, candidate{
			name: k.Name, program: k.Program, install: k.Install, quick: true,
			probe: func(ctx context.Context, path string) runners.Probe {
				return k.Probe(ctx, runners.Options{Program: path, Dir: dir, Env: env})
			},
		})
	}
	for _, p := range acp.Known() {
		all = append(all, candidate{
			name: p.Name, program: p.Program, install: p.Install,
			probe: func(ctx context.Context, path string) runners.Probe {
				return acp.Probe(ctx, acp.Options{Name: p.Name, Command: append([]string{path}, p.Args...), Dir: dir, Env: env})
			},
		})
	}
	return all
}

// found is an agent that nobody chose and that is on this machine. Which it is, is said when it is
// first asked: a script that asks no agent has nothing to do with it.
type found struct {
	*tuned
	known candidate
	path  string
	once  sync.Once
}

var _ agent.Runner = (*found)(nil)

// discovered is the first agent that is found on this machine, if none is configured. None is no
// error: a script may call none.
func (a *app) discovered(workspace string, c config) (chosenAgent, error) {
	if len(c.agents) > 0 {
		return chosenAgent{}, nil
	}
	for _, known := range candidates(a.Dir, a.Env) {
		if path := a.outside(known.program, workspace); path != "" {
			f := &found{tuned: a.tune(known.name, c.table(known.name, workspace)), known: known, path: path}
			return chosenAgent{f, known.name}, nil
		}
	}
	return chosenAgent{}, nil
}

// asks matches what in a script may lead to a call of an agent.
var asks = regexp.MustCompile(`\b(agent|verify|judgePanel|completenessCheck|workflow|planModel|planAgentType)\b`)

// ifAsked is the agent, unless it is one that was only found and the script cannot ask any.
func (c chosenAgent) ifAsked(program *vm.Program) chosenAgent {
	if _, only := c.runner.(*found); only && !mayAsk(program) {
		return chosenAgent{}
	}
	return c
}

// mayAsk says that a script can ask an agent; of one that is not known it cannot be told.
func mayAsk(program *vm.Program) bool {
	return program == nil || slices.ContainsFunc(program.Sources(), func(s vm.Source) bool { return asks.MatchString(s.Text) })
}

// probeTime bounds what is asked of one program.
const probeTime = 15 * time.Second

// Run says which agent it is, the first time, and asks it.
func (f *found) Run(ctx context.Context, req agent.Request, step agent.Step) (agent.Response, error) {
	f.once.Do(func() { f.say(f.introduction(ctx)) })
	return f.tuned.Run(ctx, req, step)
}

func (f *found) introduction(ctx context.Context) string {
	words := []string{"agent:", f.known.name}
	if f.known.quick {
		ctx, cancel := context.WithTimeout(ctx, probeTime)
		defer cancel()
		if version := f.known.probe(ctx, f.path).Version; version != "" {
			words = append(words, version)
		}
	}
	return strings.Join(words, " ") + " (" + f.path + "), found on this machine; --agent, or agent in " + configName + ", chooses another"
}

// introduces has agents that say which they are do so among the lines of the run.
func (s *session) introduces(runner agent.Runner, others map[string]agent.Runner) {
	for _, r := range append(slices.Collect(maps.Values(others)), runner) {
		switch r := r.(type) {
		case *found:
			r.say = s.line
		case *tuned:
			r.say = s.line
		}
	}
}

// installable are hints at agents that would be found.
func installable() []hint {
	var names []string
	for _, known := range candidates("", nil) {
		if known.install != "" {
			names = append(names, known.name+": "+known.install)
		}
	}
	return []hint{
		{"", "install an agent, which is then found by itself; one of\n" + strings.Join(names, "\n")},
		{"assent doctor", "shows which agents are found, and what they lack"},
	}
}
