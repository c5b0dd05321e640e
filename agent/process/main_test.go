//go:build unix

package process_test

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// runs reports whether a process runs; a zombie does not.
func runs(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !bytes.Contains(stat, []byte(") Z "))
}

// pidIn reads a process id that an agent wrote to a file.
func pidIn(t *testing.T, path string) int {
	t.Helper()
	var pid int
	require.Eventually(t, func() bool {
		content, _ := os.ReadFile(path)
		var err error
		pid, err = strconv.Atoi(strings.TrimSpace(string(content)))
		return err == nil
	}, 5*time.Second, time.Millisecond)
	return pid
}

func requireGone(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool { return !runs(pid) }, 2*time.Second, time.Millisecond, "process %d still runs", pid)
}

// whenWritten calls then once every file holds a process id, or after 5 s, when the test fails
// by what it waits for.
func whenWritten(then func(), paths ...string) {
	deadline := time.Now().Add(5 * time.Second)
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
