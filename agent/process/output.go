package process

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync/atomic"
)

// source is a pipe that knows whether its reader waits for it, or is still busy with what it read.
type source struct {
	file    *os.File
	waiting atomic.Bool
	read    atomic.Int64
}

// Read reads from the pipe.
func (s *source) Read(p []byte) (int, error) {
	s.waiting.Store(true)
	n, err := s.file.Read(p)
	s.read.Add(int64(n))
	s.waiting.Store(false)
	return n, err
}

// watchOver begins to look, after the child has ended, for what holds the pipe; each call of held is a
// look, some time after the last. It is held if its reader waited at two looks and read nothing between
// them, or read more since the first than a pipe holds, so that something prints still. A reader that
// is slow with what the child printed is waited for.
func (s *source) watchOver() (held func() bool) {
	most, last := s.read.Load()+pipeRoom, int64(-1)
	return func() bool {
		read := s.read.Load()
		if read > most {
			return true
		}
		if !s.waiting.Load() {
			last = -1
			return false
		}
		same := read == last
		last = read
		return same
	}
}

// capped keeps what a child prints, up to a limit, and never holds more than twice that.
type capped struct {
	limit int64
	data  []byte // owned by the reading goroutine until its channel is closed
	over  bool
	long  bool // it was the limit of a line that was passed
}

// read reads from f until its end, an error or the limit; over is called when the limit is
// passed, and nothing is read from then on, so that the child stops at a full pipe.
func (c *capped) read(f io.Reader, over func()) {
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
// passed. What is after the last line end is a line too, unless it is empty, or cut: f was then
// closed before its end.
func (c *capped) lines(f io.Reader, longest int, fn func(line []byte), over func()) {
	reader := bufio.NewReaderSize(f, 64<<10)
	var line []byte
	var total int64
	for {
		part, err := reader.ReadSlice('\n')
		total += int64(len(part))
		line = append(line, part...)
		whole := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		switch {
		case total > c.limit || len(whole) > longest:
			c.over, c.long = true, total <= c.limit
			over()
			return
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			fn(whole)
		}
		if err != nil {
			return
		}
		line = line[:0]
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
