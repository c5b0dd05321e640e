package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// Comparison is what an edited script would make of a run, held against what the script that the
// run has would make of it. What both would do is no difference.
type Comparison struct {
	Run, Title string
	// State is the run's, as journal.State.StatusWith names it.
	State string
	// Replayed counts the calls that the journal answers under the edited script.
	Replayed int
	// Again are calls that the journal has an entry for and that the edit makes run again; New
	// are those that it has none for. Both are where the edited script stops for live work.
	Again, New []ChangedCall
	// Asked are gates that would be asked again.
	Asked []AskedGate
	// Anyway are calls and gates that are open with and without the edit.
	Anyway []RepeatedCall
	// Behind are answered calls that the edited script does not come to, because it stops before
	// them: they may have to run again. Gone are those that it does not make although it ends.
	Behind, Gone []RepeatedCall
	// Ending is how the edited script ends by the journal alone, Before how the run's own does;
	// nil if it stops before its end.
	Ending, Before *Ending
	// SameEnding says that both end alike, or neither ends.
	SameEnding bool
	// First is where in the edited script the first difference is; nil if there is none, or if
	// it has no place.
	First *vm.Position
}

// ChangedCall is a call that the edited script would make live.
type ChangedCall struct {
	RepeatedCall
	// Diff shows what is asked beside what was asked before; "" if that is the same.
	Diff string
	// Was is the key at which the same was asked for before, if that was another one.
	Was string
	// Repeats says that it has finished, and may have changed something.
	Repeats bool
}

// AskedGate is a gate that would be asked again.
type AskedGate struct {
	RepeatedCall
	// Assumed says that the comparison went on with the answer that was given before.
	Assumed bool
	// Question says that it is another question, or one that was never asked.
	Question bool
}

// Ending is how a script ends.
type Ending struct {
	// State is that of the run then, or "refused" if the script does not take the run at all.
	State  string
	Result json.RawMessage
	// Err is what ended it; nil if it returned.
	Err error
}

// Diverges reports whether the edit changes the work: calls run that would not, a question is
// another one, or the script ends otherwise. strict counts every gate that is asked again, and
// calls that are not made any more, too.
func (c *Comparison) Diverges(strict bool) bool {
	question := false
	for _, g := range c.Asked {
		question = question || g.Question
	}
	return len(c.Again) > 0 || len(c.New) > 0 || question || !c.SameEnding || strict && (len(c.Asked) > 0 || len(c.Gone) > 0)
}

// Against compares what program would make of a run with what the run's own script would. Both
// are executed against the journal, in which nothing is changed, and stop where live work would
// begin. An approval that does not count for program, only because it is another one, is assumed
// to be given again, so that the work behind it is seen.
//
// The error is about the run: its journal cannot be read, or its own script not executed.
func Against(ctx context.Context, id string, program *vm.Program, o Options) (*Comparison, error) {
	o = o.withDefaults()
	o.Asker, o.OnGate, o.RetryFailed = nil, "", false // what was settled stays so
	visit, err := o.Store.Visit(ctx, id)
	if err != nil {
		return nil, err
	}
	defer visit.Close() // a visit that only read has nothing to lose
	st := visit.State()
	o.AgentName = cmp.Or(o.AgentName, st.Agent)
	own, err := programOf(st)
	if err != nil {
		return nil, err
	}
	if program, err = withEdited(program, st, o.Workflows); err != nil {
		return nil, err
	}
	_, alive := visit.Owner()
	c := &Comparison{Run: id, Title: st.Started.Title, State: st.StatusWith(alive)}
	before, err := assuming(ctx, st, own, o)
	if err != nil {
		return nil, err
	}
	c.Before = endingOf(before)
	o.Asker = nobody // whether a person is here is not what is compared
	refusal := admissible(program, st.Started.Args, o)
	o.Asker = nil
	if refusal != nil {
		c.Ending = &Ending{State: "refused", Err: refusal}
		return c, nil
	}
	after, err := assuming(ctx, st, program, o)
	if fault.Is(err, fault.NondeterministicScript) {
		c.Ending = &Ending{State: journal.StatusFailed, Err: err}
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	c.Ending = endingOf(after)
	c.SameEnding = sameEnding(c.Before, c.Ending)
	c.Replayed = max(0, after.replayed-len(after.course.assumed))
	compare(c, before, after)
	return c, nil
}

func endingOf(a *attempt) *Ending {
	if a.end == nil {
		return nil
	}
	end := a.scriptEnded()
	return &Ending{State: end.state, Result: end.result, Err: end.err}
}

// sameEnding compares two endings. The place of an error in the source is no difference.
func sameEnding(a, b *Ending) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.State == b.State && bytes.Equal(a.Result, b.Result) && codeOf(a.Err) == codeOf(b.Err) && said(a.Err) == said(b.Err)
}

func said(err error) string {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*vm.Error](err); ok {
		return e.Message
	}
	return err.Error()
}
