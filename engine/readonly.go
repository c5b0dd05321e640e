package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/watch"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// changesShown caps the changes that a refusal names; the patch has all of them.
const changesShown = 5

// ownFolders are those that runs write to. They may lie in the workspace, and count as no change of it.
func (a *attempt) ownFolders() []string {
	folders := []string{a.o.Work}
	if s, ok := a.o.Store.(interface{ Folders() []string }); ok {
		folders = append(folders, s.Folders()...)
	}
	return folders
}

// heedGuards makes a violation of a call that only reads its failure, and keeps what it changed.
func (a *attempt) heedGuards(ctx context.Context, c *call, p *workplace, result *answer) {
	found, note := p.look(ctx)
	if note != "" {
		// What could not be compared is for a person to know, before anything is approved.
		result.note, result.warning = remark(result.note, note), remark(result.warning, note)
	}
	what, patch, own := p.judged(c, found)
	if what == "" {
		if excused := summaries(found); excused != "" {
			result.note = remark(result.note, "something changed meanwhile outside of its own files, where others may change it: "+excused)
		}
		return
	}
	where := ""
	if len(patch) > 0 {
		kept, err := c.told.keep(".patch", patch)
		if err != nil {
			result.note = remark(result.note, "the patch of its changes cannot be kept: "+err.Error())
		} else {
			result.patch, where = kept, "; the change is kept"
		}
	}
	if own {
		if err := p.tree.Discard(context.WithoutCancel(ctx)); err != nil {
			result.note = remark(result.note, "its tree could not be put back: "+err.Error())
		} else {
			where += ", and its tree was put back"
		}
	}
	result.err = a.violation(c, what+where)
	result.class, result.value = journal.FailureFatal, nil
}

func (a *attempt) violation(c *call, what string) error {
	return fault.New(fault.ReadOnlyViolated, fmt.Sprintf("%s was to change nothing, and while it was at work: %s", c, what),
		"assent show "+a.id+" --call "+c.Key+"   # says what, and how to undo it")
}

// look compares all that a call must leave alone.
func (p *workplace) look(ctx context.Context) (found []*watch.Violation, note string) {
	p.looking.Lock()
	defer p.looking.Unlock()
	for _, g := range p.guards {
		v, remarks := g.Check(ctx)
		note = remark(note, remarks)
		found = append(found, v) // nil keeps its place
	}
	if changed := p.own.changed(); len(changed) > 0 {
		found = append(found, &watch.Violation{Changes: changed})
	}
	return found, note
}

// judged says what of all that is the call's doing, "" if nothing is, or if nobody could tell whose it is
// because others were at work. patch is the first that undoes something, own says that the call's own tree
// has to be put back.
func (p *workplace) judged(c *call, found []*watch.Violation) (what string, patch []byte, own bool) {
	var all []string
	for i, v := range found {
		if v == nil {
			continue
		}
		mine := p.tree != nil && i == len(p.guards)-1
		inGuards := i < len(p.guards)
		if inGuards && (!mine && (c.apart || c.shared.Load()) || (c.apart || c.beside.Load()) && v.Shared == len(v.Changes)+v.More) {
			continue
		}
		all, own = append(all, summary(v)), own || mine
		if len(patch) == 0 {
			patch = v.Patch
		}
	}
	return strings.Join(all, "; "), patch, own
}

func summaries(found []*watch.Violation) string {
	var all []string
	for _, v := range found {
		if v != nil {
			all = append(all, summary(v))
		}
	}
	return strings.Join(all, "; ")
}

// lookAtReaders looks, before a plan is asked about and before a call begins that may change something,
// what the calls that only read and are still at work have changed so far: once others may change the
// same, nobody could tell. A violation stops the run; that call's own look finds it again, and keeps it.
func (a *attempt) lookAtReaders(ctx context.Context) bool {
	for _, c := range a.working {
		p := c.place.Load()
		if p == nil || !c.request.ReadOnly || c.shared.Load() || a.stop != nil {
			continue
		}
		found, _ := p.look(ctx)
		if what, _, _ := p.judged(c, found); what != "" {
			a.violated = a.violation(c, what)
			a.stop = &ending{state: journal.StatusStopped, err: a.violated}
			a.cancelWork()
		}
	}
	return a.stop == nil
}

// summary names the first of several changes, and counts the rest.
func summary(v *watch.Violation) string {
	shown := v.Changes[:min(len(v.Changes), changesShown)]
	if more := len(v.Changes) + v.More - len(shown); more > 0 {
		return strings.Join(shown, "; ") + fmt.Sprintf("; and %d more", more)
	}
	return strings.Join(shown, "; ")
}

// violations gives the first call of a list that changed what it was not to, nil if none did: the run
// stops there, and nothing in the script can catch it.
func violations(list []completion) error {
	for _, done := range list {
		if fault.Is(done.answer.err, fault.ReadOnlyViolated) {
			return done.answer.err
		}
	}
	return nil
}

// share notes which calls that only read are at work together with one that may change the same tree,
// or at least the same repository: whose a change is, nobody could tell then.
func (a *attempt) share(batch []*call) {
	all := slices.Concat(slices.Collect(maps.Values(a.working)), batch)
	if !slices.ContainsFunc(all, func(c *call) bool { return !c.request.ReadOnly }) {
		return
	}
	tree := slices.ContainsFunc(all, func(c *call) bool { return !c.request.ReadOnly && !c.request.Isolated && !c.request.Idempotent })
	for _, c := range all {
		c.beside.Store(true)
		if tree {
			c.shared.Store(true)
		}
	}
}
