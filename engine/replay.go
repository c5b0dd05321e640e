package engine

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// Forecast is what a resume would do.
type Forecast struct {
	Run string `json:"run"`
	// Ends is true if the journal alone ends the script: nothing would run.
	Ends bool `json:"ends"`
	// Replayed counts the calls that the journal answers.
	Replayed int `json:"replayed"`
	// Again are calls that the journal has an entry for and that would run again, and why; New
	// those that it has none for.
	Again []RepeatedCall `json:"again"`
	New   []RepeatedCall `json:"new"`
	// Falling are gates that a person answered and that would be asked again.
	Falling []RepeatedCall `json:"falling"`
	// Waiting are gates that still wait for an answer.
	Waiting []RepeatedCall `json:"waiting"`
	// Behind are calls and answered gates that the journal has an entry for and that come after
	// all these: they may run again, or be asked again, too.
	Behind []BehindCall `json:"behind"`
	// Refused is the code that a resume without a person ends with before anything runs, where
	// that is sure; "" otherwise.
	Refused fault.Code `json:"refused,omitempty"`
}

// DryRun forecasts what Resume would do: it delivers what the journal has and stops where live
// work would begin. It changes nothing. program is as for Resume.
func DryRun(ctx context.Context, id string, program *vm.Program, o Options) (*Forecast, error) {
	o = o.withDefaults()
	a, err := rehearse(ctx, id, program, o)
	if err != nil {
		return nil, err
	}
	f := &Forecast{Run: id, Ends: a.end != nil, Replayed: a.replayed, Again: []RepeatedCall{}, New: []RepeatedCall{}, Falling: []RepeatedCall{}, Waiting: []RepeatedCall{}, Behind: []BehindCall{}}
	if f.Ends {
		return f, nil // calls that the script does not wait for do not run
	}
	f.Behind, f.Refused = a.behind(), a.refused()
	for _, c := range a.ready {
		if q := c.gateAhead; q != nil && a.answered(q) {
			f.Falling = append(f.Falling, q.repeated())
		}
		r := c.repeated()
		switch {
		case c.gate != "":
			if checkpoint.Expired(a.st.Gates[c.gate], o.Now()) {
				r.Reason = "its deadline has passed, so it ends without an answer"
			}
			f.Waiting = append(f.Waiting, r)
		case c.isGate() && a.answered(c):
			f.Falling = append(f.Falling, r)
		case c.reason == "":
			f.New = append(f.New, r)
		default:
			f.Again = append(f.Again, r)
		}
	}
	return f, nil
}

// answered reports whether a person answered the gate that was asked last where c stands.
func (a *attempt) answered(c *call) bool {
	g := a.st.Gates[a.st.GateByKey[c.Key]]
	return g != nil && g.Answer != nil && g.Answer.Unanswered == ""
}

// rehearse executes the script as far as the journal answers it.
func rehearse(ctx context.Context, id string, program *vm.Program, o Options) (*attempt, error) {
	visit, err := o.Store.Visit(ctx, id)
	if err != nil {
		return nil, err
	}
	defer visit.Close() // a visit that only read has nothing to lose
	st := visit.State()
	if program != nil {
		program, err = withEdited(program, st, o.Workflows)
	} else {
		program, err = programOf(st)
	}
	if err != nil {
		return nil, err
	}
	return rehearseState(ctx, st, program, o)
}

// rehearseState delivers what the journal has. If that leads to the end of a run that had ended,
// its failures are what is left to do.
func rehearseState(ctx context.Context, st *journal.State, program *vm.Program, o Options) (*attempt, error) {
	a, err := drained(ctx, st, program, o)
	if err == nil && st.Finished != nil && a.endsByReplay() {
		o.RetryFailed = true
		return drained(ctx, st, program, o)
	}
	return a, err
}

func drained(ctx context.Context, st *journal.State, program *vm.Program, o Options) (*attempt, error) {
	a := newAttempt(o, nil, st, program)
	if err := a.start(ctx); err != nil {
		return nil, err
	}
	return a, a.drain(ctx)
}

// endedRun is a run that ended, as somebody looked at it.
type endedRun struct {
	head uint64
	// result is set if a resume would do nothing; failed says that failures are what is left to
	// do.
	result *Result
	failed bool
}

// look finds out whether anything is left to do in a run that ended.
func look(ctx context.Context, id string, program *vm.Program, o Options) (*endedRun, error) {
	visit, err := o.Store.Visit(ctx, id)
	if err != nil {
		return nil, err
	}
	defer visit.Close() // a visit that only read has nothing to lose
	st := *visit.State()
	e := &endedRun{head: st.Head}
	if st.Finished == nil {
		return e, nil
	}
	if program, err = programOr(program, &st); err != nil {
		return nil, err
	}
	if st.Settings, err = settle(o.Settings, st.Settings, program.Meta()); err != nil {
		return nil, err
	}
	a, err := drained(ctx, &st, program, o)
	switch {
	case err != nil || a.end == nil: // whatever is in the way, the resume itself meets and reports it
	case a.endsByReplay():
		e.failed = true
		return e, endsWorse(ctx, &st, program, o)
	case sameEnd(a.scriptEnded(), st.Finished):
		e.result = a.result(a.scriptEnded())
	}
	return e, nil
}

// endsWorse refuses to try the failed calls of a completed run again where nobody is here to be asked, and finished work that may
// have changed something comes behind them: the run would stop before that work, and its result be gone for nothing.
func endsWorse(ctx context.Context, st *journal.State, program *vm.Program, o Options) error {
	if st.Finished.State != journal.StatusCompleted || o.Recover != nil || o.RerunChanged {
		return nil
	}
	o.RetryFailed = true
	a, err := drained(ctx, st, program, o)
	if err != nil {
		return nil //nolint:nilerr // the resume itself meets it, and says so
	}
	var work []RepeatedCall
	for _, c := range a.behind() {
		if c.MayHaveChanged {
			work = append(work, c.RepeatedCall)
		}
	}
	if len(work) == 0 {
		return nil
	}
	return fault.New(fault.WorkWouldRepeat, "the run stays completed, for "+count(len(work), "finished call", "finished calls")+" that may have changed something would run again behind those that failed: "+names(work),
		"assent resume "+st.ID+" --rerun-changed   # tries the failed calls again, and does these again")
}

// Replay executes a finished run against its journal, without any side effect, and proves that
// it ends in the same result. Otherwise it returns REPLAY_DIVERGED with what differs.
func Replay(ctx context.Context, id string, o Options) (*Result, error) {
	o = o.withDefaults()
	visit, err := o.Store.Visit(ctx, id)
	if err != nil {
		return nil, err
	}
	defer visit.Close() // a visit that only read has nothing to lose
	st := visit.State()
	o.AgentName = cmp.Or(o.AgentName, st.Agent)
	switch {
	case st.Finished == nil:
		return nil, fault.New(fault.ReplayDiverged, "run "+id+" has not finished; there is no result to prove", "assent resume "+id)
	case endedFromOutside(st.Finished):
		return nil, fault.New(fault.ReplayDiverged, "run "+id+" was ended from outside ("+st.Finished.State+"), so no journal leads to its end", "assent show "+id)
	}
	program, err := programOf(st)
	if err != nil {
		return nil, err
	}
	o.Asker, o.OnGate, o.RetryFailed = nil, "", false // what was settled stays so
	a := newAttempt(o, nil, st, program)
	a.proving = &st.Attempts[len(st.Attempts)-1]
	if err := a.start(ctx); err != nil {
		return nil, err
	}
	if err := a.drain(ctx); err != nil {
		return nil, err
	}
	if a.end == nil && a.stop == nil {
		if refused := fault.Code(st.Finished.Code); refused == fault.ReadOnlyViolated && violatedIn(st) || refused == fault.HumanInputRequired || refused == fault.CheckpointNeedsDefault {
			return a.result(&ending{state: st.Finished.State}), nil
		}
		what := "the journal does not lead to the end: " + waitingFor(a.ready)
		if !st.Proven {
			what += "; no answer of a person counts in it, since " + st.Unproven
		}
		return nil, fault.New(fault.ReplayDiverged, what, "assent verify "+id+"   # checks the journal")
	}
	if fault.Code(st.Finished.Code) == fault.ReadOnlyViolated && violatedIn(st) {
		return a.result(&ending{state: st.Finished.State}), nil // whatever the script did: that call stopped the run
	}
	end := a.stop // of the loop guard, which counts what the script asks
	if end == nil {
		end = a.scriptEnded()
	}
	if !sameEnd(end, st.Finished) {
		return nil, fault.New(fault.ReplayDiverged, fmt.Sprintf("the run ended %s with %s; its journal leads to %s with %s",
			st.Finished.State, show(st.Finished.Result, st.Finished.Code), end.state, show(end.result, codeOf(end.err))), "assent verify "+id+"   # checks the journal")
	}
	return a.result(end), nil
}

// endedFromOutside reports whether something else than the script and its answers ended a run.
func endedFromOutside(f *journal.RunFinished) bool {
	return f.Who != nil || f.State == journal.StatusCancelled || f.Code == string(fault.WallClockLimit) || f.Code == string(fault.NondeterministicScript)
}

// violatedIn reports whether a call of the run changed something that was to change nothing.
func violatedIn(st *journal.State) bool {
	for _, c := range st.Calls {
		if c.Finish != nil && c.Finish.Failure != nil && c.Finish.Failure.Code == string(fault.ReadOnlyViolated) {
			return true
		}
	}
	return false
}

func sameEnd(end *ending, f *journal.RunFinished) bool {
	code := ""
	if end.err != nil {
		code = codeOf(end.err)
	}
	return end.state == f.State && bytes.Equal(end.result, f.Result) && code == f.Code
}

func show(result []byte, code string) string {
	if code != "" {
		return code
	}
	const most = 200
	if len(result) > most {
		return string(result[:most]) + "…"
	}
	return string(result)
}

func waitingFor(calls []*call) string {
	var list []string
	for _, c := range calls {
		list = append(list, c.String())
	}
	return "it waits for " + strings.Join(list, ", ")
}

func joinLines(lines []string) string { return strings.Join(lines, "; ") }
