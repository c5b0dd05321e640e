package tests_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/vm"
)

// Fenced blocks of the pages that a person follows step by step say, behind their language, what
// a test does with them. All blocks of a page are taken in order, in one folder that is empty at
// first, with a home that is empty at first:
//
//	sh test [exit=N]     run it; the last command ends with N, or 0
//	sh test tty=W[,W…]   run it at a terminal, and type the words at its prompts (_ is a space)
//	sh test wait         run it once the newest run has a question that waits
//	sh test in=repo      run it at the top of the project
//	sh skip=WHY          a person does this, a test does not
//	text output          lines that the block before printed, in this order; … is any text
//	LANGUAGE file=PATH   write this file
//	js wrong             a script with a mistake, which its types show (types_test.go)
//	go run[=FILE]        run this program
//
// In a block that is run, RUN, GATE and CHECKSUM stand for those of the newest run.

// block is one fenced block.
type block struct {
	page string
	line int
	lang string
	// says is what stands behind the language; a word without a value is there with "".
	says map[string]string
	text string
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

func (b block) has(word string) bool {
	_, ok := b.says[word]
	return ok
}

func (b block) exit(t *testing.T) int {
	t.Helper()
	if !b.has("exit") {
		return 0
	}
	n, err := strconv.Atoi(b.says["exit"])
	require.NoError(t, err, "%s", b)
	return n
}

// guided are the pages whose commands are tried.
func guided(t *testing.T) []string {
	t.Helper()
	pages := []string{filepath.Join("..", "README.md")}
	for _, folder := range []string{"tutorial", "how-to"} {
		more, err := filepath.Glob(filepath.Join("..", "docs", folder, "*.md"))
		require.NoError(t, err)
		pages = append(pages, more...)
	}
	return pages
}

func blocksOf(t *testing.T, page string) []block {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	return parseBlocks(strings.TrimPrefix(filepath.ToSlash(page), "../"), string(text))
}

func parseBlocks(page, text string) []block {
	var blocks []block
	var open *block
	number := 0
	for line := range strings.Lines(text) {
		number++
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && open == nil:
			words := strings.Fields(fence)
			open = &block{page: page, line: number, says: map[string]string{}}
			if len(words) > 0 {
				open.lang = words[0]
				for _, word := range words[1:] {
					name, value, _ := strings.Cut(word, "=")
					open.says[name] = value
				}
			}
		case isFence:
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			open.text += line
		}
	}
	return blocks
}

func TestParseBlocks(t *testing.T) {
	got := parseBlocks("p.md", "a\n```sh test exit=3\nx\ny\n```\n```\nplain\n```\n```js file=a/b.js\n```\n")
	require.Equal(t, []block{
		{page: "p.md", line: 2, lang: "sh", says: map[string]string{"test": "", "exit": "3"}, text: "x\ny\n"},
		{page: "p.md", line: 6, says: map[string]string{}, text: "plain\n"},
		{page: "p.md", line: 9, lang: "js", says: map[string]string{"file": "a/b.js"}},
	}, got)
}

// No command stands on such a page that is neither tried nor excepted with a reason.
func TestEveryCommandOnAGuidedPageIsTried(t *testing.T) {
	for _, page := range guided(t) {
		for _, b := range blocksOf(t, page) {
			if b.lang == "sh" || b.lang == "console" || b.lang == "bash" {
				require.Equal(t, "sh", b.lang, "%s", b)
				require.NotEqual(t, b.has("test"), b.says["skip"] != "", "%s: mark it test, or skip=WHY", b)
			}
		}
	}
}

// Every whole script on a page is one that a machine takes.
func TestEveryScriptOnAPageCompiles(t *testing.T) {
	compiled := 0
	for page, text := range markdown(t) {
		for _, b := range parseBlocks(page, text) {
			if b.lang != "js" && b.lang != "ts" || !strings.Contains(b.text, "export const meta") || b.has("wrong") {
				continue // a mistake that a page shows is found where the page is followed
			}
			_, err := vm.Compile(fstest.MapFS{"script." + b.lang: {Data: []byte(b.text)}}, "script."+b.lang)
			require.NoError(t, err, "%s", b)
			compiled++
		}
	}
	require.Greater(t, compiled, 5)
}
