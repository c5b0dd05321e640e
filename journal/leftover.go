package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Leftover is what a process that was killed left of a run that never was one, or is one no more.
type Leftover struct {
	// Run is the id; there is no journal of it, unless Rewritten.
	Run string
	// Rewritten says that the journal is there, and that only a rewriting of it was cut off.
	Rewritten bool
	// Anchor is the entry that an anchor remembers of a journal that is gone; 0 if there is none.
	// RemoveLeftover takes it away only if told to: a copy of the journal could still come back.
	Anchor uint64
	// Bytes are what would be freed, without the anchor's.
	Bytes int64
	// Err says why it cannot be told what is left, such as a pipe in the place of an anchor. Then
	// nothing else is known, and it is left alone.
	Err error
}

// Leftovers lists them, in the order of ids. What belongs to a process that is at work is none.
func (s *Store) Leftovers(ctx context.Context) ([]Leftover, error) {
	there, err := s.ids(ctx)
	if err != nil {
		return nil, err
	}
	attached, err := s.leftAttachments()
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, id := range attached {
		if !slices.Contains(there, id) {
			ids[id] = true
		}
	}
	for dir, suffixes := range map[string][]string{
		s.runsDir(): {".new"}, s.locksDir(): {".lock", ".lease"}, s.anchorsDir(): {""},
	} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("looking for leftovers: %w", err)
		}
		for _, entry := range entries {
			if id := ofTemporary(entry.Name()); dir == s.anchorsDir() && id != "" {
				ids[id] = true
			}
			for _, suffix := range suffixes {
				id, ok := strings.CutSuffix(entry.Name(), suffix)
				if ok && validID(id) && (suffix == ".new" || !slices.Contains(there, id)) {
					ids[id] = true
				}
			}
		}
	}
	var found []Leftover
	for id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, alive := s.owner(id); alive {
			continue
		}
		left, err := s.leftover(ctx, id, true)
		if fault.CodeOf(err) != "" {
			left, err = Leftover{Run: id, Err: err}, nil
		}
		if err != nil {
			return nil, err
		}
		if left.Run != "" {
			found = append(found, left)
		}
	}
	slices.SortFunc(found, func(a, b Leftover) int { return strings.Compare(a.Run, b.Run) })
	return found, nil
}

// RemoveLeftover removes what is left of a run, and says what that was; Run is "" if there was
// nothing. With anchor it also removes the memory of a journal that is gone. Under the lease
// nobody can create, import or rewrite the run meanwhile.
func (s *Store) RemoveLeftover(ctx context.Context, id string, anchor bool) (left Leftover, err error) {
	if !validID(id) {
		return left, unknownRun(id)
	}
	leased := exists(s.leasePath(id))
	l, err := s.takeLease(id)
	if err != nil {
		return left, err
	}
	if left, err = s.leftover(ctx, id, leased); err == nil && left.Run != "" {
		switch {
		case left.Rewritten:
			err = errors.Join(remove(s.newPath(id)), s.removeTemporaries(id))
		case left.Anchor > 0 && !anchor:
			left = Leftover{}
		default:
			return left, errors.Join(s.removeTemporaries(id), s.removeRest(id, l))
		}
	}
	if !leased && err == nil && !left.Rewritten {
		return left, l.drop(s.leasePath(id))
	}
	return left, errors.Join(err, l.release())
}

// ofTemporary gives the run of whose anchor a file is a copy that did not get its name; "" if it is
// none.
func ofTemporary(name string) string {
	rest, dotted := strings.CutPrefix(name, ".")
	id, _, _ := strings.Cut(rest, ".")
	if !dotted || !strings.HasSuffix(rest, ".tmp") || !validID(id) {
		return ""
	}
	return id
}

// temporaries are those copies of a run's anchor. Whoever makes one has the run's lease.
func (s *Store) temporaries(id string) []string {
	paths, _ := filepath.Glob(filepath.Join(globbed(s.anchorsDir()), "."+id+".*.tmp")) // the pattern is well-formed
	return paths
}

// globbed is a path as a pattern that fits it alone.
func globbed(path string) string {
	if filepath.Separator == '\\' {
		return path // there, nothing escapes
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func (s *Store) removeTemporaries(id string) error {
	var errs []error
	for _, path := range s.temporaries(id) {
		errs = append(errs, remove(path))
	}
	return errors.Join(errs...)
}

// present says that the run is in the store, in whatever file.
func (s *Store) present(ctx context.Context, id string) (bool, error) {
	if exists(s.dbPath(id)) {
		return true, nil
	}
	ids, err := s.ids(ctx)
	return slices.Contains(ids, id), err
}

// leftover looks; leased says that the lease's file was there before anybody looked.
func (s *Store) leftover(ctx context.Context, id string, leased bool) (Leftover, error) {
	left := Leftover{Run: id}
	paths := []string{s.newPath(id)}
	var err error
	if left.Rewritten, err = s.present(ctx, id); err != nil {
		return left, err
	}
	if !left.Rewritten {
		paths = append(paths, s.lockPath(id))
		if leased {
			paths = append(paths, s.leasePath(id))
		}
	}
	there := false
	for _, path := range append(paths, s.temporaries(id)...) {
		info, err := os.Lstat(path)
		switch {
		case err == nil:
			there = true
			left.Bytes += info.Size()
		case !errors.Is(err, fs.ErrNotExist):
			return left, err
		}
	}
	if !left.Rewritten && exists(s.attachmentsOf(id)) {
		there = true
		size, err := s.sizeOfAttachments(id)
		if err != nil {
			return left, err
		}
		left.Bytes += size
	}
	if !left.Rewritten && exists(s.anchorPath(id)) {
		there = true
		if left.Anchor, err = s.remembers(id); err != nil {
			return left, err
		}
	}
	if !there {
		return Leftover{}, nil
	}
	return left, nil
}

// remembers is the entry that an anchor is of, if that counts: an anchor that Create or Import was
// killed behind is of a journal that never was. Create's is of entry 1, Import's of the journal
// that stands there without its name.
func (s *Store) remembers(id string) (uint64, error) {
	f, err := s.anchors(id)
	if err != nil {
		return 0, err
	}
	pair, err := f.read()
	if err := errors.Join(err, f.close()); err != nil {
		return 0, err
	}
	now := pair.newest()
	if now.seq <= 1 || s.unnamed(id, now) != nil {
		return 0, nil
	}
	return now.seq, nil
}
