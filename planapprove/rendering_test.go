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

// Nothing of the plan is markup in the part for reading, and nothing hides there.
func TestRenderingHidesNothing(t *testing.T) {
	before, _, _ := strings.Cut(render(t, `{"a":"<!-- x -->","b":"[x]: http://e \"t\"","c":"<img src=x>","d":"&nbsp;","e":"x\n<!--\ny\n\n    code","<script>":1,"f":"\u200b"}`), "\n## Canonical text\n")
	unescaped := regexp.MustCompile(`\\.`).ReplaceAllString(before, "")
	require.NotRegexp(t, `[<\[&]`, unescaped)
	for line := range strings.SplitSeq(unescaped, "\n") {
		require.NotContains(t, strings.TrimPrefix(strings.TrimLeft(line, " "), ">"), ">", line)
	}
	require.Contains(t, before, "‹U+200B›")
}

// A plan of many small values costs no more than its share: the rest stands in the text in full.
func TestRenderingHasALimit(t *testing.T) {
	many := "[" + strings.Repeat("1,", 400_000) + "1]"
	text := render(t, many)
	require.Less(t, len(text), 6<<20)
	require.Contains(t, text, "\nThe rest stands in the canonical text.\n")
	require.Contains(t, text, "\n"+many+"\n")
}
