package cli

import (
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// listedMost is how many calls of one kind are listed for people; --json has all.
const listedMost = 20

// diffLines is how many lines of a difference are shown.
const diffLines = 16

// againstText says what an edited script would make of runs, for people.
func (a *app) againstText(o againstReport, strict bool) string {
	var b strings.Builder
	diverge, failed := 0, 0
	for _, row := range o.Runs {
		switch {
		case row.Error != nil:
			failed++
			fmt.Fprintf(&b, "run %s: NOT COMPARED: %s\n", row.Run, row.Error.text())
			continue
		case row.Diverges:
			diverge++
		}
		row.write(&b, strict)
	}
	b.WriteString(leftOutText(o.Left))
	if len(o.Runs) > 1 {
		fmt.Fprintf(&b, "%s compared: %d alike, %d different", term.Plural(int64(len(o.Runs)-failed), "run", "runs"), len(o.Runs)-failed-diverge, diverge)
		if failed > 0 {
			fmt.Fprintf(&b, "; %d could not be read", failed)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (row againstRow) write(b *strings.Builder, strict bool) {
	fmt.Fprintf(b, "run %s %s (%s): ", row.Run, term.Escape(fmt.Sprintf("%q", short(row.Title))), term.Escape(row.State))
	switch {
	case !row.Diverges && row.Ending == nil:
		b.WriteString("the same as far as it goes\n")
	case !row.Diverges:
		b.WriteString("the same\n")
	case row.First != nil:
		fmt.Fprintf(b, "DIFFERENT, first at %s\n", term.Escape(row.First.text()))
	default:
		b.WriteString("DIFFERENT\n")
	}
	fmt.Fprintf(b, "  replayed: %s\n", term.Plural(int64(row.Replayed), "call", "calls"))
	section(b, "would run again", row.Again, changedRow.lines)
	section(b, "new", row.New, changedRow.lines)
	other, same := parted(row.Asked)
	section(b, "would ask something else", other, askedRow.lines)
	again := "would ask again"
	if !strict {
		again += ", which counts as no difference"
	}
	section(b, again, same, askedRow.lines)
	section(b, "open with and without the edit", row.Anyway, func(r repeatRow) []string {
		line := labelled(r.Label, r.Name+" "+r.Key)
		if r.Reason != "" {
			line += ": " + r.Reason
		}
		return []string{line}
	})
	if row.Ending == nil && len(row.Again)+len(row.New)+len(row.Asked)+len(row.Anyway) > 0 {
		b.WriteString("  it stops there: what comes after depends on the answer\n")
	}
	section(b, "answered before and not reached, so they may run again", row.Behind, behindRow.lines)
	section(b, "not made any more", row.Gone, behindRow.lines)
	if !row.Same && row.Ending != nil {
		fmt.Fprintf(b, "  before: %s\n  now:    %s\n", row.Before.text(), row.Ending.text())
	}
}

// section lists rows, each in one line or several, all of which are escaped here.
func section[T any](b *strings.Builder, title string, rows []T, lines func(T) []string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "  %s:\n", title)
	for i, row := range rows {
		if i == listedMost {
			fmt.Fprintf(b, "    and %d more (--json lists all)\n", len(rows)-listedMost)
			return
		}
		for n, line := range lines(row) {
			gutter := "    "
			if n > 0 {
				gutter = "      "
			}
			b.WriteString(gutter + term.Escape(line) + "\n")
		}
	}
}

func (p placeRow) text() string {
	return problem{File: p.File, Line: p.Line, Column: p.Column}.place()
}

func (r changedRow) lines() []string {
	list := []string{labelled(r.Label, r.Name+" "+r.Key) + " at " + r.text() + ": " + r.Reason}
	if r.Was != "" {
		list = append(list, "the same was asked for at "+r.Was)
	}
	if r.Diff != "" {
		diff := strings.Split(strings.TrimRight(r.Diff, "\n"), "\n")
		if more := len(diff) - diffLines; more > 0 {
			diff = append(diff[:diffLines], fmt.Sprintf("… and %d more lines", more))
		}
		for _, line := range diff {
			list = append(list, "│ "+line)
		}
	}
	if r.Repeats {
		list = append(list, "it has finished and may have changed something: a resume repeats it only if you say so, with --rerun-changed")
	}
	return list
}

func (r askedRow) lines() []string {
	line := labelled(r.Label, r.Name+" "+r.Key) + " at " + r.text() + ": " + r.Reason
	if r.Assumed {
		line += "; assuming the same answer"
	}
	return []string{line}
}

// parted gives the gates that ask something else, and those that ask the same again.
func parted(rows []askedRow) (other, same []askedRow) {
	for _, r := range rows {
		if r.Question {
			other = append(other, r)
		} else {
			same = append(same, r)
		}
	}
	return other, same
}

func (r behindRow) lines() []string {
	line := labelled(r.Label, r.Name+" "+r.Key)
	if !r.ReadOnly {
		line += ", which may have changed something"
	}
	return []string{line}
}

// text is an ending, escaped.
func (e *endingRow) text() string {
	switch {
	case e == nil:
		return "it does not end by the journal alone"
	case e.Error != nil:
		return term.Escape(e.State) + ": " + e.Error.text()
	}
	return term.Escape(e.State) + " with " + term.Escape(cut(string(e.Result)))
}

// cut is a result in a line.
func cut(text string) string {
	const most = 300
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
