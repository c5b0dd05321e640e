package term

import (
	"io"
	"sync"
)

// The codes of a terminal that a person notices from elsewhere: the bell, and the window's title
// (OSC 2). The title that was there before is kept on the terminal's own stack (XTWINOPS 22 and 23)
// where it has one; elsewhere it is left empty, and the shell's next prompt sets its own.
const (
	ringBell   = "\a"
	keepTitle  = "\x1b[22;2t"
	setTitle   = "\x1b]2;"
	endTitle   = "\a"
	priorTitle = "\x1b[23;2t"
)

// Signs are the bell and the title of one terminal. They move no cursor, so they may be given
// while a list is drawn or a question is asked. nil gives none.
type Signs struct {
	out io.Writer

	mu     sync.Mutex
	titled bool // guarded by mu; the title is ours
}

// NewSigns gives the signs of the terminal out.
func NewSigns(out io.Writer) *Signs { return &Signs{out: out} }

// Ring rings the bell.
func (s *Signs) Ring() {
	if s != nil {
		_, _ = io.WriteString(s.out, ringBell) // a terminal that is gone is noticed elsewhere
	}
}

// Title sets the title, whatever text is.
func (s *Signs) Title(text string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	code := setTitle + Escape(text) + endTitle
	if !s.titled {
		code = keepTitle + code
	}
	s.titled = true
	_, _ = io.WriteString(s.out, code) // as above
}

// Clear gives the title back, if it is ours.
func (s *Signs) Clear() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.titled {
		_, _ = io.WriteString(s.out, setTitle+endTitle+priorTitle) // as above
	}
	s.titled = false
}
