package lint

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/vm"
)

// Problem is one thing that is wrong with a script.
type Problem struct {
	// File is relative to the file system, with slashes; Line and Column count from 1, columns in UTF-16 units. Without a place
	// they are 0.
	File         string
	Line, Column int
	Severity     Severity
	// Rule is its stable name. Code is that of the refusal that the script would meet, "" if it would meet none.
	Rule, Code string
	// What says what is wrong, in one line. Fix says what to do about it.
	What, Fix string
}

// Severity says whether a problem stops a script.
type Severity string

const (
	// Error is what surely fails, or lets work begin that nobody said yes to.
	Error Severity = "error"
	// Warning is what may be meant.
	Warning Severity = "warning"
)

// Options are what a script is held against beside the machine itself.
type Options struct {
	// Calls holds the options of calls whose arguments the machine only hands on.
	Calls map[string]Names
	// Functions are the functions that the embedder adds to the globals, or, with a dot in the name, to an
	// object among them. Their calls give promises; those of Calculations give values.
	Functions, Calculations []string
}

// Names are the names that an object of options may have.
type Names struct {
	// Known take effect. Ignored belong to other runners.
	Known, Ignored []string
	// Value says whether an option takes a value; nil if that is not looked at.
	Value func(option string, value json.RawMessage) *Refusal
}

// Refusal is why a value is not taken: the code that the script would meet, what is wrong, and what to do.
type Refusal struct{ Code, What, Fix string }

// File checks the script called name in fsys, and all files that it imports. It gives all problems, those of the script itself
// first, in the order of the text; and the program, which is nil if the script is refused. Problems of the program itself, which
// need not be there, have a Code of vm.Compile; the first of them is what that would say.
func File(fsys fs.FS, name string, o Options) (*vm.Program, []*vm.Error, []Problem) {
	checked := vm.Check(fsys, name)
	r := &report{checked: checked, options: o, seen: map[Problem]bool{}}
	for _, refusal := range checked.Refusals {
		r.problems = append(r.problems, Problem{
			File: refusal.File, Line: refusal.Line, Column: refusal.Column, Severity: Error,
			Rule: ruleOf(refusal.Code), Code: refusal.Code, What: refusal.Message, Fix: "assent explain " + refusal.Code,
		})
	}
	if checked.Tree != nil {
		r.script = read(checked, o.Functions)
		r.look()
	}
	r.suppress()
	r.sort(name)
	return checked.Program, checked.Refusals, r.problems
}

// ruleOf is the name of the rule that stands for a refusal.
func ruleOf(code string) string { return strings.ReplaceAll(strings.ToLower(code), "_", "-") }

// report collects what the rules find.
type report struct {
	*script

	checked  *vm.Checked
	options  Options
	problems []Problem
	seen     map[Problem]bool
	// effects are calls that do work, agents all calls of agent; in the order of the text.
	effects, agents []*node
}

// say reports a problem at a node. What the bundler made is nobody's mistake.
func (r *report) say(n *node, severity Severity, rule, code, what, fix string) {
	at, ok := r.checked.Place(n.syntax.Idx0())
	if !ok {
		return
	}
	r.add(Problem{File: at.File, Line: at.Line, Column: at.Column, Severity: severity, Rule: rule, Code: code, What: what, Fix: fix})
}

func (r *report) add(p Problem) {
	if !r.seen[p] {
		r.seen[p] = true
		r.problems = append(r.problems, p)
	}
}

// sort puts the script itself first.
func (r *report) sort(name string) {
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		if (a.File == name) != (b.File == name) {
			if a.File == name {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Rule, b.Rule))
	})
}
