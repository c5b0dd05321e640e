package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/seed-8d4a6081/assent/internal/regular"
)

// A call that only reads must not change what says who answers, and what later runs start, where that
// lies outside of the workspace: the user's own configuration.

const (
	// ownFiles is how many files are compared, ownSize how large each may be.
	ownFiles = 2_000
	ownSize  = 1 << 20
)

// fingerprint is what some files held, by their paths.
type fingerprint struct {
	of    []string
	files map[string]string
}

func fingerprintOf(paths []string) fingerprint {
	f := fingerprint{of: paths, files: map[string]string{}}
	for _, path := range paths {
		_ = filepath.WalkDir(path, func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil //nolint:nilerr // what cannot be read counts by not being there
			case len(f.files) == ownFiles:
				return fs.SkipAll
			case e.IsDir():
				return nil
			}
			text, err := regular.Read(path, ownSize)
			sum := sha256.Sum256(text)
			f.files[path] = hex.EncodeToString(sum[:])
			if err != nil {
				f.files[path] = err.Error()
			}
			return nil
		})
	}
	return f
}

// changed says which of the files are not as they were.
func (f fingerprint) changed() []string {
	now := fingerprintOf(f.of).files
	all := maps.Clone(f.files)
	maps.Copy(all, now)
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(all)) {
		was, before := f.files[path]
		is, after := now[path]
		switch {
		case !before:
			lines = append(lines, "added: "+path)
		case !after:
			lines = append(lines, "removed: "+path)
		case was != is:
			lines = append(lines, "changed: "+path)
		}
	}
	return lines
}
