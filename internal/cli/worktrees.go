package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/agent/worktree"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// worktreeFlags say which worktrees are meant, and what is done with them.
type worktreeFlags struct {
	all, clean bool
	discard    []string
	run        string
}

func newWorktreesCommand(a *app) *cobra.Command {
	var f worktreeFlags
	cmd := &cobra.Command{
		Use:   "worktrees [RUN]",
		Short: "List the worktrees of calls, or remove those that nobody needs",
		Long: "Lists the working trees that calls with isolation: \"worktree\" have, with their branches and what is to\n" +
			"do with them. --clean removes those in which no work was done, or whose work a branch of yours has, and\n" +
			"their branches. What stands nowhere else stays, unless --discard names it.",
		Example: "  assent worktrees\n  assent worktrees --clean\n  assent worktrees --discard 4p6rab/agent-0-1f0c2ab34d",
		Args:    atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.worktrees(cmd.Context(), first(args), f)
		},
	}
	cmd.Flags().BoolVar(&f.all, "all", false, "those of all repositories, not only of this workspace")
	cmd.Flags().BoolVar(&f.clean, "clean", false, "remove those that nobody needs")
	cmd.Flags().StringArrayVar(&f.discard, "discard", nil, "remove this one, `RUN/CALL`, with the work in it; may be given several times")
	return cmd
}

// again is the command that means the same worktrees.
func (f worktreeFlags) again() string {
	command := "assent worktrees"
	if f.run != "" {
		command += " " + f.run
	}
	if f.all {
		command += " --all"
	}
	return command
}

// trees is what is known of worktrees: where they are, and how their runs stand.
type trees struct {
	root, workspace string
	runs            map[string]journal.Summary
}

func (a *app) worktrees(ctx context.Context, named string, f worktreeFlags) error {
	if f.clean || len(f.discard) > 0 {
		if err := refuseAgents(); err != nil {
			return err
		}
	}
	t, err := a.trees(ctx)
	if err != nil {
		return err
	}
	if named != "" {
		if named, err = t.run(named); err != nil {
			return err
		}
		f.run = named
	}
	means := func(l worktree.Listed) bool {
		return (named == "" || l.Run == named) && (f.all || named != "" || l.Repository == "" || l.Repository == t.workspace)
	}
	list, err := worktree.List(ctx, t.root)
	if err != nil {
		return err
	}
	if !f.clean && len(f.discard) == 0 {
		return a.listWorktrees(t, slices.DeleteFunc(list, func(l worktree.Listed) bool { return !means(l) }), f)
	}
	var discard []string
	for _, name := range f.discard {
		l, err := t.call(list, name)
		if err != nil {
			return err
		}
		discard = append(discard, l.Name())
	}
	only := func(l worktree.Listed) bool { return f.clean && means(l) || slices.Contains(discard, l.Name()) }
	cleaned, err := worktree.Clean(ctx, t.root, worktree.CleanOptions{Only: only, Discard: discard, Hold: t.hold})
	if err != nil {
		return err
	}
	return a.cleanedWorktrees(t, cleaned, discard)
}

// trees opens what is there; it makes nothing.
func (a *app) trees(ctx context.Context) (trees, error) {
	t := trees{runs: map[string]journal.Summary{}}
	f, err := a.folders()
	if err != nil {
		return t, err
	}
	if t.workspace, err = a.workspace(); err != nil {
		return t, err
	}
	t.root = f.work
	if missing, err := a.noStore(); err != nil || missing != "" {
		return t, err
	}
	store, err := a.store()
	if err != nil {
		return t, err
	}
	found, err := store.List(ctx)
	for _, s := range found {
		t.runs[s.ID] = s
	}
	return t, err
}

// hold says why the worktrees of a run may not go.
func (t trees) hold(run string) (why string, always bool) {
	s, there := t.runs[run]
	switch {
	case !there:
		return "", false
	case s.Err != nil:
		return "the journal of its run cannot be read", true
	case s.Owned:
		return "its run is at work", true
	case !over(s.State):
		return "its run can go on", false
	}
	return "", false
}

// run finds a run that has worktrees. Its journal may be gone.
func (t trees) run(named string) (string, error) {
	runs, err := worktree.Runs(t.root)
	if err != nil {
		return "", err
	}
	for id := range t.runs {
		if !slices.Contains(runs, id) {
			runs = append(runs, id)
		}
	}
	var found []string
	for _, id := range runs {
		if len(named) >= 4 && strings.HasPrefix(id, strings.ToUpper(named)) || strings.EqualFold(tail(id), named) {
			found = append(found, id)
		}
	}
	slices.Sort(found)
	switch len(found) {
	case 0:
		return "", fault.New(fault.RunUnknown, fmt.Sprintf("there is no run %q", named), "assent worktrees --all   # lists those that have worktrees")
	case 1:
		return found[0], nil
	}
	return "", fault.New(fault.RunAmbiguous, named+" could be "+strings.Join(found, ", "), "assent worktrees --all   # shows the whole ids")
}

// call finds a worktree by RUN/CALL. CALL is the name of its folder, or the call's key or label.
func (t trees) call(list []worktree.Listed, name string) (worktree.Listed, error) {
	run, call, ok := strings.Cut(name, "/")
	if !ok || call == "" {
		return worktree.Listed{}, misused(fmt.Sprintf("--discard takes RUN/CALL, not %q", name), "assent worktrees --all   # names them")
	}
	run, err := t.run(run)
	if err != nil {
		return worktree.Listed{}, err
	}
	var found []worktree.Listed
	for _, l := range list {
		if l.Run == run && (l.Call == call || l.Label == call || strings.TrimPrefix(l.Key, "/") == strings.TrimPrefix(call, "/")) {
			found = append(found, l)
		}
	}
	switch len(found) {
	case 0:
		return worktree.Listed{}, misused(fmt.Sprintf("run %s has no worktree of a call %q", run, call), "assent worktrees "+run+"   # lists them")
	case 1:
		return found[0], nil
	}
	return worktree.Listed{}, misused(fmt.Sprintf("several calls of run %s are %q", run, call), "assent worktrees "+run+"   # shows the names of their folders")
}
