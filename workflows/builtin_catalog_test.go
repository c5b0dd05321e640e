package workflows_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/vm"
	"github.com/seed-8d4a6081/assent/workflows"
)

var (
	phaseCall   = regexp.MustCompile(`\bphase\("([^"]*)"\)`)
	anyPhase    = regexp.MustCompile(`\bphase\(`)
	agentCall   = regexp.MustCompile(`\bagent\(`)
	saysRead    = regexp.MustCompile(`readOnly: true`)
	underCall   = regexp.MustCompile(`under: approval`)
	asksAnybody = regexp.MustCompile(`\b(planApprove|checkpoint)\(`)
)

// The header tells a user what to choose and what to give, and agrees with the body.
func TestBuiltinHeaders(t *testing.T) {
	for _, name := range builtinNames(t) {
		t.Run(name, func(t *testing.T) {
			p := builtin(t, name)
			m := p.Meta()
			require.Equal(t, name, m.Name)
			require.NotContains(t, m.Description, "\n")
			require.LessOrEqual(t, len(m.Description), 140)

			text := sourceOf(t, p)
			announced := []string{}
			for _, phase := range m.Phases {
				require.NotEmpty(t, phase.Detail, phase.Title)
				announced = append(announced, phase.Title)
			}
			entered := []string{}
			for _, match := range phaseCall.FindAllStringSubmatch(text, -1) {
				entered = append(entered, match[1])
			}
			require.Len(t, anyPhase.FindAllString(text, -1), len(entered), "a phase has a computed title")
			slices.Sort(entered)
			require.ElementsMatch(t, announced, slices.Compact(entered))

			schema := schemaOf(t, name)
			require.Equal(t, "object", schema.Type)
			require.Empty(t, schema.Required, "bare words stand for the main argument")
			require.NotNil(t, schema.AdditionalProperties, "a slip in a name has to be refused")
			require.False(t, *schema.AdditionalProperties)
			require.Contains(t, schema.Properties, "_raw")
			for argument, a := range schema.Properties {
				require.NotEmpty(t, a.Description, argument)
				if a.Type == "integer" {
					require.NotNil(t, a.Default, argument)
					require.Positive(t, a.Maximum, "%s has no cap", argument)
				}
				if a.Type == "array" {
					require.Positive(t, a.MaxItems, "%s has no cap", argument)
				}
			}
			wrong, err := agent.Violations(m.ArgsSchema, must(json.Marshal(schema.defaults())))
			require.NoError(t, err)
			require.Empty(t, wrong)
			wrong, err = agent.Violations(m.ArgsSchema, json.RawMessage(`{"_raw": "x", "maxRoundz": 3}`))
			require.NoError(t, err)
			require.Len(t, wrong, 1)
		})
	}
}

// Every agent of these scripts says that it only reads, or names the approval that it works
// under; only plan-then-do has the latter, and asks.
func TestBuiltinEffects(t *testing.T) {
	for _, name := range builtinNames(t) {
		t.Run(name, func(t *testing.T) {
			p := builtin(t, name)
			text := sourceOf(t, p)
			under := len(underCall.FindAllString(text, -1))
			require.Len(t, agentCall.FindAllString(text, -1), under+len(saysRead.FindAllString(text, -1)))
			require.Equal(t, name == "plan-then-do", under > 0)
			require.Equal(t, name == "plan-then-do", asksAnybody.MatchString(text))
			require.Equal(t, name == "plan-then-do", p.Meta().PlanFirst)
		})
	}
}

// The catalog has what the headers say: every workflow with its description, its arguments, and
// its phases in their order.
func TestBuiltinCatalog(t *testing.T) {
	page, err := os.ReadFile("../docs/workflows/catalog.md")
	require.NoError(t, err)
	described := regexp.MustCompile(`(?m)^## ([a-z-]+)$`).FindAllStringSubmatch(string(page), -1)
	names := []string{}
	for _, match := range described {
		names = append(names, match[1])
	}
	require.ElementsMatch(t, builtinNames(t), names)
	for _, name := range builtinNames(t) {
		t.Run(name, func(t *testing.T) {
			m, text := builtin(t, name).Meta(), section(t, name)
			require.Contains(t, string(page), "| ["+name+"](#"+name+") | "+m.Description+" |\n")
			rows := []string{"| argument | takes | default | |\n", "|---|---|---|---|\n"}
			for _, argument := range inOrder(t, m.ArgsSchema) {
				if argument != "_raw" { // no name that a person types
					rows = append(rows, row(argument, schemaOf(t, name).Properties[argument]))
				}
			}
			require.Contains(t, text, "\n\n"+strings.Join(rows, "")+"\n")
			phases := []string{}
			for _, phase := range m.Phases {
				phases = append(phases, "*"+phase.Title+"*: "+phase.Detail)
			}
			require.Contains(t, text, "Phases: "+strings.Join(phases, "; ")+".\n")
		})
	}
}

// row is an argument as the catalog has it.
func row(name string, a argument) string {
	takes, fallback := "a text", ""
	switch a.Type {
	case "integer":
		takes = fmt.Sprintf("%d to %d", a.Minimum, a.Maximum)
	case "array":
		takes = fmt.Sprintf("%d to %d texts", a.MinItems, a.MaxItems)
	}
	if a.Default != nil {
		fallback = "`" + strings.ReplaceAll(string(a.Default), `","`, `", "`) + "`"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s |\n", name, takes, fallback, a.Description)
}

// inOrder are the names of the arguments as the header has them.
func inOrder(t testing.TB, schema json.RawMessage) []string {
	t.Helper()
	var of struct{ Properties json.RawMessage }
	require.NoError(t, json.Unmarshal(schema, &of))
	d := json.NewDecoder(strings.NewReader(string(of.Properties)))
	_, err := d.Token()
	require.NoError(t, err)
	var names []string
	for d.More() {
		name, err := d.Token()
		require.NoError(t, err)
		names = append(names, name.(string))
		var skipped json.RawMessage
		require.NoError(t, d.Decode(&skipped))
	}
	return names
}

func sourceOf(t testing.TB, p *vm.Program) string {
	t.Helper()
	text, err := fs.ReadFile(workflows.Builtin(), p.Name())
	require.NoError(t, err)
	return string(text)
}
