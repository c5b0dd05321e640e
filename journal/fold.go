package journal

import (
	"fmt"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

func newState(id string) *State {
	return &State{
		ID: id, HeadHash: firstPrev(id),
		Calls: map[string]*CallState{}, Gates: map[string]*Gate{}, GateByKey: map[string]string{},
		Notes: map[uint64]int{}, phases: map[string]usageSums{}, totals: phaseTotals{at: map[phasePlace]int{}},
	}
}

// apply adds one entry. After an error the state is as before: every case checks first.
// hash is e's.
func (st *State) apply(e Entry, hash string) error {
	if (e.Kind == KindRunStarted) != (e.Seq == 1) {
		return invalid("%s cannot be entry %d", e.Kind, e.Seq)
	}
	if err := st.applyKind(e); err != nil {
		return err
	}
	if e.Kind.causes() {
		st.causes = append(st.causes, e.Seq)
	}
	st.Head, st.HeadHash, st.HeadAt = e.Seq, hash, e.At
	return nil
}

func (st *State) applyKind(e Entry) error {
	switch e.Kind {
	case KindRunStarted:
		return with(e, st.runStarted)
	case KindRunResumed:
		return with(e, st.runResumed)
	case KindCallStarted:
		return with(e, st.callStarted)
	case KindCallFinished:
		return with(e, st.callFinished)
	case KindGateAsked:
		return with(e, st.gateAsked)
	case KindGateSuspended:
		return with(e, st.gateSuspended)
	case KindGateAnswered:
		return with(e, st.gateAnswered)
	case KindGateClosed:
		return with(e, st.gateClosed)
	case KindGateRevoked:
		return with(e, st.gateRevoked)
	case KindNote:
		return with(e, st.note)
	case KindRunPaused:
		return with(e, func(_ Entry, p RunPaused) error { st.Paused = &p; return nil })
	case KindRunFinished:
		return with(e, st.runFinished)
	case KindRunImported:
		return with(e, st.runImported)
	}
	return tooNew(st.ID, fmt.Sprintf("entry %d has the kind %q, which this version does not know", e.Seq, e.Kind))
}

func with[T any](e Entry, apply func(Entry, T) error) error {
	record, err := Decode[T](e)
	if err != nil {
		return err
	}
	if r, ok := any(record).(formed); ok {
		if err := r.form(); err != nil {
			return err
		}
	}
	return apply(e, record)
}

func (st *State) note(e Entry, n Note) error {
	if err := st.caused(e, n.After); err != nil {
		return err
	}
	st.Notes[n.After]++
	return nil
}

func (st *State) runStarted(e Entry, r RunStarted) error {
	if r.Run != st.ID {
		return forged(st.ID, fmt.Sprintf("it is the journal of run %.40q", r.Run))
	}
	st.Started, st.StartedSeq, st.StartedAt = r, e.Seq, e.At
	st.Program, st.Agent, st.Workspace = r.Program, r.Agent, r.Workspace
	st.begin(e, r.Owner, r.Settings, nil, r.Manner)
	return nil
}

func (st *State) runResumed(e Entry, r RunResumed) error {
	if st.Finished != nil && st.Finished.State == StatusCancelled {
		return invalid("a cancelled run cannot be resumed")
	}
	if r.Program != nil {
		st.Program = *r.Program
	}
	if r.Agent != "" {
		st.Agent = r.Agent
	}
	st.Paused, st.Finished = nil, nil
	st.begin(e, r.Owner, r.Settings, r.Program, r.Manner)
	return nil
}

func (st *State) begin(e Entry, owner Process, settings Settings, program *Program, manner Manner) {
	st.Settings = settings
	st.settings = append(st.settings, settingsAt{e.Seq, settings})
	st.Attempts = append(st.Attempts, Attempt{Seq: e.Seq, At: e.At, Owner: owner, Settings: settings, Program: program, Manner: manner})
}

func (st *State) call(e Entry) *CallState {
	call := st.Calls[e.Key]
	if call == nil {
		call = &CallState{Key: e.Key}
		st.Calls[e.Key] = call
	}
	return call
}

func (st *State) callStarted(e Entry, r CallStarted) error {
	if e.Key == "" {
		return invalid("%s without a key", e.Kind)
	}
	if err := st.caused(e, r.After); err != nil {
		return err
	}
	call := st.call(e)
	if call.Finish != nil {
		st.Replaced = append(st.Replaced, Replaced{call.Finish.Seq, e.Seq})
	}
	call.leave()
	call.Identity, call.Call, call.StartSeq = e.Identity, r.Call, e.Seq
	st.totals.began(e.Key, r.Call)
	return nil
}

func (st *State) callFinished(e Entry, r CallFinished) error {
	if e.Key == "" {
		return invalid("%s without a key", e.Kind)
	}
	if r.Call == nil && (st.Calls[e.Key] == nil || !st.Calls[e.Key].Unfinished()) {
		return invalid("the call %.80q finished without having been started", e.Key)
	}
	if r.Call != nil {
		if err := st.caused(e, r.Call.After); err != nil {
			return err
		}
	}
	call := st.call(e)
	if r.Call != nil {
		call.Call, call.Identity = *r.Call, e.Identity
	} else if e.Identity != "" {
		call.Identity = e.Identity
	}
	if call.Finish != nil && !call.Unfinished() {
		st.Replaced = append(st.Replaced, Replaced{call.Finish.Seq, e.Seq})
		call.leave()
	}
	call.Finish = &Finish{
		Seq: e.Seq, At: e.At, Value: r.Value, Failure: r.Failure, Usage: r.Usage, Note: r.Note, Changes: r.Changes, DurationMs: r.DurationMs,
		Attempts: r.Attempts, Worktree: r.Worktree, Transcript: r.Transcript, Patch: r.Patch,
		After: call.Call.After, Identity: call.Identity, Outside: call.Call.Outside,
	}
	st.attach(e.Seq, r.Transcript, r.Patch)
	st.used(e.Seq, call.Call.Phase, r.Usage)
	st.totals.ended(e.Key, call.Call, r)
	return nil
}

// leave keeps what is to be known of an attempt at the call when another one takes its place.
func (c *CallState) leave() {
	switch {
	case c.Unfinished():
		c.CutOff++
	case c.Finish != nil && c.Finish.Changes != nil:
		c.Earlier = append(c.Earlier, c.Finish.Changes)
	}
}

func (st *State) gateAsked(e Entry, r GateAsked) error {
	if err := st.caused(e, r.After); err != nil {
		return err
	}
	switch {
	case e.Key == "":
		return invalid("a gate needs a key")
	case st.Gates[r.Gate] != nil:
		return invalid("the gate %.40q was asked before", r.Gate)
	case r.Revises != "" && st.Gates[r.Revises] == nil:
		return invalid("the gate %.40q cannot stand in the place of %.40q, which was not asked", r.Gate, r.Revises)
	case r.Kind != "plan" && (r.Plan != "" || r.Checksum != e.Identity):
		return invalid("the gate %.40q asks no plan: its checksum is the identity of the question", r.Gate)
	case r.Kind == "plan" && canonical.Sum([]byte(r.Plan)) != r.Checksum:
		return damaged(st.ID, fmt.Sprintf("the plan of gate %.40q (entry %d) does not have the checksum that stands beside it", r.Gate, e.Seq))
	}
	if last := st.Gates[st.GateByKey[e.Key]]; last != nil && last.State != Pending {
		st.Replaced = append(st.Replaced, Replaced{last.AnswerSeq, e.Seq})
	}
	st.Gates[r.Gate] = &Gate{
		Asked: r, Key: e.Key, Identity: e.Identity, Seq: e.Seq, At: e.At,
		State: Pending, Suspended: r.Suspended,
	}
	st.GateOrder = append(st.GateOrder, r.Gate)
	st.GateByKey[e.Key] = r.Gate
	return nil
}

func (st *State) gate(id string) (*Gate, error) {
	if gate := st.Gates[id]; gate != nil {
		return gate, nil
	}
	return nil, invalid("there is no gate %.40q", id)
}

func (st *State) gateSuspended(_ Entry, r GateSuspended) error {
	gate, err := st.gate(r.Gate)
	if err != nil {
		return err
	}
	if gate.State != Pending {
		return invalid("a gate that is %s cannot be suspended", gate.State)
	}
	gate.Suspended = true
	return nil
}

// gateAnswered takes an answer only for the very question that it repeats.
func (st *State) gateAnswered(e Entry, r GateAnswered) error {
	gate, err := st.gate(r.Gate)
	if err != nil {
		return err
	}
	to, err := stateOf(gate.Asked, r)
	if err != nil {
		return err
	}
	if err := gate.State.next(to); err != nil {
		return err
	}
	switch {
	case e.Key != gate.Key || e.Identity != gate.Identity:
		return invalid("the answer to gate %.40q names another call", r.Gate)
	case r.Nonce != gate.Asked.Nonce || r.Checksum != gate.Asked.Checksum || r.Program != gate.Asked.Program:
		return invalid("the answer to gate %.40q names another question", r.Gate)
	case gate.Asked.Kind != "plan" && r.PlanApproval != nil:
		return invalid("the answer to gate %.40q approves a plan, and there is none", r.Gate)
	case gate.Asked.Kind == "plan" && !r.PlanApproval.repeats(r):
		return invalid("the answer to gate %.40q approves another plan", r.Gate)
	}
	gate.State, gate.Answer, gate.AnswerSeq, gate.AnswerAt = to, &r, e.Seq, e.At
	return nil
}

func (st *State) gateClosed(e Entry, r GateClosed) error {
	gate, err := st.gate(r.Gate)
	if err != nil {
		return err
	}
	to, err := closedState(r.State)
	if err != nil {
		return err
	}
	if err := gate.State.next(to); err != nil {
		return err
	}
	gate.State, gate.Closed, gate.AnswerSeq, gate.AnswerAt = to, &r, e.Seq, e.At
	return nil
}

// gateRevoked withdraws the very approval that it repeats.
func (st *State) gateRevoked(e Entry, r GateRevoked) error {
	gate, err := st.gate(r.Gate)
	if err != nil {
		return err
	}
	if err := gate.State.next(Revoked); err != nil {
		return err
	}
	if e.Key != gate.Key || e.Identity != gate.Identity || r.Nonce != gate.Asked.Nonce || r.Checksum != gate.Asked.Checksum {
		return invalid("the revocation of gate %.40q names another question", r.Gate)
	}
	gate.State, gate.Revocation, gate.RevokedSeq, gate.RevokedAt = Revoked, &r, e.Seq, e.At
	return nil
}

// runImported lets every approval lapse. A run can be imported more than once: each import
// vouches for the one before.
func (st *State) runImported(e Entry, r RunImported) error {
	for _, gate := range st.Gates {
		if gate.State == Approved {
			gate.State = Lapsed
		}
	}
	st.Imported, st.ImportedSeq, st.Workspace = &r, e.Seq, r.Workspace
	return nil
}

func (st *State) runFinished(_ Entry, r RunFinished) error {
	switch r.State {
	case StatusCompleted, StatusStopped, StatusFailed, StatusCancelled:
	default:
		return invalid("a run cannot finish as %.40q", r.State)
	}
	if st.Finished != nil && st.Finished.State == StatusCancelled {
		return invalid("a cancelled run cannot finish again")
	}
	if pending := st.Pending(); len(pending) > 0 {
		return invalid("a run cannot finish while gate %.40q is pending", pending[0].Asked.Gate)
	}
	st.Finished = &r
	return nil
}

// ended is the refusal that a run which has finished gives to whoever wants to add to it.
func (st *State) ended() error {
	switch {
	case st.Finished == nil:
		return nil
	case st.Finished.State == StatusCancelled:
		return fault.New(fault.RunCancelled, "run "+st.ID+" was cancelled", "assent run FILE   # starts the work again")
	}
	return fault.New(fault.RunFinished, fmt.Sprintf("run %s has ended: it is %s", st.ID, st.Finished.State),
		"assent show "+st.ID+" --result   # what came of it")
}
