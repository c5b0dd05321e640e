package engine

import (
	"container/heap"
	"context"
	"encoding/json"
	"sync/atomic"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
	"github.com/seed-8d4a6081/assent/vm"
)

// The calls that the engine itself answers.
const (
	agentName      = "agent"
	checkpointName = "checkpoint"
	planName       = "planApprove"
	sleepName      = "sleep"
	workflowName   = "workflow"
)

// call is one call of the script in this attempt.
type call struct {
	vm.Call
	prepared
	// after is the seq of the answer that caused the call.
	after uint64
	// reason says why it runs although the journal has an entry for its key; for people.
	reason string
	// repeats is "interrupted", "changed" or "failed" if work that may have changed something
	// is done again; allowed, that it may.
	repeats string
	allowed bool
	// putBack says that what was cut off changed nothing but a working tree of its own, which is put back.
	putBack bool
	// begun is when live work began, and journaled that call.started was written.
	begun time.Time
	// launched is begun by this process's own measure of time.
	launched  time.Time
	journaled bool
	cancel    context.CancelFunc
	// again asks, from the goroutine that the call is at work on, whether it may be tried once more.
	again func(ctx context.Context, next agent.Next) error
	// trying is the further attempt that is at work; nil while it is the first.
	trying *agent.Next
	// told writes the transcript of live work; nil if no agent is asked.
	told *recorder
	// place is where an agent works for the call, while it does.
	place atomic.Pointer[workplace]
	// shared says that others which may change the same tree were at work at the same time, beside that
	// others which may change something were, if only the repository.
	shared, beside atomic.Bool
	// contextWarning is that of the settings when the call began.
	contextWarning int
	// at is the journaled time of the turn that made the call.
	at time.Time
	// approval is what the call acts under, as it stood when it started; nil if it names none.
	approval *Approval
	// gate is the id of the gate that a question opened or took up.
	gate string
	// artifact is the copy of the plan that a gate is opened with, if one was written.
	artifact *journal.Artifact
	// gateAhead is the question that a validator is the forerunner of, and validation what
	// a question's own forerunner said.
	gateAhead  *call
	validation *journal.Validation
	// permit is set of a question that an agent at work asks; permits counts those that the call's
	// agent asked.
	permit  *permit
	permits int
	// deferred says that the person wants to answer the gate later.
	deferred bool
	// deadline is the gate's by this process's own measure of time; zero if there is none.
	deadline time.Time
}

// prepared is what the pure check of a call's arguments gives.
type prepared struct {
	request  Request
	question checkpoint.Question
	identity string
	// outside is what a call of agent() stands for outside of the script.
	outside outside
	// apart says that the call only reads, in a working tree of its own, after a plan was approved: by then
	// others work beside it, and its tree is all that tells what it did.
	apart bool
	// policy is that of the approval the call is made under; zero if it names none.
	policy checkpoint.Policy
	// validator looks at the plan before a person is asked; zero is nobody.
	validator planapprove.Validator
	// validatorArgs are the arguments of the call that asks it.
	validatorArgs []json.RawMessage
}

func (c *call) isGate() bool { return c.Name == checkpointName || c.Name == planName }

// record is the call as its first entry keeps it.
func (c *call) record() journal.Call {
	r := journal.Call{
		Name: c.Name, Args: c.Args, After: c.after, Outside: c.request.Outside, Label: c.request.Label, Phase: c.Phase,
		File: c.Pos.File, Line: c.Pos.Line, Column: c.Pos.Column, ReadOnly: c.request.ReadOnly, Isolated: c.request.Isolated, Idempotent: c.request.Idempotent,
	}
	if c.Under != nil {
		r.Under = c.Under.Key
	}
	return r
}

// due is an answer that is durable and waits to be delivered.
type due struct {
	seq     uint64
	at      time.Time
	call    *call
	outcome vm.Outcome
	failure *journal.Failure
	gate    *journal.Gate
}

// push queues a durable answer.
func (a *attempt) push(d due) { heap.Push(&a.due, d) }

func (d due) replayed() bool { return d.outcome.Replayed }

// queue orders answers by seq.
type queue []due

var _ heap.Interface = (*queue)(nil)

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].seq < q[j].seq }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push is for package heap.
func (q *queue) Push(x any) { *q = append(*q, x.(due)) }

// Pop is for package heap.
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// finishDue makes the answer that a finished call has in the journal.
func finishDue(c *call, f *journal.Finish, replayed bool) due {
	d := due{seq: f.Seq, at: f.At, call: c, failure: f.Failure, outcome: vm.Outcome{Value: f.Value, Replayed: replayed}}
	if f.Failure != nil {
		d.outcome.Failure = &vm.Failure{Code: f.Failure.Code, Message: f.Failure.Message, Class: vmClass(f.Failure.Class)}
	}
	return d
}

func vmClass(class string) vm.Class {
	switch class {
	case journal.FailureFatal:
		return vm.Fatal
	case journal.FailureThrown:
		return vm.Thrown
	default:
		return vm.Ordinary
	}
}

// gateDue makes the answer that an ended gate stands for.
func gateDue(c *call, g *journal.Gate, replayed bool) (due, error) {
	d := due{seq: g.AnswerSeq, at: g.AnswerAt, call: c, gate: g, outcome: vm.Outcome{Replayed: replayed}}
	if c.Name == planName {
		value, err := marshal(planapprove.FromGate(g, replayed))
		d.outcome.Value = value
		return d, err
	}
	if g.State == journal.Expired && g.Asked.Default == nil {
		d.failure = failureOf(checkpoint.TimeoutError(g), journal.FailureThrown)
		d.outcome.Failure = &vm.Failure{Code: d.failure.Code, Message: d.failure.Message, Class: vm.Thrown}
		return d, nil
	}
	d.outcome.Value = checkpoint.Decision(g)
	return d, nil
}
