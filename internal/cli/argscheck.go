package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
	"github.com/seed-8d4a6081/assent/vm"
)

// arguments makes what a script gets of what was given: its schema's defaults are added, and all
// that does not fit the schema is refused at once. named is the script as it was named.
func (a *app) arguments(given argsFlags, program *vm.Program, named string) (json.RawMessage, error) {
	schema := program.Meta().ArgsSchema
	form := argumentsIn(schema)
	if err := checkSchema(program); err != nil {
		return nil, err
	}
	if _, takes := form.find(bareWords); form.closed && !takes && len(given.words) > 0 {
		return nil, form.noWords(given.words, named)
	}
	members, err := given.collect(a, schema)
	if err != nil {
		return nil, err
	}
	had := len(members)
	args, err := encoded(members)
	if err != nil || len(schema) == 0 {
		return args, err
	}
	args = engine.WithDefaults(program, args)
	members = membersOf(args)
	problems := given.unknown(form, members[:had])
	violations, err := agent.Violations(schema, args)
	if err != nil {
		return nil, err
	}
	var told []choice
	for _, c := range choicesIn(schema) {
		if problem := c.problem(form, members); problem != "" {
			problems, told = append(problems, problem), append(told, c)
		}
	}
	for _, v := range violations {
		if form.closed && strings.HasPrefix(v, "$: additional properties ") {
			continue // the names were told, with what was meant
		}
		if slices.ContainsFunc(told, func(c choice) bool { return c.says(v) }) {
			continue
		}
		v = blank.ReplaceAllString(v, "there has to be more than white space")
		problems = append(problems, v+actual(v, members, had))
	}
	if len(problems) == 0 {
		return args, nil
	}
	return nil, fault.New(fault.ArgsInvalid, fmt.Sprintf("the arguments do not fit what %s takes: %s", program.Name(), strings.Join(problems, "; ")),
		quoteCommand([]string{"assent", "run", named, "--help"})+"   # shows what it takes")
}

// checkSchema refuses a script whose meta.args is no JSON Schema.
func checkSchema(program *vm.Program) error {
	schema := program.Meta().ArgsSchema
	if len(schema) == 0 {
		return nil
	}
	_, err := agent.Violations(schema, json.RawMessage("{}"))
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Code == fault.SchemaInvalid && e.Err != nil {
		return fault.New(e.Code, fmt.Sprintf("meta.args of %s is no JSON Schema: %v", program.Name(), e.Err), `give it as {type: "object", properties: {NAME: {type: "string"}}}`)
	}
	return err
}

// noWords refuses bare words where the schema takes none, and says how they may have been meant.
func (f argumentsForm) noWords(words []string, named string) error {
	command, text := []string{"assent", "run", named}, strings.Join(words, " ")
	next := quoteCommand(append(command, "--help")) + "   # shows what it takes"
	for _, p := range f.arguments {
		if p.Name == "task" {
			next = quoteCommand(append(command, "--task", text)) + "   # if that is the task"
			break
		}
		if p.Required && p.Type == "string" {
			next = quoteCommand(append(command, "--arg", p.Name+"="+text)) + "   # if that is the " + p.Name
			break
		}
	}
	takes := "it takes no arguments"
	if names := f.names(); len(names) > 0 {
		takes = "its arguments are " + strings.Join(names, ", ")
	}
	return fault.New(fault.ArgsInvalid, fmt.Sprintf("%s takes no words behind its name, such as %q: %s", named, words[0], takes), next)
}

// unknown are the arguments that the script does not have, each with the one that was meant. In
// an object the schema alone decides; what is typed is most likely a slip.
func (f argsFlags) unknown(form argumentsForm, members []member) (problems []string) {
	for _, m := range members {
		typed := m.name == "task" && f.taskGiven || slices.ContainsFunc(f.pairs, func(pair string) bool { return strings.HasPrefix(pair, m.name+"=") })
		if _, known := form.find(m.name); known || !form.closed && !(form.strict && typed) {
			continue
		}
		problem := fmt.Sprintf("there is no argument %q", m.name)
		names := form.names()
		if near := options.Nearest(m.name, names); near != "" {
			problem += fmt.Sprintf(", did you mean %q?", near)
		} else if len(names) > 0 {
			problem += ", only " + strings.Join(names, ", ")
		}
		problems = append(problems, problem)
	}
	return problems
}

// place is the top-level argument that a violation is about.
var place = regexp.MustCompile(`^\$\.([A-Za-z_$][\w$]*): `)

// blank is how a violation says that a text has nothing but white space.
var blank = regexp.MustCompile(`'[^']*' does not match pattern '\\\\S'`)

// actual is what stands there, for a violation that does not say it. The members from had on are
// the schema's own defaults.
func actual(violation string, members []member, had int) string {
	match := place.FindStringSubmatch(violation)
	if match == nil {
		return ""
	}
	i := slices.IndexFunc(members, func(m member) bool { return m.name == match[1] })
	if i < 0 {
		return ""
	}
	value, text := options.Show(members[i].value), ""
	if !strings.Contains(violation, "got "+value) {
		text = "it is " + value
	}
	if i >= had {
		text = strings.TrimPrefix(text+", the script's own default", ", ")
	}
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// argValue makes a value of a text that was typed: JSON if it is JSON, else the text; but where the
// schema takes the text and not the JSON, as of 1.10 for a version, it is the text. For an argument
// that is nothing but a text, only a quoted one is JSON.
func argValue(schema json.RawMessage, name, given string) json.RawMessage {
	text := jsonText(given)
	if canonical.Check([]byte(given), maxArgs) != nil {
		return text
	}
	value := json.RawMessage(given)
	p, known := argumentsIn(schema).find(name)
	switch {
	case !known:
		return value
	case p.Type == "string" && !strings.HasPrefix(strings.TrimSpace(given), `"`):
		return text
	case fits(schema, name, value) || !fits(schema, name, text):
		return value
	}
	return text
}

// fits says that a value of an argument, the only one that there is, violates nothing.
func fits(schema json.RawMessage, name string, value json.RawMessage) bool {
	args, err := encoded([]member{{name, value}})
	if err != nil {
		return false
	}
	violations, err := agent.Violations(schema, args)
	return err == nil && !slices.ContainsFunc(violations, func(v string) bool {
		return !strings.HasPrefix(v, "$: ") // that is about the object
	})
}
