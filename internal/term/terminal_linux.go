package term

import "golang.org/x/sys/unix"

const (
	ioctlGet = unix.TCGETS
	ioctlSet = unix.TCSETS
)

func vdisable() uint8 { return 0 }

// flush drops what the terminal has received and nobody has read (tcflush).
func (t *Terminal) flush() {
	_ = unix.IoctlSetInt(int(t.in.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
