package tests_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/planapprove"
	"github.com/seed-8d4a6081/assent/vm/lint"
)

// meantSo are the problems of scripts that show what comes of a mistake, by file.
var meantSo = map[string][]string{
	"tests/corpus/time-and-chance.js":    {"nondeterministic", "nondeterministic", "nondeterministic"},
	"tests/corpus/un-awaited-failure.js": {"unawaited-call"},
}

func lintOptions() lint.Options {
	var of, plan lint.Names
	of.Known, of.Ignored = agent.OptionNames()
	plan.Known = planapprove.OptionNames()
	var functions, calculations []string
	for _, f := range (&issuedelivery.Host{}).Functions() {
		functions = append(functions, f.Name())
	}
	for _, c := range issuedelivery.Calculations() {
		calculations = append(calculations, c.Name)
	}
	return lint.Options{Functions: functions, Calculations: calculations, Calls: map[string]lint.Names{"agent": of, "planApprove": plan, "checkpoint": {Known: checkpoint.OptionNames()}}}
}

// Every script that comes with the project has no problem that it does not mean to have.
func TestEveryScriptIsLintClean(t *testing.T) {
	root := os.DirFS("..")
	linted := map[string]int{}
	require.NoError(t, fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && name != "." || entry.Name() == "node_modules" || name == "vm" || name == "tests/types") {
			return fs.SkipDir
		}
		ending := path.Ext(name)
		if entry.IsDir() || ending != ".js" && ending != ".mjs" && ending != ".ts" {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil || !strings.Contains(string(text), "export const meta") || strings.HasSuffix(name, ".d.ts") {
			return err
		}
		require.Equal(t, meantSo[name], rulesOf(root, name), name)
		linted[path.Dir(name)]++
		return nil
	}))
	for _, folder := range []string{"workflows/builtin", "workflows/start", "tests/corpus"} {
		require.NotZero(t, linted[folder], folder)
	}
}

// So has every script of the pages, but those that show mistakes. A part of one is looked at as if a header stood before it; names
// that it takes from elsewhere are not missed.
func TestEveryScriptOnAPageIsLintClean(t *testing.T) {
	const header = `export const meta = { name: "part", description: "of a script" };`
	whole, parts := 0, 0
	for page, text := range markdown(t) {
		if strings.HasSuffix(page, "find-mistakes.md") || strings.HasSuffix(page, "reference/lint.md") {
			continue
		}
		for _, b := range parseBlocks(page, text) {
			if b.lang != "js" && b.lang != "ts" {
				continue
			}
			name, script := "script."+b.lang, b.text
			part := !strings.Contains(script, "export const meta")
			if part {
				script = header + script
			}
			_, refusals, found := lint.File(fstest.MapFS{name: {Data: []byte(script)}}, name, lintOptions())
			if len(refusals) > 0 {
				continue // whether a script on a page is one is another test's question
			}
			for _, p := range found {
				require.True(t, part && p.Rule == lint.MissingGlobal, "%s: %v", b, p)
			}
			if part {
				parts++
			} else {
				whole++
			}
		}
	}
	require.Greater(t, whole, 5)
	require.Greater(t, parts, 5)
}

// Every member that the types give an approval is one that the rules know; decision is the one that a rule of its own looks at.
func TestLintKnowsTheMembersOfAnApproval(t *testing.T) {
	types, err := os.ReadFile("../workflows/start/assent.d.ts")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(types), "interface Approval<")
	require.True(t, found)
	body, _, _ := strings.Cut(rest, "\n}")
	members := regexp.MustCompile(`(?m)^  readonly (\w+)\??:`).FindAllStringSubmatch(body, -1)
	require.Greater(t, len(members), 5)
	lints := func(member string) []string {
		script := `export const meta = { name: "n", description: "d" }; const a = await planApprove(1); return [a.` + member + `, a.decision === true];`
		return rulesOf(fstest.MapFS{"s.js": {Data: []byte(script)}}, "s.js")
	}
	for _, m := range members {
		require.Empty(t, lints(m[1]), m[1])
	}
	require.Equal(t, []string{lint.UnknownMember}, lints("verdict"))
}

// The page of the rules has a row for each, and its severity.
func TestEveryLintRuleIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/lint.md")
	require.NoError(t, err)
	var documented []string
	for line := range strings.Lines(string(page)) {
		if rest, ok := strings.CutPrefix(line, "| `"); ok {
			rule, _, _ := strings.Cut(rest, "`")
			documented = append(documented, rule)
		}
	}
	require.ElementsMatch(t, lint.Rules(), documented)
}

func rulesOf(fsys fs.FS, name string) []string {
	_, _, found := lint.File(fsys, name, lintOptions())
	var rules []string
	for _, p := range found {
		rules = append(rules, p.Rule)
		if p.Code != "" && p.Severity == lint.Error {
			rules = append(rules, fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.What))
		}
	}
	return rules
}
