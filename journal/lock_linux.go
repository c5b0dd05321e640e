package journal

import "golang.org/x/sys/unix"

const (
	ofdSet = unix.F_OFD_SETLK
	ofdGet = unix.F_OFD_GETLK
)
