package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Work is a call at work, as the owner of a run tells others of it. It is for people who look and
// proves nothing: a read-only call has no entry before it has ended.
type Work struct {
	Key   string `json:"key"`
	Name  string `json:"name"`
	Label string `json:"label,omitempty"`
	Phase string `json:"phase,omitempty"`
	// Prompt is the beginning of what an agent is asked.
	Prompt   string    `json:"prompt,omitempty"`
	ReadOnly bool      `json:"readOnly,omitempty"`
	Since    time.Time `json:"since"`
	// Trying says which further attempt is at work, and why; "" for the first.
	Trying string `json:"trying,omitempty"`
	// Transcript names the attachment that gets what the agent says and does; "" if it has told
	// nothing yet.
	Transcript string `json:"transcript,omitempty"`
}

// workFile is <run>.work: written anew whenever the work changes, without fsync, and worth nothing
// once the process that wrote it does not own the run any more.
type workFile struct {
	PID     int    `json:"pid"`
	Started int64  `json:"started"`
	Work    []Work `json:"work"`
}

const (
	// maxWork is how many calls are told, maxWorkFile how much of a file is read, maxWorkText the
	// longest text of a call's.
	maxWork     = 256
	maxWorkFile = 1 << 20
	maxWorkText = 240
)

func (s *Store) workPath(id string) string { return filepath.Join(s.locksDir(), id+".work") }

// TellWork tells others which calls are at work; none takes the file away.
func (r *owned) TellWork(calls []Work) error {
	path := r.h.store.workPath(r.h.id)
	if len(calls) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("telling of the work: %w", err)
		}
		return nil
	}
	me := thisProcess()
	file := workFile{PID: me.PID, Started: me.Started}
	for _, w := range calls[:min(len(calls), maxWork)] {
		w.Label, w.Phase, w.Prompt, w.Trying = cutText(w.Label), cutText(w.Phase), cutText(w.Prompt), cutText(w.Trying)
		file.Work = append(file.Work, w)
	}
	text, err := json.Marshal(file)
	if err != nil {
		return fmt.Errorf("telling of the work: %w", err)
	}
	// By a new name and then by one move, so that a reader gets all of one or all of the other.
	fresh := path + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("telling of the work: %w", err)
	}
	to, err := openSafe(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	if err = errors.Join(err, to.Close()); err == nil {
		err = os.Rename(fresh, path)
	}
	if err != nil {
		return fmt.Errorf("telling of the work: %w", err)
	}
	return nil
}

// cutText shortens a text of a script's or a model's to what people look at.
func cutText(text string) string {
	runes := []rune(text)
	if len(runes) <= maxWorkText {
		return text
	}
	return string(runes[:maxWorkText-1]) + "…"
}

// Work are the calls at work, as far as the run's owner has told of them.
func (v *visit) Work() []Work {
	owner, alive := v.Owner()
	if !alive {
		return nil
	}
	file, err := openSafe(v.h.store.workPath(v.h.id), os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxWorkFile+1))
	if err != nil || len(text) > maxWorkFile {
		return nil
	}
	var told workFile
	if json.Unmarshal(text, &told) != nil || told.PID != owner.PID || told.Started != owner.Started {
		return nil
	}
	return told.Work[:min(len(told.Work), maxWork)]
}
