package worktree

import (
	"errors"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// unavailable is what went wrong, as a refusal. One that is a refusal already stays as it is.
func unavailable(err error, what string) error {
	if fault.CodeOf(err) != "" {
		return err
	}
	next := "assent resume RUN   # when that is mended"
	if e, ok := errors.AsType[*git.StepError](err); ok && e.Late {
		next = "assent resume RUN   # a filter or another program that the repository names may hang"
	}
	return fault.Wrap(err, fault.WorktreeUnavailable, what, next)
}

// conflict refuses what the call did not make.
func conflict(what, next string) error { return fault.New(fault.WorktreeConflict, what, next) }

// noRepository refuses a folder without one.
func noRepository(folder string) error {
	return fault.New(fault.WorktreeUnavailable, `isolation "worktree" needs git and a repository, and `+folder+" is in none",
		"git init && git add -A && git commit -m first   # or leave isolation out of the call")
}
