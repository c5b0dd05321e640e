package agenttest

import (
	"os"
	"syscall"
)

// Alive reports whether there is such a process.
func Alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err == nil {
		_ = p.Release()
	}
	return err == nil
}

func ownSession() *syscall.SysProcAttr { return nil }
