//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// savedMode is the terminal's mode before a question.
type savedMode = unix.Termios

// watched are the signals that concern a question.
var watched = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGCONT}

func hangup(s os.Signal) bool { return s == syscall.SIGHUP }

func resumed(s os.Signal) bool { return s == syscall.SIGCONT }

// disabled is the value of a control character that is switched off (_POSIX_VDISABLE).
var disabled = vdisable()

// enter switches canonical input, echo and the interrupt keys off. Output is processed as
// before, so that other writers' newlines still return the carriage, and Ctrl-Z still
// suspends. A read without input returns after a tenth of a second.
func (t *Terminal) enter() (*savedMode, error) {
	fd := int(t.in.Fd())
	saved, err := unix.IoctlGetTermios(fd, ioctlGet)
	if err != nil {
		return nil, fmt.Errorf("read the terminal's mode: %w", err)
	}
	mode := *saved
	mode.Lflag &^= unix.ICANON | unix.ECHO | unix.ECHONL | unix.IEXTEN
	mode.Iflag &^= unix.INLCR | unix.IGNCR | unix.ISTRIP
	mode.Iflag |= unix.ICRNL
	mode.Cc[unix.VINTR], mode.Cc[unix.VQUIT] = disabled, disabled
	mode.Cc[unix.VMIN], mode.Cc[unix.VTIME] = 0, 1
	if err := unix.IoctlSetTermios(fd, ioctlSet, &mode); err != nil {
		return nil, fmt.Errorf("set the terminal's mode: %w", err)
	}
	return saved, nil
}

func (t *Terminal) leave(saved *savedMode) {
	// A terminal that is gone needs no mode.
	_ = unix.IoctlSetTermios(int(t.in.Fd()), ioctlSet, saved)
}

// Quiet keeps what is typed at the terminal f from being echoed into what is drawn there, until
// restore is called, which drops it. A program in the background leaves the terminal alone: it
// would be stopped. Signals' keys work as before.
func Quiet(f *os.File) (restore func()) {
	t := &Terminal{in: f}
	fd := int(f.Fd())
	saved, err := unix.IoctlGetTermios(fd, ioctlGet)
	if err != nil || !foreground(fd) {
		return func() {}
	}
	mode := *saved
	mode.Lflag &^= unix.ECHO
	if err := unix.IoctlSetTermios(fd, ioctlSet, &mode); err != nil {
		return func() {} // what is typed is echoed, and no harm done
	}
	return func() {
		if foreground(fd) {
			t.flush()
			t.leave(saved)
		}
	}
}

// foreground reports whether this process may change the mode of its terminal.
func foreground(fd int) bool {
	group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// patience is how long a read waits for input, and so how soon a question notices that it
// was answered elsewhere.
const patience = 100 * time.Millisecond

// ready waits for input. It asks before it reads, because a shell that took the terminal
// back during a suspension may have left it reading whole lines. (select, because poll does
// not know /dev/tty on every system.)
func ready(fd int) (bool, error) {
	if fd >= unix.FD_SETSIZE {
		return true, nil
	}
	var set unix.FdSet
	set.Set(fd)
	timeout := unix.NsecToTimeval(int64(patience))
	n, err := unix.Select(fd+1, &set, nil, nil, &timeout)
	if errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return n > 0, err
}

// readSome returns what was typed, or 0 after a short time. A read of nothing is also what a
// terminal that hung up gives; then it has no mode any more.
func (t *Terminal) readSome(buf []byte) (n int, err error) {
	conn, err := t.in.SyscallConn() // holds the number of the file while it is used
	if err != nil {
		return 0, err
	}
	if gone := conn.Control(func(fd uintptr) { n, err = readFrom(int(fd), buf) }); gone != nil {
		return 0, gone
	}
	return n, err
}

func readFrom(fd int, buf []byte) (int, error) {
	if ok, err := ready(fd); err != nil || !ok {
		return 0, err
	}
	n, err := unix.Read(fd, buf)
	switch {
	case n > 0:
		return n, nil
	case errors.Is(err, unix.EINTR):
		return 0, nil
	case errors.Is(err, unix.EAGAIN): // someone made the file non-blocking
		time.Sleep(patience / 5)
		return 0, nil
	case err != nil:
		return 0, err
	}
	if _, err := unix.IoctlGetTermios(fd, ioctlGet); err != nil {
		return 0, io.EOF
	}
	return 0, nil
}

// closed says that a terminal is gone, and why.
func closed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, unix.EIO) || errors.Is(err, unix.ENXIO) {
		return ErrClosed
	}
	return fmt.Errorf("%w: %w", ErrClosed, err)
}
