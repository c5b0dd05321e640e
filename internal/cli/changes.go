package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// changesReport is what a run did to its repository, as show --changes --json prints it.
type changesReport struct {
	Format   int          `json:"format"`
	Run      string       `json:"run"`
	Branches int          `json:"branches"`
	Commits  int          `json:"commits"`
	Files    int          `json:"files"`
	Calls    []changesRow `json:"calls"`
}

// changesRow is what one call did. Known says whether anything is known of it.
type changesRow struct {
	Key     string           `json:"key"`
	Name    string           `json:"name"`
	Label   string           `json:"label,omitempty"`
	State   string           `json:"state"`
	Known   bool             `json:"known"`
	Why     string           `json:"why,omitempty"`
	Changes *journal.Changes `json:"changes,omitempty"`
}

// stateEarlier is the state of an attempt at a call that another one took the place of.
const stateEarlier = "earlier attempt"

// Why nothing is known of a call's changes.
const (
	whyCutOff   = "it was cut off"
	whyAtWork   = "it is at work"
	whyNoRecord = "there was no repository, or no git, to look at"
)

// changesOf lists the calls that may have changed something, in the order of the journal.
func changesOf(st *journal.State, owned bool) changesReport {
	o := changesReport{Format: jsonFormat, Run: st.ID, Calls: []changesRow{}}
	for _, c := range orderedCalls(st) {
		if c.Call.ReadOnly {
			continue
		}
		row := changesRow{Key: c.Key, Name: c.Call.Name, Label: c.Call.Label, State: stateEarlier}
		for range c.CutOff {
			row.Why = whyCutOff
			o.Calls = append(o.Calls, row)
		}
		for _, earlier := range c.Earlier {
			o.Calls = append(o.Calls, row.with(earlier))
		}
		row.State, row.Why = callState(c, owned), ""
		switch {
		case c.Unfinished() && owned:
			row.Why = whyAtWork
		case c.Unfinished(), c.Finish.Failure != nil && c.Finish.Failure.ChosenBy != nil:
			row.Why = whyCutOff
		case c.Finish.Changes == nil:
			row.Why = cmp.Or(c.Finish.Note, whyNoRecord)
		default:
			row = row.with(c.Finish.Changes)
		}
		o.Calls = append(o.Calls, row)
	}
	o.count()
	return o
}

func (row changesRow) with(c *journal.Changes) changesRow {
	row.Known, row.Why, row.Changes = true, "", c
	return row
}

// count counts every branch, commit and file once, however many calls had to do with it.
func (o *changesReport) count() {
	commits, branches, files := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, row := range o.Calls {
		if !row.Known {
			continue
		}
		for _, b := range row.Changes.Branches {
			branches[b.Name] = true
		}
		for _, c := range row.Changes.Commits {
			commits[c.ID] = true
		}
		for _, f := range row.Changes.Files {
			files[f.Path] = true
		}
	}
	o.Branches, o.Commits, o.Files = len(branches), len(commits), len(files)
}

// showChanges prints what each call did to the repository.
func (a *app) showChanges(st *journal.State, owned bool) error {
	o := changesOf(st, owned)
	if a.json {
		return a.emit(o)
	}
	return a.print(changesText(o))
}

// counts says how much was changed, in the line that show has for it; "" if nothing is known.
func (o changesReport) counts() string {
	known, open := 0, 0
	for _, row := range o.Calls {
		switch {
		case row.Known:
			known++
		case row.Why == whyCutOff:
			open++
		}
	}
	if known == 0 && open == 0 {
		return ""
	}
	var parts []string
	switch {
	case o.Branches+o.Commits+o.Files > 0:
		parts = append(parts, strings.Join([]string{
			term.Plural(int64(o.Branches), "branch", "branches"), term.Plural(int64(o.Commits), "commit", "commits"), term.Plural(int64(o.Files), "file", "files"),
		}, ", "))
	case known > 0:
		parts = append(parts, "nothing")
	}
	if open > 0 {
		parts = append(parts, "unknown of "+term.Plural(int64(open), "call that was cut off", "calls that were cut off"))
	}
	return strings.Join(parts, "; ") + "   (--changes lists them)"
}

func changesText(o changesReport) string {
	if len(o.Calls) == 0 {
		return "No call of this run could change anything.\n"
	}
	var b strings.Builder
	for _, row := range o.Calls {
		b.WriteString(term.Escape(labelled(row.Label, row.Name+" "+row.Key)))
		if row.State == stateEarlier {
			b.WriteString(", " + stateEarlier)
		}
		switch c := row.Changes; {
		case !row.Known:
			fmt.Fprintf(&b, ": unknown: %s\n", term.Escape(row.Why))
		case len(c.Branches)+len(c.Commits)+len(c.Files)+c.More == 0:
			b.WriteString(": nothing\n")
		default:
			b.WriteString(":\n")
			listChanges(&b, c)
		}
	}
	return b.String()
}

// listChanges lists what a call did. Names and subjects are whatever somebody wrote.
func listChanges(b *strings.Builder, c *journal.Changes) {
	for _, m := range c.Branches {
		what := abbreviated(m.From) + " -> " + abbreviated(m.To)
		switch {
		case m.From == "":
			what = "new, at " + abbreviated(m.To)
		case m.To == "":
			what = "removed, was at " + abbreviated(m.From)
		}
		fmt.Fprintf(b, "  branch  %s: %s\n", term.Escape(m.Name), term.Escape(what))
	}
	for _, m := range c.Commits {
		fmt.Fprintf(b, "  commit  %s %s\n", term.Escape(abbreviated(m.ID)), term.Escape(m.Subject))
	}
	for _, f := range c.Files {
		fmt.Fprintf(b, "  file    %s %s\n", term.Pad(term.Escape(f.Kind), len("changed")), term.Escape(f.Path))
	}
	if c.More > 0 {
		fmt.Fprintf(b, "  and %d more, which were not recorded\n", c.More)
	}
}

// abbreviated is a commit's id as people write it.
func abbreviated(id string) string { return id[:min(len(id), 12)] }
