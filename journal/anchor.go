package journal

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/seed-8d4a6081/assent/internal/durable"
)

// An anchor remembers, outside of the store, how far a journal had come. Its file has two
// slots of fixed size; the older one is written over, so that a torn write leaves the other.
const (
	slotSize   = 256
	anchorSize = 2 * slotSize
)

// anchor is what one slot says. The zero anchor is a slot that says nothing that counts.
type anchor struct {
	seq  uint64
	hash string
}

type anchorPair [2]anchor

func (p anchorPair) newest() anchor {
	if p[1].seq > p[0].seq {
		return p[1]
	}
	return p[0]
}

// slotText is what a slot's signature covers.
func slotText(run string, a anchor) string {
	return fmt.Sprintf("%s%s\n%d\n%s", anchorDomain, run, a.seq, a.hash)
}

func slot(key ed25519.PrivateKey, run string, a anchor) []byte {
	signature := ed25519.Sign(key, []byte(slotText(run, a)))
	line := fmt.Sprintf("assent-anchor-1 %s %d %s %s", run, a.seq, a.hash, base64.RawStdEncoding.EncodeToString(signature))
	return []byte(fmt.Sprintf("%-*s\n", slotSize-1, line))
}

func parseSlot(key ed25519.PublicKey, run string, text []byte) anchor {
	var a anchor
	var name, of, signature string
	line := strings.TrimRight(string(text), " \n")
	if n, err := fmt.Sscanf(line, "%s %s %d %s %s", &name, &of, &a.seq, &a.hash, &signature); n != 5 || err != nil {
		return anchor{}
	}
	sum, err := base64.RawStdEncoding.Strict().DecodeString(signature)
	if err != nil || name != "assent-anchor-1" || of != run || !ed25519.Verify(key, []byte(slotText(run, a)), sum) {
		return anchor{}
	}
	return a
}

// anchorFile is a run's open anchor. It is read and written only under the run's lock.
type anchorFile struct {
	s    *Store
	run  string
	file *os.File
	mu   sync.Mutex // guards the rest among goroutines, as the run's lock does among processes
	// text is what the file held when it was last read or written, slots what that says: most
	// reads find it unchanged, and verify no signature.
	text  []byte
	slots anchorPair
}

// newAnchor makes the anchor of a new run, before the run is there: a journal that has no
// anchor is one whose anchor was taken away.
func (s *Store) newAnchor(at place, a anchor) (*anchorFile, error) {
	text := s.anchorText(at.run, a)
	if !at.shared {
		if err := durable.CreateFile(s.anchorPath(at.run), text, 0o600); err != nil {
			return nil, err
		}
		return s.anchors(at.run)
	}
	// It is made durable by who commits the run, together with those of others: a disk that syncs
	// one new file syncs many with it.
	file, err := openSafe(s.anchorPath(at.run), os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	if _, err = file.Write(text); err != nil {
		return nil, errors.Join(fmt.Errorf("writing the anchor: %w", err), file.Close())
	}
	return &anchorFile{s: s, run: at.run, file: file, text: text, slots: anchorPair{a}}, nil
}

// anchorText is a whole anchor that says nothing but a.
func (s *Store) anchorText(run string, a anchor) []byte {
	return append(slot(s.key, run, a), bytes.Repeat([]byte{' '}, slotSize)...)
}

// anchors opens a run's anchor; a file that is not there is one that says nothing.
func (s *Store) anchors(run string) (*anchorFile, error) {
	file, err := openSafe(s.anchorPath(run), os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return &anchorFile{s: s, run: run}, nil
	}
	return &anchorFile{s: s, run: run, file: file}, err
}

func (f *anchorFile) read() (anchorPair, error) {
	if f.file == nil {
		return anchorPair{}, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.readLocked()
}

func (f *anchorFile) readLocked() (anchorPair, error) {
	text := make([]byte, anchorSize)
	if n, err := f.file.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return anchorPair{}, fmt.Errorf("reading the anchor: %w", err)
	} else if n < anchorSize {
		clear(text[n:])
	}
	if !bytes.Equal(text, f.text) {
		f.text = text
		for i := range f.slots {
			f.slots[i] = parseSlot(f.s.PublicKey(), f.run, text[i*slotSize:(i+1)*slotSize])
		}
	}
	return f.slots, nil
}

// write moves the anchor on to a. It never goes back, and it makes no anchor where there was
// none: that would prove what nobody can know.
func (f *anchorFile) write(a anchor, sync bool) error {
	if f.file == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	slots, err := f.readLocked()
	if err != nil || slots.newest().seq == 0 {
		return err
	}
	if slots.newest().seq < a.seq {
		i := 0
		if slots[0].seq > slots[1].seq {
			i = 1
		}
		text := slot(f.s.key, f.run, a)
		if err := f.s.atOf("anchor.write", f.run); err != nil {
			return err
		}
		if _, err := f.file.WriteAt(text, int64(i*slotSize)); err != nil {
			return fmt.Errorf("writing the anchor: %w", err)
		}
		copy(f.text[i*slotSize:], text)
		f.slots[i] = a
		if err := f.s.at("anchor.written"); err != nil {
			return err
		}
	}
	if !sync {
		return nil
	}
	if err := f.file.Sync(); err != nil {
		return fmt.Errorf("writing the anchor: %w", err)
	}
	return f.s.at("anchor.synced")
}

func (f *anchorFile) close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
