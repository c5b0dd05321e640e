package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/vm"
)

// A comment `// assent-ignore RULE` turns a rule off in its own line, or, if it stands alone in its line, in the next one. Several
// names are separated by commas; what follows, after a space or a colon, is the reason.

const ignoreWord = "assent-ignore"

var ignoreText = regexp.MustCompile(`^(?://|/\*)\s*` + ignoreWord + `(?:\s+([A-Za-z-]+(?:\s*,\s*[A-Za-z-]+)*))?(?:[\s:.]|\*/|$)`)

type line struct {
	file string
	line int
}

// suppress takes out what comments turn off. What is no rule of ours, such as an error of syntax, stays.
func (r *report) suppress() {
	off := map[line][]string{}
	for _, source := range r.checked.Sources() {
		r.comments(source, off)
	}
	if len(off) == 0 {
		return
	}
	r.problems = slices.DeleteFunc(r.problems, func(p Problem) bool {
		return slices.Contains(Rules(), p.Rule) && slices.Contains(off[line{p.File, p.Line}], p.Rule)
	})
}

func (r *report) comments(source vm.Source, off map[line][]string) {
	for _, c := range source.Comments(ignoreWord) {
		match := ignoreText.FindStringSubmatch(c.Text)
		if match == nil {
			continue
		}
		here := line{source.Path, c.At.Line}
		for _, rule := range r.rules(c.At, match[1]) {
			if !slices.Contains(off[here], rule) {
				off[here] = append(off[here], rule)
			}
		}
		if c.Alone { // several of them may stand above one line of code
			below := line{source.Path, c.At.Line + 1 + strings.Count(c.Text, "\n")}
			off[below] = slices.Clone(off[here])
		}
	}
}

// rules gives the rules that a comment names, and reports what is none.
func (r *report) rules(at vm.Position, list string) []string {
	wrong := func(what, fix string) {
		r.add(Problem{File: at.File, Line: at.Line, Column: at.Column, Severity: Warning, Rule: UnknownRule, What: what, Fix: fix})
	}
	if list == "" {
		wrong("this comment turns nothing off: it names no rule", "write // assent-ignore RULE")
		return nil
	}
	var names []string
	for _, rule := range strings.Split(list, ",") {
		rule = strings.TrimSpace(rule)
		if slices.Contains(Rules(), rule) {
			names = append(names, rule)
			continue
		}
		fix := "the rules are " + strings.Join(Rules(), ", ")
		if near := vm.Nearest(rule, Rules()); near != "" {
			fix = fmt.Sprintf("did you mean %s?", near)
		}
		wrong("there is no rule "+quoted(rule), fix)
	}
	return names
}
