package agenttest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What lies in a fake's folder.
const (
	programFile    = "program"
	behaviourFile  = "behaviour"
	grandchildFile = "grandchild"
	atWorkFile     = "at-work"
	reportPrefix   = "report-"
)

// Fake makes a program that behaves so, in the words of a speaker that Main knows, and gives its path.
func Fake(t *testing.T, speaker string, b Behaviour) (program string) {
	t.Helper()
	folder := t.TempDir()
	own, err := os.Executable()
	require.NoError(t, err)
	text, err := json.Marshal(b)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, behaviourFile), text, 0o600))
	// A binary with the race detector would wait for a second at its end.
	script := "#!/bin/sh\nexport GORACE=atexit_sleep_ms=0\nexec " + quoted(own) + " " + asFake + " " + quoted(speaker) + " " + quoted(folder) + ` "$@"` + "\n"
	program = filepath.Join(folder, programFile)
	require.NoError(t, os.WriteFile(program, []byte(script), 0o700)) //nolint:gosec // it is started
	return program
}

func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Reports are those of the processes that a fake was, in no order.
func Reports(t *testing.T, program string) []Report {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(filepath.Dir(program), reportPrefix+"*"))
	require.NoError(t, err)
	reports := make([]Report, len(paths))
	for i, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &reports[i]))
		require.Empty(t, reports[i].Problem, "the fake could not hear what the runner handed over")
	}
	return reports
}

// GrandchildFile is the file that has the number of a fake's grandchild.
func GrandchildFile(program string) string {
	return filepath.Join(filepath.Dir(program), grandchildFile)
}

// AtWorkFile is the file that has the number of a fake once it waits.
func AtWorkFile(program string) string { return filepath.Join(filepath.Dir(program), atWorkFile) }
