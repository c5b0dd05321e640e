package cli

import (
	"bytes"
	"io"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/journal"
)

// A transcript grows while its call is at work, and nothing ticks when it does: so it is looked at again
// and again, as long as somebody watches.

const (
	// toldPoll is how often transcripts of calls at work are looked at.
	toldPoll = 300 * time.Millisecond
	// toldTail is how much of a transcript that was there before is looked at, toldChunk how much of it
	// at a time, so that an agent that tells a lot keeps nobody waiting.
	toldTail  = 128 << 10
	toldChunk = 1 << 20
)

// follower reads the transcript of one call at work as it grows.
type follower struct {
	work journal.Work
	file io.ReadCloser
	half []byte // of a line that has not ended yet
	// last is what the agent does just now, at how many-eth it is of all; 0 while nothing is known.
	last toldRow
	at   int
}

// newTold is what an agent at work has told since it was looked at before.
type newTold struct {
	work journal.Work
	rows []toldRow
}

// follow opens the transcripts of calls at work that are new, and closes those of calls that are at
// work no more. One that cannot be opened is passed over: nobody has to see it.
func (w *watcher) follow() {
	kept := map[string]*follower{}
	for _, work := range w.work {
		if work.Transcript == "" {
			continue
		}
		f := w.followed[work.Transcript]
		if f == nil {
			file, err := w.visit.Attachment(work.Transcript)
			if err != nil {
				continue
			}
			f = &follower{file: file}
			f.toTail()
		}
		f.work = work
		kept[work.Transcript] = f
	}
	for name, f := range w.followed {
		if kept[name] == nil {
			f.file.Close()
		}
	}
	w.followed = kept
}

// toTail leaves out the beginning of a long transcript. What is then the first line is perhaps half,
// and dropped.
func (f *follower) toTail() {
	seeker, ok := f.file.(io.Seeker)
	if !ok {
		return
	}
	end, err := seeker.Seek(0, io.SeekEnd)
	if err == nil && end > toldTail {
		if _, err = seeker.Seek(-toldTail, io.SeekEnd); err == nil {
			f.half = []byte(" ") // no line begins with it
			return
		}
	}
	_, _ = seeker.Seek(0, io.SeekStart) // then it is read from where it stands
}

// news are the lines that came since the last look.
func (f *follower) news() []toldRow {
	text, err := io.ReadAll(io.LimitReader(f.file, toldChunk))
	if err != nil || len(text) == 0 {
		return nil
	}
	text = append(f.half, text...)
	end := bytes.LastIndexByte(text, '\n') + 1
	f.half = bytes.Clone(text[end:])
	text = text[:end]
	if len(text) > 0 && text[0] == ' ' {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	rows := toldRows(text)
	for _, row := range rows {
		if row.doing() != "" {
			f.last, f.at = row, f.at+1
		}
	}
	return rows
}

// lookAtTold takes up what agents at work have told.
func (w *watcher) lookAtTold() error {
	w.follow()
	var all []newTold
	for _, work := range w.work { // in an order that stays
		if f := w.followed[work.Transcript]; f != nil && work.Transcript != "" {
			if rows := f.news(); len(rows) > 0 {
				all = append(all, newTold{work, rows})
			}
		}
	}
	return w.view.told(all)
}

func (w *watcher) leaveTold() {
	for _, f := range w.followed {
		f.file.Close()
	}
	w.followed = nil
}

// doing says what the agent of a call at work does just now, "" if it has not told.
func (w *watcher) doing(work journal.Work) string {
	if f := w.followed[work.Transcript]; f != nil && f.at > 0 {
		return f.last.doing()
	}
	return ""
}

// typeTold is the type of an event that is no entry: what the agent of a call at work told.
const typeTold = "call.told"

// toldEvent is one thing that an agent told. It has no seq.
func (w *watcher) toldEvent(work journal.Work, row toldRow) event {
	return event{
		At: row.At, OffsetMs: row.At.Sub(w.visit.State().StartedAt).Milliseconds(), Type: typeTold,
		Call: &called{Key: work.Key, Name: work.Name, Label: work.Label, Phase: work.Phase, ReadOnly: work.ReadOnly, prompt: work.Prompt},
		Told: &toldPart{row.Attempt, row.Event},
	}
}

// toldPart is what an agent told, in an event.
type toldPart struct {
	Attempt int `json:"attempt"`
	agent.Event
}
