package scripttest_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/scripttest"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const header = "export const meta = { name: 'tested', description: 'a test' };\n"

// exit stands in for the command line's exit codes.
func exit(r *engine.Result, refused error) int {
	switch {
	case refused != nil:
		return 2
	case r.State == journal.StatusCompleted && len(r.Failures) > 0:
		return 8
	case r.State == journal.StatusCompleted:
		return 0
	default:
		return 3
	}
}

// load writes a script and its tests into a folder, and reads them.
func load(t *testing.T, folder, script, tests string) ([]scripttest.Case, error) {
	t.Helper()
	path := filepath.Join(folder, "tested.js")
	require.NoError(t, os.WriteFile(path, []byte(header+script), 0o600))
	file := path + scripttest.Ending
	require.NoError(t, os.WriteFile(file, []byte(tests), 0o600))
	f, err := scripttest.Load(file, path, "tested.js.test.toml")
	if err != nil {
		return nil, err
	}
	program, err := vm.Compile(fstest.MapFS{"tested.js": {Data: []byte(header + script)}}, "tested.js")
	require.NoError(t, err)
	var cases []scripttest.Case
	for _, test := range f.Tests {
		cases = append(cases, scripttest.Case{File: f, Test: test, Program: program})
	}
	return cases, nil
}

// reports runs the tests of a script. Whatever comes of them, nothing is left behind.
func reports(t *testing.T, base engine.Options, script, tests string) []scripttest.Report {
	t.Helper()
	cases, err := load(t, t.TempDir(), script, tests)
	require.NoError(t, err)
	return runAll(t, base, cases)
}

func runAll(t *testing.T, base engine.Options, cases []scripttest.Case) []scripttest.Report {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.Chmod(root, 0o700))
	var list []scripttest.Report
	err := scripttest.Run(context.Background(), cases, scripttest.Options{Base: base, Exit: exit, Root: root, Parallel: 2},
		func(r scripttest.Report) error {
			list = append(list, r)
			return nil
		})
	require.NoError(t, err)
	left, err := os.ReadDir(root)
	require.NoError(t, err)
	require.Empty(t, left, "something was left behind")
	return list
}

// passes and fails run one test.
func passes(t *testing.T, script, test string) scripttest.Report {
	t.Helper()
	r := reports(t, engine.Options{}, script, "[[test]]\n"+test)
	require.Len(t, r, 1)
	require.Empty(t, r[0].Differences)
	require.True(t, r[0].OK)
	return r[0]
}

func fails(t *testing.T, script, test string, differences ...string) scripttest.Report {
	t.Helper()
	r := reports(t, engine.Options{}, script, "[[test]]\n"+test)
	require.Len(t, r, 1)
	require.Equal(t, differences, r[0].Differences)
	require.False(t, r[0].OK)
	return r[0]
}
