package issuedelivery

import (
	"context"
	"slices"

	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

type tidyOptions struct {
	// Keep are branches that have the result: without them nothing is removed.
	Keep []string `json:"keep"`
}

// repairSuffix is what the name of a branch for a person's repair has behind that of the result.
const repairSuffix = "-repair"

func (h *Host) tidy() engine.Primitive {
	return function[tidyOptions]{
		name: "delivery.tidy", effect: always[tidyOptions](repeatable),
		label: func(tidyOptions) string { return "tidy up" },
		do: inRepository(h, func(ctx context.Context, c call, r *repository.Repository, in tidyOptions) (any, error) {
			removed := struct {
				Removed []string `json:"removed"`
			}{[]string{}}
			if len(in.Keep) == 0 {
				return removed, nil
			}
			for _, branch := range in.Keep {
				if tip, err := r.Commit(ctx, "refs/heads/"+branch); err != nil || tip == "" {
					return removed, err
				}
			}
			list, err := worktree.ListRun(ctx, h.Work, c.Run)
			if err != nil {
				return nil, err
			}
			needless, err := needless(ctx, r, list)
			if err != nil {
				return nil, err
			}
			cleaned, err := worktree.Clean(ctx, h.Work, worktree.CleanOptions{
				Run: c.Run, Discard: needless, Only: func(l worktree.Listed) bool { return slices.Contains(needless, l.Name()) },
			})
			for _, one := range cleaned {
				if one.Removed && !one.BranchStays {
					removed.Removed = append(removed.Removed, one.Branch)
				}
			}
			for _, branch := range in.Keep {
				if err != nil {
					break
				}
				var gone bool
				if gone, err = r.DropRepair(ctx, branch+repairSuffix, h.repairFolder(c.Run)); gone {
					removed.Removed = append(removed.Removed, branch+repairSuffix)
				}
			}
			if err == nil {
				err = r.Release(ctx)
			}
			return removed, err
		}),
	}
}

// needless are the names of the working trees of calls in which nothing stands that the run's own commits do
// not have: those that changed nothing, those whose files became a commit of a step, and those that others
// of these went on from.
func needless(ctx context.Context, r *repository.Repository, list []worktree.Listed) ([]string, error) {
	made, err := r.Made(ctx)
	if err != nil {
		return nil, err
	}
	var names, tips []string
	add := func(l worktree.Listed) { names, tips = append(names, l.Name()), append(tips, l.Tip) }
	var open []worktree.Listed
	for _, l := range list {
		if !l.Finished || l.Tip == "" || l.Dirty != "" || l.Moved || l.Locked || l.Problem != "" || len(l.Kept) > 0 || len(l.Aside) > 0 {
			continue
		}
		if here, err := r.Commit(ctx, l.Tip); err != nil {
			return nil, err
		} else if here == "" {
			continue // it is one of another repository
		}
		tree, err := r.Tree(ctx, l.Tip)
		switch {
		case err != nil:
			return nil, err
		case l.Ahead == 0 || made[tree]:
			add(l)
		default:
			open = append(open, l)
		}
	}
	for _, l := range open {
		for _, tip := range tips {
			within, err := r.Contains(ctx, tip, l.Tip)
			if err != nil {
				return nil, err
			}
			if within {
				names = append(names, l.Name())
				break
			}
		}
	}
	return names, nil
}
