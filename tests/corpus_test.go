package tests_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every script of the corpus gives what stands beside it: run at once, cut off after each answer and resumed, and executed again from
// its journal.
func TestCorpus(t *testing.T) {
	v := newVisitor(t)
	require.NoError(t, os.CopyFS(v.dir, os.DirFS("corpus")))
	stdout, stderr, code := v.run(t, "test", ".", "--json")
	require.Equal(t, 0, code, "%s\n%s", stdout, stderr)
	var report struct {
		Tests []struct {
			OK bool `json:"ok"`
		} `json:"tests"`
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &report))
	require.Len(t, report.Tests, testsIn(t, "corpus"))
	for _, r := range report.Tests {
		require.True(t, r.OK)
	}
}

// testsIn counts the tests below a folder.
func testsIn(t *testing.T, folder string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.test.toml"))
	require.NoError(t, err)
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		n += strings.Count(string(text), "[[test]]\n")
	}
	return n
}

// The corpus is large enough, uses every global, and is cut off everywhere.
func TestCorpusIsComplete(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("corpus/*.test.toml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 40)
	var all strings.Builder
	for _, file := range files {
		tests, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, strings.Count(string(tests), "[[test]]\n"), strings.Count(string(tests), "\nresilience = true\n"), file)
		script, err := os.ReadFile(strings.TrimSuffix(file, ".test.toml"))
		require.NoError(t, err)
		all.Write(script)
	}
	for name := range realGlobals(t) {
		require.True(t, regexp.MustCompile(`\b`+name+`\b`).MatchString(all.String()), "no script uses %s", name)
	}
}
