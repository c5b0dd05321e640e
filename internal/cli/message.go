package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/vm"
)

// say prints a line of talk. Any text in it may be hostile: the whole line is escaped.
func (a *app) say(text string) { fmt.Fprintln(a.Err, a.talk(text)) }

// talk is a line of talk as it is printed: at a terminal, wrapped between words.
func (a *app) talk(text string) string { return a.wrapped("assent: "+term.Escape(text), "        ") }

// wrapped cuts a line, which is escaped already, to the width of the terminal; further lines
// begin with indent. What goes to no terminal stays one line.
func (a *app) wrapped(line, indent string) string {
	file := terminal(a.Err)
	if file == nil {
		return line
	}
	columns, _ := term.Size(file)
	return strings.Join(term.Wrap(line, columns, indent), "\n")
}

// next prints what to do, each on a line of its own.
func (a *app) next(commands ...string) {
	for _, c := range commands {
		command, why, _ := strings.Cut(c, "   # ")
		switch {
		case c == "":
		case why != "" && strings.HasPrefix(c, "assent ") && !strings.Contains(c, "\n"):
			a.nextCommand(command, "# "+why)
		default:
			fmt.Fprintln(a.Err, a.nextLines(c))
		}
	}
}

// nextCommand prints a command as one line, which is never cut, and what it is for behind it; or
// below it, where the terminal is too narrow for both.
func (a *app) nextCommand(command, comment string) {
	command, comment = a.shortIDs(command), a.shortIDs(comment)
	line := "next: " + term.Escape(command)
	comment = term.Escape(comment)
	switch file := terminal(a.Err); {
	case comment == "":
	case file == nil || term.Width(line)+3+term.Width(comment) <= width(file):
		line += "   " + comment
	default:
		line += "\n" + a.wrapped("      "+comment, "      # ")
	}
	fmt.Fprintln(a.Err, line)
}

// nextLines is one hint of words, or of one command.
func (a *app) nextLines(text string) string {
	text = a.shortIDs(text)
	if strings.Contains(text, "\n") || strings.HasPrefix(text, "assent ") {
		return nextLine(text)
	}
	return a.wrapped(nextLine(text), "      ")
}

// nextLine is one hint. Further lines of it are indented, so that none of them looks like one
// of ours.
func nextLine(text string) string {
	head, rest, more := strings.Cut(text, "\n")
	line := "next: " + term.Escape(head)
	if more {
		for l := range strings.SplitSeq(rest, "\n") {
			line += "\n      " + term.Escape(l)
		}
	}
	return line
}

// fail prints an error: its code, what was wrong, what to do. With --json the same goes to
// standard output as an object.
func (a *app) fail(err error) {
	p := problemOf(err)
	p.Next = cmp.Or(p.Next, lastResort(p.Code))
	a.trouble(p)
	if m, ok := errors.AsType[*mistaken](err); ok {
		for _, more := range m.more {
			a.trouble(more)
		}
	}
	a.next(p.Next)
	if a.json {
		_ = a.emit(struct { // there is nobody left to tell
			Format int     `json:"format"`
			Exit   int     `json:"exit"`
			Error  problem `json:"error"`
		}{jsonFormat, codeFor(err), p})
	}
}

// lastResort is what to do about a refusal that names no next step itself.
func lastResort(code string) string {
	switch code {
	case "", string(fault.Usage):
		return ""
	case metaInvalid:
		return "assent guide   # shows how a script begins, and what meta takes"
	}
	return "assent explain " + code
}

// metaInvalid is the machine's code for a script that does not begin as one.
const metaInvalid = "META_INVALID"

// trouble prints what went wrong. What it says may be of several lines, such as a difference;
// all but the first stand behind a gutter.
func (a *app) trouble(p problem) {
	text := p.What
	if place := p.place(); place != "" {
		text = place + ": " + text
	}
	if p.Code != "" {
		text = p.Code + ": " + text
	}
	head, rest, more := strings.Cut(strings.TrimRight(text, "\n"), "\n")
	a.say(head)
	if more {
		for l := range strings.SplitSeq(rest, "\n") {
			fmt.Fprintln(a.Err, "  │ "+term.Escape(l))
		}
	}
}

// problem is an error as it is shown.
type problem struct {
	Code string `json:"code"`
	What string `json:"what"`
	// File, Line and Column are the place in the script, if there is one.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Next   string `json:"next,omitempty"`
}

// place is where in the script it is, as far as that is known.
func (p problem) place() string {
	place := p.File
	for _, n := range []int{p.Line, p.Column} {
		if place == "" || n <= 0 {
			break
		}
		place += ":" + strconv.Itoa(n)
	}
	return place
}

// problemOf takes an error apart.
func problemOf(err error) problem {
	if m, ok := errors.AsType[*mistaken](err); ok {
		return m.first
	}
	if e, ok := errors.AsType[*vm.Error](err); ok {
		return problem{Code: e.Code, What: e.Message, File: e.File, Line: e.Line, Column: e.Column}
	}
	if e, ok := errors.AsType[*fault.Error](err); ok {
		p := problem{Code: string(e.Code), What: e.What, Next: e.Next}
		if e.Err != nil {
			p.What += ": " + e.Err.Error()
		}
		return p
	}
	p := problem{What: err.Error()}
	if e, ok := errors.AsType[interface {
		error
		ErrorCode() string
	}](err); ok {
		p.Code = e.ErrorCode()
	}
	return p
}
