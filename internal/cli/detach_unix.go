//go:build unix

package cli

import (
	"os"
	"os/exec"
	"syscall"
)

// inherit hands an open file to a child of its own session, which no terminal's hangup or
// Ctrl-C reaches, and gives the number that the file has there.
func inherit(child *exec.Cmd, file *os.File) (uint64, error) {
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	child.ExtraFiles = []*os.File{file}
	return 3, nil
}
