package term

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// maxPending is how much of an unfinished line a Writer holds before it prints it: a stream
// without newlines must not grow without bound.
const maxPending = 64 << 10

// Writer escapes everything that is written to it, line by line, and puts a prefix before
// every line, so that no line of an agent's output can pass for one of ours. A line is
// printed when its newline arrives, or at Close. It is safe for use by several goroutines.
type Writer struct {
	out    io.Writer
	prefix string

	mu      sync.Mutex
	pending []byte // guarded by mu
	err     error  // guarded by mu; the first failure of out
}

// NewWriter returns a Writer on out. The prefix is ours and printed as it is.
func NewWriter(out io.Writer, prefix string) *Writer { return &Writer{out: out, prefix: prefix} }

// Write takes untrusted bytes. It reports all of p as written unless out failed.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = append(w.pending, p...)
	var b strings.Builder
	rest := w.pending
	for {
		line, after, found := bytes.Cut(rest, []byte{'\n'})
		if !found {
			break
		}
		w.line(&b, line)
		rest = after
	}
	for len(rest) > maxPending {
		cut := maxPending
		for back := 0; back < 3 && rest[cut]&0xC0 == 0x80; back++ { // not inside a character
			cut--
		}
		w.line(&b, rest[:cut])
		rest = rest[cut:]
	}
	w.pending = append(w.pending[:0], rest...)
	w.print(b.String())
	if w.err != nil {
		return 0, w.err
	}
	return len(p), nil
}

// Close prints what has no newline yet. It does not close out.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.pending) > 0 {
		var b strings.Builder
		w.line(&b, w.pending)
		w.pending = nil
		w.print(b.String())
	}
	return w.err
}

// line adds one line. A carriage return before the newline is how some programs end their
// lines; it is dropped there, as the one thing that ends a line, and escaped elsewhere.
func (w *Writer) line(b *strings.Builder, line []byte) {
	b.WriteString(w.prefix)
	b.WriteString(Escape(string(bytes.TrimSuffix(line, []byte{'\r'}))))
	b.WriteByte('\n')
}

func (w *Writer) print(text string) {
	if text == "" || w.err != nil {
		return
	}
	_, w.err = io.WriteString(w.out, text)
}
