package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// An attachment is a file beside a run's journal: what is too large for an entry, or is written
// while nothing is decided yet. The entry that names it has its hash. No decision rests on one, and it
// may be gone; it goes with its run at the latest.

// attachmentForm is what names an attachment: one element of a path on any system, in lower case,
// so that no two names are one file where case does not count.
var attachmentForm = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9._-]{0,118}[a-z0-9_-])?$`)

// deviceForm are names that are no files on Windows, whatever stands behind the dot.
var deviceForm = regexp.MustCompile(`^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)`)

// attachmentName refuses what cannot name an attachment.
func attachmentName(what, value string) error {
	if !attachmentForm.MatchString(value) || deviceForm.MatchString(value) {
		return invalid("%s is no name of a file, of lower-case letters, digits, dots, hyphens and underscores, 120 at most: %.130q", what, value)
	}
	return nil
}

func (s *Store) attachmentsDir() string            { return filepath.Join(s.o.Dir, "attachments") }
func (s *Store) attachmentsOf(id string) string    { return filepath.Join(s.attachmentsDir(), id) }
func (s *Store) attachment(id, name string) string { return filepath.Join(s.attachmentsOf(id), name) }

// AttachmentPath is the file of an attachment, for people; "" for what cannot name one.
func (s *Store) AttachmentPath(id, name string) string {
	if !validID(id) || attachmentName("", name) != nil {
		return ""
	}
	return s.attachment(id, name)
}

// Attach makes an attachment. The lease keeps others from removing the run meanwhile.
func (r *owned) Attach(name string) (io.WriteCloser, error) {
	if err := attachmentName("the attachment", name); err != nil {
		return nil, err
	}
	r.h.mu.Lock()
	closed := r.h.closed
	r.h.mu.Unlock()
	if closed {
		return nil, errClosed
	}
	s := r.h.store
	for _, dir := range []string{s.attachmentsDir(), s.attachmentsOf(r.h.id)} {
		if err := makeDir(dir, ownerOnly); err != nil {
			return nil, err
		}
	}
	file, err := openSafe(s.attachment(r.h.id, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, attaching(err)
	}
	return attached{file}, nil
}

// attached is an attachment that is being written.
type attached struct{ *os.File }

// Close makes what was written durable: an entry that has its hash comes after. That the file is in
// its folder is not made sure of; it may be gone.
func (a attached) Close() error {
	if err := errors.Join(a.Sync(), a.File.Close()); err != nil {
		return attaching(err)
	}
	return nil
}

func attaching(err error) error {
	if fault.CodeOf(err) != "" {
		return err
	}
	return fmt.Errorf("writing an attachment: %w", err)
}

func (v *visit) Attachment(name string) (io.ReadCloser, error) {
	return v.h.store.openAttachment(v.h.id, name)
}

func (s *Store) openAttachment(id, name string) (*os.File, error) {
	if err := attachmentName("the attachment", name); err != nil {
		return nil, err
	}
	for _, dir := range []string{s.attachmentsDir(), s.attachmentsOf(id)} {
		if err := checkDir(dir, ownerOnly); err != nil {
			return nil, err
		}
	}
	return openSafe(s.attachment(id, name), os.O_RDONLY)
}

// removeAttachments removes those of a run that is gone. It follows no link.
func (s *Store) removeAttachments(id string) error {
	switch err := checkDir(s.attachmentsDir(), ownerOnly); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	if err := os.RemoveAll(s.attachmentsOf(id)); err != nil {
		return fmt.Errorf("removing attachments: %w", err)
	}
	return nil
}

// sizeOfAttachments is what the attachments of a run take up; 0 if there are none.
func (s *Store) sizeOfAttachments(id string) (size int64, err error) {
	entries, err := os.ReadDir(s.attachmentsOf(id))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	for _, entry := range entries {
		info, err := entry.Info()
		switch {
		case err == nil:
			size += info.Size()
		case !errors.Is(err, fs.ErrNotExist): // somebody removes them just now
			return 0, err
		}
	}
	return size, err
}

// leftAttachments are runs that have attachments.
func (s *Store) leftAttachments() ([]string, error) {
	entries, err := os.ReadDir(s.attachmentsDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("looking for leftovers: %w", err)
	}
	var ids []string
	for _, entry := range entries {
		if validID(entry.Name()) {
			ids = append(ids, entry.Name())
		}
	}
	return ids, nil
}

// Attached is an attachment that entry Seq names.
type Attached struct {
	Seq uint64
	Attachment
}

// Matches says that what r gives is what the attachment was when the entry was written.
func (a Attachment) Matches(r io.Reader) (bool, error) {
	hash := sha256.New()
	n, err := io.Copy(hash, io.LimitReader(r, a.Size+1))
	return err == nil && n == a.Size && hex.EncodeToString(hash.Sum(nil)) == a.SHA256, err
}

// attach keeps the names of the attachments of an answer.
func (st *State) attach(seq uint64, list ...*Attachment) {
	for _, a := range list {
		if a != nil {
			st.Attachments = append(st.Attachments, Attached{seq, *a})
		}
	}
}

// attachments looks at those that are there, and remarks on what is another file than the journal
// says. That is no damage: the journal is whole without them.
func (r *Report) attachments(s *Store, list []Attached) error {
	for _, a := range list {
		file, err := s.openAttachment(r.Run, a.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		what := ""
		switch {
		case fault.CodeOf(err) != "":
			what = strings.TrimSuffix(err.Error(), ".")
		case err != nil:
			return attaching(err)
		default:
			same, err := a.Matches(file)
			if err = errors.Join(err, file.Close()); err != nil {
				return fmt.Errorf("reading an attachment: %w", err)
			}
			if !same {
				what = "the attachment " + a.Name + " is not what it was when the entry was written"
			}
		}
		if what != "" {
			r.Remarks = append(r.Remarks, Remark{a.Seq, what})
		}
	}
	return nil
}
