package engine

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
	"github.com/seed-8d4a6081/assent/vm"
)

// attempt is one execution of the script from the top. One goroutine owns all of it; workers
// and the asker report to it over channels.
type attempt struct {
	o       Options
	workers map[string]worker
	// run is nil in a rehearsal, which delivers what the journal has and starts nothing.
	run journal.Run
	st  *journal.State
	// id and workspace are the run's, for the goroutines of calls at work too, which may not look at st.
	id, workspace string
	program       *vm.Program
	machine       *vm.Machine
	// checked holds what the machine's check of a call prepared, until the turn ends; ahead the
	// questions whose validators are at work, by their keys.
	checked map[string]prepared
	ahead   map[string]*call
	order   deliveries
	// retried is where the last attempt began that ran failed calls again, 0 if none did: what
	// failed before it is no answer any more.
	retried uint64
	// proving is the attempt whose course is to be repeated exactly; nil if none is.
	proving *journal.Attempt
	// course is set in a rehearsal that is to be compared with another one.
	course *course

	// turn is the seq of the answer that the script is reacting to.
	turn   uint64
	turnAt time.Time
	// due are durable answers to deliver; ready are live calls to start, in the order made.
	due   queue
	ready []*call
	// working, sleeping and gates are what is outstanding, by key and by gate id.
	working  map[string]*call
	sleeping map[string]sleep
	gates    map[string]*call
	notes    []journal.Note
	done     chan completion
	// asksAgain are calls at work that ask whether they may be tried once more.
	asksAgain chan askAgain
	// asksLeave are agents at work that ask whether they may use a tool.
	asksLeave chan asksLeave
	// transcribed ticks when a call's transcript has begun, which others are to be told of.
	transcribed chan struct{}
	// over is closed when the attempt was cut off from outside.
	over     <-chan struct{}
	asking   *asking
	recovery *recovery
	// settled says that all answers of the journal were delivered once, and that the questions
	// which were not come to by then are closed.
	settled bool
	// stop is set when nothing more may start; the loop ends when nothing is at work.
	stop *ending
	told telling
	// violated is why the run stops whatever its script did: a call that was to change nothing did.
	violated error

	// What the result tells.
	replayed, live int
	// acted says that an answer was delivered that the journal did not have when the attempt
	// began.
	acted    bool
	failures map[string]CallFailure
	// lastPlan is the key of the question about a plan that was asked last, lastPlanAt where that
	// stands in the script, lastPlanGate how it ended; approved are the workflows, by frame, that have seen a
	// person's yes to a plan.
	lastPlan     string
	lastPlanAt   vm.Position
	lastPlanGate *journal.Gate
	approved     map[string]bool
	end          *vm.Turn
	worked       time.Duration // wall clock spent with something at work
	warned       map[string]bool
	guard        loopGuard
	// leaveFor are calls, by key, that a person said may run again if it comes to that.
	leaveFor map[string]bool
}

// completion is live work that ended.
type completion struct {
	call   *call
	answer answer
	took   time.Duration
}

type sleep struct {
	call  *call
	until time.Time
}

func newAttempt(o Options, run journal.Run, st *journal.State, program *vm.Program) *attempt {
	a := &attempt{
		o: o, run: run, st: st, id: st.ID, workspace: st.Workspace, program: program,
		checked: map[string]prepared{}, ahead: map[string]*call{}, working: map[string]*call{}, sleeping: map[string]sleep{}, gates: map[string]*call{},
		done: make(chan completion), asksAgain: make(chan askAgain), asksLeave: make(chan asksLeave), transcribed: make(chan struct{}, 1), failures: map[string]CallFailure{}, approved: map[string]bool{}, warned: map[string]bool{}, guard: loopGuard{}, leaveFor: map[string]bool{},
	}
	a.workers = a.functions()
	a.order = newDeliveries(st)
	for _, t := range st.Attempts {
		if t.Manner.RetryFailed {
			a.retried = t.Seq
		}
	}
	a.machine = vm.New(program, vm.Config{
		Seed: st.Started.Seed, RunID: st.ID, Cwd: st.Started.Workspace,
		Limits:    vm.Limits{Calls: st.Settings.MaxCalls},
		Functions: o.functions(), Calculations: o.calculations(), Check: a.check, Before: a.before,
	})
	return a
}

// check judges the arguments of a call at the moment the script makes it.
func (a *attempt) check(c vm.Call) error {
	p, err := a.prepare(c)
	if err != nil {
		return mistake{err}
	}
	a.checked[c.Key] = p
	return nil
}

func (a *attempt) prepare(c vm.Call) (p prepared, err error) {
	switch c.Name {
	case checkpointName:
		p.question, err = checkpoint.Parse(c.Args)
	case planName:
		if p.question, err = planapprove.Parse(c.Args); err == nil {
			p.validator, err = planapprove.ValidatorOf(c.Args)
		}
		if err == nil && p.validator != (planapprove.Validator{}) {
			p.validatorArgs, err = planapprove.ValidatorCall(p.question, p.validator)
		}
	case sleepName:
		p.request, err = parseSleep(c.Args)
	default:
		w, ok := a.workers[c.Name]
		if !ok {
			return p, fmt.Errorf("the engine has no function %q", c.Name)
		}
		p.request, err = w.parse(c)
		switch {
		case err != nil:
		case c.Name == agentName:
			err = a.stamp(c, &p)
		case a.st.Settings.ReadOnly && !p.request.ReadOnly:
			err = fault.New(fault.ReadOnlyRun, c.Name+"() may change something, and this run only reads", "assent run FILE   # without --read-only, if it is to change something")
		default:
			err = ownApproval(c)
		}
	}
	if err != nil {
		return p, err
	}
	if err := a.planFirst(c, p); err != nil {
		return p, err
	}
	if c.For != "" {
		if err := a.validates(c, &p); err != nil {
			return p, err
		}
	}
	if len(p.request.Outside) > 0 {
		if err := canonical.Check(p.request.Outside, maxValue); err != nil {
			return p, fmt.Errorf("%s: Request.Outside is not JSON: %w", c.Name, err)
		}
	}
	if p.question.Kind != "" {
		p.identity, err = p.question.Identity()
	} else {
		p.identity, err = identity(c.Name, p.request)
	}
	return p, err
}

// start runs the script to its first waiting. Its time is that of the run's start, also when
// the run is resumed.
func (a *attempt) start(ctx context.Context) error {
	a.turn, a.turnAt = a.st.StartedSeq, a.st.StartedAt
	stretch, cancel := a.stretch(ctx)
	defer cancel()
	turn, err := a.machine.Start(stretch, a.st.Started.Args, a.at(a.turn, a.st.StartedAt))
	return a.take(ctx, turn, err)
}

// drain delivers every durable answer, in the order of the journal, until none waits or the
// script ended.
func (a *attempt) drain(ctx context.Context) error {
	for len(a.due) > 0 && a.end == nil && a.stop == nil {
		if err := a.deliver(ctx, heap.Pop(&a.due).(due)); err != nil {
			return err
		}
	}
	return nil
}

// deliver gives the script one answer and takes what it does then.
func (a *attempt) deliver(ctx context.Context, d due) error {
	a.turn, a.turnAt = d.seq, d.at
	a.order.delivered(d.seq)
	a.account(d)
	stretch, cancel := a.stretch(ctx)
	defer cancel()
	turn, err := a.machine.Deliver(stretch, d.call.Key, d.outcome, a.at(d.seq, d.at))
	return a.take(ctx, turn, err)
}

// account keeps count of an answer that the script gets.
func (a *attempt) account(d due) {
	c := d.call
	if !d.replayed() {
		a.acted = true
	} else {
		a.replayed++
		e := c.event(CallReplayed)
		e.Seq = d.seq
		a.observe(e)
	}
	if c.Name == planName && d.gate != nil {
		a.decided(c, d.gate)
	}
	delete(a.failures, c.Key)
	if d.failure != nil && !c.isGate() && c.gateAhead == nil && d.failure.Class != journal.FailureFatal {
		a.failures[c.Key] = CallFailure{Key: c.Key, Name: c.Name, Label: c.request.Label, Failure: *d.failure, Attempts: a.attemptsOf(d), Replayed: d.replayed()}
	}
}

// take judges the calls of a turn, in the order in which they were made.
func (a *attempt) take(ctx context.Context, turn vm.Turn, err error) error {
	if err != nil {
		if ctx.Err() != nil {
			return errInterrupted
		}
		if e, ok := errors.AsType[*vm.Error](err); ok {
			turn = vm.Turn{Done: true, Err: e}
		} else {
			return fmt.Errorf("the script machine: %w", err)
		}
	}
	a.keepNotes(append(turn.Notes, a.guardLoops(turn.Calls)...))
	for _, made := range turn.Calls {
		c := a.made(made)
		a.warnOf(c)
		answer, err := a.judge(c)
		if err != nil {
			return err
		}
		if a.course != nil {
			a.course.note(c, answer != nil)
		}
		if answer != nil {
			a.push(*answer)
		} else {
			a.ready = append(a.ready, c)
		}
	}
	clear(a.checked)
	if turn.Done {
		a.end = &turn
	}
	return nil
}

// warnOf tells, once a run, of options that are accepted and mean nothing here.
func (a *attempt) warnOf(c *call) {
	asked, _ := c.request.Value.(resolved)
	for _, w := range asked.Warnings {
		if !a.warned[w] {
			a.warned[w] = true
			a.warn(w)
		}
	}
}

// at is what the script can see of the world in the turn of entry seq.
func (a *attempt) at(seq uint64, now time.Time) vm.At {
	budget := a.st.SettingsAt(seq).Budget
	at := vm.At{Now: now, Spent: spent(a.st.UsageAt(seq), budget)}
	if t, ok := total(budget); ok {
		at.Total = &t
	}
	return at
}

// errStretch ends a synchronous stretch of the script that takes too long.
var errStretch error = stretchError{}

type stretchError struct{}

// Error names the limit.
func (stretchError) Error() string { return "more than its limit, meta.limits.stretchMs" }

// Is tells the machine that this is a deadline.
func (stretchError) Is(target error) bool { return target == context.DeadlineExceeded }

// errInterrupted ends an attempt whose context ended.
var errInterrupted = errors.New("interrupted")

func (a *attempt) stretch(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, time.Duration(a.st.Settings.StretchMs)*time.Millisecond, errStretch)
}

// keepNotes keeps the notes of a turn that the journal does not have yet.
func (a *attempt) keepNotes(notes []vm.Note) {
	for i, n := range notes {
		if i < a.st.Notes[a.turn] {
			continue // written once, in an earlier attempt
		}
		a.notes = append(a.notes, journal.Note{Type: n.Type, Level: n.Level, Text: n.Text, Data: n.Data, Frame: n.Frame, After: a.turn, Index: i})
		a.observe(Event{Type: NoteWritten, Note: &n, Frame: n.Frame})
	}
}
