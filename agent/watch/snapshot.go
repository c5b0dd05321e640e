package watch

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/regular"
)

// snapshot is a repository at one moment.
type snapshot struct {
	// head is the commit that is checked out, "" before the first; heads are the branches' commits.
	head  string
	heads map[string]string
	// files are those that git status lists: changed or untracked.
	files map[string]entry
}

// entry is a file that git status lists, and what the file system says of it.
type entry struct {
	// status is the letter of the working tree, or of the index where that says nothing or says
	// that the file is new; "?" is an untracked file, 0 one that came and is gone.
	status byte
	stat   fileStat
	// content is what the file holds: a hash, or where a link leads; "" if that was not looked at.
	content string
}

// fileStat tells, without reading, whether a file is the same.
type fileStat struct {
	there    bool
	mode     fs.FileMode
	size     int64
	modified time.Time
}

// look takes a snapshot.
func (w *Watched) look(ctx context.Context) (snapshot, error) {
	type printed struct {
		text []byte
		err  error
	}
	refs := make(chan printed, 1)
	go func() {
		text, err := w.repo.Look(ctx, "", "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/")
		refs <- printed{text, err}
	}()
	// The second look at a submodule is spared: its own configuration would hold there.
	status, err := w.repo.Look(ctx, "", "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty")
	heads := <-refs
	if err = errors.Join(err, heads.err); err != nil {
		return snapshot{}, err
	}
	s := snapshot{heads: map[string]string{}, files: map[string]entry{}}
	for line := range strings.Lines(string(heads.text)) {
		if id, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " refs/heads/"); ok {
			s.heads[name] = id
		}
	}
	w.readStatus(&s, status)
	w.readConfiguring(&s)
	room := contentRead
	for _, path := range slices.Sorted(maps.Keys(s.files)) {
		e := s.files[path]
		e.content, room = w.content(path, e.stat, room)
		s.files[path] = e
	}
	return s, nil
}

// readStatus reads what git status prints (porcelain format, version 2): records that end in NUL,
// and of which those of files have a fixed number of words before the path.
func (w *Watched) readStatus(s *snapshot, text []byte) {
	for record := range bytes.SplitSeq(text, []byte{0}) {
		kind, rest, _ := strings.Cut(string(record), " ")
		words, status := 0, byte('?')
		switch kind {
		case "#":
			if id, ok := strings.CutPrefix(rest, "branch.oid "); ok && id != "(initial)" {
				s.head = id
			}
			continue
		case "1":
			words = 7
		case "u":
			words = 9
		case "?":
		default:
			continue
		}
		if words > 0 && len(rest) > 1 {
			index, tree := rest[0], rest[1]
			switch {
			case index == 'A' && tree == 'D':
				status = 0
			case tree == '.' || index == 'A':
				status = index
			default:
				status = tree
			}
		}
		path := rest
		for range words {
			_, path, _ = strings.Cut(path, " ")
		}
		if path != "" && !ownUnguarded(path) {
			s.files[path] = entry{status: status, stat: w.stat(path)}
		}
	}
}

// readConfiguring adds the files that say what later runs start, since git may be told to ignore them.
func (w *Watched) readConfiguring(s *snapshot) {
	for _, path := range configuring(w.repo.Top, w.folder) {
		if _, listed := s.files[path]; listed || !ownFolder(path) {
			continue
		}
		if stat := w.stat(path); stat.mode.IsRegular() || stat.mode&fs.ModeSymlink != 0 {
			s.files[path] = entry{status: '?', stat: stat}
		}
	}
}

// governs reports whether a path is one of those in a folder of Assent's own that say what runs do.
func governs(path string) bool {
	if !ownFolder(path) {
		return false
	}
	inside := path[strings.LastIndex("/"+path, "/.assent/")+len(".assent/"):]
	return inside == "config.toml" || strings.HasPrefix(inside, "agents/") || strings.HasPrefix(inside, "workflows/")
}

// ownFolder reports whether a path of a repository lies in a folder of Assent's own.
func ownFolder(path string) bool {
	return strings.HasPrefix(path, ".assent/") || strings.Contains(path, "/.assent/")
}

func (w *Watched) stat(path string) fileStat {
	info, err := os.Lstat(filepath.Join(w.repo.Top, filepath.FromSlash(path)))
	if err != nil {
		return fileStat{}
	}
	return fileStat{true, info.Mode(), info.Size(), info.ModTime()}
}

// content is what a file holds, as long as that is little and there is room to read it; it gives the
// room that is left.
func (w *Watched) content(path string, stat fileStat, room int64) (string, int64) {
	name := filepath.Join(w.repo.Top, filepath.FromSlash(path))
	switch {
	case stat.mode&fs.ModeSymlink != 0:
		target, err := os.Readlink(name)
		if err != nil {
			return "", room
		}
		return "link " + target, room
	case !stat.mode.IsRegular() || !stat.there || stat.size > min(contentSize, room):
		return "", room
	}
	data, err := regular.Read(name, contentSize)
	if err != nil {
		return "", room
	}
	return canonical.Sum(data), room - max(stat.size, contentLeast)
}
