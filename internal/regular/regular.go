package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// What is refused, besides what the system refuses.
var (
	// ErrKind is for what is no regular file.
	ErrKind = errors.New("not a regular file")
	// ErrSize is for a file that is larger than the limit.
	ErrSize = errors.New("too large")
)

// Open opens a regular file for reading. Links are followed.
func Open(path string) (*os.File, error) {
	return open(path, func() (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|atOnce, 0) },
		func() (fs.FileInfo, error) { return os.Stat(path) })
}

// Read reads a regular file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("%w: it has more than %d bytes", ErrSize, limit)}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// open looks first, because opening a device may do something already; and once more at what
// was opened, because another may stand at the name by then.
func open(path string, opened func() (*os.File, error), stat func() (fs.FileInfo, error)) (*os.File, error) {
	if err := check(path, stat); err != nil {
		return nil, err
	}
	file, err := opened()
	if err != nil {
		return nil, err
	}
	if err := check(path, file.Stat); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func check(path string, stat func() (fs.FileInfo, error)) error {
	info, err := stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("%w but %s", ErrKind, kind(info.Mode()))}
	}
	return err
}

// kind names what is no regular file.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}
