package tests_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The table of scripts/bench, from an output whose medians and ratios were worked out by hand.
func TestBenchTable(t *testing.T) {
	output := strings.Join([]string{
		"goos: linux",
		"BenchmarkRawFsync-2   100   1000000 ns/op   0 B/op",
		"BenchmarkRawFsync-2   100   5000000 ns/op   0 B/op",
		"BenchmarkRawFsync-2   100   2000000 ns/op   0 B/op",
		"BenchmarkAppend-16    100   4000000 ns/op   0.50 ratio",
		"BenchmarkAppend-16    100   4000000 ns/op   0.41 ratio",
		"BenchmarkRun/a=b-2      1   8000000000 ns/op   125 calls/s",
		"BenchmarkRun/a=b-2      1   8000000000 ns/op   375 calls/s",
		"PASS",
	}, "\n")
	table, err := runScript(t, "bench", "--read", keepOutput(t, output))
	require.NoError(t, err)
	require.Equal(t, [][]string{
		{"benchmark", "median", "spread", "x", "raw", "also"},
		{"RawFsync", "2.00", "ms", "200", "%", "1.00", "0", "B/op"},
		{"Append", "4.00", "ms", "0", "%", "0.50", "0.455", "ratio"},
		{"Run/a=b", "8.00", "s", "0", "%", "0.50", "250", "calls/s"},
		nil,
		{"targets"},
		{"Append", "met", "0.455", ">=", "0.45", "ratio"},
	}, tableWords(table))

	_, err = runScript(t, "bench", "--read", keepOutput(t, "BenchmarkAppend-2 1 4000000 ns/op 0.44 ratio\n"))
	require.Error(t, err, "a target that is missed")
	_, err = runScript(t, "bench", "--read", keepOutput(t, "PASS\n"))
	require.Error(t, err, "no benchmark")
	_, err = runScript(t, "bench", "--read", keepOutput(t, output+"\nFAIL\n"))
	require.Error(t, err, "a benchmark that failed")
}

// scripts/check refuses a step that it does not have, rather than pass without it.
func TestCheckKnowsItsSteps(t *testing.T) {
	list, err := runScript(t, "check", "--list")
	require.NoError(t, err)
	require.Subset(t, strings.Fields(list), []string{
		"format", "vet", "lint", "staticcheck", "deadcode", "architecture", "tests", "fuzz", "cross", "tidy", "verify", "words",
	})
	_, err = runScript(t, "check", "tset")
	require.Error(t, err)
}

func runScript(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	command := exec.CommandContext(t.Context(), bash, append([]string{filepath.Join("..", "scripts", name)}, args...)...)
	output, err := command.Output()
	return string(output), err
}

func keepOutput(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "output")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// tableWords splits a table into the words of its lines.
func tableWords(table string) [][]string {
	var lines [][]string
	for line := range strings.SplitSeq(strings.TrimSuffix(table, "\n"), "\n") {
		lines = append(lines, append([]string(nil), strings.Fields(line)...))
	}
	return lines
}
