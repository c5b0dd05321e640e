package checkpoint

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// Revocation withdraws the approval of a plan.
type Revocation struct {
	// Gate is the gate's id. It may be empty if only one approval of the run stands; if none
	// does, the one revoked last is meant, so that a second revocation is no news.
	Gate string
	Who  journal.Who
	// Reason is what the person says about it; may be empty.
	Reason string
}

// Withdrawn says what Revoke found or wrote.
type Withdrawn struct {
	Gate string
	// Already is true if the approval was revoked before; what was said then stands.
	Already bool
}

// Revoke withdraws an approval, in one transaction that finds the gate and checks that its
// approval stands. From that entry on nothing begins under it, and it never replays; what had
// begun is not undone.
//
// A second revocation is no error (Withdrawn.Already). A gate that holds no approval is
// PLAN_APPROVAL_STALE with what it is, and so is a run that was cancelled; a journal that proves
// nothing is JOURNAL_UNPROVEN.
func Revoke(ctx context.Context, j Journal, r Revocation) (Withdrawn, error) {
	if err := r.check(); err != nil {
		return Withdrawn{}, err
	}
	var found Withdrawn
	_, err := j.Update(ctx, func(st *journal.State) ([]journal.Draft, error) {
		g, err := r.find(st)
		if err != nil {
			return nil, err
		}
		found = Withdrawn{Gate: g.Asked.Gate, Already: g.State == journal.Revoked}
		if found.Already {
			return nil, nil
		}
		return []journal.Draft{{
			Kind: journal.KindGateRevoked, Key: g.Key, Identity: g.Identity,
			Data: journal.GateRevoked{Gate: g.Asked.Gate, Nonce: g.Asked.Nonce, Checksum: g.Asked.Checksum, Who: r.Who, Reason: r.Reason},
		}}, nil
	})
	if err != nil {
		return Withdrawn{}, err
	}
	return found, nil
}

// check refuses what does not depend on the gate.
func (r Revocation) check() error {
	switch {
	case r.Who.User == "" && r.Who.Name == "":
		return fault.New(fault.AnswerInvalid, "the revocation does not say who gave it", "set Who.User or Who.Name")
	case len(r.Reason) > MaxReason:
		return fault.New(fault.AnswerInvalid, fmt.Sprintf("the reason has %d bytes; %d is the most", len(r.Reason), MaxReason), "say it in fewer words")
	case !utf8.ValidString(r.Reason):
		return fault.New(fault.AnswerInvalid, "the reason is not UTF-8", "say it again")
	}
	return nil
}

// find gives the gate that is meant: one whose approval stands, or was revoked already.
func (r Revocation) find(st *journal.State) (*journal.Gate, error) {
	switch {
	case !st.Proven:
		return nil, fault.New(fault.JournalUnproven, "the journal of run "+st.ID+" is not proven, so nothing in it is approved: "+st.Unproven,
			"assent verify "+st.ID+"   # says more")
	case st.Finished != nil && st.Finished.State == journal.StatusCancelled:
		return nil, fault.New(fault.PlanApprovalStale, "run "+st.ID+" was cancelled, so nothing will be done under its approvals", "assent show "+st.ID)
	case r.Gate != "":
		g, ok := st.Gates[r.Gate]
		if !ok {
			return nil, fault.New(fault.GateUnknown, fmt.Sprintf("run %s has no gate %q", st.ID, r.Gate), "assent show "+st.ID)
		}
		return g, standsOrRevoked(st, g)
	}
	switch standing := StandingApprovals(st); len(standing) {
	case 1:
		return standing[0], nil
	case 0:
		return lastRevoked(st)
	default:
		return nil, fault.New(fault.GateAmbiguous, fmt.Sprintf("%d approvals stand: %s", len(standing), describe(standing)), "name one with --gate ID")
	}
}

// StandingApprovals are the approvals of a run that work can be done under: of each call that
// asked about a plan the latest gate, if a person approved it and nothing took that back.
func StandingApprovals(st *journal.State) []*journal.Gate {
	var list []*journal.Gate
	for _, id := range st.GateOrder {
		if g := st.Gates[id]; g.State == journal.Approved && st.GateByKey[g.Key] == id {
			list = append(list, g)
		}
	}
	return list
}

// standsOrRevoked says why a gate holds no approval that can be taken back.
func standsOrRevoked(st *journal.State, g *journal.Gate) error {
	latest := st.GateByKey[g.Key]
	show := "assent show " + st.ID + "   # shows all gates"
	switch {
	case g.State == journal.Revoked, g.State == journal.Approved && latest == g.Asked.Gate:
		return nil
	case g.Asked.Kind != string(KindPlan):
		return noApproval(g, "it asks no plan but a question", show)
	case g.State == journal.Approved:
		return noApproval(g, "it was asked again since, as gate "+latest, show)
	case g.State == journal.Pending:
		return noApproval(g, "it still waits for an answer", "assent reject "+st.ID+" --gate "+g.Asked.Gate)
	default:
		return noApproval(g, "it is "+strings.ReplaceAll(string(g.State), "_", " "), show)
	}
}

func noApproval(g *journal.Gate, why, next string) error {
	return fault.New(fault.PlanApprovalStale, fmt.Sprintf("gate %s holds no approval to revoke: %s", g.Asked.Gate, why), next)
}

// lastRevoked is for a run in which no approval stands.
func lastRevoked(st *journal.State) (*journal.Gate, error) {
	var last *journal.Gate
	for _, id := range st.GateOrder {
		if g := st.Gates[id]; g.State == journal.Revoked && (last == nil || g.RevokedSeq > last.RevokedSeq) {
			last = g
		}
	}
	if last != nil {
		return last, nil
	}
	what := "nothing was asked in it"
	if len(st.GateOrder) > 0 {
		gates := make([]*journal.Gate, len(st.GateOrder))
		for i, id := range st.GateOrder {
			gates[i] = st.Gates[id]
		}
		what = "its gates are " + describe(gates)
	}
	return nil, fault.New(fault.PlanApprovalStale, fmt.Sprintf("run %s has no approved plan: %s", st.ID, what), "assent show "+st.ID)
}

// RevokedText says who took an approval back, when and why.
func RevokedText(g *journal.Gate) string { return "its approval was revoked " + RevokedBy(g) }

// RevokedBy is the rest of a sentence that says so: "by ann at 2026-01-02T15:04:05Z: "why"".
func RevokedBy(g *journal.Gate) string {
	by := g.Revocation.Who.User
	if g.Revocation.Who.Name != "" {
		by = g.Revocation.Who.Name
	}
	text := "by " + by + " at " + g.RevokedAt.UTC().Format(time.RFC3339)
	if g.Revocation.Reason != "" {
		text += fmt.Sprintf(": %q", Excerpt(g.Revocation.Reason))
	}
	return text
}
