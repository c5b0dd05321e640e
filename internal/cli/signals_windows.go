package cli

import (
	"os"
	"syscall"
)

// endings are the signals that ask a process to end; a closed console is SIGTERM.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM}
