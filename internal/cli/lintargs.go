package cli

import (
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/vm/lint"
)

// argsProblems are what a run would find in meta.args: a schema that is none, which refuses every run, and defaults that do not fit
// it, which refuse those that do not give the argument.
func argsProblems(program *vm.Program) []lint.Problem {
	if program == nil || len(program.Meta().ArgsSchema) == 0 {
		return nil
	}
	at := program.ArgsAt()
	found := func(severity lint.Severity, code fault.Code, what, fix string) lint.Problem {
		return lint.Problem{
			File: at.File, Line: at.Line, Column: at.Column, Severity: severity, Rule: strings.ToLower(strings.ReplaceAll(string(code), "_", "-")),
			Code: string(code), What: what, Fix: fix,
		}
	}
	if err := checkSchema(program); err != nil {
		p := problemOf(err)
		return []lint.Problem{found(lint.Error, fault.Code(p.Code), p.What, p.Next)}
	}
	schema := program.Meta().ArgsSchema
	var problems []lint.Problem
	for _, p := range argumentsIn(schema).arguments {
		if p.Default == nil {
			continue
		}
		args, err := encoded([]member{{p.Name, p.Default}})
		if err != nil {
			continue
		}
		violations, err := agent.Violations(schema, args)
		if err != nil {
			continue
		}
		for _, v := range violations {
			if strings.HasPrefix(v, "$: ") {
				continue // that is about the other arguments
			}
			problems = append(problems, found(lint.Warning, fault.ArgsInvalid, fmt.Sprintf("the default of the argument %q does not fit meta.args: %s", p.Name, v),
				"mend the default, or leave it out and make the argument required"))
		}
	}
	return problems
}
