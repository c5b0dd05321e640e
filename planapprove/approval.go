package planapprove

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// Approval is how a gate about a plan ended.
type Approval struct {
	// Plan is the canonical text, as a JSON value.
	Plan     json.RawMessage `json:"plan"`
	Checksum string          `json:"checksum"`
	// Decision is true, false, or a text with the change that the person asked for.
	Decision json.RawMessage `json:"decision"`
	// ApprovedAt is set only if Decision is true: RFC 3339 with milliseconds, UTC.
	ApprovedAt     string `json:"approvedAt,omitempty"`
	PermissionMode string `json:"permissionMode,omitempty"`
	// ApprovedBy is "user@host", or the name that an asker gave.
	ApprovedBy string `json:"approvedBy,omitempty"`
	// Replayed is true if the journal held the answer. It is no part of the JSON, so that an
	// approval in a prompt gives the same bytes live and replayed.
	Replayed bool `json:"-"`
}

// Approved reports whether a person said yes. Nothing but the boolean true does.
func (a Approval) Approved() bool { return string(a.Decision) == "true" }

// timeForm is ECMAScript's own form of an instant.
const timeForm = "2006-01-02T15:04:05.000Z"

// FromGate gives the approval that an ended gate stands for. A gate that ended without an
// answer is a decline.
func FromGate(g *journal.Gate, replayed bool) Approval {
	a := Approval{
		Plan: json.RawMessage(g.Asked.Plan), Checksum: g.Asked.Checksum,
		Decision: checkpoint.Decision(g), Replayed: replayed,
	}
	if g.State != journal.Approved || g.Answer.PlanApproval == nil {
		if a.Approved() { // an approval that was withdrawn is none
			a.Decision = declineDefault
		}
		return a
	}
	a.ApprovedAt = g.Answer.PlanApproval.ApprovedAt.UTC().Format(timeForm)
	a.PermissionMode = g.Answer.Mode
	a.ApprovedBy = g.Answer.Who.User + "@" + g.Answer.Who.Host
	if g.Answer.Who.Name != "" {
		a.ApprovedBy = g.Answer.Who.Name
	}
	return a
}

// Ask puts a plan to a person at key in the run that r executes, or gives the journal's answer
// to the same plan under the same prompt, program and key. It is for Go programs that keep a
// journal without a script. See [checkpoint.Ask] for its errors.
func Ask(ctx context.Context, r journal.Run, key string, q checkpoint.Question, o checkpoint.AskOptions) (Approval, error) {
	if q.Kind != checkpoint.KindPlan {
		return Approval{}, fmt.Errorf("planapprove.Ask: the question is a %q; make it with NewQuestion", q.Kind)
	}
	o.Copies = artifacts{}
	outcome, err := checkpoint.Ask(ctx, r, key, q, o)
	if err != nil {
		return Approval{}, err
	}
	return FromGate(outcome.Gate, outcome.Replayed), nil
}

// Claim is what work that acts under an approval says about it.
type Claim struct {
	// Key is the key of the planApprove call, and Checksum what the script holds.
	Key, Checksum string
	// Program is the hash of the program that acts now.
	Program string
}

// Check gives the gate whose approval covers a claim, or PLAN_NOT_APPROVED with the reason. It
// belongs into the transaction that starts the work, whose state is st: an approval counts
// only if it is this run's, for this program and these bytes, and if the journal is proven.
func Check(st *journal.State, c Claim) (*journal.Gate, error) {
	g := st.Gates[st.GateByKey[c.Key]]
	var why string
	switch {
	case g == nil:
		why = "no plan was asked about at " + c.Key
	case g.State != journal.Approved:
		why = fmt.Sprintf("gate %s is %s", g.Asked.Gate, g.State)
	case g.Asked.Checksum != c.Checksum:
		why = fmt.Sprintf("gate %s approves %s, not %s", g.Asked.Gate, g.Asked.Checksum, c.Checksum)
	case g.Asked.Program != c.Program:
		why = fmt.Sprintf("gate %s approved it for another version of the script", g.Asked.Gate)
	case g.Answer.PlanApproval == nil || g.Answer.PlanApproval.Checksum != c.Checksum || string(g.Answer.PlanApproval.Decision) != "true":
		why = fmt.Sprintf("gate %s holds no approval of it", g.Asked.Gate)
	case canonical.Sum([]byte(g.Asked.Plan)) != c.Checksum:
		why = fmt.Sprintf("the plan text of gate %s does not have its checksum", g.Asked.Gate)
	case !st.Proven:
		why = "the journal is not proven: " + st.Unproven
	default:
		return g, nil
	}
	return nil, fault.New(fault.PlanNotApproved, "the work names an approval that does not cover it: "+why, "ask planApprove again, and act only if its decision is true")
}

// LastApproved gives the plan approved last among the gates asked before entry seq, or nil. A
// person who is asked about another one is shown the difference.
func LastApproved(st *journal.State, before uint64) *journal.Gate {
	var last *journal.Gate
	for _, id := range st.GateOrder {
		g := st.Gates[id]
		if g.Seq < before && g.State == journal.Approved && (last == nil || g.AnswerSeq > last.AnswerSeq) {
			last = g
		}
	}
	return last
}
