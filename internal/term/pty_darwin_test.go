package term_test

import "golang.org/x/sys/unix"

const (
	ioctlGetMode = unix.TIOCGETA
	ioctlUnread  = 0x4004667F // FIONREAD of <sys/filio.h>
)
