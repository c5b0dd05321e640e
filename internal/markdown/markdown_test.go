package markdown_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/internal/markdown"
)

// What has a meaning in CommonMark 0.31 or in GitHub's dialect loses it, and nothing else is touched.
func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain, (with) \"marks\". And 100% more! It's 1-2 / x = {y}": "plain, (with) \"marks\". And 100% more! It's 1-2 / x = {y}",
		`1. "plan" (agent /agent#0)`:                                 `1. "plan" (agent /agent#0)`,
		"my_file.go and _that_":                                      `my_file.go and \_that\_`,
		"*a* `b` [c](d) ![e](f) [^1]":                                "\\*a\\* \\`b\\` \\[c\\](d) !\\[e\\](f) \\[^1\\]",
		"<b>, <!-- x -->, a < b":                                     `\<b>, \<!-- x -->, a \< b`,
		"&amp; &#60; & x":                                            `\&amp; \&#60; & x`,
		"~~gone~~ | $x$ \\":                                          `\~\~gone\~\~ \| \$x\$ \\`,
		"see #12 ##":                                                 `see \#12 \##`,
		"http://example.org/x":                                       "`http://example.org/x`",
		"see WWW.example.org":                                        "`see WWW.example.org`",
		"x_www.example.org":                                          "`x_www.example.org`",
		"anna@example.org, `x`":                                      "`` anna@example.org, `x` ``",
		"MAILTO:anna":                                                "`MAILTO:anna`",
		":tada: done":                                                "`:tada: done`",
		"    code":                                                   "`    code`",
		"":                                                           "",
	} {
		require.Equal(t, want, markdown.Text(text), "%q", text)
	}
}

// At the beginning of a line more of it has one.
func TestLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# heading": `\# heading`, "===": `\===`, "---": `\---`, "- item": `\- item`, "+ item": `\+ item`, "> quote": `\> quote`, "* * *": `\* \* \*`,
		"1. item": `1\. item`, "23) item": `23\) item`, "1.5 percent": `1\.5 percent`, "```sh": "\\`\\`\\`sh", "~~~": `\~\~\~`, ": term": `\: term`,
		"    code": "`    code`", "[x]: http://example.org": "`[x]: http://example.org`", "[x]: y": `\[x\]: y`, "| a |": `\| a \|`,
		"word": "word", "1": "1", "1-2": "1-2", ".5": ".5", "(x)": "(x)",
	} {
		require.Equal(t, want, markdown.Line(text), "%q", text)
	}
}

// A span ends where it is ended: no run of marks in it is as long as those around it.
func TestSpan(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"x": "`x`", "a`b": "``a`b``", "`": "`` ` ``", "``x": "``` ``x ```", " x ": "`  x  `", " x": "` x`", "": "",
	} {
		require.Equal(t, want, markdown.Span(text), "%q", text)
	}
}

// A fence is closed by its last line and by none before: CommonMark closes it by a line of at least
// as many marks as opened it, indented by at most three spaces.
func TestFence(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"```sh", "a", "b", "```"}, markdown.Fence("sh", "a\nb"))
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("`~ \n#<a")), 0, 60, -1).Draw(r, "text")
		lines := markdown.Fence("text", text)
		last := len(lines) - 1
		require.Equal(r, text, strings.Join(lines[1:last], "\n"))
		require.GreaterOrEqual(r, len(lines[last]), 3)
		for _, line := range lines[1:last] {
			require.NotContains(r, line, lines[last])
		}
	})
}
