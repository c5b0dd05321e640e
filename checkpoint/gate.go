package checkpoint

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// Asking is what an asking adds to its question: where it stands and when it is asked.
type Asking struct {
	// Key is the call's key, and After the seq of the answer that caused the call.
	Key   string
	After uint64
	// Number counts the askings of the run from 1; 0 is the next one. A transaction that opens
	// several gates numbers them itself.
	Number int
	// Now is when the question is asked; the deadline counts from it.
	Now time.Time
	// Program is the hash of the program that asks.
	Program string
	// Suspended gates outlive the process that asks.
	Suspended bool
	// Reason says why the question is asked although it was asked before at this call.
	Reason string
	// Timeout holds for questions that have none of their own; 0 is none.
	Timeout time.Duration
	// Artifact is the copy of the plan, if one was written.
	Artifact *journal.Artifact
	// Validation is what another model says of the plan, if one was asked.
	Validation *journal.Validation
	// Call is the key of the call whose agent asks, "" if the script does.
	Call   string
	Phase  string
	File   string
	Line   int
	Column int
}

// Open makes the entries of a new gate: the closing of a gate that still pends at the same
// call, as superseded, and gate.asked. It belongs into a journal transaction, whose state is st.
func Open(st *journal.State, q Question, a Asking) ([]journal.Draft, journal.GateAsked, error) {
	identity, err := q.Identity()
	if err != nil {
		return nil, journal.GateAsked{}, err
	}
	nonce := make([]byte, 16)
	_, _ = rand.Read(nonce) // never fails
	asked := journal.GateAsked{
		Gate:     gateID(st.ID, cmp.Or(a.Number, len(st.GateOrder)+1)),
		Nonce:    hex.EncodeToString(nonce),
		Kind:     string(q.Kind),
		Prompt:   q.Prompt,
		Choices:  q.Choices,
		Default:  q.Default,
		Headless: string(q.Headless),
		Checksum: q.Checksum,
		Plan:     q.Plan,
		Program:  a.Program, After: a.After,
		Suspended: a.Suspended,
		Phase:     a.Phase, File: a.File, Line: a.Line, Column: a.Column,
		Artifact: a.Artifact, Validation: a.Validation, Call: a.Call,
	}
	if asked.Checksum == "" {
		asked.Checksum = identity
	}
	timeout := q.Timeout
	if timeout == 0 {
		timeout = a.Timeout
	}
	if timeout > 0 {
		asked.Deadline = a.Now.Add(timeout).UTC()
	}
	var drafts []journal.Draft
	if last, ok := st.Gates[st.GateByKey[a.Key]]; ok {
		asked.Revises, asked.Reason = last.Asked.Gate, a.Reason
		switch {
		case last.State != journal.Pending:
		case Expired(last, a.Now):
			drafts = append(drafts, Close(last, journal.Expired, fault.PlanApprovalTimeout))
		default:
			drafts = append(drafts, Close(last, journal.Superseded, fault.PlanApprovalStale))
		}
	}
	return append(drafts, journal.Draft{Kind: journal.KindGateAsked, Key: a.Key, Identity: identity, Data: asked}), asked, nil
}

// gateID names the n-th gate of a run: short enough to type, and it names the run.
func gateID(run string, n int) string {
	tail := run
	if len(tail) > 6 {
		tail = tail[len(tail)-6:]
	}
	return fmt.Sprintf("%s-%d", strings.ToLower(tail), n)
}

// Close makes the entry that ends a pending gate without an answer.
func Close(g *journal.Gate, state journal.GateState, code fault.Code) journal.Draft {
	return journal.Draft{
		Kind: journal.KindGateClosed, Key: g.Key, Identity: g.Identity,
		Data: journal.GateClosed{Gate: g.Asked.Gate, State: string(state), Code: string(code)},
	}
}

// Settle makes the entry of an answer to the asking (key, identity, asked). approvedAt stands
// in the record of an approved plan, and so does the policy.
func Settle(key, identity string, asked journal.GateAsked, decision json.RawMessage, who journal.Who, policy Policy, approvedAt time.Time) journal.Draft {
	answered := journal.GateAnswered{
		Gate: asked.Gate, Nonce: asked.Nonce, Checksum: asked.Checksum, Program: asked.Program,
		Decision: decision, Who: who,
	}
	if asked.Kind == string(KindPlan) {
		approval := journal.PlanApproval{Checksum: asked.Checksum, Decision: decision}
		if string(decision) == "true" {
			approval.ApprovedAt = approvedAt.UTC()
			answered.Mode, answered.Model, answered.Effort = cmp.Or(policy.Mode, ModeAsk), policy.Model, policy.Effort
		}
		answered.PlanApproval = &approval
	}
	return journal.Draft{Kind: journal.KindGateAnswered, Key: key, Identity: identity, Data: answered}
}

// SettleDefault makes the entry that takes the question's default because nobody is there. It
// is not a person's decision and says so.
func SettleDefault(key, identity string, asked journal.GateAsked) journal.Draft {
	draft := Settle(key, identity, asked, asked.Default, journal.Who{}, Policy{}, time.Time{})
	answered := draft.Data.(journal.GateAnswered)
	answered.Unanswered = "headless"
	draft.Data = answered
	return draft
}

// Expired reports whether the gate's deadline has passed at now.
func Expired(g *journal.Gate, now time.Time) bool {
	return !g.Asked.Deadline.IsZero() && !now.Before(g.Asked.Deadline)
}
