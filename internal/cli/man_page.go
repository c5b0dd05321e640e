package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manpage is the manual page of a command, in the man macros of groff, which mandoc knows too
// (groff_man(7)). It has no date: the same program gives the same page on any day.
type manpage struct {
	cmd *cobra.Command
	b   strings.Builder
}

// manual makes the page of a command of what --help is made of.
func manual(cmd *cobra.Command) *manpage {
	p := &manpage{cmd: cmd}
	version, _ := buildVersion()
	p.request("TH", strings.ToUpper(p.title()), "1", "", "assent "+version, "Assent")
	p.section("NAME")
	p.line(roff(p.title()) + ` \- ` + roff(lowerFirst(cmd.Short)))
	p.section("SYNOPSIS")
	if cmd.HasParent() {
		p.line(`\fB` + roff(cmd.UseLine()) + `\fR`)
	} else {
		p.line(`\fBassent\fR [COMMAND] [ARGUMENTS] [FLAGS]`)
	}
	p.section("DESCRIPTION")
	p.paragraphs(described(cmd))
	if !cmd.HasParent() {
		p.commands()
	}
	p.flags("OPTIONS", cmd.LocalNonPersistentFlags())
	p.flags("OPTIONS OF EVERY COMMAND", cmd.Root().PersistentFlags())
	if cmd.Example != "" {
		p.section("EXAMPLES")
		p.example(cmd.Example)
	}
	if !cmd.HasParent() {
		p.exits()
	}
	p.seeAlso()
	return p
}

// title is the page's name without its section: assent-run.
func (p *manpage) title() string { return strings.ReplaceAll(p.cmd.CommandPath(), " ", "-") }

// name is the page's file.
func (p *manpage) name() string { return p.title() + ".1" }

func (p *manpage) text() string { return p.b.String() }

func described(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

// line writes one line of text, which is escaped already. One that would begin with a control
// character of roff begins with nothing, visibly to roff alone.
func (p *manpage) line(text string) {
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	p.b.WriteString(text + "\n")
}

// request writes a macro with its arguments, each in quotes.
func (p *manpage) request(macro string, args ...string) {
	p.b.WriteString("." + macro)
	for _, arg := range args {
		p.b.WriteString(` "` + strings.ReplaceAll(roff(arg), `"`, `\(dq`) + `"`)
	}
	p.b.WriteByte('\n')
}

func (p *manpage) section(title string) { p.request("SH", title) }

// paragraphs fills text anew: its line ends are those of --help.
func (p *manpage) paragraphs(text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			p.request("PP")
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			p.line(roff(line))
		}
	}
}

func (p *manpage) commands() {
	p.section("COMMANDS")
	for _, c := range p.cmd.Commands() {
		if documented(c) {
			p.request("TP")
			p.line(`\fB` + roff(c.Name()) + `\fR`)
			p.line(roff(c.Short) + ", see \\fB\\%assent\\-" + roff(c.Name()) + "\\fR(1).")
		}
	}
}

func (p *manpage) flags(title string, set *pflag.FlagSet) {
	headed := false
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if !headed {
			p.section(title)
			headed = true
		}
		kind, usage := pflag.UnquoteUsage(f)
		head := `\fB` + roff("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			head = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + head
		}
		if kind != "" {
			head += ` \fI` + roff(kind) + `\fR`
		}
		p.request("TP")
		p.line(head)
		if !slices.Contains([]string{"", "0", "0s", "false", "[]"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		p.line(roff(usage))
	})
}

// example keeps its lines as they are.
func (p *manpage) example(text string) {
	p.request("nf")
	for line := range strings.SplitSeq(text, "\n") {
		p.line(roff(line))
	}
	p.request("fi")
}

// exits are in short what docs/reference/exit-codes.md says.
func (p *manpage) exits() {
	p.section("EXIT STATUS")
	for _, e := range []struct {
		code int
		when string
	}{
		{exitOK, "done; a run that was driven has completed"},
		{exitFailed, "a run failed or was cancelled; anything else that is wrong"},
		{exitUsage, "usage: arguments, configuration or names are not right, and nothing was done"},
		{exitStopped, "a run stopped, for want of an approval or by its script; an answer was refused"},
		{exitWaiting, "a run waits for an answer"},
		{exitInterrupted, "a run was interrupted or is paused"},
		{exitBusy, "another process executes the run"},
		{exitDamaged, "a journal is damaged or forged, or verify found a problem"},
		{exitCallsFailed, "a run completed, but calls of it failed"},
		{exitAtOnce, "left at once: a second Ctrl-C, or Ctrl-C while watching"},
	} {
		p.request("TP")
		p.line(fmt.Sprintf(`\fB%d\fR`, e.code))
		p.line(roff(e.when))
	}
}

func (p *manpage) seeAlso() {
	var names []string
	if p.cmd.HasParent() {
		names = append(names, "assent")
	}
	for _, c := range p.cmd.Root().Commands() {
		if documented(c) && c != p.cmd {
			names = append(names, "assent-"+c.Name())
		}
	}
	p.section("SEE ALSO")
	for i, name := range names {
		comma := ","
		if i == len(names)-1 {
			comma = ""
		}
		p.line(`\fB\%` + roff(name) + `\fR(1)` + comma)
	}
}

// lowerFirst is how the words behind a page's name begin.
func lowerFirst(text string) string {
	return strings.ToLower(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

// roff writes text so that roff shows just that: a hyphen stays one that can be pasted, and what
// is not ASCII is named by its number, whatever encoding the page is read in.
func roff(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r == '\'':
			b.WriteString(`\(aq`)
		case r == '`':
			b.WriteString("\\`")
		case r == '~':
			b.WriteString(`\(ti`)
		case r == '^':
			b.WriteString(`\(ha`)
		case r > 0x7E:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
