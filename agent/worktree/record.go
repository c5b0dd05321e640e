package worktree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/seed-8d4a6081/assent/internal/durable"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// States of a record.
const (
	// stateMaking: nobody has worked in the tree since it was begun; whatever is there is made anew.
	stateMaking = "making"
	// stateReady: a call works in the tree, or was cut off there.
	stateReady = "ready"
	// stateFinished: what the call did is on the branch.
	stateFinished = "finished"
)

// recordFormat is the version of a record; a newer one is not touched.
const recordFormat = 1

// recordLimit caps what is read: an agent can write to the file.
const recordLimit = 64 << 10

// record says whose a tree is. Fields are added, never renamed.
type record struct {
	Format int    `json:"format"`
	Run    string `json:"run"`
	Key    string `json:"key"`
	Label  string `json:"label,omitempty"`
	// Common is the git folder of the repository, Top the user's tree that the call belongs to.
	Common string `json:"common"`
	Top    string `json:"top"`
	// Branch and Path are for people who read the file; they are worked out from its place.
	Branch string `json:"branch"`
	Path   string `json:"path"`
	// Base is the commit that the branch began at.
	Base  string `json:"base"`
	State string `json:"state"`
	// Commit is where the branch was when the call had finished.
	Commit string `json:"commit,omitempty"`
	// At is where the tree begins, if that is not Base: it was made anew with the work of the call.
	At string `json:"at,omitempty"`
	// Was is where the branch was before it went back to Base. That is kept already.
	Was string `json:"was,omitempty"`
	// Notes are about how the tree was made.
	Notes []string  `json:"notes,omitempty"`
	Since time.Time `json:"since"`
}

// readRecord gives the record of a home; fs.ErrNotExist if there is none. It has to be the one that
// belongs there.
func readRecord(h home) (record, error) {
	text, err := regular.Read(h.record(), recordLimit)
	if err != nil {
		return record{}, err
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return record{}, fmt.Errorf("%s is no record of a worktree: %w", h.record(), err)
	}
	switch {
	case r.Format > recordFormat:
		return record{}, fmt.Errorf("%s has format %d, and this program knows %d", h.record(), r.Format, recordFormat)
	case r.Format < 1, r.Run != h.run, slugOf(r.Key) != h.slug, !isID(r.Base), r.Common == "",
		r.Commit != "" && !isID(r.Commit), r.Was != "" && !isID(r.Was), r.At != "" && !isID(r.At),
		r.State != stateMaking && r.State != stateReady && r.State != stateFinished:
		return record{}, fmt.Errorf("%s is not the record that belongs there", h.record())
	}
	r.Branch, r.Path = h.branch(), h.tree()
	return r, nil
}

func writeRecord(h home, r record) error {
	r.Format, r.Branch, r.Path = recordFormat, h.branch(), h.tree()
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(h.record(), append(text, '\n'), 0o600)
}

// isID reports whether a text is the id of a git object, and so no option and no other name.
func isID(text string) bool {
	if len(text) != 40 && len(text) != 64 {
		return false
	}
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// missing reports whether an error says that there is no such file.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
