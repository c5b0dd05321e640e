package engine

import (
	"bytes"
	"fmt"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// What a repeated call repeats.
const (
	repeatsInterrupted = "interrupted"
	repeatsChanged     = "changed"
	repeatsFailed      = "failed"
)

// judge decides what a call gets: an answer of the journal, or, with nil, live work. The rules
// stand in the package comment.
func (a *attempt) judge(c *call) (*due, error) {
	if c.isGate() {
		return a.judgeGate(c)
	}
	old := a.st.Calls[c.Key]
	if old == nil {
		return nil, nil
	}
	stale, err := a.stale(c, old)
	switch {
	case err != nil:
		return nil, err
	case old.Unfinished():
		c.reason, c.repeats = "it was interrupted", repeatsInterrupted
		c.putBack = old.Call.Isolated && c.request.Isolated
	case stale != "":
		c.reason, c.repeats = stale, repeated(old)
	case old.Finish.Failure == nil:
		answer := finishDue(c, old.Finish, true)
		return &answer, nil
	case a.retries(c, old.Finish) && !a.weighed(c, old.Finish):
		c.reason, c.repeats = "it failed", repeatsFailed
	default:
		answer := finishDue(c, old.Finish, true)
		return &answer, nil
	}
	return nil, nil
}

// repeated says what running a stale call again repeats, as far as it may have changed something.
func repeated(old *journal.CallState) string {
	switch f := old.Finish.Failure; {
	case old.Call.ReadOnly:
		return ""
	case f == nil:
		return repeatsChanged
	case f.ChosenBy != nil:
		return repeatsInterrupted // a person took it as failed; what it did is still unknown
	default:
		return repeatsFailed
	}
}

// retries reports whether a failure of the journal runs again.
func (a *attempt) retries(c *call, f *journal.Finish) bool {
	switch {
	case refusedByPhase(f.Failure):
		return withinPhase(a.st, c, journal.Usage{}) == nil // else it would be refused again, and what followed be done again for nothing
	case f.Failure.Class == journal.FailureFatal:
		return a.proving == nil || f.Seq < a.proving.Seq
	case f.Failure.ChosenBy != nil:
		return false
	default:
		return a.o.RetryFailed || f.Seq < a.retried
	}
}

// stale says why a call's old entry is not an answer to what the script asks now, or "".
func (a *attempt) stale(c *call, old *journal.CallState) (string, error) {
	switch {
	case a.turn > old.Call.After:
		if !bytes.Equal(old.Call.Outside, c.request.Outside) {
			return a.newerCause() + ", and the configuration changed: " + outsideDiff(old.Call.Outside, c.request.Outside), nil
		}
		return a.newerCause(), nil
	case old.Identity != c.identity:
		if err := a.nondeterministic(c, old.Identity, old.Call.Args, firstSeq(old)); err != nil {
			return "", err
		}
		return "the script asks for something else now", nil
	case !bytes.Equal(old.Call.Outside, c.request.Outside):
		return "the configuration changed: " + outsideDiff(old.Call.Outside, c.request.Outside), nil
	case wasStamped(old, c):
		return "it was read-only then, and may change something now", nil
	default:
		return a.edited(old), nil
	}
}

// newerCause says what became newer than a call's old entry: the answer of this turn. Where that
// is a person's, nothing ran again.
func (a *attempt) newerCause() string {
	for _, g := range a.st.Gates {
		switch {
		case g.AnswerSeq != a.turn:
		case g.Asked.Kind == string(checkpoint.KindPlan):
			return "the plan before it was asked again"
		default:
			return "the question before it was asked again"
		}
	}
	return "something before it ran again"
}

// firstSeq is a place in the journal at which the call's last request was in force.
func firstSeq(old *journal.CallState) uint64 {
	if old.Finish == nil || old.Unfinished() {
		return old.StartSeq
	}
	return old.Finish.Seq
}

func (a *attempt) judgeGate(c *call) (*due, error) {
	g := a.st.Gates[a.st.GateByKey[c.Key]]
	if g == nil {
		return nil, nil
	}
	g = a.asDelivered(g)
	if a.turn > g.Asked.After {
		c.reason = "repeated"
		return nil, nil
	}
	standing, reason := checkpoint.Stand(g, c.identity, a.circumstances(c, g))
	if reason == "drift" && c.question.Checksum == g.Asked.Checksum {
		reason = "question changed" // of the same plan
	}
	if g.Identity != c.identity {
		if err := a.nondeterministic(c, g.Identity, nil, g.Seq); err != nil {
			return nil, err
		}
	}
	switch standing {
	case checkpoint.Replay:
		answer, err := gateDue(c, g, true)
		return &answer, err
	case checkpoint.TakeUp:
		if checkpoint.Expired(g, a.o.Now()) && a.circumstances(c, g).Person {
			c.reason = string(journal.Expired)
		} else {
			c.gate = g.Asked.Gate
		}
	default:
		if as := a.assume(c, g, reason); as != nil {
			answer, err := gateDue(c, as, true)
			return &answer, err
		}
		c.reason = reason
	}
	return nil, nil
}

func (a *attempt) circumstances(c *call, g *journal.Gate) checkpoint.Circumstances {
	person := c.question.Reaches(g, a.o.Asker != nil, a.o.OnGate, a.o.Now())
	if p := a.proving; p != nil {
		// What was settled without a person before that attempt, it asked anew if it could.
		person = g.AnswerSeq < p.Seq && c.question.Reaches(g, p.Manner.Asker, checkpoint.Rule(p.Manner.OnGate), a.o.Now())
	}
	return checkpoint.Circumstances{Program: a.program.Hash(), Person: person, Proven: a.st.Proven}
}

// repeatsQuietly reports whether live work may begin without anybody's leave.
func (c *call) repeatsQuietly() bool {
	return c.allowed || c.request.ReadOnly || c.request.Idempotent || c.repeats == "" || c.repeats == repeatsFailed || c.repeats == repeatsInterrupted && c.putBack
}

// String names a call for people: its label or name, and where it stands.
func (c *call) String() string {
	name := c.Name
	if c.request.Label != "" {
		name = fmt.Sprintf("%s %q", c.Name, c.request.Label)
	}
	return name + " at " + c.Key
}
