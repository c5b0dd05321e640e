package agent

import (
	"io"
	"os"
)

// capped keeps what a child prints, up to a limit, and never holds more than twice that.
type capped struct {
	limit int64
	data  []byte // owned by the reading goroutine until its channel is closed
	over  bool
}

// read reads from f until its end, an error or the limit; over is called when the limit is
// passed, and nothing is read from then on, so that the child stops at a full pipe.
func (c *capped) read(f *os.File, over func()) {
	chunk := make([]byte, 64<<10)
	for {
		n, err := f.Read(chunk)
		if int64(len(c.data)+n) > c.limit {
			c.data, c.over = nil, true
			over()
			return
		}
		c.data = append(c.data, chunk[:n]...)
		if err != nil {
			return
		}
	}
}

// tail keeps the end of what a child prints.
type tail struct {
	limit int
	data  []byte // owned by the reading goroutine until its channel is closed
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.data = append(t.data, p[max(0, len(p)-t.limit):]...)
	if extra := len(t.data) - t.limit; extra > 0 {
		t.data = append(t.data[:0], t.data[extra:]...)
	}
	return len(p), nil
}

// read reads from f until its end.
func (t *tail) read(f *os.File) { _, _ = io.Copy(t, f) }
