package acp

import "io"

// ahead reads on while what was read is dealt with: a program that has ended has its output kept for
// a moment only, and a long message takes longer. What is ahead is more than a pipe holds.
type ahead struct {
	chunks chan []byte // closed at the end of the output
	rest   []byte
}

const (
	aheadChunk  = 64 << 10
	aheadChunks = 16
)

// readAhead begins; it ends with out, or when quit is closed and out can be read.
func readAhead(out io.Reader, quit chan struct{}) *ahead {
	a := &ahead{chunks: make(chan []byte, aheadChunks)}
	go func() {
		defer close(a.chunks)
		for {
			chunk := make([]byte, aheadChunk)
			n, err := out.Read(chunk)
			if n > 0 {
				select {
				case a.chunks <- chunk[:n]:
				case <-quit:
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return a
}

// Read gives what is there. Why the output ended does not matter to a conversation.
func (a *ahead) Read(p []byte) (int, error) {
	if len(a.rest) == 0 {
		chunk, ok := <-a.chunks
		if !ok {
			return 0, io.EOF
		}
		a.rest = chunk
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}
