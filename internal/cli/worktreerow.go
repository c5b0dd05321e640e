package cli

import (
	"time"

	"github.com/seed-8d4a6081/assent/agent/worktree"
)

// worktreeRow is a worktree in JSON.
type worktreeRow struct {
	Run        string     `json:"run"`
	Call       string     `json:"call"`
	Key        string     `json:"key,omitempty"`
	Label      string     `json:"label,omitempty"`
	Repository string     `json:"repository,omitempty"`
	Path       string     `json:"path"`
	Branch     string     `json:"branch"`
	Base       string     `json:"base,omitempty"`
	Commit     string     `json:"commit,omitempty"`
	Since      *time.Time `json:"since,omitempty"`
	Finished   bool       `json:"finished"`
	Exists     bool       `json:"exists"`
	Ahead      int        `json:"ahead"`
	Merged     string     `json:"merged,omitempty"`
	Dirty      string     `json:"dirty,omitempty"`
	Moved      bool       `json:"moved,omitempty"`
	Locked     bool       `json:"locked,omitempty"`
	Kept       []string   `json:"kept,omitempty"`
	Aside      []string   `json:"aside,omitempty"`
	Problem    string     `json:"problem,omitempty"`
	Next       []string   `json:"next,omitempty"`
	// Removed and what follows are what --clean and --discard did.
	Removed     *bool  `json:"removed,omitempty"`
	Why         string `json:"why,omitempty"`
	BranchStays bool   `json:"branchStays,omitempty"`
}

type worktreesObject struct {
	Format    int           `json:"format"`
	Worktrees []worktreeRow `json:"worktrees"`
}

func (t trees) object(list []worktree.Listed) worktreesObject {
	o := worktreesObject{Format: jsonFormat, Worktrees: []worktreeRow{}}
	for _, l := range list {
		o.Worktrees = append(o.Worktrees, t.row(l))
	}
	return o
}

func (t trees) row(l worktree.Listed) worktreeRow {
	row := worktreeRow{
		Run: l.Run, Call: l.Call, Key: l.Key, Label: l.Label, Repository: l.Repository, Path: l.Path, Branch: l.Branch, Base: l.Base, Commit: l.Tip,
		Finished: l.Finished, Exists: l.Exists, Ahead: l.Ahead, Merged: l.Merged, Dirty: l.Dirty, Moved: l.Moved, Locked: l.Locked,
		Kept: l.Kept, Aside: l.Aside, Problem: l.Problem, Next: t.nexts(l),
	}
	if !l.Since.IsZero() {
		row.Since = &l.Since
	}
	return row
}
