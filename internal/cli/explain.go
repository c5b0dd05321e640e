package cli

import (
	"fmt"
	"regexp"
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
		return a.print(strings.Join(codes(), "\n") + "\n")
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
		next = "did you mean " + near + "?"
	}
	return fault.New(fault.Usage, fmt.Sprintf("there is no code %q", code), next)
}

// text is an entry for reading.
func (e entry) text(columns int) string {
	var b strings.Builder
	b.WriteString(e.Code + "\n")
	for _, part := range []struct{ title, text string }{{"means", e.Means}, {"when", e.When}, {"do", e.Do}} {
		line := term.Pad("  "+part.title, 9) + plainLinks(part.text)
		b.WriteString("\n" + strings.Join(term.Wrap(line, columns, "         "), "\n") + "\n")
	}
	return b.String()
}

var link = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// plainLinks leaves the words of a link.
func plainLinks(text string) string { return link.ReplaceAllString(text, "$1") }
