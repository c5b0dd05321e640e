package watch

import (
	"io/fs"
	"syscall"
)

// systemStamp is the time of a file's change, and its number.
func systemStamp(info fs.FileInfo) (changed int64, inode uint64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctim.Nano(), s.Ino
	}
	return 0, 0
}
