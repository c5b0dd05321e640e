package tests_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

const agentsPage = "../docs/reference/agents.md"

// The reference has a row for each field of the request, and says of those that may be left out
// that they may.
func TestAgentsRequestIsDocumented(t *testing.T) {
	rows := tableRows(t, "field of the request")
	always := map[string]bool{}
	for field := range reflect.TypeFor[agent.Request]().Fields() {
		tag, ok := field.Tag.Lookup("json")
		if !ok {
			require.False(t, field.IsExported(), field.Name)
			continue
		}
		name, rest, _ := strings.Cut(tag, ",")
		if name == "-" {
			continue // no agent gets it
		}
		always[name] = rest == ""
	}
	documented := map[string]bool{}
	for _, row := range rows {
		for _, name := range spans(row[0]) {
			documented[name] = row[1] == "always"
		}
	}
	require.Equal(t, always, documented)
}

// The request of the page is one; it has every field that a script can set.
func TestAgentsRequestExample(t *testing.T) {
	text := agentsBlock(t, "json", "request")
	var request agent.Request
	strict := json.NewDecoder(strings.NewReader(text))
	strict.DisallowUnknownFields()
	require.NoError(t, strict.Decode(&request))
	require.Equal(t, agent.Version, request.Version)
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &fields))
	var documented []string
	for _, row := range tableRows(t, "field of the request") {
		if row[1] != "never from a script" {
			documented = append(documented, spans(row[0])...)
		}
	}
	require.Equal(t, sorted(documented), slices.Sorted(maps.Keys(fields)))
}

// The reference has a row for each name that is read of an answer, of its usage and of its error.
func TestAgentsAnswerIsDocumented(t *testing.T) {
	require.Equal(t, tagsOf(t, "protocol.go", "reply", "json"), firstSpans(t, "field of the envelope"))
	require.Equal(t, tagsOf(t, "usage.go", "usageGiven", "json"), firstSpans(t, "field of `usage`"))
	require.Equal(t, tagsOf(t, "protocol.go", "parseFailure", "json"), firstSpans(t, "field of `error`"))
}

// The envelope of the page is taken as the page says.
func TestAgentsAnswerExample(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the agent of this test is a Unix command")
	}
	path := filepath.Join(t.TempDir(), "reply")
	text := "thinking about it\n" + agentsBlock(t, "json", "reply")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	got, err := (&agent.Command{Argv: []string{"cat", path}}).Run(t.Context(), agent.Request{}, nil)
	require.NoError(t, err)
	require.JSONEq(t, `{"steps": ["read", "write"]}`, string(got.Value))
	require.True(t, got.Structured)
	require.Equal(t, journal.Usage{Input: 1200, Output: 340, CostMicroUSD: 12_000}, got.Usage)
}

// The reference has a row for each key of a table of answers, and its usage has the fields of a
// command agent's.
func TestAgentsAnswerFileIsDocumented(t *testing.T) {
	require.Equal(t, tagsOf(t, "scripted_file.go", "ScriptedTable", "toml"), firstSpans(t, "key of `[[answer]]`"))
	require.Equal(t, tagsOf(t, "usage.go", "usageGiven", "json"), tagsOf(t, "usage.go", "usageGiven", "toml"))
}

// The file of answers of the page answers as its comments say, and has every key once.
func TestAgentsAnswerFileExample(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the file runs a Unix command")
	}
	text := agentsBlock(t, "toml", "answers")
	for _, key := range tagsOf(t, "scripted_file.go", "ScriptedTable", "toml") {
		require.Regexp(t, `(?m)^`+key+` = `, text)
	}
	answers, err := agent.ParseScripted([]byte(text), "answers.toml")
	require.NoError(t, err)
	dir := t.TempDir()
	ask := func(label, prompt string) (agent.Response, error) {
		return answers.Run(t.Context(), agent.Request{Label: label, Prompt: prompt, Cwd: dir}, nil)
	}
	got, err := ask("planner", "Plan")
	require.NoError(t, err)
	require.JSONEq(t, `{"steps": ["one", "two"]}`, string(got.Value))
	for range 2 {
		got, err = ask("worker-1", "Add a file\nand say so")
		require.NoError(t, err)
		require.Equal(t, `"done"`, string(got.Value))
		require.Equal(t, journal.Usage{Input: 10, Output: 5, CostMicroUSD: 10_000}, got.Usage)
	}
	written, err := os.ReadFile(filepath.Join(dir, "a", "b.txt"))
	require.NoError(t, err)
	require.Equal(t, "x", string(written))
	_, err = ask("worker-1", "Add a file")
	require.True(t, fault.Is(err, fault.UsageLimit), "the second answer is used up: %v", err)
	require.ErrorContains(t, err, "2026-03-01T12:00:00Z")
}

// The reference names what passes to an agent by itself and what is set for it, and nothing else.
func TestAgentsEnvironmentIsDocumented(t *testing.T) {
	require.Equal(t, sorted(process.Passing()), firstSpans(t, "passes by itself"))
	set := map[string]string{process.Marker: "", "ASSENT_AGENT_ATTEMPT": ""}
	for _, variable := range process.Quiet() {
		name, value, _ := strings.Cut(variable, "=")
		set[name] = value
	}
	documented := map[string]string{}
	for _, row := range tableRows(t, "variable it gets") {
		for _, name := range spans(row[0]) {
			if documented[name] = ""; !strings.HasPrefix(name, "ASSENT_") {
				documented[name] = spans(row[1])[0]
			}
		}
	}
	require.Equal(t, set, documented)
	if runtime.GOOS != "linux" {
		return
	}
	// What a real child sees beyond what it was handed.
	c := &agent.Command{Argv: []string{"env"}, Env: []string{"PATH=" + os.Getenv("PATH"), "ASSENT_HOME=x", "MINE=x"}}
	got, err := c.Run(t.Context(), agent.Request{Run: "R", Call: "/agent#0"}, nil)
	require.NoError(t, err)
	var text string
	require.NoError(t, json.Unmarshal(got.Value, &text))
	var names []string
	for line := range strings.Lines(text) {
		if name, _, _ := strings.Cut(line, "="); name != "PATH" && name != "PWD" {
			names = append(names, name)
		}
	}
	require.Equal(t, slices.Sorted(maps.Keys(documented)), sorted(names))
	require.Contains(t, text, "ASSENT_AGENT=R/agent#0\n")
}

// The figures of the page are those of the code.
func TestAgentsLimitsAreDocumented(t *testing.T) {
	page := agentsText(t)
	for name, form := range map[string]string{
		"process/DefaultMaxOutput": "prints more than %d MiB", "MaxValueBytes": "and more than %d MiB", "process/DefaultGrace": "after %d seconds made to (SIGKILL)",
		"RepairRounds": "%d such rounds", "process/StderrShown": "the last %d KiB of standard error", "repairShown": "the first %d KiB of the wrong answer",
		"violationsShown": "(%d at most; the rest is counted)",
	} {
		value := limitOf(t, name)
		switch {
		case strings.Contains(form, "MiB"):
			value >>= 20
		case strings.Contains(form, "KiB"):
			value >>= 10
		}
		require.Contains(t, page, strings.ReplaceAll(fmt.Sprintf(form, value), "2 such", "two such"), name)
	}
}

// The example of the page makes an agent of a program that prints text.
func TestAgentsExample(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no python3")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my-agent.py"), []byte(agentsBlock(t, "python", "")), 0o600))
	model := "#!/bin/sh\necho \"asked with '$*':\"; cat; exit ${FAILS:-0}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "my-model"), []byte(model), 0o700))
	c := &agent.Command{
		Argv: []string{python, filepath.Join(dir, "my-agent.py")},
		Env:  []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}, Keep: []string{"FAILS"},
	}
	got, err := c.Run(t.Context(), agent.Request{Prompt: "Plan", ReadOnly: true, Schema: json.RawMessage(`{"type":"object"}`)}, nil)
	require.NoError(t, err)
	var text string
	require.NoError(t, json.Unmarshal(got.Value, &text))
	require.Equal(t, "asked with '--no-writes':\nPlan\n\nAnswer with JSON that satisfies this schema, and nothing else:\n{\"type\": \"object\"}", text)
	c.Env = append(c.Env, "FAILS=3")
	_, err = c.Run(t.Context(), agent.Request{Prompt: "Plan"}, nil)
	require.True(t, fault.Is(err, fault.AgentFailed), "%v", err)
	require.ErrorContains(t, err, "exit code 3")
}

func agentsText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(agentsPage)
	require.NoError(t, err)
	return string(text)
}

// agentsBlock is the one fenced block of the page with this language and word.
func agentsBlock(t *testing.T, lang, word string) string {
	t.Helper()
	var found []string
	for _, b := range blocksOf(t, agentsPage) {
		if b.lang == lang && (word == "" || b.has(word)) {
			found = append(found, b.text)
		}
	}
	require.Len(t, found, 1, "%s %s", lang, word)
	return found[0]
}

// tableRows are the cells of the one table of the page whose first head this is.
func tableRows(t *testing.T, head string) [][]string {
	t.Helper()
	_, table, ok := strings.Cut(agentsText(t), "\n| "+head+" | ")
	require.True(t, ok, head)
	table, _, _ = strings.Cut(table, "\n\n")
	var rows [][]string
	for _, line := range strings.Split(table, "\n")[2:] {
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		rows = append(rows, cells)
	}
	return rows
}

var spanned = regexp.MustCompile("`([^`]+)`")

// spans are the words of a cell that are set as code.
func spans(cell string) []string {
	var words []string
	for _, match := range spanned.FindAllStringSubmatch(cell, -1) {
		words = append(words, match[1])
	}
	return words
}

// firstSpans are those of a table's first column, sorted.
func firstSpans(t *testing.T, head string) []string {
	t.Helper()
	var words []string
	for _, row := range tableRows(t, head) {
		words = append(words, spans(row[0])...)
	}
	return sorted(words)
}

// declared is what package agent declares in a file under a name: a type, a function, or a value.
func declared(t *testing.T, file, name string) ast.Node {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "agent", file), nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	var found ast.Node
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if n.Name.Name == name {
				found = n
			}
		case *ast.FuncDecl:
			if n.Name.Name == name {
				found = n
			}
		case *ast.ValueSpec:
			for i, ident := range n.Names {
				if ident.Name == name && i < len(n.Values) {
					found = n.Values[i]
				}
			}
		}
		return true
	})
	require.NotNil(t, found, "%s has no %s", file, name)
	return found
}

// tagsOf are the names that the fields of a struct have in a format, sorted. The struct is a type
// of package agent, or stands in a function of it.
func tagsOf(t *testing.T, file, name, format string) []string {
	t.Helper()
	var names []string
	ast.Inspect(declared(t, file, name), func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && field.Tag != nil {
			text, err := strconv.Unquote(field.Tag.Value)
			require.NoError(t, err)
			names = append(names, reflect.StructTag(text).Get(format))
		}
		return true
	})
	require.NotEmpty(t, names)
	return sorted(names)
}

// limitOf is the value of a cap of package agent, or of a room in it; of a length of time, in its own
// unit.
func limitOf(t *testing.T, name string) int64 {
	t.Helper()
	room, name := filepath.Split(name)
	expression, ok := declared(t, room+"limits.go", name).(ast.Expr)
	require.True(t, ok, name)
	text := strings.TrimSuffix(types.ExprString(expression), " * time.Second")
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	require.NoError(t, err, name)
	n, exact := constant.Int64Val(constant.ToInt(value.Value))
	require.True(t, exact, name)
	return n
}

// The reader of tables itself, on a page that is there: a table has all its rows and no other's.
func TestAgentsTableReader(t *testing.T) {
	rows := tableRows(t, "field of `usage`")
	require.Len(t, rows, 2)
	require.Equal(t, []string{"input", "output"}, spans(rows[0][0]))
	require.Equal(t, 1, strings.Count(agentsText(t), "\n| field of `usage` | "))
}
