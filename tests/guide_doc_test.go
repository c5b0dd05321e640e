package tests_test

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// The guide names every global with its members, and every option, and is short enough for a
// model to be given with a task.
func TestGuideNamesEverything(t *testing.T) {
	text, err := os.ReadFile("../docs/reference/guide.md")
	require.NoError(t, err)
	guide := string(text)
	require.Less(t, strings.Count(guide, "\n"), 300)
	quoted := map[string]bool{}
	for _, code := range regexp.MustCompile("(?s)```js.*?```|`[^`\n]+`").FindAllString(guide, -1) {
		for _, word := range regexp.MustCompile(`[A-Za-z]+`).FindAllString(code, -1) {
			quoted[word] = true
		}
	}
	for global, members := range realGlobals(t) {
		require.True(t, quoted[global], "the global %s", global)
		for _, member := range members {
			require.True(t, quoted[member], "%s.%s", global, member)
		}
	}
	for _, call := range []string{"agent", "checkpoint", "planApprove"} {
		for _, option := range options(t, call) {
			require.True(t, quoted[option], "the option %s of %s", option, call)
		}
	}
	for of, fields := range headerFields(t) {
		for _, field := range fields {
			require.True(t, quoted[field], "the field %s of %s", field, of)
		}
	}
	fields, statuses := semanticStatus(t)
	for _, field := range fields {
		require.True(t, quoted[field], "the field %s of setSemanticStatus", field)
	}
	for _, status := range statuses {
		require.Contains(t, guide, "`"+status+"`")
	}
}

// headerFields are the fields that a script's header may have, and those of meta.limits: what
// vm.Meta is filled from, and what a refusal of another limit lists. A field that this version
// refuses is left out.
func headerFields(t *testing.T) map[string][]string {
	t.Helper()
	refusal := func(meta string) string {
		_, err := vm.Compile(fstest.MapFS{"x.js": {Data: []byte("export const meta = { name: \"x\", description: \"x\", " + meta + " };\n")}}, "x.js")
		require.Error(t, err, meta)
		return err.Error()
	}
	word := regexp.MustCompile(`[A-Za-z]+`)
	_, list, ok := strings.Cut(refusal(`limits: { qqqqqqqqqqqq: 1 }`), "it knows ")
	require.True(t, ok)
	limits := slices.DeleteFunc(word.FindAllString(list, -1), func(name string) bool { return name == "and" || name == "heapMB" })
	require.Contains(t, limits, "stretchMs")
	var meta []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[vm.Meta]()) {
		name := strings.ToLower(field.Name[:1]) + field.Name[1:]
		switch field.Name {
		case "Raw": // is all of it
			continue
		case "ArgsSchema":
			name = "args"
		}
		// The machine itself corrects a slip of the name, so it knows the field.
		slip := name[:len(name)-1] + "_" + name[len(name)-1:]
		require.Contains(t, refusal(slip+": 1"), "did you mean "+name+"?")
		meta = append(meta, name)
	}
	require.Contains(t, meta, "planFirst")
	return map[string][]string{"meta": meta, "meta.limits": limits}
}

// semanticStatus is what setSemanticStatus takes, as its own refusals list it.
func semanticStatus(t *testing.T) (fields, statuses []string) {
	t.Helper()
	caught := func(argument string) string {
		program, err := vm.Compile(fstest.MapFS{"x.js": {Data: []byte(`export const meta = { name: "x", description: "x" };
try { setSemanticStatus(` + argument + `) } catch (e) { return e.message }`)}}, "x.js")
		require.NoError(t, err)
		turn, err := vm.New(program, vm.Config{Seed: strings.Repeat("0", 64)}).Start(t.Context(), json.RawMessage("{}"), vm.At{Now: time.Unix(0, 0)})
		require.NoError(t, err)
		var text string
		require.NoError(t, json.Unmarshal(turn.Result, &text))
		return text
	}
	_, list, ok := strings.Cut(caught(`{ status: "qqqqqqqqqqqq", reason: "x" }`), "one of ")
	require.True(t, ok)
	statuses = strings.Split(list, ", ")
	require.Contains(t, statuses, "needs-human")
	_, list, ok = strings.Cut(caught(`1`), "it has to be {")
	require.True(t, ok)
	fields = regexp.MustCompile(`[A-Za-z]+`).FindAllString(list, -1)
	require.Contains(t, fields, "nextAction")
	return fields, statuses
}

// Each of its examples is a script that compiles.
func TestGuideExamplesCompile(t *testing.T) {
	guide, err := os.ReadFile("../docs/reference/guide.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```js\n(.*?)```").FindAllStringSubmatch(string(guide), -1)
	require.Len(t, blocks, 7)
	for _, block := range blocks {
		script := block[1]
		if !strings.Contains(script, "export const meta") {
			script = "export const meta = { name: \"example\", description: \"of the guide\" };\n" + script
		}
		_, err := vm.Compile(fstest.MapFS{"example.js": {Data: []byte(script)}}, "example.js")
		require.NoError(t, err, script)
	}
}
