package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// dispatch starts what is ready: first the gates, of which those that a headless rule decides
// are decided before any call starts, then sleeps, then calls as far as there is room and leave.
func (a *attempt) dispatch(ctx context.Context) error {
	if a.stop != nil || len(a.ready) == 0 {
		return nil
	}
	if err := a.abortAhead(ctx); err != nil || a.stop != nil {
		return err
	}
	plans := slices.ContainsFunc(a.ready, func(c *call) bool { return c.Name == planName && c.gate == "" })
	if plans && !a.lookAtReaders(ctx) {
		return nil
	}
	gates, rest := partition(a.ready, (*call).isGate)
	a.ready = rest
	if len(gates) > 0 {
		if err := a.openGates(ctx, gates); err != nil || a.stop != nil || len(a.due) > 0 {
			return err
		}
	}
	sleeps, rest := partition(a.ready, func(c *call) bool { return c.Name == sleepName })
	a.ready = rest
	for _, c := range sleeps {
		a.fallAsleep(c)
	}
	if held, _ := partition(a.ready, func(c *call) bool { return !c.repeatsQuietly() }); len(held) > 0 {
		if !a.seekLeave(ctx, held) {
			return nil
		}
	}
	room := max(0, a.st.Settings.Concurrency-len(a.working))
	batch := a.ready[:min(room, len(a.ready))]
	a.ready = a.ready[len(batch):]
	if len(batch) == 0 {
		return nil
	}
	if slices.ContainsFunc(batch, func(c *call) bool { return !c.request.ReadOnly }) && !a.lookAtReaders(ctx) {
		return nil
	}
	return a.begin(ctx, batch)
}

func partition(calls []*call, in func(*call) bool) (yes, no []*call) {
	for _, c := range calls {
		if in(c) {
			yes = append(yes, c)
		} else {
			no = append(no, c)
		}
	}
	return yes, no
}

// begin starts a batch of calls. Those that may change something are journaled first, in one
// transaction that also checks the approvals they act under.
func (a *attempt) begin(ctx context.Context, batch []*call) error {
	refused := map[*call]error{}
	write := false
	for _, c := range batch {
		// What only reads leaves no entry; under an approval the newest state has to be seen all
		// the same.
		write = write || !c.request.ReadOnly || c.Under != nil
	}
	check := func(st *journal.State) []journal.Draft {
		clear(refused)
		if a.revoked(st) != nil {
			return nil // the commit notices it too, and stops the run
		}
		var drafts []journal.Draft
		for _, c := range batch {
			if err := a.admit(st, c); err != nil {
				refused[c] = err
			} else if !c.request.ReadOnly {
				drafts = append(drafts, journal.Draft{
					Kind: journal.KindCallStarted, Key: c.Key, Identity: c.identity,
					Data: journal.CallStarted{Call: c.record(), Repeats: c.repeats},
				})
			}
		}
		return drafts
	}
	if write {
		_, err := a.commit(ctx, func(st *journal.State) ([]journal.Draft, error) { return check(st), nil })
		if err != nil || a.stop != nil {
			return err
		}
	} else {
		if err := a.sync(ctx); err != nil || a.stop != nil {
			return err
		}
		check(a.st)
	}
	a.share(batch)
	for _, c := range batch {
		if refused[c] == nil {
			c.journaled = !c.request.ReadOnly
			a.launch(ctx, c)
		}
	}
	return a.refuse(ctx, batch, refused)
}

// admit checks, at the moment a call starts, that what it names is there, that the budget is not spent
// and that the approval it acts under holds.
func (a *attempt) admit(st *journal.State, c *call) error {
	if c.request.refusal != nil {
		return c.request.refusal
	}
	if c.Under != nil {
		claim := planapprove.Claim{Key: c.Under.Key, Checksum: c.Under.Checksum, Program: a.program.Hash()}
		gate, err := planapprove.Check(st, claim)
		if err != nil {
			return err
		}
		c.approval = &Approval{Gate: gate.Asked.Gate, Approval: planapprove.FromGate(gate, false)}
	}
	return a.withinBudgets(st, c, journal.Usage{})
}

// withinBudgets checks that neither the run's budget nor that of the call's phase is spent; more is what
// the call itself used already.
func (a *attempt) withinBudgets(st *journal.State, c *call, more journal.Usage) error {
	if limit, ok := total(st.Settings.Budget); ok && a.workers[c.Name].counted {
		if used := spent(st.UsageAt(st.Head), st.Settings.Budget) + spent(more, st.Settings.Budget); used >= limit {
			return fault.New(fault.BudgetExceeded, fmt.Sprintf("the budget of %s is spent (%s used)", amount(limit, st.Settings.Budget), amount(used, st.Settings.Budget)),
				"assent resume "+st.ID+" --budget MORE   # goes on")
		}
	}
	return withinPhase(st, c, more)
}

// refusedByPhase reports whether a call failed because its phase's budget was spent.
func refusedByPhase(f *journal.Failure) bool { return f.Code == string(fault.PhaseBudgetExceeded) }

// withinPhase checks that what the script lets the call's phase use is not spent.
func withinPhase(st *journal.State, c *call, more journal.Usage) error {
	if c.PhaseBudget == "" || c.Name != agentName {
		return nil
	}
	budget, err := ParseBudget(c.PhaseBudget)
	if err != nil {
		return err
	}
	if limit, ok := total(budget); ok {
		if used := spent(st.PhaseUsage(c.Phase, st.Head), budget) + spent(more, budget); used >= limit {
			return fault.New(fault.PhaseBudgetExceeded, fmt.Sprintf("the budget of %s for the phase %q is spent (%s used)", amount(limit, budget), c.Phase, amount(used, budget)),
				"raise it where the script calls phase()")
		}
	}
	return nil
}

func amount(v float64, budget journal.Usage) string {
	if budget.CostMicroUSD > 0 {
		return fmt.Sprintf("%.2f USD", v)
	}
	return fmt.Sprintf("%.0f tokens", v)
}

// refuse journals what admit refused, as failures that the script sees.
func (a *attempt) refuse(ctx context.Context, batch []*call, refused map[*call]error) error {
	var list []completion
	for _, c := range batch {
		if err := refused[c]; err != nil {
			// Fatal: whether they would be refused again is for the next attempt to find out. The budget of a phase is the
			// script's own, so it replays, and what the script did then stays.
			class := journal.FailureFatal
			if fault.Is(err, fault.PhaseBudgetExceeded) {
				class = journal.FailureThrown
			}
			list = append(list, completion{call: c, answer: answer{err: err, class: class}})
		}
	}
	if len(list) == 0 {
		return nil
	}
	return a.record(ctx, list)
}

// launch puts a call to work on a goroutine of its own.
func (a *attempt) launch(ctx context.Context, c *call) {
	a.live++
	c.begun, c.launched = a.o.Now(), time.Now()
	work, cancel := context.WithCancel(ctx)
	c.cancel, c.contextWarning = cancel, a.st.Settings.ContextWarning
	c.told = a.newRecorder(c)
	c.again = func(ctx context.Context, next agent.Next) error {
		err := a.mayGoOn(ctx, c, next)
		if err == nil {
			c.told.Again(next)
		}
		return err
	}
	a.working[c.Key] = c
	e := c.event(CallBegan)
	if c.journaled {
		e.Seq = a.st.Calls[c.Key].StartSeq
	}
	a.observe(e)
	step := a.run.Step(c.Key)
	do := a.workers[c.Name].do
	began := time.Now()
	go func() {
		defer cancel()
		a.done <- completion{call: c, answer: protect(work, c, step, do), took: time.Since(began)}
	}()
}

// protect turns a panic of a primitive into a failure of its call.
func protect(ctx context.Context, c *call, step *journal.Step, do func(context.Context, *call, *journal.Step) answer) (result answer) {
	defer func() {
		if p := recover(); p != nil {
			result = answer{err: fmt.Errorf("%s panicked: %v", c.Name, p), class: journal.FailureOrdinary, transcript: c.told.Finish()}
		}
	}()
	result = do(ctx, c, step)
	if result.class == journal.FailureCancelled && ctx.Err() == nil {
		result.class = journal.FailureOrdinary // its own doing; nobody cut it off
	}
	return result
}

// record journals work that ended and makes its answers due. Work that was cut off leaves no
// entry: it is interrupted.
func (a *attempt) record(ctx context.Context, list []completion) error {
	var drafts []journal.Draft
	var kept []completion
	for _, done := range list {
		c := done.call
		delete(a.working, c.Key)
		if done.answer.err != nil && done.answer.class == journal.FailureCancelled {
			continue
		}
		f := journal.CallFinished{
			Value: done.answer.value, Usage: done.answer.usage, Note: done.answer.note, Changes: done.answer.changes, DurationMs: done.took.Milliseconds(), Attempts: done.answer.attempts,
			Worktree: done.answer.worktree, Transcript: done.answer.transcript, Patch: done.answer.patch,
		}
		if done.answer.err != nil {
			f.Failure, f.Value = failureOf(done.answer.err, done.answer.class), nil
		}
		if !c.journaled {
			call := c.record()
			f.Call = &call
		}
		drafts = append(drafts, journal.Draft{Kind: journal.KindCallFinished, Key: c.Key, Identity: c.identity, Data: f})
		kept = append(kept, done)
	}
	if len(drafts) == 0 && len(a.withdraw(a.st, list)) == 0 {
		return nil
	}
	_, err := a.commit(context.WithoutCancel(ctx), func(st *journal.State) ([]journal.Draft, error) {
		return append(a.withdraw(st, list), drafts...), nil
	})
	if err != nil {
		return err
	}
	if err := violations(kept); err != nil {
		a.violated = cmp.Or(a.violated, err)
		a.stop = cmp.Or(a.stop, &ending{state: journal.StatusStopped, err: err})
		a.cancelWork()
	}
	for _, done := range kept {
		a.finished(done.call, done.took)
		for _, w := range []string{done.answer.warning, done.call.told.Warning()} {
			if w != "" {
				a.warn(done.call.String() + ": " + w)
			}
		}
	}
	return nil
}

// finished makes the durable answer of a call due and tells of it.
func (a *attempt) finished(c *call, took time.Duration) {
	old := a.st.Calls[c.Key]
	if old == nil || old.Finish == nil || old.Unfinished() {
		return // the run was ended by somebody else meanwhile
	}
	a.push(finishDue(c, old.Finish, false))
	e := c.event(CallEnded)
	e.Seq, e.Duration, e.Usage, e.Failure = old.Finish.Seq, took, old.Finish.Usage, old.Finish.Failure
	a.observe(e)
	if f := old.Finish.Failure; f != nil {
		a.o.Logger.Warn("call failed", "run", a.st.ID, "call", c.Key, "code", f.Code, "cause", f.Message)
	}
}

// commit appends entries, with the notes that wait to be written, and looks for what other
// processes did meanwhile. If the run was ended by somebody else, it sets a.stop.
func (a *attempt) commit(ctx context.Context, fn func(*journal.State) ([]journal.Draft, error)) ([]journal.Entry, error) {
	var entries []journal.Entry
	err := a.patiently(ctx, func() (err error) {
		entries, err = a.run.Update(ctx, func(st *journal.State) ([]journal.Draft, error) {
			drafts, err := fn(st)
			if err != nil || len(drafts) == 0 {
				return nil, err
			}
			all := make([]journal.Draft, 0, len(a.notes)+len(drafts))
			for _, n := range a.notes {
				all = append(all, journal.Draft{Kind: journal.KindNote, Data: n})
			}
			return append(all, drafts...), nil
		})
		return err
	})
	a.st = a.run.State()
	if err != nil {
		return nil, a.cancelledElsewhere(err)
	}
	if len(entries) > 0 {
		a.notes = a.notes[:0]
	}
	return entries, a.collectGates()
}
