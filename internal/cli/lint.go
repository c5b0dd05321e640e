package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/vm/lint"
	"github.com/seed-8d4a6081/assent/workflows"
)

func newLintCommand(a *app) *cobra.Command {
	var strict bool
	cmd := &cobra.Command{
		Use:   "lint [FILE|NAME...]",
		Short: "Check workflow scripts without running them",
		Long: "Reports all problems of scripts at once, each with its place and what to do: what the machine\n" +
			"refuses, questions that nobody waits for, decisions that are not compared with true, work behind\n" +
			"a plan whose answer nobody looks at, options and names that are not there, and more. Without\n" +
			"arguments it checks every file of .assent/workflows.\n\n" +
			"Errors make it fail. A comment // assent-ignore RULE turns a rule off in its line, or in the next.",
		Example: "  assent lint\n  assent lint deliver.js\n  assent lint --strict --json",
		RunE:    func(_ *cobra.Command, names []string) error { return a.lint(names, strict) },
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "let warnings count as errors do")
	return cmd
}

// lintRow is a problem as --json has it.
type lintRow struct {
	File     string `json:"file"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Severity string `json:"severity"`
	Rule     string `json:"rule"`
	Code     string `json:"code,omitempty"`
	What     string `json:"what"`
	Fix      string `json:"fix,omitempty"`
}

func (a *app) lint(names []string, strict bool) error {
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	rows, count, err := a.lintAll(names, workspace)
	if err != nil {
		return err
	}
	errors, warnings := 0, 0
	for _, r := range rows {
		if r.Severity == string(lint.Error) {
			errors++
		} else {
			warnings++
		}
	}
	code := exitOK
	if errors > 0 || strict && warnings > 0 {
		code = exitFailed
	}
	if a.json {
		err = a.emit(struct {
			Format   int       `json:"format"`
			Exit     int       `json:"exit"`
			Scripts  int       `json:"scripts"`
			Errors   int       `json:"errors"`
			Warnings int       `json:"warnings"`
			Problems []lintRow `json:"problems"`
		}{jsonFormat, code, count, errors, warnings, rows})
	} else {
		err = a.print(lintText(rows))
		a.say(lintSummary(count, errors, warnings))
	}
	if err != nil {
		return err
	}
	return ends(code)
}

// lintAll checks the scripts that were named, or those of the project. A script that is not there is a mistake of whoever named it, and
// then none is checked.
func (a *app) lintAll(names []string, workspace string) (rows []lintRow, count int, err error) {
	rows = []lintRow{}
	seen := map[lintRow]bool{} // two scripts may import one file
	add := func(found []lintRow) {
		for _, r := range found {
			if !seen[r] {
				seen[r] = true
				rows = append(rows, r)
			}
		}
	}
	if len(names) > 0 {
		for _, named := range names {
			c, err := a.check(named, workspace)
			if err != nil {
				return nil, 0, err
			}
			add(c.rows(a))
		}
		return rows, len(names), nil
	}
	list, err := a.projectWorkflows(workspace)
	if err != nil {
		return nil, 0, err
	}
	for _, w := range list {
		c, err := a.checkSaved(w, workspace)
		if err != nil {
			p := problemOf(err)
			c = &checked{path: w.Path, problems: []lint.Problem{{
				File: filepath.ToSlash(w.Path), Severity: lint.Error, Rule: strings.ToLower(strings.ReplaceAll(p.Code, "_", "-")), Code: p.Code, What: p.What, Fix: p.Next,
			}}}
		}
		add(c.rows(a))
	}
	return rows, len(list), nil
}

// projectWorkflows are the files of the workspace's own folder.
func (a *app) projectWorkflows(workspace string) (list []workflows.Workflow, err error) {
	places, err := a.places(workspace)
	if err != nil {
		return nil, err
	}
	var own []workflows.Place
	for _, p := range places {
		if p.Origin == workflows.Project {
			own = append(own, p)
		}
	}
	list, unread := workflows.List(own)
	if len(unread) > 0 {
		return nil, unread[0]
	}
	if len(list) == 0 {
		return nil, fault.New(fault.WorkflowUnknown, workflows.Folder+" has no scripts",
			"assent lint FILE   # or the NAME of a saved workflow; assent workflows lists these")
	}
	return list, nil
}

// rows are the problems with their files as they are typed here.
func (c *checked) rows(a *app) []lintRow {
	rows := make([]lintRow, 0, len(c.problems))
	for _, p := range slices.Concat(argsProblems(c.program), c.problems) {
		rows = append(rows, lintRow{
			File: c.typed(a, p.File), Line: p.Line, Column: p.Column, Severity: string(p.Severity), Rule: p.Rule, Code: p.Code, What: p.What, Fix: p.Fix,
		})
	}
	return rows
}

// lintText is the list for people and editors: a line of the form that compilers write, and below it what to do.
func lintText(rows []lintRow) string {
	var b strings.Builder
	for _, r := range rows {
		place := problem{File: r.File, Line: r.Line, Column: r.Column}.place()
		b.WriteString(term.Escape(fmt.Sprintf("%s: %s: %s (%s)", place, r.Severity, r.What, r.Rule)) + "\n")
		if r.Fix != "" {
			b.WriteString("    fix: " + term.Escape(r.Fix) + "\n")
		}
	}
	return b.String()
}

func lintSummary(scripts, errors, warnings int) string {
	in := " in " + term.Plural(int64(scripts), "script", "scripts")
	switch {
	case errors == 0 && warnings == 0:
		return "nothing to mend" + in
	case warnings == 0:
		return term.Plural(int64(errors), "error", "errors") + in
	case errors == 0:
		return term.Plural(int64(warnings), "warning", "warnings") + in
	}
	return term.Plural(int64(errors), "error", "errors") + " and " + term.Plural(int64(warnings), "warning", "warnings") + in
}
