package checkpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// Asked is one asking as an asker gets it: all that a person has to see.
type Asked struct {
	Run, Title string
	// Workspace is the folder of the run, "" if it has none.
	Workspace string
	// Key is the call key of the question in the script.
	Key      string
	Gate     journal.GateAsked
	Previous *journal.Gate // the last plan approved in this run, if this one differs; else nil
	// Earlier is an approval of this very plan that no longer holds, because the script has
	// changed since; else nil.
	Earlier *Earlier
	// Changes is what the person asked for when they were asked before, if that was a change of
	// the plan; else "".
	Changes string
	// SentBack is the gate whose plan was sent back with Changes; else nil.
	SentBack *journal.Gate
	// Revoked is the withdrawn approval that this question is asked again for; else nil.
	Revoked *journal.Gate
	// Copy says what is wrong with the plan's copy in the workspace, so that an approval would be
	// refused; "" if nothing is.
	Copy string
	// CheckCopy says whether an approval would be refused now because of the copy; RestoreCopy
	// writes it again first if it is gone. Both are nil if nobody keeps copies.
	CheckCopy, RestoreCopy func() error
	// Used is what the agents of the run have told that they used until now.
	Used journal.PhaseTotal
	// Position and Waiting say that this is gate Position of Waiting.
	Position, Waiting int
}

// Earlier is an approval that no longer holds because the script changed.
type Earlier struct {
	Gate *journal.Gate
	// Diff is the change of the script as a unified diff.
	Diff string
}

// Answer is what an asker brings back. Checksum and Nonce repeat what was asked: an answer
// without them, or with others, is no answer.
type Answer struct {
	Decision json.RawMessage
	Checksum string
	Nonce    string
	Who      journal.Who
	// Mode, Model and Effort are the policy of an approval; see [Policy].
	Mode, Model, Effort string
	// Later leaves the question to be answered by another process; the other fields are unused.
	Later bool
}

// Asker puts a question to a person. It returns when there is an answer or ctx ends, which
// happens when the gate was answered elsewhere, expired, or the run ends. An error is no
// answer. Only the boolean true approves.
type Asker interface {
	Ask(ctx context.Context, asked Asked) (Answer, error)
}

// AskerFunc is a function as an Asker.
type AskerFunc func(ctx context.Context, asked Asked) (Answer, error)

// Ask calls f.
func (f AskerFunc) Ask(ctx context.Context, asked Asked) (Answer, error) { return f(ctx, asked) }

// ErrNoAnswer means that an asker came back with nothing that counts.
var ErrNoAnswer = errors.New("no answer")

// Consult asks and checks that the answer is one to this asking. It recovers a panicking
// asker: whatever goes wrong is ErrNoAnswer.
func Consult(ctx context.Context, asker Asker, asked Asked) (answer Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			answer, err = Answer{}, fmt.Errorf("%w: the asker panicked: %v", ErrNoAnswer, p)
		}
	}()
	answer, err = asker.Ask(ctx, asked)
	switch {
	case err != nil:
		return Answer{}, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	case answer.Later:
		return answer, nil
	case answer.Checksum != asked.Gate.Checksum || answer.Nonce != asked.Gate.Nonce:
		return Answer{}, fmt.Errorf("%w: the asker answered another question (checksum or nonce differ)", ErrNoAnswer)
	}
	r := ResponseTo(asked.Gate.Gate, answer)
	if err := r.normalize(); err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	answer.Decision = r.Decision
	g := journal.Gate{Asked: asked.Gate}
	if err := QuestionOf(&g).CheckAnswer(answer.Decision); err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	return answer, nil
}

// SuspendDraft makes the entry that hands a shown gate over to whoever answers it later.
func SuspendDraft(g *journal.Gate) journal.Draft {
	return journal.Draft{Kind: journal.KindGateSuspended, Key: g.Key, Identity: g.Identity, Data: journal.GateSuspended{Gate: g.Asked.Gate}}
}

// WaitingError says that a question waits for an answer from another process.
func WaitingError(run string, gate journal.GateAsked) error {
	return fault.New(fault.GateWaiting, fmt.Sprintf("gate %s waits for an answer: %q", gate.Gate, Excerpt(gate.Prompt)), "assent review "+run)
}
