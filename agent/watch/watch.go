package watch

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/journal"
)

// Watched is the git repository that a call works in, as it was before the call.
type Watched struct {
	repo   *git.Repo
	folder string
	before snapshot
	note   string
}

// What is recorded of a repository, and what looking at it may cost.
const (
	// snapshotTime is for one look at a repository. A call is never made to wait longer.
	snapshotTime = 10 * time.Second

	// hurriedTime is for a look after the run was told to end.
	hurriedTime = 2 * time.Second

	// filesKept, branchesKept and commitsKept cap what the journal keeps of one call; the rest is
	// counted. commitsCounted is how far commits are counted.
	filesKept, branchesKept, commitsKept = 500, 100, 200
	commitsCounted                       = 10_000

	// subjectKept caps a subject, in runes. nameKept is for names and paths, which are not cut, for two
	// would become one: those that are longer are counted.
	subjectKept, nameKept = 200, 1024

	// contentSize is how large a file may be whose content is compared, contentRead how much of
	// contents one look reads. The smallest file counts contentLeast, which bounds their number.
	contentSize, contentRead, contentLeast int64 = 1 << 20, 32 << 20, 4 << 10
)

// Begin looks at the git repository that a call works in, before it does: its branches, and what
// is changed in its working tree. It is nil if there is no repository, or no git; then nothing is
// to be told, and Changes gives nil. mark and step are as for git.Open.
func Begin(ctx context.Context, folder, mark string, step process.Step) *Watched {
	if folder == "" {
		return nil
	}
	repo, err := git.Open(folder, mark, step)
	if err != nil {
		return nil
	}
	w := &Watched{repo: repo, folder: folder}
	ctx, cancel := context.WithTimeout(ctx, snapshotTime)
	defer cancel()
	if w.before, err = w.look(ctx); err != nil {
		if note := whyUnknown(ctx, err); note != "" {
			return &Watched{note: note}
		}
		return nil
	}
	return w
}

// Changes is what is different now. Its note says why there is nothing to tell, or not all, where a
// repository is there but too large or too slow, or is gone.
func (w *Watched) Changes(ctx context.Context) (changes *journal.Changes, note string) {
	if w == nil || w.note != "" {
		return nil, w.remark()
	}
	limit := snapshotTime
	if ctx.Err() != nil {
		limit = hurriedTime
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	after, err := w.look(ctx)
	if err == nil {
		changes, note, err = w.compare(ctx, after)
	}
	if err != nil {
		// There was a repository, so that nothing is known of it now is worth a word.
		return nil, cmp.Or(whyUnknown(ctx, err), "what it changed in the repository is not known: git could not look at it any more")
	}
	return changes, note
}

func (w *Watched) remark() string {
	if w == nil {
		return ""
	}
	return w.note
}

// whyUnknown is the note about a look that failed. A folder that git takes for no repository is
// nothing to speak of.
func whyUnknown(ctx context.Context, err error) string {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "what it changed in the repository is not known: git took too long"
	case errors.Is(err, git.ErrTooMuch):
		return "what it changed in the repository is not known: too many files differ there"
	default:
		return ""
	}
}
