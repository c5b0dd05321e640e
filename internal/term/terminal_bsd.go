//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package term

import "golang.org/x/sys/unix"

const (
	ioctlGet = unix.TIOCGETA
	ioctlSet = unix.TIOCSETA

	flushRead = 1 // FREAD of <sys/fcntl.h>
)

func vdisable() uint8 { return 0xFF }

// flush drops what the terminal has received and nobody has read (tcflush).
func (t *Terminal) flush() {
	_ = unix.IoctlSetPointerInt(int(t.in.Fd()), unix.TIOCFLUSH, flushRead)
}
