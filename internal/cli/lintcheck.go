package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/planapprove"
	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/vm/lint"
	"github.com/seed-8d4a6081/assent/workflows"
)

// checked is a script that was read and checked.
type checked struct {
	// path is that of the file, of a built-in workflow its name.
	path    string
	builtin bool
	// name is what the machine knows the script by: its path below the folder that it may import from.
	name     string
	program  *vm.Program
	problems []lint.Problem
	// refused is why the machine does not take it, nil if it does.
	refused *vm.Error
}

// lintOptions are the options that calls take, from those who read them.
func lintOptions() lint.Options {
	var of, plan lint.Names
	of.Known, of.Ignored = agent.OptionNames()
	plan.Known = planapprove.OptionNames()
	of.Value, plan.Value = agentTakes, planTakes
	functions, calculations := deliveryFunctions()
	return lint.Options{Functions: functions, Calculations: calculations, Calls: map[string]lint.Names{
		"agent": of, "planApprove": plan, "checkpoint": {Known: checkpoint.OptionNames(), Value: checkpointTakes}, "phase": {Value: phaseTakes},
	}}
}

// check reads and checks the script that was named. Its error is that there is none.
func (a *app) check(named, workspace string) (*checked, error) {
	c := &checked{}
	_, path, err := a.readScript(named, workspace, c.read)
	c.path, c.builtin = path, !looksLikePath(named) && !filepath.IsAbs(path)
	return c.settle(err)
}

// checkSaved does the same with a file of a folder of workflows.
func (a *app) checkSaved(w workflows.Workflow, workspace string) (*checked, error) {
	c := &checked{path: w.Path, builtin: w.Origin == workflows.BuiltIn}
	_, err := a.readSaved(w, workspace, c.read)
	return c.settle(err)
}

// read is what lint finds, in the place of what the machine alone says.
func (c *checked) read(folder fs.FS, name string) (*vm.Program, error) {
	program, refusals, problems := lint.File(folder, name, lintOptions())
	c.name, c.program, c.problems = name, program, problems
	if len(refusals) > 0 {
		return nil, refusals[0]
	}
	return program, nil
}

// settle takes the refusal of the script itself for one of its problems; it may have been put into other words.
func (c *checked) settle(err error) (*checked, error) {
	if err == nil {
		return c, nil
	}
	refused, ok := errors.AsType[*vm.Error](err)
	if !ok || c.name == "" {
		return nil, err
	}
	c.refused = refused
	for i, p := range c.problems {
		if p.File == refused.File && p.Line == refused.Line && p.Column == refused.Column && (p.Code == refused.Code || p.Code == importLost) {
			c.problems[i].Code, c.problems[i].What = refused.Code, refused.Message
			break
		}
	}
	return c, nil
}

// typed gives a file of the script as the current folder sees it.
func (c *checked) typed(a *app, file string) string {
	if c.builtin || filepath.IsAbs(filepath.FromSlash(file)) {
		return a.fromHere(file)
	}
	root := strings.TrimSuffix(filepath.ToSlash(c.path), c.name)
	return a.fromHere(filepath.Join(filepath.FromSlash(root), filepath.FromSlash(file)))
}

// mistaken refuses to start a script: with its first problem, as the machine would say it, and all others that are errors.
type mistaken struct {
	first problem
	more  []problem
}

// Error is for whoever prints it all the same.
func (m *mistaken) Error() string { return m.first.What }

// maxWarnings is how many warnings the start of a run shows; nobody reads more, and lint has them all.
const maxWarnings = 10

// checkedProgram is compile for the start of a run: a script with errors does not start, and warnings are said, once.
func (a *app) checkedProgram(named, workspace string, f driveFlags) (*vm.Program, string, error) {
	c, err := a.check(named, workspace)
	if err != nil {
		return nil, "", err
	}
	command := "assent lint " + quoteCommand([]string{named})
	var wrong []problem
	var warnings []string
	for _, p := range c.problems {
		row := problem{Code: p.Code, What: p.What, File: p.File, Line: p.Line, Column: p.Column}
		if p.Severity != lint.Error {
			warnings = append(warnings, fmt.Sprintf("warning: %s: %s (%s)", row.place(), p.What, p.Rule))
			continue
		}
		if row.Code == "" {
			row.Code = string(fault.LintFailed)
		}
		if strings.HasPrefix(p.Fix, "did you mean ") { // short, and all that there is to do
			row.What += " (" + p.Fix + ")"
		}
		wrong = append(wrong, row)
	}
	if len(wrong) > 0 {
		return nil, "", c.refusal(wrong, command)
	}
	if !f.quiet && !a.json && f.report == 0 {
		for i, w := range warnings {
			if i == maxWarnings {
				a.say(fmt.Sprintf("%d more warnings", len(warnings)-i))
				a.next(command + "   # has them all, with what to do")
				break
			}
			a.say(w)
		}
	}
	return c.program, c.path, nil
}

// refusal puts first what the machine says first: nothing else is sure before that is mended.
func (c *checked) refusal(wrong []problem, command string) error {
	if c.refused == nil {
		wrong[0].Next = command + "   # says what to do about each"
		return &mistaken{first: wrong[0], more: wrong[1:]}
	}
	m := &mistaken{first: problemOf(c.refused)}
	for _, p := range wrong {
		if p != m.first {
			m.more = append(m.more, p)
		}
	}
	return m
}
