package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ReadIn reads a regular file of at most limit bytes in a folder that is open, and follows no
// link, not even one that stays in the folder.
func ReadIn(dir *os.Root, name string, limit int64) ([]byte, error) {
	var before fs.FileInfo
	look := func() (info fs.FileInfo, err error) {
		before, err = dir.Lstat(name)
		return before, err
	}
	file, err := open(name, func() (*os.File, error) { return dir.OpenFile(name, os.O_RDONLY|atOnce, 0) }, look)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	// A link may have been put there since; what was opened has to be what was looked at.
	if opened, err := file.Stat(); err != nil || !os.SameFile(before, opened) {
		return nil, errors.Join(err, &fs.PathError{Op: "open", Path: name, Err: ErrKind})
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("%w: it has more than %d bytes", ErrSize, limit)}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}
