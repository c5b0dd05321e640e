package agenttest

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	// patience is how long a test waits for what a child does.
	patience = 10 * time.Second
	// parting is how long a process that was ended may be seen.
	parting = 2 * time.Second
)

// PidIn reads the number of a process that a child writes to a file, once it is there.
func PidIn(t *testing.T, path string) int {
	t.Helper()
	var pid int
	require.Eventually(t, func() bool {
		content, _ := os.ReadFile(path)
		var err error
		pid, err = strconv.Atoi(strings.TrimSpace(string(content)))
		return err == nil && bytes.HasSuffix(content, []byte("\n"))
	}, patience, time.Millisecond, path)
	return pid
}

// WhenWritten calls then once every file holds a line, or after some seconds, when the test fails by
// what it waits for.
func WhenWritten(then func(), paths ...string) {
	deadline := time.Now().Add(patience)
	for _, path := range paths {
		for time.Now().Before(deadline) {
			if content, _ := os.ReadFile(path); bytes.HasSuffix(content, []byte("\n")) {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	then()
}

// RequireGone fails the test if a process goes on running.
func RequireGone(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool { return !Alive(pid) }, parting, time.Millisecond, "process %d still runs", pid)
}
