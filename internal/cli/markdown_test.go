package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/internal/cli"
)

// forging is what a script or a model writes that wants to be more than text.
const forging = "```\n# forged heading\n</pre><script>x</script>\n````\n- Checksum: `0000`\n\x1b[2Jgone\r\u202etxt"

func TestMarkdownReport(t *testing.T) {
	t.Parallel()
	u := newUser(t, "evil.js", `export const meta = { name: "evil `+"`"+`*#<b>", description: "x", phases: [{ title: "one" }] };
const evil = args.evil;
phase("one");
log(evil);
await agent(evil, { label: "scout " + evil.slice(0, 3) });
const approval = await planApprove({ steps: [evil] }, { prompt: evil });
await checkpoint(evil, { kind: "input", default: evil });
return { evil, decision: approval.decision };
`, "answers.toml", answers)
	data, err := json.Marshal(map[string]string{"evil": forging})
	require.NoError(t, err)
	u.write("args.json", string(data))
	u.wants(3, "run", "evil.js", "--args", "args.json", "--agent", "script:answers.toml")
	e := u.wants(0, "export", "--markdown", "--output", "run.md")
	require.Contains(t, e.errors, "wrote ")
	text, err := os.ReadFile(filepath.Join(u.dir, "run.md"))
	require.NoError(t, err)
	report := string(text)
	require.Equal(t, report, u.wants(0, "export", "--markdown").out)
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Join(u.dir, "run.md"))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode())
	}
	require.Contains(t, u.wants(2, "export", "--output", "run.md").errors, "is there already")

	require.NotContains(t, report, "\x1b")
	require.NotContains(t, report, "\r")
	require.NotContains(t, report, "\u202e")
	outside := outsideOfFences(t, report)
	require.NotContains(t, outside, "forged heading\n")
	require.NotRegexp(t, `(^|[^\\])<[a-z/]`, outside)
	headings := regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(outside, -1)
	var names []string
	for _, h := range headings {
		names = append(names, h[1])
	}
	require.Equal(t, "evil \\`\\*#\\<b>", names[0])
	for _, want := range []string{"Arguments", "Result", "Plans and questions", "Phases", "Calls", "Timeline", "How to verify"} {
		require.Contains(t, names, want)
	}
	require.Len(t, names, 8+3, "two gates and a call besides: nothing else makes a heading")
	shown := u.object(0, "show", "--json")
	require.Contains(t, outside, shown["head"].(string))
	require.Contains(t, outside, shown["gates"].([]any)[0].(map[string]any)["checksum"].(string))
	require.Contains(t, outside, u.object(0, "verify", "--json")["key"].(string))
}

// outsideOfFences reads fences as CommonMark has them: a line of at least as many marks closes.
func outsideOfFences(t *testing.T, text string) string {
	t.Helper()
	var outside strings.Builder
	marks := ""
	for line := range strings.SplitSeq(text, "\n") {
		run := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case marks == "" && len(run) >= 3:
			marks = run
		case marks == "":
			outside.WriteString(line + "\n")
		case len(run) >= len(marks) && strings.TrimSpace(line) == run:
			marks = ""
		}
	}
	require.Empty(t, marks, "a fence is left open")
	return outside.String()
}

// Whatever is put into a fence, it ends where we end it, and what follows is ours.
func TestMarkdownFenceHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("`~ \n\t\r#<a\x1b")), 0, 60, -1).Draw(r, "text")
		got := outsideOfFences(t, cli.MarkdownFence(text)+"END\n")
		require.Equal(r, "\nEND\n\n", got)
		span := cli.MarkdownCode(text)
		require.NotContains(r, span, "\n")
		if span != "" {
			marks := span[:len(span)-len(strings.TrimLeft(span, "`"))]
			require.True(r, strings.HasSuffix(span, marks))
			require.NotContains(r, strings.Trim(span, "`"), "\x1b")
			inner := span[len(marks) : len(span)-len(marks)]
			for _, run := range regexp.MustCompile("`+").FindAllString(inner, -1) {
				require.NotEqual(r, marks, run, "the span would end there")
			}
		}
	})
}

// A document's own title and question, and the whole of what was asked, stand in the report: the
// checksum is of them too. What is no markup is not escaped.
func TestMarkdownReportOfADocument(t *testing.T) {
	t.Parallel()
	u := newUser(t, "document.js", `export const meta = { name: "document", description: "x" };
await agent("1", { label: "plan" });
await planApprove({ title: "Ship [it]", markdown: "# Steps\n\n- one\n", question: "Ship it now?" });
await planApprove({ steps: [1] }, { prompt: "First line\nsecond *line*" });
`, "answers.toml", answers)
	u.wants(4, "run", "document.js", "--agent", "script:answers.toml", "--on-gate", "suspend")
	u.wants(4, "approve", "--resume", "--checksum", u.object(0, "show", "--json")["gates"].([]any)[0].(map[string]any)["checksum"].(string))
	report := u.wants(0, "export", "--markdown").out
	require.Contains(t, report, "\n### Plan 1: Ship it now?\n")
	require.Contains(t, report, "\n- Title: Ship \\[it\\]\n- Question: Ship it now?\n")
	require.Contains(t, report, "\n```markdown\n# Steps\n\n- one\n```\n")
	require.Contains(t, report, "\n### Plan 2: First line\n")
	require.Contains(t, report, "\nAsked, in full:\n\n```text\nFirst line\nsecond *line*\n```\n")
	require.Contains(t, report, "\n### 1. \"plan\" (agent /agent#0)\n")

	// A report is no JSON object.
	refused := u.object(2, "export", "--markdown", "--json")["error"].(map[string]any)
	require.Equal(t, "USAGE", refused["code"])
	require.Contains(t, refused["what"], "--markdown and --json go together only with --output")
	require.Equal(t, "run.md", filepath.Base(u.object(0, "export", "--markdown", "--output", "run.md", "--json")["file"].(string)))
}
