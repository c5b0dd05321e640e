package journal

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"io"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Verify reads a run's journal from its file and says all that is wrong with it: pages, the
// one encoding, chain, seals, anchor, every checksum, every transition. It writes nothing. The
// error is for a run that is not there or cannot be got at; a damage is a problem in the
// report.
func Verify(ctx context.Context, s *Store, id string) (*Report, error) {
	at, err := s.locate(id)
	if err != nil {
		return nil, err
	}
	report := &Report{Run: id}
	h := s.handleAt(at)
	if h.anchor, err = s.anchors(id); err != nil {
		return nil, errors.Join(err, h.close())
	}
	raw, err := h.readForVerify(ctx)
	if err != nil {
		err = report.take(err)
	}
	if raw != nil {
		if state := report.fold(raw, s.PublicKey()); state != nil {
			err = errors.Join(err, report.attachments(s, state.Attachments))
		}
	}
	report.OK = len(report.Problems) == 0
	return report, errors.Join(err, h.close())
}

func (h *handle) readForVerify(ctx context.Context) (raw *rawEntries, err error) {
	lock, err := openLock(h.id, h.place.lock, 0)
	if err != nil {
		if exists(h.place.lock) {
			return nil, err
		}
		return h.readRaw(0, readAll) // restored from a copy: nobody has it open
	}
	h.lock = lock
	err = h.locked(ctx, func() (err error) {
		raw, err = h.readRaw(0, readAll)
		return err
	})
	return raw, err
}

// VerifyExport is Verify for an exported journal. trusted is the key that its seals are to be
// of; there is no key in an export, for it would prove nothing. Of a run that was imported
// before it was exported, trusted is the key of the last importer, who vouches for the rest.
func VerifyExport(r io.Reader, trusted ed25519.PublicKey) (*Report, error) {
	raw, err := readExport(r)
	if err != nil {
		report := &Report{Unproven: unprovenExport}
		return report, report.take(err)
	}
	report, _ := verifyExport(raw, trusted)
	return report, nil
}

const unprovenExport = "an export has no anchor and no head: it cannot be told whether it is the newest state, nor who wrote what stands behind its last seal"

// verifyExport gives the state as well, if there is nothing wrong.
func verifyExport(raw *rawEntries, trusted ed25519.PublicKey) (*Report, *State) {
	report := &Report{Run: runOf(raw.entries), Unproven: unprovenExport}
	state := report.fold(raw, trusted)
	report.Proven, report.OK = false, len(report.Problems) == 0
	for i, p := range report.Problems { // of an export the key is the caller's choice, and no user's
		report.Problems[i].What = strings.Replace(p.What, notThisUsers, "is not of the key "+hex.EncodeToString(trusted)+" that you trust", 1)
	}
	return report, state
}

// fold checks everything and notes what is wrong. The state is nil if nothing could be told.
func (r *Report) fold(raw *rawEntries, key ed25519.PublicKey) *State {
	state, chain, err := raw.fold(r.Run, key, func(e Entry) {
		if sealed(e.Kind) {
			r.Sealed = e.Seq
		}
	}, r.take)
	if err != nil {
		return nil
	}
	r.Entries, r.Head = len(raw.entries), chain.hash
	r.State, r.Ended = state.StatusWith(false), state.Finished != nil
	r.Imported, r.ImportedSeq = state.Imported, state.ImportedSeq
	r.Proven = state.Proven
	if r.Unproven == "" {
		r.Unproven = state.Unproven
	}
	for _, id := range state.GateOrder {
		r.gate(state.Gates[id])
	}
	r.Programs, r.Workspace = programsOf(state), state.Workspace
	return state
}

// programsOf are the programs of a run that have sources.
func programsOf(st *State) []ReportProgram {
	list := []ReportProgram{{1, st.Started.Program}}
	for _, t := range st.Attempts {
		if t.Program != nil {
			list = append(list, ReportProgram{t.Seq, *t.Program})
		}
	}
	return list
}

// Judge adds what check finds wrong with the programs of the run. The journal keeps a program and
// its hash and does not know how the one is made of the other.
func (r *Report) Judge(check func(Program) error) {
	for _, p := range r.Programs {
		if err := check(p.Program); err != nil {
			r.Problems = append(r.Problems, Problem{Code: string(fault.JournalDamaged), Seq: p.Seq, What: err.Error()})
		}
	}
	r.OK = len(r.Problems) == 0
}

func (r *Report) gate(g *Gate) {
	row := ReportGate{
		ID: g.Asked.Gate, Key: g.Key, Kind: g.Asked.Kind, Checksum: g.Asked.Checksum,
		State: g.State, Seq: g.Seq, AnswerSeq: g.AnswerSeq, Revocation: g.Revocation,
	}
	if g.Answer != nil {
		row.Decision, row.Who = string(g.Answer.Decision), g.Answer.Who
	}
	r.Gates = append(r.Gates, row)
	if g.Asked.Kind != "plan" {
		return
	}
	if text, err := canonical.Transform([]byte(g.Asked.Plan)); err != nil || string(text) != g.Asked.Plan {
		r.Problems = append(r.Problems, Problem{
			Code: string(fault.JournalDamaged), Seq: g.Seq, What: "the plan of gate " + g.Asked.Gate + " is not in canonical form",
		})
	}
}

// take notes a problem that has a code, and gives back an error that is none of the journal's.
func (r *Report) take(err error) error {
	var refusal *fault.Error
	if !errors.As(err, &refusal) {
		return err
	}
	switch refusal.Code {
	case fault.JournalDamaged, fault.NotAJournal, fault.JournalForged, fault.JournalRollback, fault.JournalTooNew:
	default:
		return err
	}
	problem := Problem{Code: string(refusal.Code), What: refusal.What}
	if refusal.Err != nil {
		problem.What += ": " + refusal.Err.Error()
	}
	if place, ok := errors.AsType[*atEntry](err); ok {
		problem.Seq = place.seq
	}
	r.Problems = append(r.Problems, problem)
	return nil
}
