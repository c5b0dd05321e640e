package cli_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/cli"
)

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", name))
	require.NoError(t, err)
	return string(text)
}

var (
	commandHead = regexp.MustCompile("(?m)^## `assent( [^`]+)?`$")
	flagRow     = regexp.MustCompile("(?m)^\\| `(--[a-z-]+)`")
)

// docs/reference/cli.md names exactly the commands and flags that there are.
func TestReferenceNamesEveryCommandAndFlag(t *testing.T) {
	t.Parallel()
	text := page(t, "cli.md")
	documented := map[string][]string{}
	heads := commandHead.FindAllStringSubmatchIndex(text, -1)
	for i, at := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		use := "assent"
		if at[2] >= 0 {
			use = text[at[2]+1 : at[3]]
		}
		documented[use] = flagsIn(text[at[1]:end])
	}
	there := map[string][]string{}
	root := cli.Root()
	root.InitDefaultHelpCmd()
	for _, cmd := range append(root.Commands(), root) {
		there[cmd.Use] = []string{}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				there[cmd.Use] = append(there[cmd.Use], "--"+f.Name)
			}
		})
		slices.Sort(there[cmd.Use])
	}
	require.Equal(t, there, documented)
	_, everywhere, _ := strings.Cut(text, "\n## Everywhere\n")
	everywhere, _, _ = strings.Cut(everywhere, "\n## ")
	require.Equal(t, []string{"--help", "--json", "--version"}, flagsIn(everywhere))
}

func flagsIn(section string) []string {
	flags := []string{}
	for _, match := range flagRow.FindAllStringSubmatch(section, -1) {
		flags = append(flags, match[1])
	}
	slices.Sort(flags)
	return flags
}

// There is no flag that could answer a gate.
func TestB46NoFlagAnswers(t *testing.T) {
	t.Parallel()
	var names []string
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(cli.Root())
	for _, name := range names {
		require.NotRegexp(t, `yes|approve|accept|force|confirm|default|trust`, name)
	}
	require.Contains(t, names, "on-gate")
}

// docs/reference/exit-codes.md names exactly the exit codes that there are.
func TestReferenceNamesEveryExitCode(t *testing.T) {
	t.Parallel()
	var documented []int
	for _, match := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(page(t, "exit-codes.md"), -1) {
		n, err := strconv.Atoi(match[1])
		require.NoError(t, err)
		documented = append(documented, n)
	}
	slices.Sort(documented)
	there := cli.ExitCodes()
	slices.Sort(there)
	require.Equal(t, there, slices.Compact(documented))
}

// The example of docs/reference/config.md is one that the program takes.
func TestReferenceConfigurationWorks(t *testing.T) {
	t.Parallel()
	_, text, _ := strings.Cut(page(t, "config.md"), "```toml\n")
	text, _, _ = strings.Cut(text, "```")
	u := newUser(t, "plain.js", "export const meta = { name: 'plain', description: 'x' };\nreturn 1;\n", "answers.toml", answers)
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, ".assent"), 0o700))
	u.write(".assent/config.toml", text)
	u.wants(0, "run", "plain.js")
	settings := u.object(0, "show", "--json")["settings"].(map[string]any)
	require.Equal(t, map[string]any{
		"maxCalls": 200.0, "concurrency": 4.0, "budget": map[string]any{"tokens": 500000.0},
		"stretchMs": 30000.0, "wallMs": 7200000.0, "gateTimeoutMs": 86400000.0,
		"loopGuard": "warn", "loopGuardRepeats": 5.0, "contextWarning": 80.0,
		"tiers": map[string]any{
			"small": map[string]any{"agent": "careful", "model": "small-2"}, "big": map[string]any{"agent": "careful", "model": "large-2", "effort": "high"},
		},
	}, settings)
}

// keys are the paths of all fields of an object. A gate is the same everywhere, and stands by
// itself; values of scripts are not looked into.
func keys(found map[string]bool, path string, v any) {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			keys(found, path+"[]", element)
		}
	case map[string]any:
		_, isGate := v["gate"]
		_, prompt := v["prompt"]
		if isGate && (prompt || len(v) <= 2) {
			path = "GATE"
		}
		for name, value := range v {
			found[path+"."+name] = true
			if !slices.Contains([]string{"result", "args", "arguments", "value", "default", "decision"}, name) {
				keys(found, path+"."+name, value)
			}
		}
	}
}

// examples are the objects of docs/reference/json.md, by name.
func examples(t *testing.T) map[string]map[string]bool {
	t.Helper()
	all := map[string]map[string]bool{}
	gate := map[string]bool{}
	for _, match := range regexp.MustCompile("(?s)```json (\\w+)\n(.*?)```").FindAllStringSubmatch(page(t, "json.md"), -1) {
		var v any
		require.NoError(t, json.Unmarshal([]byte(match[2]), &v), match[1])
		all[match[1]] = map[string]bool{}
		keys(all[match[1]], "", v)
		for name := range all[match[1]] {
			if strings.HasPrefix(name, "GATE") {
				gate[name] = true
			}
		}
	}
	for _, example := range all {
		maps.Copy(example, gate)
	}
	return all
}

// What --json prints has only fields that docs/reference/json.md shows, and those that it does
// not call optional always.
func TestReferenceNamesEveryJSONField(t *testing.T) {
	t.Parallel()
	documented := examples(t)
	u := newUser(t, "gate.js", gateScript, "answers.toml", answers, "two.js", `export const meta = { name: "two", description: "x" };
await agent("1", { label: "fails" });
return await checkpoint("Go?", { kind: "select", choices: ["a", "b"], default: "a", timeoutMs: 60000 });
`, "fails.toml", "[[answer]]\nlabel = \"fails\"\nerror = \"broken\"\n")
	seen := map[string]map[string]bool{}
	check := func(example string, code int, args ...string) map[string]any {
		t.Helper()
		o := u.object(code, append(args, "--json")...)
		require.Equal(t, 1.0, o["format"])
		if exit, ok := o["exit"]; ok {
			require.Equal(t, float64(code), exit)
		}
		found := map[string]bool{}
		keys(found, "", o)
		for name := range found {
			require.True(t, documented[example][name], "%s: %s is not documented", example, name)
		}
		if seen[example] == nil {
			seen[example] = map[string]bool{}
		}
		maps.Copy(seen[example], found)
		return o
	}
	check("version", 0, "version")
	check("version", 0, "--version")
	check("guide", 0, "guide")
	check("explain", 0, "explain")
	check("explain", 0, "explain", "run_busy")
	check("error", 2, "explain", "RUN_BUZZY")
	check("error", 2, "run", "--bogus")
	if runtime.GOOS != "windows" { // the demo needs a Unix shell
		check("demo", 0, "demo")
	}
	u.write("gate.js.test.toml", "answers = 'answers.toml'\n[[test]]\n[test.expect]\nexit = 0\n")
	kept := check("test", 1, "test", "gate.js", "--verbose", "--keep")["tests"].([]any)[0].(map[string]any)["folder"].(string)
	require.NoError(t, os.RemoveAll(filepath.Dir(filepath.Dir(kept))))
	check("error", 1, "test")
	u.write("lint.js", "export const meta = { name: 'lint', description: 'x' };\nplanApprove(1);\nawait agent('x', { lable: 1 });\n")
	check("lint", 1, "lint", "lint.js")
	check("lint", 0, "lint", "gate.js", "--strict")
	check("error", 2, "lint", "none.js")
	check("home", 0)
	u.save("said.js", "export const meta = { name: 'x', description: 'x', args: { properties: { a: { enum: [1], default: 1, description: 'x' } } }, phases: [{ title: 'x', detail: 'x', model: 'x' }] };\n")
	u.put(u.own(), "said.js", "broken")
	check("workflows", 0, "workflows")
	check("workflow", 0, "workflows", "said", "--source")
	check("copy", 0, "workflows", "plan-then-do", "--copy")
	require.NoError(t, os.RemoveAll(filepath.Join(u.dir, ".assent", "workflows")))
	check("workflow", 0, "workflows", "said", "--source")
	u.put(filepath.Join(u.dir, ".assent"), "config.toml", "[agents.mine]\ncommand = ['x']\nmodel = 'm'\nmodels = ['m']\neffort = 'e'\n[agents.told]\nscript = 'y'\n[tiers.small]\nagent = 'mine'\nmodel = 'm'\neffort = 'e'\n")
	u.put(filepath.Join(u.dir, ".assent", "agents"), "code-scout.md", "---\ndescription: x\nmodel: m\neffort: e\ntier: big\nagent: gone\ntools: a\ndisallowedTools: a\nskills: a\ncolor: red\n---\n")
	check("agents", 0, "agents")
	require.NoError(t, os.RemoveAll(filepath.Join(u.dir, ".assent")))
	check("error", 2, "show", "0123")
	check("error", 2, "frobnicate")
	run := check("run", 4, "run", "gate.js", "--agent", "script:answers.toml", "--on-gate", "suspend")["run"].(string)
	check("home", 0)
	check("ls", 0, "ls")
	check("show", 0, "show")
	check("review", 4, "review")
	check("plan", 0, "show", "--plan")
	check("error", 3, "approve", run, "--checksum", "ab")
	check("forecast", 0, "resume", "--dry-run")
	check("answer", 0, "approve", "--checksum", planSum)
	check("answer", 0, "approve", run, "--checksum", planSum)
	check("revoke", 0, "revoke", run, "--reason", "x")
	check("revoke", 0, "revoke", run)
	check("home", 0)
	check("show", 0, "show")
	check("verify", 0, "verify")
	check("run", 4, "resume", run, "--on-gate", "suspend")
	again := check("review", 4, "review")["waiting"].([]any)[0].(map[string]any)["gate"].(string)
	check("answer", 0, "approve", run, "--gate", again, "--checksum", planSum, "--model", "big", "--effort", "high")
	check("run", 0, "approve", run, "--gate", again, "--checksum", planSum, "--model", "big", "--effort", "high", "--resume")
	check("show", 0, "show")
	check("verify", 0, "verify")
	check("review", 0, "review")
	check("review", 0, "review", run)
	check("call", 0, "show", run, "--call", "worker")
	check("call", 0, "show", run, "--call", "worker", "--transcript")
	check("history", 0, "history")
	check("diff", 0, "diff", run)
	key := check("verify", 0, "verify", run)["key"].(string)
	lines := strings.SplitAfter(u.wants(0, "export", run).out, "\n")
	u.write("cut.ndjson", strings.Join(lines[:2], ""))
	check("verify", 0, "verify", "--file", "cut.ndjson", "--key", key)
	u.write("gate2.js", strings.Replace(gateScript, "a gate", "another", 1))
	check("forecast", 0, "resume", run, "--script", "gate2.js", "--dry-run")
	check("cancel", 0, "cancel", check("run", 4, "run", "two.js", "--agent", "script:fails.toml", "--on-gate", "suspend")["run"].(string))
	check("run", 8, "run", "two.js", "--agent", "script:fails.toml")
	u.write("slow.js", "export const meta = { name: 'slow', description: 'x' };\nawait agent('1', { label: 'slow' });\n")
	slow := check("detach", 0, "run", "slow.js", "--agent", "script:answers.toml", "--detach")["run"].(string)
	check("show", 0, "show", slow)
	check("ls", 0, "ls")
	check("cancel", 0, "cancel", slow)
	u.write("throws.js", "export const meta = { name: 'throws', description: 'x' };\nthrow new Error('x');\n")
	check("run", 1, "run", "throws.js")
	for example, want := range map[string][]string{
		"run":       {".run", ".title", ".state", ".exit", ".result", ".error", ".failures", ".outstanding", ".waiting", ".replayed", ".live", ".usage", ".next", ".answer"},
		"verify":    {".run", ".ok", ".exit", ".entries", ".head", ".key", ".proven", ".cut", ".problems", ".gates", ".gates[].who"},
		"workflows": {".workflows[].title", ".workflows[].hiddenBy", ".workflows[].error.line", ".workflows[].phases[].model", ".workflows[].arguments", ".unreadable"},
		"workflow":  {".source", ".from", ".error"},
		"agents":    {".agents[].script", ".agents[].models", ".tiers[].effort", ".types[].hiddenBy", ".types[].disallowedTools", ".types[].warnings", ".types[].error.next", ".unreadable"},
		"call":      {".arguments", ".ended", ".value", ".under", ".transcript.state", ".events[].attempt"},
		"forecast":  {".falling[].would", ".falling[].after", ".behind[].mayHaveChanged"},
		"show":      {".owner", ".calls", ".gates", ".settings", ".usage", ".agent", ".result"},
	} {
		for _, name := range want {
			require.True(t, seen[example][name], "%s: %s never appeared", example, name)
		}
	}
}
