package journal

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Verify reads a run's journal from its file and says all that is wrong with it: pages, the
// one encoding, chain, seals, anchor, every checksum, every transition. It writes nothing. The
// error is for a run that is not there or cannot be got at; a damage is a problem in the
// report.
func Verify(ctx context.Context, s *Store, id string) (*Report, error) {
	if !validID(id) || !exists(s.dbPath(id)) {
		return nil, unknownRun(id)
	}
	report := &Report{Run: id}
	h := &handle{store: s, id: id}
	var err error
	if h.anchor, err = s.anchors(id); err != nil {
		return nil, err
	}
	raw, err := h.readForVerify(ctx)
	if err != nil {
		err = report.take(err)
	}
	if raw != nil {
		report.fold(raw, s.PublicKey())
	}
	report.OK = len(report.Problems) == 0
	return report, errors.Join(err, h.close())
}

func (h *handle) readForVerify(ctx context.Context) (raw *rawEntries, err error) {
	lock, err := openLock(h.id, h.store.lockPath(h.id), 0)
	if err != nil {
		if exists(h.store.lockPath(h.id)) {
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
// of; there is no key in an export, for it would prove nothing.
func VerifyExport(r io.Reader, trusted ed25519.PublicKey) (*Report, error) {
	raw := &rawEntries{authentic: true} // an export has no head that could be forged
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("reading the export: %w", err)
		}
		if len(line) > maxEntry {
			return nil, fault.New(fault.EntryTooLarge, fmt.Sprintf("line %d has %d bytes", len(raw.entries)+1, len(line)), "this is no export")
		}
		if line[len(line)-1] == '\n' {
			line = line[:len(line)-1]
		}
		raw.entries = append(raw.entries, line)
	}
	report := &Report{Run: runOf(raw.entries), Unproven: "an export has no anchor and no head: it cannot be told whether it is the newest state, nor who wrote what stands behind its last seal"}
	// What comes after the last line is not there to be missed: the head is what it is.
	if n := len(raw.entries); n > 0 {
		if e, err := parseEntry(raw.entries[n-1]); err == nil {
			raw.head = head{e.Seq, e.Hash()}
		}
	}
	report.fold(raw, trusted)
	report.Proven, report.OK = false, len(report.Problems) == 0
	return report, nil
}

// runOf is the run that an export says it is of; the chain proves it.
func runOf(entries [][]byte) string {
	if len(entries) == 0 {
		return ""
	}
	e, err := parseEntry(entries[0])
	if err != nil {
		return ""
	}
	started, err := Decode[RunStarted](e)
	if err != nil || !validID(started.Run) {
		return ""
	}
	return started.Run
}

// fold checks everything and notes what is wrong.
func (r *Report) fold(raw *rawEntries, key ed25519.PublicKey) {
	state, chain, err := raw.fold(r.Run, key, nil, r.take)
	if err != nil {
		return
	}
	r.Entries, r.Head = len(raw.entries), chain.hash
	r.Proven = state.Proven
	if r.Unproven == "" {
		r.Unproven = state.Unproven
	}
	for _, id := range state.GateOrder {
		r.gate(state.Gates[id])
	}
}

func (r *Report) gate(g *Gate) {
	row := ReportGate{
		ID: g.Asked.Gate, Key: g.Key, Kind: g.Asked.Kind, Checksum: g.Asked.Checksum,
		State: g.State, Seq: g.Seq, AnswerSeq: g.AnswerSeq,
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
