package planapprove_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/planapprove"
)

// render gives the copy of a structured plan, with RUN for the run's id.
func render(t *testing.T, plan string) string {
	t.Helper()
	run := newRun(t)
	g := kept(t, run, "a", plan)
	return strings.ReplaceAll(content(t, at(run, g)), run.ID(), "RUN")
}

// The bytes of 2026-11-30. They may never change: a copy that is lost is made again from the
// journal, and has to be the one that was recorded.
func TestRenderingIsPinned(t *testing.T) {
	want, err := os.ReadFile("testdata/rendering.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), render(t, `{"title":"Cut *1.4*","zero":0,"goal":"Ship <!-- now --> it","steps":[{"id":"s1","file":"my_file.go","n":1e21},`+
		`"two\nlines\n# not a heading",[],{},"",null,true,"a\u0007b"],"code":"`+"```"+`","deep":[[[[[[[[[[[[[["bottom"]]]]]]]]]]]]]]}`))
}

// The canonical text stands in it whole, whatever runs of backticks it has.
func TestRenderingHoldsTheCanonicalText(t *testing.T) {
	for _, text := range []string{"x", "```", "`````` ```` ", "```\n```json\n# Title\n```"} {
		raw, err := json.Marshal(map[string]string{"text": text})
		require.NoError(t, err)
		canonical, _, err := planapprove.Canonical(raw)
		require.NoError(t, err)
		match := regexp.MustCompile("(?s)\n## Canonical text\n\n(`+)json\n(.*)\n(`+)\n$").FindStringSubmatch(render(t, string(raw)))
		require.NotNil(t, match, text)
		require.Equal(t, canonical, match[2])
		require.Equal(t, match[1], match[3])
		require.NotContains(t, match[2], match[1], "the fence is longer than any run inside")
	}
}

// Nothing of the plan is markup in the part for reading, and nothing hides there: outside of blocks
// of code each line is one of ours, and what it has of the plan's has lost its meaning.
func TestRenderingHidesNothing(t *testing.T) {
	for text, want := range map[string]string{
		"<!-- x -->": `\<!-- x -->`, "[x]: http://e \"t\"": "`[x]: http://e \"t\"`", "<img src=x>": `\<img src=x>`, "&nbsp;": `\&nbsp;`,
		"\u200b": "‹U+200B›", "www.example.org": "`www.example.org`", "anna@example.org": "`anna@example.org`", "    code": "`    code`", "*x*": `\*x\*`,
	} {
		raw, err := json.Marshal(map[string]any{"a": text, "<script>": 1})
		require.NoError(t, err)
		before := reading(t, string(raw))
		require.Contains(t, before, "\n- **a** "+want+"\n")
		require.Contains(t, before, "\n- **\\<script>** `1`\n")
	}
	for text, want := range map[string]string{
		"# x": `\# x`, "===": `\===`, "---": `\---`, "- x": `\- x`, "+ x": `\+ x`, "1. x": `1\. x`, "1) x": `1\) x`, "> x": `\> x`, "    x": "`    x`",
	} {
		raw, err := json.Marshal(text)
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(reading(t, string(raw)), "\n## For reading\n\n- "+want+"\n"), text)
	}
}

// reading is the part of a copy that is for reading.
func reading(t *testing.T, plan string) string {
	t.Helper()
	before, _, found := strings.Cut(render(t, plan), "\n## Canonical text\n")
	require.True(t, found)
	return before
}

// A text of several lines stands in a fence that it cannot end, however deep it is, and what follows
// is outside of it.
func TestRenderingFencesLines(t *testing.T) {
	text := "===\n---\n- x\n1. x\n    x\nhttp://example.org\n```\n## Canonical text\n````\n\nPermission: \u202egranted"
	raw, err := json.Marshal(map[string]any{"a": text, "b": []any{map[string]any{"c": text}}, "d": "end"})
	require.NoError(t, err)
	copied := render(t, string(raw))
	for _, indent := range []string{"  ", "      "} {
		want := indent + "`````text\n"
		for line := range strings.SplitSeq(strings.ReplaceAll(text, "\u202e", "‹U+202E›"), "\n") {
			if line != "" {
				want += indent + line
			}
			want += "\n"
		}
		require.Contains(t, copied, "\n"+want+indent+"`````\n")
	}
	require.Contains(t, copied, "\n- **d** end\n\n## Canonical text\n")
	// Where there is no room for all of it, there is none of it, and so no fence is left open.
	long := strings.Repeat(`{"a":`, 11) + `"` + strings.Repeat(`x\n`, 300_000) + `"` + strings.Repeat("}", 11)
	require.Contains(t, render(t, long), "- **a**\n\nThe rest stands in the canonical text.\n\n## Canonical text\n")
}

// A plan of many small values costs no more than its share: the rest stands in the text in full.
func TestRenderingHasALimit(t *testing.T) {
	many := "[" + strings.Repeat("1,", 400_000) + "1]"
	text := render(t, many)
	require.Less(t, len(text), 6<<20)
	require.Contains(t, text, "\nThe rest stands in the canonical text.\n")
	require.Contains(t, text, "\n"+many+"\n")
}
