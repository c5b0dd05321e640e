package watch

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // the length of its sums alone
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// staged is one entry of git's index.
type staged struct {
	path   string
	stage  int
	mode   uint32
	object string
	// hidden says by which flag git was told not to look at the file, "" if by none.
	hidden string
	// seconds, nanoseconds and size are what the file was when git last looked; known says that they
	// are there.
	known                bool
	seconds, nanoseconds uint32
	size                 uint32
}

// key names an entry.
func (e staged) key() string { return strconv.Itoa(e.stage) + " " + e.path }

// link reports whether the entry is a submodule.
func (e staged) link() bool { return e.mode == 0o160000 }

// unchanged reports whether the file is, by its stamp, the one that git last found to be as staged.
// A file that was written when the index was may be another.
func (e staged) unchanged(s stamp, indexed time.Time) bool {
	return e.known && e.hidden == "" && s.there && e.stage == 0 &&
		s.modified.Unix() == int64(e.seconds) && (e.nanoseconds == 0 || s.modified.Nanosecond() == int(e.nanoseconds)) &&
		uint32(s.size) == e.size && s.modified.Before(indexed) && // git keeps the low bits alone
		(e.mode&0o170000 == 0o120000) == (s.mode&fs.ModeSymlink != 0)
}

// readIndex reads the index of a repository: the file itself, which starts no program and tells what
// the stamps were. A form of it that is rare is left to git.
func (p *place) readIndex(ctx context.Context) (entries map[string]staged, written time.Time, err error) {
	path := filepath.Join(p.dir, "index")
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]staged{}, time.Time{}, nil
	}
	if err != nil {
		return nil, time.Time{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > indexSize {
		return nil, time.Time{}, errTooLarge
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	hashSize := sha1.Size
	if p.sha256 {
		hashSize = 32
	}
	entries, ok := parseIndex(data, hashSize)
	if !ok {
		entries, err = p.listIndex(ctx)
	}
	return entries, info.ModTime(), err
}

// parseIndex reads an index of version 2 or 3 that is whole in itself
// (https://git-scm.com/docs/index-format); false for any other.
func parseIndex(data []byte, hashSize int) (map[string]staged, bool) {
	if len(data) < 12+hashSize || !bytes.HasPrefix(data, []byte("DIRC")) {
		return nil, false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version != 2 && version != 3 {
		return nil, false
	}
	entries := make(map[string]staged, min(count, 1<<20))
	rest := data[12 : len(data)-hashSize]
	for range count {
		head := 40 + hashSize + 2
		if len(rest) < head {
			return nil, false
		}
		e := staged{
			known: true, seconds: binary.BigEndian.Uint32(rest[8:]), nanoseconds: binary.BigEndian.Uint32(rest[12:]),
			mode: binary.BigEndian.Uint32(rest[24:]), size: binary.BigEndian.Uint32(rest[36:]),
			object: hex.EncodeToString(rest[40 : 40+hashSize]),
		}
		flags := binary.BigEndian.Uint16(rest[40+hashSize:])
		e.stage = int(flags >> 12 & 3)
		if flags&0x8000 != 0 {
			e.hidden = "assume-unchanged"
		}
		if flags&0x4000 != 0 {
			if len(rest) < head+2 {
				return nil, false
			}
			if binary.BigEndian.Uint16(rest[head:])&0x4000 != 0 {
				e.hidden = "skip-worktree"
			}
			head += 2
		}
		end := bytes.IndexByte(rest[head:], 0)
		if end <= 0 {
			return nil, false
		}
		e.path = string(rest[head : head+end])
		if e.mode == 0o040000 {
			return nil, false // a folder that is not checked out: git knows what is in it
		}
		entries[e.key()] = e
		size := (head + end + 8) / 8 * 8 // the path ends in one to eight zeros
		if len(rest) < size {
			return nil, false
		}
		rest = rest[size:]
	}
	// What follows are extensions; "link" says that the rest is in another file.
	for len(rest) >= 8 {
		size := int64(binary.BigEndian.Uint32(rest[4:]))
		if string(rest[:4]) == "link" || int64(len(rest)) < 8+size {
			return nil, false
		}
		rest = rest[8+size:]
	}
	return entries, true
}

// listIndex has git print the index.
func (p *place) listIndex(ctx context.Context) (map[string]staged, error) {
	text, err := p.look(ctx, "", "ls-files", "-z", "-v", "--stage")
	if err != nil {
		return nil, err
	}
	entries := map[string]staged{}
	for record := range strings.SplitSeq(string(text), "\x00") {
		words, path, ok := strings.Cut(record, "\t")
		fields := strings.Fields(words)
		if !ok || len(fields) != 4 {
			continue
		}
		mode, err := strconv.ParseUint(fields[1], 8, 32)
		stage, err2 := strconv.Atoi(fields[3])
		if err = errors.Join(err, err2); err != nil {
			return nil, err
		}
		e := staged{path: path, stage: stage, mode: uint32(mode), object: fields[2]}
		switch {
		case strings.EqualFold(fields[0], "S"):
			e.hidden = "skip-worktree"
		case fields[0] != strings.ToUpper(fields[0]):
			e.hidden = "assume-unchanged"
		}
		entries[e.key()] = e
	}
	return entries, nil
}
