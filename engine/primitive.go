package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
	"github.com/seed-8d4a6081/assent/vm"
)

// Primitive is a function that a script can call and the engine answers. It knows nothing of
// JavaScript and of replay.
type Primitive interface {
	// Name is the global's name in the script.
	Name() string
	// Parse checks the arguments and names the call's identity. It is pure: same arguments,
	// same request. Its error is thrown where the script called.
	Parse(args []json.RawMessage) (Request, error)
	// Answer does the work of a live call and returns the JSON the script gets. It is called
	// on a goroutine of its own and returns soon after ctx ends. An error that carries a code
	// (see Error) keeps it.
	Answer(ctx context.Context, req Request, step *journal.Step) (json.RawMessage, error)
}

// Approvable is a Primitive whose calls may name an approval that they act under, as the member under
// of an object among their arguments. Parse sees {"checksum": …} in its place.
type Approvable interface {
	Primitive
	// TakesApproval says that they may.
	TakesApproval() bool
}

// Approval is what a call acts under: a person's yes to a plan of this run.
type Approval struct {
	// Gate is the id of the question that was answered.
	Gate string
	planapprove.Approval
}

// Calculation is a function of the script that computes something from its arguments and does nothing
// else: the same arguments give the same value, on every machine and in every version. It is answered
// at once, and the journal has nothing of it.
type Calculation struct {
	// Name is the global's name in the script.
	Name string
	// Do computes. Its error is thrown where the script called.
	Do func(args []json.RawMessage) (json.RawMessage, error)
}

// Request is one checked call of a primitive.
type Request struct {
	// Identity is JSON that says what is asked for, as the script gave it: a call with another
	// identity gets no old answer. The order of keys does not count.
	Identity json.RawMessage
	// Outside is the part of the identity that comes from outside the script, such as the
	// content of a configuration file; nil if there is none.
	Outside json.RawMessage
	// ReadOnly promises that the call cannot change anything outside the run: it is repeated
	// without asking after a crash.
	ReadOnly bool
	// Isolated says that the call changes nothing but a working tree of its own, which is put back when
	// the call is cut off: then it is repeated without asking too.
	Isolated bool
	// Idempotent says that doing the call twice, or again after it was cut off, ends in the state that
	// doing it once ends in, and that it changes nobody's working tree: then it is repeated without asking
	// too.
	Idempotent bool
	// Approval is set when Answer is called, if the call names an approval that it acts under; see
	// [Approvable]. It was checked in the transaction that started the call.
	Approval *Approval
	// Label is how people see the call.
	Label string
	// Value is the primitive's own, from Parse to Answer.
	Value any

	// refusal is why the call is not made: something that it names outside of the script is not there. It
	// is journaled as the call's failure, so that the script sees the same when it is executed again.
	refusal error
	// canonical says that Identity is in RFC 8785 form already.
	canonical bool
}

// identity is the hex SHA-256 over the RFC 8785 form of {"v":1,"name","identity"}.
func identity(name string, req Request) (string, error) {
	text := []byte(req.Identity)
	if !req.canonical {
		var err error
		if text, err = canonical.Transform(text); err != nil {
			return "", fmt.Errorf("identity of %s: %w", name, err)
		}
	}
	quoted, err := canonical.Of(name)
	if err != nil {
		return "", fmt.Errorf("identity of %s: %w", name, err)
	}
	return canonical.Sum(slices.Concat([]byte(`{"identity":`), text, []byte(`,"name":`), quoted, []byte(`,"v":1}`))), nil
}

// answer is what the work of a live call came to.
type answer struct {
	value json.RawMessage
	usage journal.Usage
	note  string
	// attempts are those that the call took, if there were several; warning is for people.
	attempts []journal.CallAttempt
	warning  string
	// worktree is what a call left in the working tree of its own, transcript what its agent said and
	// did, patch what a call changed that was not to change anything; each nil if there is none.
	worktree          *journal.Worktree
	transcript, patch *journal.Attachment
	// changes are what an agent did to the repository it worked in; nil if that is not known.
	changes *journal.Changes
	err     error
	// class is the class of the failure if err is set.
	class string
}

// worker is a primitive as the engine uses it.
type worker struct {
	parse func(c vm.Call) (Request, error)
	do    func(ctx context.Context, c *call, step *journal.Step) answer
	// counted calls count against the cap and the budget.
	counted bool
}

// hosted makes a worker of an embedder's primitive.
func hosted(p Primitive) worker {
	return worker{
		parse: func(c vm.Call) (Request, error) { return p.Parse(c.Args) },
		do: func(ctx context.Context, c *call, step *journal.Step) answer {
			request := c.request
			request.Approval = c.approval
			value, err := p.Answer(ctx, request, step)
			if err != nil {
				return answer{err: err, class: hostedClass(ctx)}
			}
			if err := canonical.Check(value, maxValue); err != nil {
				return answer{err: fmt.Errorf("%s answered with what is not JSON: %w", p.Name(), err), class: journal.FailureOrdinary}
			}
			return answer{value: value}
		},
	}
}

func hostedClass(ctx context.Context) string {
	if ctx.Err() != nil {
		return journal.FailureCancelled
	}
	return journal.FailureOrdinary
}
