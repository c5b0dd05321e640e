package term

import (
	"context"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"

	xterm "golang.org/x/term"
)

// IsTerminal reports whether f is a terminal. nil is none.
func IsTerminal(f *os.File) bool { return f != nil && xterm.IsTerminal(int(f.Fd())) }

// Options say what a terminal is like. This package does not look at the environment: the
// command line does (NO_COLOR, TERM) and says so here.
type Options struct {
	// Color allows colour codes.
	Color bool
	// Dumb is a terminal without cursor movement: corrections are shown on a new line.
	Dumb bool
}

// Terminal is where a person reads and types. One question is asked at a time; a second Ask
// waits for the first.
type Terminal struct {
	in, out *os.File
	options Options
	turn    chan struct{} // holds one token while a question is asked

	mu    sync.Mutex
	saved *savedMode // guarded by mu; what to restore, nil outside of questions
}

// Open takes the file that a person types into and the one that they read. Both must be
// terminals; they stay the caller's to close.
func Open(in, out *os.File, o Options) (*Terminal, error) {
	if !IsTerminal(in) || !IsTerminal(out) {
		return nil, ErrNotTerminal
	}
	return &Terminal{in: in, out: out, options: o, turn: make(chan struct{}, 1)}, nil
}

// Size is the number of columns and rows, 80 by 24 if the terminal does not say.
func (t *Terminal) Size() (columns, rows int) { return Size(t.out) }

// Size is the size of the terminal f, 80 by 24 if it does not say.
func Size(f *os.File) (columns, rows int) {
	columns, rows, err := xterm.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows
}

// Restore gives the terminal back as it was before the question, from any goroutine. Ask
// does so itself, also when it panics; a process that leaves at once (os.Exit) during a
// question calls it first.
func (t *Terminal) Restore() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.saved != nil {
		t.leave(t.saved)
		t.saved = nil
	}
}

// enterMode switches echo, line editing and the keyboard's signals off; keys arrive one by one.
func (t *Terminal) enterMode() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	saved, err := t.enter()
	if err != nil {
		return err
	}
	if t.saved == nil {
		t.saved = saved
	}
	return nil
}

// session is one question at a terminal, from begin to end.
type session struct {
	*Terminal
	ctx     context.Context
	signals chan os.Signal
	st      style
	typed   []byte // read, not yet used
	midLine bool   // the cursor does not stand at the start of a line
}

// begin waits for the terminal's turn and takes it over.
func (t *Terminal) begin(ctx context.Context) (*session, error) {
	select {
	case t.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	s := &session{Terminal: t, ctx: ctx, signals: make(chan os.Signal, 4), st: style{t.options.Color}}
	signal.Notify(s.signals, watched...)
	if err := t.enterMode(); err != nil {
		s.end()
		return nil, closed(err)
	}
	return s, nil
}

// end gives the terminal back. What was typed and not used is dropped: the shell must not
// get the rest of a pasted answer as commands.
func (s *session) end() {
	signal.Stop(s.signals)
	if s.midLine {
		s.write("\n")
	}
	s.flush()
	s.Restore()
	<-s.turn
}

// write prints what is safe to print.
func (s *session) write(text string) {
	if text == "" {
		return
	}
	s.midLine = text[len(text)-1] != '\n'
	// A terminal that cannot be written to is noticed by the next read.
	_, _ = io.WriteString(s.out, text)
}

// control sends a code that leaves nothing on the screen.
func (s *session) control(code string) {
	if !s.options.Dumb {
		_, _ = io.WriteString(s.out, code)
	}
}

// say prints a line of ours, wrapped between words. It is plain: colour codes would be counted as
// columns.
func (s *session) say(text string) {
	columns, _ := s.Size()
	s.row(strings.Join(Wrap(text, columns, ""), "\n"))
}

// row prints what is laid out already: a row of a page, painted and as wide as it is to be.
func (s *session) row(text string) {
	if s.midLine {
		s.write("\n")
	}
	s.write(text + "\n")
}

// fill waits until something was typed. It ends with the context's cause, ErrInterrupted on
// a signal that ends processes, and ErrClosed on a hangup; redraw is true if the terminal
// came back from a suspension.
func (s *session) fill() (redraw bool, err error) {
	var buf [4096]byte
	for {
		if s.ctx.Err() != nil {
			return false, context.Cause(s.ctx)
		}
		select {
		case sig := <-s.signals:
			switch {
			case hangup(sig):
				return false, ErrHangup
			case !resumed(sig):
				return false, ErrInterrupted
			}
			if err := s.enterMode(); err != nil {
				return false, closed(err)
			}
			return true, nil
		default:
		}
		n, err := s.readSome(buf[:])
		if err != nil {
			return false, closed(err)
		}
		if n > 0 {
			s.typed = append(s.typed, buf[:n]...)
			return false, nil
		}
	}
}

// discard drops all that was typed before now.
func (s *session) discard() {
	s.typed = s.typed[:0]
	s.flush()
}
