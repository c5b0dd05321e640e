//go:build unix

package cli

import (
	"os"
	"syscall"
)

// endings are the signals that ask a process to end.
var endings = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
