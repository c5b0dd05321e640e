package cli

import (
	"maps"
	"slices"
	"time"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// progress is how far a run has come: what its events add up to, for a tree. What an attempt
// left unfinished is interrupted until another one takes it up.
type progress struct {
	leaves []leaf
	at     map[string]int // the place of a call, by its key
	began  time.Time      // of the latest attempt
	calls  int            // that have finished in some attempt
}

func newProgress() *progress { return &progress{at: map[string]int{}} }

func (p *progress) leaf(key string) *leaf {
	i, ok := p.at[key]
	if !ok {
		i = len(p.leaves)
		p.at[key] = i
		p.leaves = append(p.leaves, leaf{key: key})
	}
	return &p.leaves[i]
}

// add takes the next event.
func (p *progress) add(ev event) {
	switch {
	case ev.Attempt != nil:
		p.cut()
		p.began = ev.At
	case ev.Call != nil:
		p.call(ev)
	case ev.Gate != nil:
		p.gate(ev.Gate, ev.phase)
	case ev.Type == string(journal.KindRunFinished):
		p.cut()
	}
}

// cut marks what was at work when an attempt ended.
func (p *progress) cut() {
	for i := range p.leaves {
		if p.leaves[i].stand == term.StandAtWork {
			p.leaves[i].stand, p.leaves[i].detail = term.StandCut, "interrupted"
		}
	}
}

func (p *progress) call(ev event) {
	c := ev.Call
	l := p.leaf(c.Key)
	l.label, l.phase = c.title(), c.Phase
	switch {
	case ev.Type == string(journal.KindCallStarted):
		l.stand, l.began, l.took, l.detail = term.StandAtWork, ev.At, 0, ""
	case c.Failure != nil:
		l.stand, l.took, l.detail = term.StandFailed, c.took(), c.Failure.Code+": "+firstLine(c.Failure.Message)
	default:
		l.stand, l.took, l.detail = term.StandDone, c.took(), c.used()
	}
	if ev.Type == string(journal.KindCallFinished) {
		p.calls++
	}
}

// atWork adds a call that is at work and may have no entry yet; doing is what its agent told last.
func (p *progress) atWork(w journal.Work, doing string) {
	c := called{Name: w.Name, Label: w.Label, prompt: w.Prompt}
	l := p.leaf(w.Key)
	l.label, l.phase = c.title(), w.Phase
	l.stand, l.began, l.took = term.StandAtWork, w.Since, 0
	l.detail = triedText(w.Trying)
	if doing != "" {
		l.detail = doing // it is newer
	}
}

func (p *progress) gate(g *gateRow, phase string) {
	l := p.leaf(g.Key)
	l.label, l.phase = "gate "+g.Gate+" "+short(g.Prompt), phase
	l.detail = stateText(journal.GateState(g.State))
	switch journal.GateState(g.State) {
	case journal.Pending:
		l.stand, l.detail = term.StandWaiting, ""
	case journal.Approved, journal.Answered, journal.Defaulted:
		l.stand = term.StandDone
	case journal.Interrupted, journal.Superseded:
		l.stand = term.StandCut
	default:
		l.stand = term.StandFailed
	}
}

// tree is the run as it stands; executed says that a living process is at it, and work is what
// that one told of beside the journal.
func (p *progress) tree(executed bool, work []journal.Work, doing func(journal.Work) string) *term.Tree {
	if executed {
		with := &progress{leaves: slices.Clone(p.leaves), at: maps.Clone(p.at)}
		for _, w := range work {
			with.atWork(w, doing(w))
		}
		return treeOf(with.leaves)
	}
	left := &progress{leaves: slices.Clone(p.leaves)}
	left.cut()
	return treeOf(left.leaves)
}
