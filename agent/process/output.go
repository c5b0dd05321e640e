package process

import (
	"bufio"
	"bytes"
	"errors"
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

// lines hands each line to fn until the end of f, an error, or a limit; over is called when one is
// passed. What is after the last line end is a line too, unless it is empty.
func (c *capped) lines(f *os.File, longest int, fn func(line []byte), over func()) {
	reader := bufio.NewReaderSize(f, 64<<10)
	var line []byte
	var total int64
	for {
		part, err := reader.ReadSlice('\n')
		total += int64(len(part))
		if total > c.limit || len(line)+len(part) > longest {
			c.over = true
			over()
			return
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			line = append(line, part...)
			continue
		}
		if line = append(line, part...); len(line) > 0 {
			fn(bytes.TrimRight(line, "\r\n"))
		}
		line = line[:0]
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
