package checkpoint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// Journal is where an answer is recorded: a run's owner, or a visit from another process.
type Journal interface {
	// Update calls fn with the run's state and appends what it gives, in one transaction.
	Update(ctx context.Context, fn func(*journal.State) ([]journal.Draft, error)) ([]journal.Entry, error)
}

// Response is a person's answer to one asking.
type Response struct {
	// Gate is the gate's id. It may be empty if the run asked only one gate with Checksum (or all
	// but one of them ended unanswered, see [TheOne]), or if Checksum is empty too and only one gate waits; if none waits, the one answered last is
	// meant, so that a second answer is judged against the first.
	Gate string
	// Checksum is what the person saw: 64 lower-case hex digits. It may be empty only for an
	// answer that approves nothing.
	Checksum string
	// Nonce is that of the asking that the person was shown; "" from a command, which names
	// gate and checksum instead.
	Nonce string
	// Decision is JSON; see [Question.CheckAnswer].
	Decision json.RawMessage
	Who      journal.Who
	// Mode, Model and Effort are the policy of an approval; see [Policy]. An answer that approves
	// nothing has neither model nor effort.
	Mode, Model, Effort string
	// Copies compares the plan's copy before an approval is recorded; planapprove.Respond sets
	// it. Without it a gate that has a copy cannot be approved.
	Copies Copies
}

// ResponseTo is what an asker brought back for a gate, as a response.
func ResponseTo(gate string, a Answer) Response {
	return Response{
		Gate: gate, Checksum: a.Checksum, Nonce: a.Nonce, Decision: a.Decision, Who: a.Who,
		Mode: a.Mode, Model: a.Model, Effort: a.Effort,
	}
}

func (r Response) policy() Policy { return Policy{Mode: r.Mode, Model: r.Model, Effort: r.Effort} }

// Recorded says what Respond found or wrote.
type Recorded struct {
	Gate  string
	State journal.GateState
	// Already is true if the same answer was there before.
	Already bool
}

var checksumForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// CheckChecksum refuses anything but a whole checksum: a prefix can be made to fit.
func CheckChecksum(sum string) error {
	if !checksumForm.MatchString(sum) {
		return fault.New(fault.ChecksumInvalid, fmt.Sprintf("a checksum has 64 lower-case hex digits; this one is %q", sum), "assent review   # shows the plan and its whole checksum")
	}
	return nil
}

// Respond records r, in one transaction that finds the gate, checks that it still waits, and
// ends it. executing says whether a living process executes the run; a gate that is not
// suspended belongs to the process that shows it and takes no answer after its death.
//
// A second identical answer is no error (Recorded.Already); a different one is
// PLAN_APPROVAL_CONFLICT, one for a gate that ended otherwise PLAN_APPROVAL_STALE. The first
// answer after the deadline closes the gate as expired and is refused.
func Respond(ctx context.Context, j Journal, executing func() bool, now func() time.Time, r Response) (Recorded, error) {
	if r.Checksum != "" {
		if err := CheckChecksum(r.Checksum); err != nil {
			return Recorded{}, err
		}
	}
	if err := r.normalize(); err != nil {
		return Recorded{}, err
	}
	var found Recorded
	var refusal error
	var state *journal.State
	_, err := j.Update(ctx, func(st *journal.State) ([]journal.Draft, error) {
		found, refusal, state = Recorded{}, nil, st
		g, err := r.find(st)
		if err != nil {
			return nil, err
		}
		found.Gate = g.Asked.Gate
		at := now()
		switch {
		case !st.Proven:
			return nil, fault.New(fault.JournalUnproven, "the journal of run "+st.ID+" is not proven, so no answer in it would count: "+st.Unproven,
				"assent verify "+st.ID+"   # says more; assent run starts the work again")
		case g.State != journal.Pending:
			found.Already, refusal = r.afterTheEnd(st.ID, g)
			return nil, refusal
		case r.Nonce != "" && r.Nonce != g.Asked.Nonce:
			return nil, stale(st.ID, g, "the answer belongs to another asking")
		case Expired(g, at):
			refusal = stale(st.ID, g, "its deadline "+g.Asked.Deadline.Format(time.RFC3339)+" has passed")
			return []journal.Draft{Close(g, journal.Expired, fault.PlanApprovalTimeout)}, nil
		case !g.Suspended && !executing():
			return nil, fault.New(fault.PlanApprovalInterrupt,
				fmt.Sprintf("gate %s was being shown when its process ended, so it is no longer pending", g.Asked.Gate),
				"assent resume "+st.ID+"   # asks again")
		case r.Who.Way == "simulated" && !st.Settings.Simulated:
			return nil, fault.New(fault.AnswerInvalid, "a simulated answer is accepted only in a run made by the demo or by a test", "leave out --simulated")
		}
		if err := QuestionOf(g).CheckAnswer(r.Decision); err != nil {
			return nil, err
		}
		if g.Asked.Kind == string(KindPlan) && string(r.Decision) == "true" && r.Checksum == "" {
			return nil, fault.New(fault.ChecksumInvalid, "an approval names the plan that it approves, and this one has no checksum",
				"assent review "+st.ID+"   # shows the plan and its checksum")
		}
		if err := r.checkCopy(st, g); err != nil {
			return nil, err
		}
		if approves := g.Asked.Kind == string(KindPlan) && string(r.Decision) == "true"; !approves && r.Model+r.Effort != "" {
			return nil, fault.New(fault.AnswerInvalid, "a model and an effort go with an approval, and this answer approves nothing", "leave them out")
		}
		return []journal.Draft{Settle(g.Key, g.Identity, g.Asked, r.Decision, r.Who, r.policy(), at)}, nil
	})
	if err == nil {
		err = refusal
	}
	if found.Gate != "" {
		found.State = state.Gates[found.Gate].State // as the transaction left it
	}
	return found, err
}

// normalize checks what does not depend on the gate, and gives the decision its one spelling.
func (r *Response) normalize() error {
	if r.Who.User == "" && r.Who.Name == "" {
		return fault.New(fault.AnswerInvalid, "the answer does not say who gave it", "set Who.User or Who.Name")
	}
	if err := r.policy().check(); err != nil {
		return err
	}
	decision, err := canonical.Transform(r.Decision)
	if err != nil {
		return fault.Wrap(err, fault.AnswerInvalid, "the answer is not JSON", "answer again")
	}
	r.Decision = decision
	return nil
}

// QuestionOf gives the question that a gate asks.
func QuestionOf(g *journal.Gate) Question {
	q := Question{
		Kind: Kind(g.Asked.Kind), Prompt: g.Asked.Prompt, Choices: g.Asked.Choices,
		Default: g.Asked.Default, Headless: Rule(g.Asked.Headless), Plan: g.Asked.Plan,
	}
	if q.Kind == KindPlan {
		q.Checksum = g.Asked.Checksum
	}
	return q
}

// find gives the one gate that the response names.
func (r Response) find(st *journal.State) (*journal.Gate, error) {
	if r.Gate != "" {
		g, ok := st.Gates[r.Gate]
		switch {
		case !ok:
			return nil, fault.New(fault.GateUnknown, fmt.Sprintf("run %s has no gate %q", st.ID, r.Gate), "assent show "+st.ID)
		case r.Checksum != "" && r.Checksum != g.Asked.Checksum:
			return nil, fault.New(fault.PlanApprovalStale,
				fmt.Sprintf("gate %s asks about checksum %s, not %s", g.Asked.Gate, g.Asked.Checksum, r.Checksum), "assent review "+st.ID)
		}
		return g, nil
	}
	var fit []*journal.Gate
	for _, id := range st.GateOrder {
		g := st.Gates[id]
		if r.Checksum == "" && g.State == journal.Pending || r.Checksum != "" && g.Asked.Checksum == r.Checksum {
			fit = append(fit, g)
		}
	}
	if last := LastAnswered(st); len(fit) == 0 && r.Checksum == "" && last != nil {
		return last, nil
	}
	one := TheOne(fit)
	switch {
	case one != nil:
		return one, nil
	case len(fit) > 1:
		return nil, fault.New(fault.GateAmbiguous, fmt.Sprintf("%d gates fit: %s", len(fit), describe(fit)), "assent review "+st.ID+"   # shows each with its command; --gate ID names one")
	case r.Checksum != "":
		return nil, fault.New(fault.PlanApprovalStale, fmt.Sprintf("run %s asked about no plan with the checksum %s", st.ID, r.Checksum), "assent review "+st.ID)
	default:
		return nil, fault.New(fault.PlanApprovalStale, fmt.Sprintf("nothing waits for an answer in run %s", st.ID), "assent show "+st.ID)
	}
}

// TheOne is the gate that an answer means which fits several of the same text: the only one, or the
// only one that waits, if the others ended without a word of a person and asked the same question
// for the same script. Where a person has answered one of them, as before a revocation, an answer
// that names no gate may be that old one once more: it is none to the new question. nil if it
// cannot be told.
func TheOne(fit []*journal.Gate) *journal.Gate {
	if len(fit) == 1 {
		return fit[0]
	}
	var waits *journal.Gate
	for _, g := range fit {
		switch {
		case g.State == journal.Pending && waits != nil, g.State != journal.Pending && g.Answer != nil && g.Answer.Unanswered == "":
			return nil
		case g.State == journal.Pending:
			waits = g
		}
	}
	for _, g := range fit {
		if waits == nil || g.Asked.Kind != waits.Asked.Kind || g.Asked.Prompt != waits.Asked.Prompt || g.Asked.Program != waits.Asked.Program {
			return nil
		}
	}
	return waits
}

// LastAnswered gives the gate that a person answered last, nil if nobody answered any.
func LastAnswered(st *journal.State) *journal.Gate {
	var last *journal.Gate
	for _, g := range st.Gates {
		if g.Answer != nil && g.Answer.Unanswered == "" && (last == nil || g.AnswerSeq > last.AnswerSeq) {
			last = g
		}
	}
	return last
}

func describe(gates []*journal.Gate) string {
	rows := make([]string, len(gates))
	for i, g := range gates {
		rows[i] = fmt.Sprintf("%s (%s, %q)", g.Asked.Gate, g.State, Excerpt(g.Asked.Prompt))
	}
	return strings.Join(rows, ", ")
}

// afterTheEnd judges an answer to a gate that has ended.
func (r Response) afterTheEnd(run string, g *journal.Gate) (already bool, err error) {
	switch {
	case g.Answer == nil || g.Answer.Unanswered != "":
		return false, stale(run, g, "it ended as "+string(g.State))
	case g.State == journal.Revoked:
		return false, stale(run, g, RevokedText(g))
	case g.State == journal.Lapsed:
		return false, stale(run, g, "its approval has lapsed")
	}
	p, asked := PolicyOf(g), r.policy()
	asked.Mode = cmp.Or(asked.Mode, ModeAsk)
	if bytes.Equal(g.Answer.Decision, r.Decision) && p == asked {
		return true, nil
	}
	how := strings.ReplaceAll(string(g.State), "_", " ")
	if g.State == journal.Approved {
		how += ", " + p.String()
	}
	return false, fault.New(fault.PlanApprovalConflict,
		fmt.Sprintf("gate %s is no longer pending: it was answered %s (%s) by %s at %s",
			g.Asked.Gate, g.Answer.Decision, how, g.Answer.Who.User, g.AnswerAt.UTC().Format(time.RFC3339)),
		"assent show "+run+"   # the first answer stands")
}

func stale(run string, g *journal.Gate, why string) error {
	return fault.New(fault.PlanApprovalStale, fmt.Sprintf("gate %s is no longer pending: %s", g.Asked.Gate, why),
		"assent review "+run+"   # shows what waits now")
}
