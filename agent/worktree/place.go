package worktree

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// Place is where a run's worktrees are, and whose they are.
type Place struct {
	// Root is a folder of the user's, outside of the repository and of the journals. It is made.
	Root string
	// Run is the id of the run.
	Run string
}

// Request says which call a tree is for.
type Request struct {
	// Key is the call's key, Label what people know it by; it may be empty.
	Key, Label string
	// Folder is where the call would work in the user's tree. In its own, it works in the same
	// sub-folder.
	Folder string
	// Base is the id of the commit that the tree begins at; "" is the one that is checked out in the
	// user's tree.
	Base string
	// Interrupted says that an earlier attempt of this call was cut off: what it left is kept, and the
	// tree begins again. Fresh is the same for a call that had finished and is to be made anew.
	Interrupted, Fresh bool
	// Mark (RUN/CALL) marks what git starts; Step is told of each process group, nil is nobody.
	Mark string
	Step process.Step
	// Limit caps how long each step of git may take; 0 is what is usual for the step.
	Limit time.Duration
}

const (
	// slugLength is how much of a key is legible in a slug: with the hash it stays far below what a
	// path may be long on any system.
	slugLength = 40
	// hashLength is how much of the hash of a key stands behind it, in hexadecimal digits. Two calls of
	// one run would have to agree in it.
	hashLength = 10
	// runLength is how much of a run's id stands in a branch: its short id.
	runLength = 6

	branchPrefix = "assent/"
	keptPrefix   = "refs/assent/kept/"
)

// slugOf is the name of a call's folder: small letters, digits and dashes, which every file system
// keeps apart, whatever it thinks of case. The end of a key says most.
func slugOf(key string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(key) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	legible := b.String()
	legible = strings.Trim(legible[max(0, len(legible)-slugLength):], "-")
	if legible == "" {
		legible = "call"
	}
	return legible + "-" + canonical.Sum([]byte(key))[:hashLength]
}

// isSlug reports whether a name could be one that slugOf makes.
func isSlug(name string) bool {
	legible, hash, ok := strings.Cut(name[max(0, len(name)-hashLength-1):], "-")
	return ok && legible == "" && len(hash) == hashLength && strings.Trim(hash, "0123456789abcdef") == ""
}

// branchOf is the branch of a call.
func branchOf(run, slug string) string {
	return branchPrefix + strings.ToLower(run[max(0, len(run)-runLength):]) + "/" + slug
}

// home is the folder of one call: its record and its tree.
type home struct{ root, run, slug string }

func (h home) dir() string    { return filepath.Join(h.root, h.run, h.slug) }
func (h home) tree() string   { return filepath.Join(h.dir(), "tree") }
func (h home) record() string { return filepath.Join(h.dir(), "worktree.json") }
func (h home) branch() string { return branchOf(h.run, h.slug) }
func (h home) ref() string    { return "refs/heads/" + h.branch() }
func (h home) kept() string   { return keptPrefix + h.run + "/" + h.slug + "/" }

// makeHome makes the folder of a call, for the user alone, and gives it without links in its path:
// git names a working tree so.
func makeHome(p Place, key, top string) (home, error) {
	if p.Root == "" || p.Run == "" || strings.ContainsAny(p.Run, `/\.:`) {
		return home{}, fault.New(fault.WorktreeUnavailable, "there is no place for worktrees", "assent explain WORKTREE_UNAVAILABLE")
	}
	if err := os.MkdirAll(p.Root, 0o700); err != nil {
		return home{}, unavailable(err, "the folder for worktrees cannot be made")
	}
	root, err := filepath.EvalSymlinks(p.Root)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		return home{}, unavailable(err, "the folder for worktrees cannot be used")
	}
	if inside(root, top) {
		return home{}, fault.New(fault.WorktreeUnavailable, "the folder for worktrees, "+root+", lies in the repository "+top,
			"ASSENT_HOME=FOLDER   # names one outside of it")
	}
	h := home{root, p.Run, slugOf(key)}
	if err := os.MkdirAll(h.dir(), 0o700); err != nil {
		return home{}, unavailable(err, "the folder for worktrees cannot be made")
	}
	return h, nil
}

// inside reports whether path is folder, or lies below it.
func inside(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}
