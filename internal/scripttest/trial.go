package scripttest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// trial is one run of one test, perhaps in several attempts.
type trial struct {
	o       Options
	test    *Test
	program *vm.Program

	stage    *stage
	prepared *prepared
	// person is nil if nobody answers.
	person   *person
	course   *course
	scissors *scissors
}

// newTrial sets the stage in the folder root. The run is cut off after so many answers; 0 is never.
func newTrial(o Options, t *Test, program *vm.Program, root string, after int) (*trial, error) {
	s, err := newStage(root, t)
	if err != nil {
		return nil, err
	}
	made := &trial{o: o, test: t, program: program, stage: s, course: newCourse()}
	var env []string
	if o.Env != nil {
		env = o.Env(root)
	}
	made.prepared = newPrepared(t, env)
	if len(t.gates) > 0 {
		made.person = newPerson(t)
	}
	made.scissors = &scissors{Store: s.store, after: after}
	return made, nil
}

// longestStretch is the engine's own limit of what a script does without a break. A test with little
// time lowers it, so that a loop without an end is named with its line before the time is up.
const longestStretch = 30 * time.Second

// stretch is the limit in milliseconds, 0 if it stays as it is.
func (t *trial) stretch() int64 {
	limit := longestStretch
	if own := time.Duration(t.program.Meta().Limits.StretchMs) * time.Millisecond; own > 0 {
		limit = own
	}
	if t.test.timeout/2 >= limit {
		return 0
	}
	return max(1, t.test.timeout.Milliseconds()/2)
}

// options are those of an attempt.
func (t *trial) options(store engine.Store) engine.Options {
	o := t.o.Base
	o.Store, o.Agent, o.AgentName = store, t.prepared, ""
	o.Args, o.Workspace = t.test.args, t.stage.workspace
	o.Asker, o.OnGate = nil, checkpoint.Rule(t.test.table.OnGate)
	if t.person != nil {
		o.Asker = t.person
	}
	// What a cut left unfinished runs again: that is what is tried. Nothing else does.
	o.Recover, o.RetryFailed, o.RerunInterrupted, o.RerunChanged = nil, false, true, false
	o.Settings = journal.Settings{Tiers: o.Settings.Tiers, Simulated: true, ReadOnly: o.Settings.ReadOnly || t.test.table.ReadOnly, Budget: t.test.budget, StretchMs: t.stretch()}
	if n := t.test.table.MaxAgents; n != nil {
		o.Settings.MaxCalls = *n
	}
	o.Observe = t.course.observe
	if t.o.Equip != nil {
		o = t.o.Equip(o, t.stage.root)
	}
	return o
}

// outcome is what came of an attempt.
type outcome struct {
	state  string
	result json.RawMessage
	code   string
	text   string
	exit   int
	run    string
	// answers counts those in the journal.
	answers int
	// late says that the time was up.
	late bool
	// cut says that the attempt ended because it was cut off.
	cut bool
}

// attempt does what is given, within the test's time.
func (t *trial) attempt(ctx context.Context, store engine.Store, do func(ctx context.Context, o engine.Options) (*engine.Result, error)) (outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, t.test.timeout)
	defer cancel()
	if t.person != nil {
		t.person.stop = cancel
	}
	o := t.options(store)
	observe := o.Observe
	run := ""
	o.Observe = func(e engine.Event) {
		run = e.Run
		observe(e)
	}
	r, err := do(ctx, o)
	out := outcome{run: run, answers: t.scissors.answers(), late: errors.Is(ctx.Err(), context.DeadlineExceeded)}
	switch {
	case errors.Is(err, errCut):
		out.cut = true
		return out, nil
	case err != nil && fault.CodeOf(err) != "" && run == "":
		out.state, out.code, out.text = stateRefused, string(fault.CodeOf(err)), err.Error()
	case err != nil:
		return out, err
	default:
		out.state, out.result, out.code = r.State, r.Value, r.Code
		if r.Err != nil {
			out.text = r.Err.Error()
		}
		if r.Recovery != nil {
			out.text = "work that had ended would be done again: " + repeated(r.Recovery)
		}
	}
	out.exit = t.o.Exit(r, err)
	return out, nil
}

// repeated are the calls that a resume would have made again.
func repeated(r *engine.Recovery) string {
	var keys []string
	for _, c := range slices.Concat(r.Interrupted, r.Changed, r.Following) {
		keys = append(keys, c.Key)
	}
	return strings.Join(keys, ", ")
}

// start runs the script from its beginning.
func (t *trial) start(ctx context.Context) (outcome, error) {
	return t.attempt(ctx, t.scissors, func(ctx context.Context, o engine.Options) (*engine.Result, error) {
		return engine.Run(ctx, t.program, o)
	})
}

// state reads the journal.
func (t *trial) state(ctx context.Context, run string) (*journal.State, error) {
	visit, err := t.stage.store.Visit(ctx, run)
	if err != nil {
		return nil, err
	}
	st := visit.State()
	return st, visit.Close()
}
