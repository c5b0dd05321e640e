package cli

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/workflows"
)

// workflowRow is a workflow as workflows --json prints it.
type workflowRow struct {
	Name string `json:"name"`
	// Title is meta.name, where that is another one.
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description,omitempty"`
	From        string      `json:"from,omitempty"`
	Path        string      `json:"path"`
	HiddenBy    string      `json:"hiddenBy,omitempty"`
	Arguments   []argument  `json:"arguments"`
	Phases      []announced `json:"phases"`
	Error       *problem    `json:"error,omitempty"`

	words bool // it takes bare words, whether or not it names them
}

// announced is a phase that a script announces.
type announced struct {
	Title  string `json:"title"`
	Detail string `json:"detail,omitempty"`
	Model  string `json:"model,omitempty"`
}

// scriptRow says what a program is. That its meta.args is no schema is an error of it.
func scriptRow(name, path string, program *vm.Program) (workflowRow, error) {
	row := workflowRow{Name: name, Path: path, Arguments: []argument{}, Phases: []announced{}}
	meta := program.Meta()
	row.Description = meta.Description
	if meta.Name != name {
		row.Title = meta.Name
	}
	form := argumentsIn(meta.ArgsSchema)
	row.Arguments = append(row.Arguments, form.arguments...)
	_, named := form.find(bareWords)
	row.words = named || !form.closed
	for _, p := range meta.Phases {
		row.Phases = append(row.Phases, announced{p.Title, p.Detail, p.Model})
	}
	return row, checkSchema(program)
}

// workflowRow reads a saved workflow. What is wrong with it stands in the row too.
func (a *app) workflowRow(w workflows.Workflow, workspace string) (workflowRow, error) {
	row := workflowRow{Name: w.Name, Path: w.Path, Arguments: []argument{}, Phases: []announced{}}
	program, err := a.compileSaved(w, workspace)
	if err == nil {
		row, err = scriptRow(w.Name, w.Path, program)
	}
	if err != nil {
		p := problemOf(err)
		row.Error = &p
	}
	row.From, row.HiddenBy = string(w.Origin), w.HiddenBy
	return row, err
}

// workflowRows reads many workflows, several at once: there may be a thousand.
func (a *app) workflowRows(list []workflows.Workflow, workspace string) []workflowRow {
	rows := make([]workflowRow, len(list))
	next := make(chan int)
	var work sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		work.Go(func() {
			for i := range next {
				rows[i], _ = a.workflowRow(list[i], workspace) // the row says it
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	work.Wait()
	return rows
}

// description is what a script is for, on one line, with its own name where that differs.
func (r workflowRow) description() string {
	text := strings.Join(strings.Fields(r.Description), " ")
	if r.Title != "" {
		text = "(" + r.Title + ") " + text
	}
	return text
}

// usage is how the arguments are typed.
func (r workflowRow) usage() string {
	var parts []string
	for _, p := range r.Arguments {
		if p.Name == bareWords {
			parts = append(parts, "[WORDS...]")
		} else {
			parts = append(parts, p.short())
		}
	}
	return strings.Join(parts, " ")
}

// text describes a workflow in full; typed is its path as it is typed here.
func (r workflowRow) text(typed string, columns int) string {
	var b strings.Builder
	b.WriteString(term.Escape(r.Name) + "\n")
	for _, line := range []struct{ label, text string }{
		{"description", strings.Join(strings.Fields(r.Description), " ")},
		{"meta.name", r.Title},
		{"from", r.From},
		{"path", typed},
		{"hidden by", r.HiddenBy},
	} {
		if line.text != "" {
			writeField(&b, line.label, line.text, columns)
		}
	}
	writePairs(&b, "arguments", r.argumentPairs(), columns)
	var phases []pair
	for _, p := range r.Phases {
		text := p.Detail
		if p.Model != "" {
			text = strings.TrimPrefix(text+"; model "+p.Model, "; ")
		}
		phases = append(phases, pair{p.Title, text})
	}
	writePairs(&b, "phases", phases, columns)
	return b.String()
}

// takesWords says that bare words are among the arguments.
func (r workflowRow) takesWords() bool {
	return slices.ContainsFunc(r.Arguments, func(p argument) bool { return p.Name == bareWords })
}

// argumentPairs are the arguments with what they take. Bare words have no name that is typed.
func (r workflowRow) argumentPairs() []pair {
	var pairs []pair
	for _, p := range r.Arguments {
		name := p.Name
		if name == bareWords {
			name = "WORDS"
		}
		pairs = append(pairs, pair{name, p.about()})
	}
	return pairs
}

// pair is a term and what is said of it; both may be anybody's text.
type pair struct{ term, text string }

// widestTerm is how far a text is indented at most.
const widestTerm = 24

// writePairs lists pairs below a heading of ours.
func writePairs(b *strings.Builder, title string, pairs []pair, columns int) {
	if len(pairs) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	indent := 0
	for _, p := range pairs {
		indent = max(indent, min(term.Width(term.Escape(p.term)), widestTerm)+4)
	}
	for _, p := range pairs {
		line := term.Pad("  "+term.Escape(p.term), indent-2) + "  " + term.Escape(strings.Join(strings.Fields(p.text), " "))
		b.WriteString(strings.TrimRight(strings.Join(term.Wrap(line, columns, strings.Repeat(" ", indent)), "\n"), " ") + "\n")
	}
}

func writeField(b *strings.Builder, label, text string, columns int) {
	const indent = 15
	line := term.Pad("  "+label, indent) + term.Escape(text)
	b.WriteString(strings.Join(term.Wrap(line, cmp.Or(columns, plainWidth), strings.Repeat(" ", indent)), "\n") + "\n")
}
