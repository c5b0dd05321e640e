package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
)

// dialect are options of other runners' agent(): accepted, so that their scripts run
// unchanged, and without effect here.
var dialect = []string{
	"adapter", "compactionPolicy", "contextMode", "contextReserveTokens", "harness_config", "harness_type",
	"inheritMainRules", "inheritProjectContext", "inheritSkills", "loopGuard", "systemPromptMode", "thread",
}

// OptionNames are the options of agent(): those that Parse takes, and those that belong to other
// runners and have no effect.
func OptionNames() (known, foreign []string) {
	return slices.Sorted(maps.Keys(readers)), slices.Clone(dialect)
}

// Parse checks the arguments of one call of agent(): a prompt, and an object of options or
// nothing. It is pure. Its errors are *fault.Error with the code OPTION_UNKNOWN,
// OPTION_INVALID or SCHEMA_INVALID.
func Parse(args []json.RawMessage) (Call, error) {
	if len(args) == 0 {
		return Call{}, invalid("agent() needs a prompt", "write agent(\"what to do\")")
	}
	if len(args) > 2 {
		return Call{}, invalid(fmt.Sprintf("agent() takes a prompt and options, not %d arguments", len(args)),
			"pass a function: items.map(item => agent(…)), not items.map(agent)")
	}
	for i, arg := range args {
		if err := canonical.Check(arg, MaxValueBytes); err != nil {
			return Call{}, fault.Wrap(err, fault.OptionInvalid, fmt.Sprintf("argument %d of agent() is not JSON", i+1), "")
		}
	}
	var call Call
	if err := json.Unmarshal(args[0], &call.Prompt); err != nil || kindOf(args[0]) != "a string" {
		return Call{}, invalid("the prompt of agent() is "+kindOf(args[0])+", not a string",
			"give the prompt as the first argument and the options as the second")
	}
	if strings.TrimSpace(call.Prompt) == "" {
		return Call{}, invalid("the prompt of agent() is empty", "say what the agent is to do")
	}
	if len(args) == 2 {
		if err := call.options(args[1]); err != nil {
			return Call{}, err
		}
	}
	if call.Options.Base != "" && call.Options.Isolation == "" {
		return Call{}, invalid(`agent() option "base" says where a working tree of the call's own begins, and it has none`, `add isolation: "worktree", or leave base out`)
	}
	return call, nil
}

// options reads the object of options. Names are taken in sorted order, so that of several
// mistakes the same one is always named first.
func (c *Call) options(arg json.RawMessage) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(arg, &given); err != nil || given == nil {
		return invalid("the options of agent() are "+kindOf(arg)+", not an object", "write agent(prompt, {label: \"…\"})")
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		read, known := readers[name]
		switch {
		case known:
			if err := read(&c.Options, option{name, given[name]}); err != nil {
				return err
			}
		case slices.Contains(dialect, name):
			c.Warnings = append(c.Warnings, fmt.Sprintf("agent() option %q belongs to other runners and has no effect here", name))
		default:
			return unknown(name)
		}
	}
	return nil
}

func unknown(name string) error {
	names := slices.Sorted(maps.Keys(readers))
	next := "the options are: " + strings.Join(names, ", ")
	if near := options.Nearest(name, names); near != "" {
		next = fmt.Sprintf("did you mean %q? %s", near, next)
	}
	return fault.New(fault.OptionUnknown, fmt.Sprintf("agent() has no option %q", name), next)
}

func invalid(what, next string) error { return fault.New(fault.OptionInvalid, what, next) }

// kindOf names the type of a JSON value, for messages.
func kindOf(text json.RawMessage) string {
	switch strings.TrimLeft(string(text[:min(len(text), 64)]), " \t\r\n")[:1] {
	case "{":
		return "an object"
	case "[":
		return "an array"
	case `"`:
		return "a string"
	case "t", "f":
		return "a boolean"
	case "n":
		return "null"
	default:
		return "a number"
	}
}
