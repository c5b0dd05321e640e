package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/sys/windows"
)

// savedMode are the modes of the console's two sides before a question.
type savedMode struct{ in, out uint32 }

// watched are the signals that concern a question.
var watched = []os.Signal{os.Interrupt, syscall.SIGTERM}

func hangup(os.Signal) bool { return false }

func resumed(os.Signal) bool { return false }

const keyEvent = 1 // KEY_EVENT of INPUT_RECORD.EventType

// inputRecord is INPUT_RECORD with a KEY_EVENT_RECORD.
type inputRecord struct {
	kind    uint16
	_       uint16
	down    int32
	repeat  uint16
	key     uint16
	scan    uint16
	char    uint16
	control uint32
}

var readConsoleInput = windows.NewLazySystemDLL("kernel32.dll").NewProc("ReadConsoleInputW")

// enter switches line input, echo and the processing of Ctrl-C off, and escape codes on.
func (t *Terminal) enter() (*savedMode, error) {
	in, out := windows.Handle(t.in.Fd()), windows.Handle(t.out.Fd())
	var saved savedMode
	if err := windows.GetConsoleMode(in, &saved.in); err != nil {
		return nil, fmt.Errorf("read the console's mode: %w", err)
	}
	if err := windows.GetConsoleMode(out, &saved.out); err != nil {
		return nil, fmt.Errorf("read the console's mode: %w", err)
	}
	mode := saved.in &^ (windows.ENABLE_LINE_INPUT | windows.ENABLE_ECHO_INPUT | windows.ENABLE_PROCESSED_INPUT)
	if err := windows.SetConsoleMode(in, mode); err != nil {
		return nil, fmt.Errorf("set the console's mode: %w", err)
	}
	// An old console without escape codes is asked for as a dumb one (Options.Dumb).
	_ = windows.SetConsoleMode(out, saved.out|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING|windows.ENABLE_PROCESSED_OUTPUT)
	return &saved, nil
}

func (t *Terminal) leave(saved *savedMode) {
	_ = windows.SetConsoleMode(windows.Handle(t.in.Fd()), saved.in)
	_ = windows.SetConsoleMode(windows.Handle(t.out.Fd()), saved.out)
}

// flush drops what was typed and nobody has read.
func (t *Terminal) flush() { _ = windows.FlushConsoleInputBuffer(windows.Handle(t.in.Fd())) }

// readSome returns what was typed, or 0 after a short time. Events that are no characters
// (the mouse, a key going up, the window's size) are passed over.
func (t *Terminal) readSome(buf []byte) (int, error) {
	handle := windows.Handle(t.in.Fd())
	const tenth = 100 // milliseconds
	event, err := windows.WaitForSingleObject(handle, tenth)
	if err != nil {
		return 0, err
	}
	if event == uint32(windows.WAIT_TIMEOUT) {
		return 0, nil
	}
	first, err := t.readChar(handle)
	if err != nil || first == 0 {
		return 0, err
	}
	r := rune(first)
	if utf16.IsSurrogate(r) {
		second := uint16(0)
		for range 4 { // the first half's key may go up in between
			if second, err = t.readChar(handle); err != nil || second != 0 {
				break
			}
		}
		if err != nil {
			return 0, err
		}
		r = utf16.DecodeRune(r, rune(second))
	}
	return utf8.EncodeRune(buf, r), nil
}

// readChar takes one event; 0 if it is no character.
func (t *Terminal) readChar(handle windows.Handle) (uint16, error) {
	var record inputRecord
	var count uint32
	ok, _, err := readConsoleInput.Call(uintptr(handle), uintptr(unsafe.Pointer(&record)), 1, uintptr(unsafe.Pointer(&count)))
	if ok == 0 {
		return 0, err
	}
	if count == 0 || record.kind != keyEvent || record.down == 0 {
		return 0, nil
	}
	return record.char, nil
}

// closed says that a console is gone, and why.
func closed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, windows.ERROR_INVALID_HANDLE) {
		return ErrClosed
	}
	return fmt.Errorf("%w: %w", ErrClosed, err)
}

// Quiet does nothing: a console echoes only what a program reads.
func Quiet(*os.File) (restore func()) { return func() {} }
