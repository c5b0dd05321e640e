package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"time"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// toldRow is one line of a transcript: what an agent said or did, and when.
type toldRow struct {
	At      time.Time `json:"t"`
	Attempt int       `json:"attempt"`
	agent.Event
}

// typePrompt is the type of the first line of a transcript: what the agent was asked.
const typePrompt = "prompt"

// mostTranscript is how much of a file is read: what the engine writes at most, and room for the last
// line.
const mostTranscript = 65 << 20

// How an attachment stands.
const (
	attachmentKept    = "kept"
	attachmentGone    = "gone"
	attachmentChanged = "changed"
	// attachmentWritten is of a call at work: the journal has no hash of it yet.
	attachmentWritten = "at work"
)

// attachmentRow is a file beside the journal, in JSON.
type attachmentRow struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256,omitempty"`
	Size   int64  `json:"size"`
	// State and Path are there where the file was looked at.
	State string `json:"state,omitempty"`
	Path  string `json:"path,omitempty"`
}

func attachmentRowOf(a *journal.Attachment) *attachmentRow {
	if a == nil {
		return nil
	}
	return &attachmentRow{Name: a.Name, SHA256: a.SHA256, Size: a.Size}
}

// look reads an attachment and says how it stands. One that cannot be opened safely counts as changed.
func (r *attachmentRow) look(store *journal.Store, visit journal.Visit) ([]byte, error) {
	r.Path = store.AttachmentPath(visit.ID(), r.Name)
	file, err := visit.Attachment(r.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.State = attachmentGone
		return nil, nil
	case fault.CodeOf(err) != "":
		r.State = attachmentChanged
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostTranscript))
	if err != nil {
		return nil, err
	}
	if r.SHA256 == "" {
		r.State, r.Size = attachmentWritten, int64(len(text))
		return text, nil
	}
	r.State = attachmentKept
	if same, err := (journal.Attachment{SHA256: r.SHA256, Size: r.Size}).Matches(bytes.NewReader(text)); err != nil || !same {
		r.State = attachmentChanged
	}
	return text, nil
}

// toldRows are the lines of a transcript. Of one that is being written the last may be half; any other
// line that cannot be read becomes a note.
func toldRows(text []byte) []toldRow {
	rows := []toldRow{}
	for line := range bytes.Lines(text) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		var row toldRow
		if json.Unmarshal(line, &row) != nil || row.Type == "" {
			row = toldRow{Event: agent.Event{Type: agent.EventNote, Text: "a line that cannot be read"}}
		}
		rows = append(rows, row)
	}
	return rows
}

// transcriptOf is the transcript of a call: of its answer, else what its agent has told so far; nil if
// there is none.
func transcriptOf(c *journal.CallState, work []journal.Work) *attachmentRow {
	if f := c.Finish; f != nil && !c.Unfinished() {
		return attachmentRowOf(f.Transcript)
	}
	for _, w := range work {
		if w.Key == c.Key && w.Transcript != "" {
			return &attachmentRow{Name: w.Transcript}
		}
	}
	return nil
}
