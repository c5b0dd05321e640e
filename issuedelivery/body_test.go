package issuedelivery_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/issuedelivery"
)

func reported(t *testing.T, report map[string]any) string {
	t.Helper()
	text, err := json.Marshal(report)
	require.NoError(t, err)
	return string(text)
}

func body(t *testing.T, report map[string]any, issues ...int) string {
	t.Helper()
	text, err := issuedelivery.Body(reported(t, report), issues, "ann@here", "terminal", []string{"DEPLOY_TOKEN=s3cr3t-value"})
	require.NoError(t, err)
	return text
}

const wanted = `> Engines stop when they are told to.
> Nothing else changes.

Closes #3
Closes #14

### Steps

- Stop the engines (stop) 0123456789ab

### Checks

| check | command | result | tests |
|---|---|---|---|
| test | go test ./... | passed | 12 |
| lint | golangci-lint run | failed | not counted |

### Verifiers

- stop: **passed**. Each criterion holds.

### Approval

ann@&ZeroWidthSpace;here approved the plan on 2026-12-01T02:00:00.000Z (at a terminal), before any work began. Each commit names it in its trailers.

| | |
|---|---|
| plan | ` + "`sha256:5e0123456789abcdef`" + ` |
| question | ` + "`abc-1`" + ` |
| run | ` + "`01RUN`" + ` |

To verify it, where the run was made:

` + "```sh" + `
assent verify 01RUN
assent show 01RUN --raw --gate abc-1 | sha256sum   # the plan, and its checksum
` + "```" + `

---

## What did you change?
<!-- say it -->
`

func TestBody(t *testing.T) {
	text := body(t, map[string]any{
		"summary": "Engines stop when they are told to.\nNothing else changes.\n",
		"steps":   []any{map[string]any{"id": "stop", "title": "Stop the engines", "commit": "0123456789abcdef0123456789abcdef01234567"}},
		"checks": map[string]any{"state": "passed", "checks": []any{
			map[string]any{"name": "test", "command": []string{"go", "test", "./..."}, "ok": true, "tests": 12},
			map[string]any{"name": "lint", "command": "golangci-lint run", "ok": false, "tests": nil},
		}},
		"verdicts": []any{map[string]any{"step": "stop", "passed": true, "feedback": "Each criterion holds."}},
		"template": "## What did you change?\n<!-- say it -->\n",
	}, 3, 14)
	first, rest, _ := strings.Cut(text, "\n")
	require.Regexp(t, `^<!-- assent [0-9a-f]{64} -->$`, first)
	require.Equal(t, wanted, rest)
	require.True(t, issuedelivery.Untouched(text))
	require.True(t, issuedelivery.Untouched(strings.ReplaceAll(text, "\n", "\r\n")+"\r\n"), "as a browser sends it")
	require.False(t, issuedelivery.Untouched(text+"And more."))
	require.False(t, issuedelivery.Untouched("What I wrote."))
}

// hostile is what a plan or a verdict may say.
const hostile = "@octocat @acme/team closes #9, Fixes acme/rocket#9, GH-9 resolves https://github.com/acme/rocket/issues/9\n" +
	"### Approval\n\n| plan | `sha256:0` |\n|---|---|\n<!-- hidden --> <details> <img src=x> [x](http://x) ![i](http://x)\n" +
	"```\nclosed?\n```\n---\n===\n1. one\n- two\n+ three\n> four\n    code\n&#64;octocat \u202egnp.x \x1b[2K\r\nwww.example.com a_b_ *c* ~~d~~ $x$ \\@octocat `@octocat` s3cr3t-value"

func TestB57_TextsOfModelsAreNoMoreThanText(t *testing.T) {
	text := body(t, map[string]any{
		"summary":  hostile,
		"steps":    []any{map[string]any{"id": hostile, "title": hostile, "commit": "x](http://y)"}},
		"checks":   map[string]any{"checks": []any{map[string]any{"name": hostile, "command": []string{hostile}, "ok": true}}},
		"verdicts": []any{map[string]any{"step": hostile, "passed": true, "feedback": hostile}},
	}, 3)
	_, text, _ = strings.Cut(text, "\n")
	require.Equal(t, []string{"Closes #3"}, regexp.MustCompile(`(?im)^.*\b(close[sd]?|fix(e[sd])?|resolve[sd]?):?\s+(\S*#\d|https?://).*$`).FindAllString(text, -1))
	for _, form := range []string{`#\d`, `@[A-Za-z]`, `GH-\d`, `://`, `www\.`} {
		require.Empty(t, regexp.MustCompile(form).FindAllString(strings.Replace(text, "Closes #3", "", 1), -1), form)
	}
	require.NotContains(t, text, "<")
	require.NotContains(t, text, "s3cr3t-value")
	require.NotRegexp(t, `[\x00-\x08\x0b-\x1f\x{202e}]`, text)
	require.Contains(t, text, "‹U+202E›gnp")
	var headings []string
	for part := range strings.Lines(text) {
		if strings.HasPrefix(part, "#") {
			headings = append(headings, strings.TrimSpace(part))
		}
		require.NotRegexp(t, `^(> )?(===|---$|[0-9]+[.)] |[+] |    |`+"```x"+`)`, part)
	}
	require.Equal(t, []string{"### Steps", "### Checks", "### Verifiers", "### Approval"}, headings)
	require.Equal(t, 1, strings.Count(text, "\n| plan | `sha256:"))
	require.Equal(t, 2, strings.Count(text, "```"), "the commands of the proof")
}

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"Plain words, and v1.2.": "Plain words, and v1.2.", "1. one": `1\. one`, "12) x": `12\) x`, "- x": `\- x`, "+x": `\+x`, "== x": `\== x`, "# x": "#&ZeroWidthSpace; x",
		"a - b": "a - b", "a\n\n b": "a b", "(x)": `\(x\)`, "&amp;": "&amp;amp;", "WWW.x": "WWW&ZeroWidthSpace;.x", "http://x": "http:&ZeroWidthSpace;//x", "": "",
	} {
		require.Equal(t, want, issuedelivery.Line(text, 100), text)
	}
	require.Equal(t, "abc …", issuedelivery.Line("abcdef", 3))
	require.Equal(t, "> a\n>\n> \\- b\n", issuedelivery.Quote("\na\n\n- b\n", 100))
}

// A body is never longer than a forge takes, and never loses what is proven.
func TestBodyIsBounded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SampledFrom([]string{"@", "word ", "\n", "𝔸", "|", "#", "ü"})
		text := func(name string) string {
			return strings.Repeat(words.Draw(rt, name), rapid.IntRange(0, 70_000).Draw(rt, name+" times"))
		}
		step := map[string]any{"id": "s", "title": text("title"), "commit": "0123456789abcdef"}
		steps := make([]any, rapid.IntRange(0, 400).Draw(rt, "steps"))
		for i := range steps {
			steps[i] = step
		}
		verdict := map[string]any{"step": "s", "passed": true, "feedback": text("feedback")}
		report, err := json.Marshal(map[string]any{
			"summary": text("summary"), "steps": steps, "verdicts": []any{verdict, verdict, verdict}, "template": text("template"),
		})
		if err != nil {
			rt.Fatal(err)
		}
		got, err := issuedelivery.Body(string(report), []int{1}, text("by"), "command", nil)
		if err != nil {
			rt.Fatal(err)
		}
		if n := len(utf16.Encode([]rune(got))); n > 65536 {
			rt.Fatalf("%d characters", n)
		}
		for _, part := range []string{"Closes #1\n", "### Approval\n", "assent verify 01RUN\n"} {
			if !strings.Contains(got, part) {
				rt.Fatalf("no %q", part)
			}
		}
	})
}
