package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// Run starts a run of program and drives it until it ends, waits for a person, or ctx ends
// (which cancels agents and leaves the run to be resumed). The error is nil whenever the run
// got a journal and its ending is in it: how it ended is in the result.
func Run(ctx context.Context, program *vm.Program, o Options) (*Result, error) {
	o = o.withDefaults()
	settings, err := settle(o.Settings, journal.Settings{}, program.Meta())
	if err != nil {
		return nil, err
	}
	o.Args = WithDefaults(program, o.Args)
	if err := admissible(program, o.Args, o); err != nil {
		return nil, err
	}
	run, err := o.Store.Create(ctx, journal.RunStarted{
		Title: program.Meta().Name, Program: recordProgram(program), Args: o.Args, Workspace: o.Workspace,
		Settings: settings, Agent: o.AgentName, Manner: o.manner(),
	})
	if err != nil {
		return nil, err
	}
	return drive(ctx, o, run, program)
}

// Resume continues a run. program is the script it runs from now on; nil is the one it ran
// before. It returns RUN_BUSY if another process executes the run.
//
// A run that ended, and in which nothing would run again, is left as it is.
func Resume(ctx context.Context, id string, program *vm.Program, o Options) (*Result, error) {
	o = o.withDefaults()
	if program != nil {
		// Workflows are read and compiled here, and not while the journal is locked.
		visit, err := o.Store.Visit(ctx, id)
		if err != nil {
			return nil, err
		}
		program, err = withEdited(program, visit.State(), o.Workflows)
		visit.Close()
		if err != nil {
			return nil, err
		}
	}
	var looked *endedRun
	for {
		run, p, err := take(ctx, id, program, o, looked)
		switch {
		case errors.Is(err, errHadEnded):
			// The script is executed on a copy of the state, not while the journal is locked.
			if looked, err = look(ctx, id, program, o); err != nil {
				return nil, err
			}
			if looked.result != nil {
				return looked.result, nil
			}
			o.RetryFailed = o.RetryFailed || looked.failed
		case err != nil:
			return nil, err
		default:
			process.EndStrays(run.ID()) // what a dead executor's agents left outside their process groups
			return drive(ctx, o, run, p)
		}
	}
}

// errHadEnded keeps take from taking over a run that ended before somebody looked whether
// anything is left to do in it.
var errHadEnded = errors.New("the run had ended")

// take becomes the owner of a run. looked says how far the journal had come when a run that had
// ended was looked at.
func take(ctx context.Context, id string, program *vm.Program, o Options, looked *endedRun) (journal.Run, *vm.Program, error) {
	var p *vm.Program
	run, err := o.Store.Take(ctx, id, func(st *journal.State) (journal.RunResumed, error) {
		if st.Finished != nil && (looked == nil || looked.head != st.Head) {
			return journal.RunResumed{}, errHadEnded
		}
		var err error
		if p, err = programOr(program, st); err != nil {
			return journal.RunResumed{}, err
		}
		if err := admissible(p, st.Started.Args, o); err != nil {
			return journal.RunResumed{}, err
		}
		settings, err := settle(o.Settings, st.Settings, p.Meta())
		if err != nil {
			return journal.RunResumed{}, err
		}
		r := journal.RunResumed{Settings: settings, Agent: o.AgentName, Manner: o.manner()}
		if p.Hash() != st.Program.Hash {
			changed := recordProgram(p)
			r.Program = &changed
		}
		return r, nil
	})
	return run, p, err
}

// drive executes an attempt of an owned run and frees the run.
func drive(ctx context.Context, o Options, run journal.Run, program *vm.Program) (result *Result, err error) {
	defer func() {
		if e := run.Close(); err == nil && e != nil {
			err = e
		}
	}()
	a := newAttempt(o, run, run.State(), program)
	a.observe(Event{Type: RunBegan})
	defer a.tellNothing()
	end, err := a.work(ctx)
	if err != nil {
		a.abandon()
		return nil, err
	}
	return a.finish(ctx, end)
}

// endsByReplay reports whether the script ended by the journal's answers alone, with failures
// among them that can be tried again.
func (a *attempt) endsByReplay() bool {
	if a.end == nil || a.acted || a.o.RetryFailed {
		return false
	}
	for _, f := range a.failures {
		if f.Failure.ChosenBy == nil && !refusedByPhase(&f.Failure) {
			return true
		}
	}
	return false
}

// abandon ends the live work of an attempt whose journal cannot be written any more.
func (a *attempt) abandon() {
	a.cancelWork()
	for len(a.working) > 0 {
		done := <-a.done
		delete(a.working, done.call.Key)
	}
	_ = a.awaitPeople(context.Background(), false) // nothing is recorded, so nothing can fail
}

// programOr gives the program that an attempt executes: the one that somebody named, or else the run's own.
func programOr(named *vm.Program, st *journal.State) (*vm.Program, error) {
	if named != nil {
		return named, nil
	}
	return programOf(st)
}

func recordProgram(p *vm.Program) journal.Program {
	r := journal.Program{Name: p.Name(), Hash: p.Hash(), Language: vm.Language}
	for _, s := range p.Sources() {
		r.Sources = append(r.Sources, journal.Source{Path: s.Path, Text: s.Text})
	}
	return r
}

// programOf compiles the program that a run executes from the source in its journal.
func programOf(st *journal.State) (*vm.Program, error) {
	if st.Program.Language != vm.Language {
		return nil, fault.New(fault.JournalTooNew, fmt.Sprintf("run %s was written for version %d of the script language; this is version %d", st.ID, st.Program.Language, vm.Language), "use the version of assent that started it")
	}
	var sources []vm.Source
	for _, s := range st.Program.Sources {
		sources = append(sources, vm.Source{Path: s.Path, Text: s.Text})
	}
	p, err := vm.FromSources(st.Program.Name, sources)
	if err != nil {
		return nil, err
	}
	if p.Hash() != st.Program.Hash {
		return nil, fault.New(fault.JournalDamaged, fmt.Sprintf("the program kept in run %s does not have its hash", st.ID), "assent verify "+st.ID+"   # says more")
	}
	return p, nil
}

// admissible refuses, before anything starts, a program whose header asks for what cannot be
// kept, arguments that it does not take, and functions that cannot be.
func admissible(p *vm.Program, args json.RawMessage, o Options) error {
	if err := o.checkPrimitives(); err != nil {
		return err
	}
	if err := canonical.Check(args, maxValue); err != nil {
		return fault.Wrap(err, fault.ArgsInvalid, "the arguments are not JSON", "give one JSON object")
	}
	refuse := func(field string) error {
		return fault.New(fault.OptionNotAvailable, p.Name()+": meta."+field+" is not available in this version", "remove it")
	}
	switch m := p.Meta(); {
	case m.Limits.HeapMB != 0:
		return refuse("limits.heapMB")
	case m.Interactive && o.Asker == nil:
		return fault.New(fault.PlanInteractive, p.Name()+" says that it needs a person (meta.interactive), and nobody is here", "run it, or resume it, in a terminal, without --headless and --detach")
	}
	return checkArgs(p, args)
}

// checkArgs holds the arguments against the script's own schema.
func checkArgs(p *vm.Program, args json.RawMessage) error {
	if len(p.Meta().ArgsSchema) == 0 {
		return nil
	}
	violations, err := agent.Violations(p.Meta().ArgsSchema, args)
	if err != nil {
		return err
	}
	if len(violations) == 0 {
		return nil
	}
	problems, next := joinLines(violations), "give them with --arg NAME=VALUE"
	if wantsText.MatchString(problems) {
		next = `a text that looks like a number or other JSON is quoted: --arg 'NAME="TEXT"'`
	}
	return fault.New(fault.ArgsInvalid, fmt.Sprintf("the arguments do not fit what %s takes: %s", p.Name(), problems), next)
}

// wantsText is how a violation says that something else stands where a text may.
var wantsText = regexp.MustCompile(`want [a-z, ]*\bstring\b`)
