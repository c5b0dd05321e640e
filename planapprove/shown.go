package planapprove

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// Shown is what a person has to see of gate g, which is number position of waiting, with what the run
// has cost until now. For a plan that is also how it differs from the one approved last, or how the script has changed since
// this very plan was approved.
func Shown(st *journal.State, g *journal.Gate, position, waiting int) checkpoint.Asked {
	asked := checkpoint.Asked{
		Run: st.ID, Title: st.Started.Title, Workspace: st.Workspace, Key: g.Key, Gate: g.Asked, Position: position, Waiting: waiting,
		Used: journal.Total(st.Phases()),
	}
	if g.Asked.Kind != string(checkpoint.KindPlan) {
		return asked
	}
	before := cmp.Or(st.Gates[g.Asked.Revises], planBefore(st, g))
	if asked.Changes = changesOf(before); asked.Changes != "" {
		asked.SentBack = before
	}
	asked.Revoked = revokedBefore(st, g)
	last := LastApproved(st, g.Seq)
	switch {
	case last == nil:
	case last.Asked.Checksum != g.Asked.Checksum:
		asked.Previous = last
	case last.Asked.Program != g.Asked.Program:
		asked.Earlier = &checkpoint.Earlier{Gate: last, Diff: ProgramDrift(st, last, g)}
	}
	return asked
}

// revokedBefore gives the withdrawn approval that g asks for again, also if nobody answered
// in between; nil if there is none.
func revokedBefore(st *journal.State, g *journal.Gate) *journal.Gate {
	for before := st.Gates[g.Asked.Revises]; before != nil; before = st.Gates[before.Asked.Revises] {
		if before.Revocation != nil {
			return before
		}
		if before.Answer != nil && before.Answer.Unanswered == "" {
			return nil
		}
	}
	return nil
}

// ProgramDrift shows as a unified diff how the scripts differ that asked two gates of a run.
func ProgramDrift(st *journal.State, old, now *journal.Gate) string {
	return programDiff(programOf(st, old.Asked.Program), programOf(st, now.Asked.Program))
}

// programOf gives the program of a run that has a hash; an empty one if there is none.
func programOf(st *journal.State, hash string) journal.Program {
	for _, t := range st.Attempts {
		if t.Program != nil && t.Program.Hash == hash {
			return *t.Program
		}
	}
	if st.Started.Program.Hash == hash {
		return st.Started.Program
	}
	return journal.Program{}
}

// programDiff shows as a unified diff how two programs differ: the script that each begins with,
// whatever it is called, and what they import, by path.
func programDiff(old, now journal.Program) string {
	var b strings.Builder
	before, begins := entryOf(old)
	after, goesOn := entryOf(now)
	switch {
	case begins && goesOn:
		if before.Path != after.Path && before.Text == after.Text {
			b.WriteString("the script " + before.Path + " is now " + after.Path + ", with the same text\n")
		}
		b.WriteString(udiff.Unified("approved/"+before.Path, "now/"+after.Path, before.Text, after.Text))
	case goesOn:
		b.WriteString(udiff.Unified("/dev/null", "now/"+after.Path, "", after.Text))
	case begins:
		b.WriteString(udiff.Unified("approved/"+before.Path, "/dev/null", before.Text, ""))
	}
	texts := map[string]string{}
	for _, s := range old.Sources {
		if s != before {
			texts[s.Path] = s.Text
		}
	}
	for _, s := range now.Sources {
		text, there := texts[s.Path]
		switch {
		case s == after:
			continue
		case there:
			b.WriteString(udiff.Unified("approved/"+s.Path, "now/"+s.Path, text, s.Text))
		default:
			b.WriteString(udiff.Unified("/dev/null", "now/"+s.Path, "", s.Text))
		}
		delete(texts, s.Path)
	}
	for _, s := range old.Sources {
		if text, gone := texts[s.Path]; gone {
			b.WriteString(udiff.Unified("approved/"+s.Path, "/dev/null", text, ""))
		}
	}
	return b.String()
}

// entryOf gives the source that a program begins with.
func entryOf(p journal.Program) (journal.Source, bool) {
	if len(p.Sources) == 0 {
		return journal.Source{}, false
	}
	i := slices.IndexFunc(p.Sources, func(s journal.Source) bool { return s.Path == p.Name })
	return p.Sources[max(0, i)], true // it is the first, but for who wrote the journal otherwise
}
