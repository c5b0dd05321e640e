package cli

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

const detachedProcess = 0x00000008 // DETACHED_PROCESS: no console

// inherit hands an open file to a child without a console, and gives the number that the file
// has there.
func inherit(child *exec.Cmd, file *os.File) (uint64, error) {
	handle := syscall.Handle(file.Fd())
	if err := syscall.SetHandleInformation(handle, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
		return 0, fmt.Errorf("starting in the background: %w", err)
	}
	child.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags:              syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess,
		AdditionalInheritedHandles: []syscall.Handle{handle},
	}
	return uint64(handle), nil
}
