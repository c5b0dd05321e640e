package issuedelivery

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

type safetyOptions struct {
	WorktreeRequired    bool `json:"worktreeRequired"`
	AllowSharedCheckout bool `json:"allowSharedCheckout"`
	RequireClean        bool `json:"requireClean"`
	AllowDirty          bool `json:"allowDirty"`
}

// safety is whether a place may be used to try something out.
type safety struct {
	OK         bool     `json:"ok"`
	Reason     string   `json:"reason"`
	NextAction string   `json:"nextAction"`
	Details    []string `json:"details"`
}

func (h *Host) prototypeSafetyCheck() engine.Primitive {
	return function[safetyOptions]{
		name: "prototypeSafetyCheck", effect: always[safetyOptions](reads),
		label: func(safetyOptions) string { return "look whether this place is safe" },
		do: func(ctx context.Context, c call, in safetyOptions) (any, error) {
			return h.safePlace(ctx, c, in), nil
		},
	}
}

// safePlace looks at the workspace. What cannot be found out is not safe.
func (h *Host) safePlace(ctx context.Context, c call, in safetyOptions) safety {
	refuse := func(reason, next string, details ...string) safety {
		return safety{Reason: reason, NextAction: next, Details: append([]string{}, details...)}
	}
	unknown := func(err error) safety {
		return refuse("Git cannot look at this place: "+oneLine(err.Error()), "Find out why with git status.")
	}
	r, err := repository.Open(h.Workspace, c.Mark, c.Step)
	if errors.Is(err, git.ErrNone) {
		return refuse("This is no git repository.", "Work in a repository: git init, and a first commit.")
	}
	if err != nil {
		return unknown(err)
	}
	if reserved(r.Top, h.environ()) {
		return refuse("The repository is the home folder or the root of the disk.", "Work in a repository of its own.", r.Top)
	}
	bare, err := r.Bare(ctx)
	if err != nil {
		return unknown(err)
	}
	if bare {
		return refuse("This is a bare repository, or the inside of one.", "Work in a working tree: git worktree add.")
	}
	under, err := r.Operation(ctx)
	if err != nil {
		return unknown(err)
	}
	if under != "" {
		return refuse("A "+under+" is under way.", "Finish or abort it: git status says how.")
	}
	head, branch, err := r.Head(ctx)
	switch {
	case err != nil:
		return unknown(err)
	case head == "":
		return refuse("There is no commit yet.", "Make a first commit.")
	case branch == "":
		return refuse("HEAD is on no branch.", "Switch to a branch: git switch NAME.")
	}
	linked, err := r.Linked(ctx)
	if err != nil {
		return unknown(err)
	}
	if in.WorktreeRequired && !linked && !in.AllowSharedCheckout {
		return refuse("This is the main working tree of the repository, and not one of its own.", "Make one: git worktree add ../try, or allow the shared checkout.")
	}
	dirty, err := r.Dirty(ctx)
	if err != nil {
		return unknown(err)
	}
	if in.RequireClean && !in.AllowDirty && len(dirty) > 0 {
		return refuse("There is uncommitted work.", "Commit or stash it.", dirty[:min(len(dirty), 20)]...)
	}
	return safety{OK: true, Reason: "This place is safe to try something out.", Details: []string{}}
}

// reserved reports whether a folder is one that no program should take for a project.
func reserved(top string, environ []string) bool {
	if top == filepath.Dir(top) {
		return true
	}
	for _, variable := range environ {
		name, home, _ := strings.Cut(variable, "=")
		if (name != "HOME" && name != "USERPROFILE") || home == "" {
			continue
		}
		a, errA := os.Stat(home)
		b, errB := os.Stat(top)
		if errors.Join(errA, errB) == nil && os.SameFile(a, b) {
			return true
		}
	}
	return false
}
