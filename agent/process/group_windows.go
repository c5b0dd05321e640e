package process

import (
	"os"
	"syscall"
)

// createNoWindow is CREATE_NO_WINDOW: the child has no console, so it cannot ask on one.
const createNoWindow = 0x08000000

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | createNoWindow, HideWindow: true}
}

// askGroup ends the child: Windows has no request that a process without a console hears.
func askGroup(p *os.Process, _ int) { _ = p.Kill() }

// endGroup ends the child. What the child itself started is not reached.
func endGroup(p *os.Process, _ int) { _ = p.Kill() }

func groupAlive(int) bool { return false }
