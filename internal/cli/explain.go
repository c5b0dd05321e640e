package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/docs"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
	"github.com/seed-8d4a6081/assent/internal/term"
)

func newExplainCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "explain [CODE]",
		Short:   "Say what an error code means, and what to do",
		Long:    "Says what a code means, when it comes up and what to do about it. Without a code it lists all of them.",
		Example: "  assent explain PLAN_APPROVAL_STALE",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misused(fmt.Sprintf("explain takes one code, not %d", len(args)), "assent explain   # lists them")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return codes(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.explain(first(args)) },
	}
}

// entry is what is known of one code.
type entry struct {
	Code  string `json:"code"`
	Means string `json:"means"`
	When  string `json:"when"`
	Do    string `json:"do"`
}

var entryForm = regexp.MustCompile("(?m)^### `([A-Z0-9_]+)`\n\n- \\*\\*Means:\\*\\* (.*)\n- \\*\\*When:\\*\\* (.*)\n- \\*\\*Do:\\*\\* (.*)$")

// entries are the codes of the reference, in its order.
func entries() []entry {
	var list []entry
	for _, m := range entryForm.FindAllStringSubmatch(docs.Errors, -1) {
		list = append(list, entry{m[1], m[2], m[3], m[4]})
	}
	return list
}

func codes() []string {
	var list []string
	for _, e := range entries() {
		list = append(list, e.Code)
	}
	return list
}

func (a *app) explain(code string) error {
	if code == "" {
		if a.json {
			return a.emit(struct {
				Format int     `json:"format"`
				Codes  []entry `json:"codes"`
			}{jsonFormat, entries()})
		}
		return a.print(overview(width(a.Out)))
	}
	for _, e := range entries() {
		switch {
		case !strings.EqualFold(e.Code, code):
		case a.json:
			return a.emit(struct {
				Format int `json:"format"`
				entry
			}{jsonFormat, e})
		default:
			return a.print(e.text(width(a.Out)))
		}
	}
	next := "assent explain   # lists all codes"
	if near := options.Nearest(strings.ToUpper(code), codes()); near != "" {
		next = "assent explain " + near + "   # did you mean that?"
	}
	return fault.New(fault.Usage, fmt.Sprintf("there is no code %q", code), next)
}

// text is an entry for reading.
func (e entry) text(columns int) string {
	var b strings.Builder
	b.WriteString(e.Code + "\n")
	for _, part := range []struct{ title, text string }{{"means", e.Means}, {"when", e.When}, {"do", e.Do}} {
		line := term.Pad("  "+part.title, 9) + plain(part.text)
		b.WriteString("\n" + strings.Join(term.Wrap(line, columns, "         "), "\n") + "\n")
	}
	return b.String()
}

var headings = regexp.MustCompile("(?m)^(?:## (.*)|### `([A-Z0-9_]+)`)$")

// overview has every code with the first sentence of what it means, under the title of its part of
// the reference and sorted there.
func overview(columns int) string {
	means, indent := map[string]string{}, 0
	for _, e := range entries() {
		means[e.Code] = firstSentence(plain(e.Means))
		indent = max(indent, len(e.Code)+4)
	}
	var b strings.Builder
	var part []string
	flush := func() {
		slices.Sort(part)
		for _, code := range part {
			b.WriteString(strings.Join(term.Wrap(term.Pad("  "+code, indent)+means[code], columns, strings.Repeat(" ", indent)), "\n") + "\n")
		}
		part = nil
	}
	for _, m := range headings.FindAllStringSubmatch(docs.Errors, -1) {
		switch {
		case m[1] != "":
			flush()
			if b.Len() > 0 {
				b.WriteString("\n")
			}
			b.WriteString(m[1] + "\n")
		case means[m[2]] != "":
			part = append(part, m[2])
		}
	}
	flush()
	return b.String()
}

// firstSentence ends at a full stop that a space follows.
func firstSentence(text string) string {
	if head, _, more := strings.Cut(text, ". "); more {
		return head + "."
	}
	return text
}

// plain leaves the words of Markdown: no backticks, and of a link what is to be read.
func plain(text string) string { return strings.ReplaceAll(plainLinks(text), "`", "") }

var link = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// plainLinks leaves the words of a link.
func plainLinks(text string) string { return link.ReplaceAllString(text, "$1") }
