package workflows_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/vm"
)

// plenty answers every call with as much as its schema allows and a fan-out could use: long
// lists, and texts of which no two are the same.
type plenty struct{ texts atomic.Int64 }

func (p *plenty) Run(_ context.Context, req agent.Request, _ agent.Step) (agent.Response, error) {
	value := any("a text")
	switch {
	case strings.HasPrefix(req.Label, "plan"):
		value = p.plan(req.Label)
	case strings.HasPrefix(req.Label, "check"):
		// What was done is not met at first, and met after the repair.
		value = []any{map[string]any{"criterion": 1, "met": strings.HasSuffix(req.Label, "again"), "evidence": "e"}}
	case req.Schema != nil:
		var schema map[string]any
		if err := json.Unmarshal(req.Schema, &schema); err != nil {
			return agent.Response{}, err
		}
		value = p.fill(schema)
	}
	text, err := json.Marshal(value)
	return agent.Response{Value: text, Structured: req.Schema != nil}, err
}

// plan cannot be carried out before it was sent back twice.
func (p *plenty) plan(label string) any {
	steps := []any{}
	for i := range 12 {
		if strings.HasSuffix(label, "mended 2") {
			steps = append(steps, map[string]any{"id": fmt.Sprintf("s%d", i), "title": "t", "files": []any{}, "dependsOn": []any{}, "acceptanceCriteria": []any{"c"}})
		}
	}
	return map[string]any{"goal": "g", "steps": steps}
}

func (p *plenty) fill(schema map[string]any) any {
	if among, ok := schema["enum"].([]any); ok {
		return among[0]
	}
	switch schema["type"] {
	case "array":
		list := make([]any, 70) // more than any argument allows
		for i := range list {
			list[i] = p.fill(schema["items"].(map[string]any))
		}
		return list
	case "object":
		members := map[string]any{}
		of := schema["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(of)) {
			members[name] = p.fill(of[name].(map[string]any))
		}
		return members
	case "boolean":
		return true
	case "integer", "number":
		return 1
	}
	return fmt.Sprintf("w%d", p.texts.Add(1))
}

// schemaOf reads the schema of a workflow's arguments.
func schemaOf(t testing.TB, name string) argsSchema {
	t.Helper()
	var s argsSchema
	require.NoError(t, json.Unmarshal(builtin(t, name).Meta().ArgsSchema, &s))
	return s
}

type argsSchema struct {
	Type                 string
	AdditionalProperties *bool
	Required             []string
	Properties           map[string]argument
}

type argument struct {
	Type, Description  string
	Default            json.RawMessage
	Minimum, Maximum   int
	MinItems, MaxItems int
}

// defaults are the arguments that a run has if only its main one is given.
func (s argsSchema) defaults() map[string]any {
	args := map[string]any{"_raw": "q"}
	for name, a := range s.Properties {
		if a.Default != nil {
			args[name] = a.Default
		}
	}
	return args
}

var atMost = regexp.MustCompile("At most `([^`]+)` agents: (\\d+) with the defaults, (\\d+) with the highest values")

// The catalog says how many agents a workflow makes at most. So many are made if all bring as
// much as they can, whether the defaults are left to the script or given; and the highest values
// stay below the cap of a run.
func TestBuiltinBounds(t *testing.T) {
	for _, name := range builtinNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := atMost.FindStringSubmatch(section(t, name))
			require.NotNil(t, said, "the catalog says no bound")
			schema := schemaOf(t, name)
			highest := map[string]any{}
			for name, a := range schema.Properties {
				switch a.Type {
				case "integer":
					highest[name] = a.Maximum
				case "array":
					highest[name] = make([]string, a.MaxItems)
				}
			}
			require.Equal(t, said[2], evaluate(t, said[1], schema.defaults()))
			require.Equal(t, said[3], evaluate(t, said[1], highest))
			require.Less(t, len(said[3]), 4, "the cap is 1,000 calls")

			var made [2][]string
			for i, args := range []map[string]any{{"_raw": "q"}, schema.defaults()} {
				workers := &staff{Runner: &plenty{}}
				asker := says(`"more"`, `"more"`, `"more"`, "true")
				r := start(t, name, string(must(json.Marshal(args))), engine.Options{Agent: workers, Asker: asker})
				require.Equal(t, "completed", r.State, "%v", r.Err)
				made[i] = labels(workers.take())
			}
			require.Equal(t, said[2], fmt.Sprint(len(made[0])))
			require.ElementsMatch(t, made[0], made[1])
		})
	}
}

// evaluate gives the value of an expression in JavaScript over arguments.
func evaluate(t testing.TB, expression string, args map[string]any) string {
	t.Helper()
	names := []string{}
	for name := range args {
		names = append(names, name)
	}
	script := `export const meta = { name: "sum", description: "a sum" };
const { ` + strings.Join(names, ", ") + ` } = args;
return ` + expression
	p, err := vm.Compile(fstest.MapFS{"sum.js": {Data: []byte(script)}}, "sum.js")
	require.NoError(t, err)
	turn, err := vm.New(p, vm.Config{Seed: strings.Repeat("0", 64)}).Start(t.Context(), must(json.Marshal(args)), vm.At{Now: time.Unix(0, 0)})
	require.NoError(t, err)
	require.Nil(t, turn.Err)
	return string(turn.Result)
}

// section is what the catalog says of a workflow.
func section(t testing.TB, name string) string {
	t.Helper()
	page, err := os.ReadFile("../docs/workflows/catalog.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(page), "\n## "+name+"\n")
	require.True(t, ok, "the catalog has no section %s", name)
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}
