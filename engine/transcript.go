package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"sync"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
)

// A transcript is what the agent of one call said and did, as it told of it: a line for each event, in
// a file beside the journal. It is for people. No decision rests on it, and a call does not fail
// because its transcript does.

const (
	// transcriptBytes caps a transcript, eventBytes each text in it.
	transcriptBytes = 64 << 20
	eventBytes      = 64 << 10
	// sameNames is how many calls may come to the same name for a file.
	sameNames = 100
)

// eventPrompt is the type of the first line: what the agent was asked.
const eventPrompt = "prompt"

// recorder writes the transcript of one live call. The file is made at the first event, so that an
// agent which tells nothing has none. Its methods may be called from several goroutines, and of a
// recorder that is nil.
type recorder struct {
	attach func(name string) (io.WriteCloser, error)
	now    func() time.Time
	// stem and turn make the file's name: of which call, in which attempt at the run.
	stem string
	turn int
	// prompt is what the agent is asked; environ has the secrets that are kept out.
	prompt  string
	environ []string
	// most caps the file.
	most int64
	// began is called once, when there is a file; heard gets each event as it is kept.
	began func()
	heard func(agent.Event)

	mu   sync.Mutex // guards the rest
	name string     // "" while there is no file
	file io.WriteCloser
	hash hash.Hash
	size int64
	// attempt is the attempt at the call that is at work.
	attempt int
	// over says that nothing more is written; err is why, if that is a failure.
	over bool
	err  error
}

// newRecorder makes the recorder of a call that is about to be launched; nil if it asks no agent.
func (a *attempt) newRecorder(c *call) *recorder {
	asked, ok := c.request.Value.(resolved)
	if !ok || a.run == nil {
		return nil
	}
	return &recorder{
		attach: a.run.Attach, now: a.o.Now, stem: slugOf(c.Key), turn: len(a.st.Attempts), prompt: asked.Prompt, environ: a.o.Environ,
		most: transcriptBytes, attempt: 1,
		heard: func(e agent.Event) {
			if a.o.Told != nil {
				a.o.Told(c.Key, e)
			}
		},
		began: func() {
			select {
			case a.transcribed <- struct{}{}:
			default: // somebody is about to look
			}
		},
	}
}

// Tell writes an event. After Finish, and after a failure, it does nothing.
func (r *recorder) Tell(e agent.Event) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	if r.file == nil {
		if r.begin(); r.over {
			return
		}
	}
	if e = r.clean(e); r.write(e) {
		r.heard(e)
	}
}

// Again notes that another attempt at the call begins, and why.
func (r *recorder) Again(next agent.Next) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attempt++
	if r.file != nil && !r.over {
		r.write(r.clean(agent.Event{Type: agent.EventNote, Text: next.String()}))
	}
}

// Name is the name of the file; "" while there is none.
func (r *recorder) Name() string {
	if r == nil {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.name
}

// Finish ends the transcript and makes it durable; nil if there is none. A second Finish gives the same.
func (r *recorder) Finish() *journal.Attachment {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if r.file != nil {
		err := r.file.Close()
		if r.file = nil; err != nil {
			r.err, r.hash = errors.Join(r.err, err), nil
		}
	}
	if r.hash == nil {
		return nil
	}
	return &journal.Attachment{Name: r.name, SHA256: hex.EncodeToString(r.hash.Sum(nil)), Size: r.size}
}

// Warning is what a person is to know of a transcript that is not whole; "" if it is.
func (r *recorder) Warning() string {
	if r == nil {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		return ""
	}
	return "its transcript is not whole: " + r.err.Error()
}

// called is the nth name for a file of the call's, without its ending.
func (r *recorder) called(n int) string {
	if n == 1 {
		return fmt.Sprintf("%s-%d", r.stem, r.turn)
	}
	return fmt.Sprintf("%s-%d-%d", r.stem, r.turn, n)
}

// create makes a file of the call's, under the first name that no other call has.
func (r *recorder) create(ending string) (file io.WriteCloser, name string, err error) {
	for n := 1; n <= sameNames; n++ {
		name = r.called(n) + ending
		if file, err = r.attach(name); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return file, name, err
}

// keep keeps something else of the call's beside the journal.
func (r *recorder) keep(ending string, data []byte) (*journal.Attachment, error) {
	file, name, err := r.create(ending)
	if err != nil {
		return nil, err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	return &journal.Attachment{Name: name, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(data))}, nil
}

// begin makes the file, with the prompt as its first line.
func (r *recorder) begin() {
	file, name, err := r.create(".ndjson")
	if err != nil {
		r.over, r.err = true, err
		return
	}
	r.file, r.name, r.hash = file, name, sha256.New()
	r.write(r.clean(agent.Event{Type: eventPrompt, Text: r.prompt}))
	r.began()
}

// write adds the line of an event, in one piece, so that whoever reads meanwhile sees whole lines but for
// the last. It says whether that was done.
func (r *recorder) write(e agent.Event) bool {
	line, err := r.line(e)
	if err == nil && r.size+int64(len(line)) > r.most {
		r.over = true
		line, err = r.line(agent.Event{Type: agent.EventNote, Text: fmt.Sprintf("the transcript ends here: it has no room for more than %d bytes", r.most)})
	}
	if err == nil {
		var n int
		n, err = r.file.Write(line)
		r.size += int64(n)
		r.hash.Write(line[:n]) // never fails
	}
	if err != nil {
		r.over, r.err = true, err
	}
	return !r.over
}
