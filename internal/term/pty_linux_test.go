package term_test

import "golang.org/x/sys/unix"

const (
	ioctlGetMode = unix.TCGETS
	ioctlUnread  = unix.TIOCINQ
)
