package tests_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

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
