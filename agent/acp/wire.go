package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// message has the fields of the library's own type, with the same types: what can be read as one can
// be read as the other.
type message struct {
	JSONRPC string            `json:"jsonrpc"`
	ID      *json.RawMessage  `json:"id,omitempty"`
	Method  string            `json:"method,omitempty"`
	Params  json.RawMessage   `json:"params,omitempty"`
	Result  json.RawMessage   `json:"result,omitempty"`
	Error   *sdk.RequestError `json:"error,omitempty"`
}

const cancelRequest = "$/cancel_request"

// wire is what the library reads in place of the agent's output: whole messages that it can read.
// Updates do not go through the library at all: they are dealt with in their place, so that neither a
// request nor an answer overtakes what was said before it, and no queue fills. What is not a message,
// such as a greeting of the agent's program, is counted and left out.
type wire struct {
	out  *bufio.Reader
	rest []byte // of the message that is being read; owned by the reading goroutine, as the next two
	line []byte
	read int64
	most int64 // bytes that are read of the output at most

	// ready is closed when the library has all that it needs; nothing is read before.
	ready chan struct{}
	// update deals with an update; stop is called once, when broken is set.
	update func(params json.RawMessage)
	stop   func()

	mu      sync.Mutex
	changed *sync.Cond
	closed  bool
	quit    chan struct{} // closed with it
	open    int           // requests that have been let through and not been answered
	asked   int           // our own requests so far; the library counts the same way
	waiting string        // the id of the one that waits for its answer, or ""
	told    bool          // its answer has been let through
	odd     int           // lines that were no message
	broken  error         // why the conversation cannot go on
}

func newWire(out io.Reader, most int64, update func(json.RawMessage), stop func()) *wire {
	w := &wire{most: most, update: update, stop: stop, ready: make(chan struct{}), quit: make(chan struct{})}
	w.out = bufio.NewReaderSize(readAhead(out, w.quit), 64<<10)
	w.changed = sync.NewCond(&w.mu)
	return w
}

// Read hands the library the next bytes.
func (w *wire) Read(p []byte) (int, error) {
	<-w.ready
	for len(w.rest) == 0 {
		line, err := w.next()
		if err != nil {
			w.end(err)
			return 0, io.EOF
		}
		if w.pass(line) {
			w.rest = slices.Concat(line, []byte("\n"))
		}
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

// next reads a line; it is valid until the next one.
func (w *wire) next() ([]byte, error) {
	w.line = w.line[:0]
	for {
		part, err := w.out.ReadSlice('\n')
		if w.read += int64(len(part)); w.read > w.most {
			return nil, tooMuch("it wrote more than %d bytes", w.most)
		}
		if len(w.line)+len(part) > maxLine {
			return nil, tooMuch("one of its messages has more than %d bytes", maxLine)
		}
		w.line = append(w.line, part...)
		switch {
		case err == nil:
			return bytes.TrimSpace(w.line), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

func tooMuch(format string, limit int64) error {
	return fault.New(fault.AgentOutputTooLarge, "the agent said too much: "+fmt.Sprintf(format, limit), "have it write large results to a file")
}

// pass decides whether the library gets a line.
func (w *wire) pass(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	var m message
	bad := line[0] != '{' || json.Unmarshal(line, &m) != nil
	w.settle()
	if update := m.Method == sdk.ClientMethodSessionUpdate; !bad && update && m.ID == nil {
		if !w.over() {
			w.update(m.Params)
		}
		return false
	} else if bad || update || m.Method == "" && m.ID == nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.odd++
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.closed:
		return false
	case len(line) > maxMessage:
		w.breakOff(tooMuch("a request or an answer has more than %d bytes", maxMessage))
		return false
	case m.Method == "":
		w.told = w.told || w.waiting != "" && string(*m.ID) == w.waiting
		return true
	case m.ID == nil:
		return m.Method == cancelRequest // nothing else that expects no answer has a meaning here
	case w.open >= maxOpen:
		w.breakOff(fault.New(fault.AgentAnswerInvalid, fmt.Sprintf("the agent has more than %d requests open", maxOpen), ""))
		return false
	}
	w.open++
	return true
}

// settle waits until an answer that was let through has arrived: what follows it comes after it, and
// after the last one nothing does.
func (w *wire) settle() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.told && !w.closed {
		w.changed.Wait()
	}
}

// end is the end of the output. An answer that has come is dealt with first: the library would
// prefer the end.
func (w *wire) end(err error) {
	if fault.CodeOf(err) == "" {
		w.settle()
		w.close()
		return
	}
	w.fail(err)
}

// breakOff ends the conversation; the caller holds mu.
func (w *wire) breakOff(err error) {
	if w.broken == nil {
		w.broken = err
		w.stop()
	}
	w.finish()
}

// fail is breakOff for who does not hold mu.
func (w *wire) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.breakOff(err)
}

func (w *wire) over() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

// close lets nothing more through.
func (w *wire) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.finish()
}

func (w *wire) finish() {
	if !w.closed {
		w.closed = true
		close(w.quit)
	}
	w.changed.Broadcast()
}

// done is told of each request that was let through when it has been answered.
func (w *wire) done() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open--
}

// ask brackets a request of our own: its answer is held for it, even at the end of the output. One
// request is under way at a time; with the answer to the last one the conversation is over.
func (w *wire) ask(last bool) (answered func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	w.waiting, w.told = strconv.Itoa(w.asked), false
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.waiting, w.told = "", false
		if last {
			w.finish()
		}
		w.changed.Broadcast()
	}
}

// state is how many lines were no message, and why the conversation was broken off, if it was.
func (w *wire) state() (odd int, broken error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.odd, w.broken
}
