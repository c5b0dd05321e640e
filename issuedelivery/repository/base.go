package repository

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// DefaultBase is the branch that work goes to: the one that the remote names, the only one of main and
// master, or the one that is checked out; "" if there is none.
func (r *Repository) DefaultBase(ctx context.Context, remote string) (string, error) {
	if remote != "" {
		ref, err := r.maybe(ctx, "symbolic-ref", "--quiet", "refs/remotes/"+remote+"/HEAD")
		if err != nil && git.Exit(err) != 128 {
			return "", err
		}
		if name, ok := strings.CutPrefix(ref, "refs/remotes/"+remote+"/"); ok {
			return name, nil
		}
	}
	var there []string
	for _, name := range []string{"main", "master"} {
		for _, ref := range []string{"refs/heads/" + name, "refs/remotes/" + remote + "/" + name} {
			id, err := r.Commit(ctx, ref)
			if err != nil {
				return "", err
			}
			if id != "" && !slices.Contains(there, name) {
				there = append(there, name)
			}
		}
	}
	if len(there) == 1 {
		return there[0], nil
	}
	_, branch, err := r.Head(ctx)
	return branch, err
}

// Remotes are the names of the remotes.
func (r *Repository) Remotes(ctx context.Context) ([]string, error) {
	out, err := r.ask(ctx, "remote")
	return strings.Fields(out), err
}

// RemoteURL is where pushes to a remote go, without a password.
func (r *Repository) RemoteURL(ctx context.Context, remote string) (string, error) {
	out, err := r.ask(ctx, "remote", "get-url", "--push", "--", remote)
	if err != nil {
		return "", err
	}
	if u, err := url.Parse(out); err == nil && u.User != nil && u.Host != "" {
		if u.User = url.User(u.User.Username()); u.Scheme == "http" || u.Scheme == "https" {
			u.User = nil
		}
		out = u.String()
	}
	return out, nil
}

// remote runs a step that speaks to a remote.
func (r *Repository) remote(ctx context.Context, step string, args ...string) (string, error) {
	return r.do(ctx, git.Command{Step: step, Args: append([]string{step}, args...), Limit: r.network, Remote: true})
}

// goneAway is the branch that is not at its remote any more.
var goneAway = regexp.MustCompile(`(?i)couldn't find remote ref`)

// Fetch brings a branch of a remote here, as the run's own reference, and gives its commit; "" if the
// remote has none of that name. The user's references to the remote stay where they are.
func (r *Repository) Fetch(ctx context.Context, remote, branch string) (string, error) {
	ref, err := r.branchRef(ctx, branch)
	if err != nil {
		return "", err
	}
	_, err = r.remote(ctx, "fetch", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", "--no-prune", "--refmap=", "--quiet", "--end-of-options", remote, "+"+ref+":"+r.ref("base"))
	if e, ok := errors.AsType[*git.StepError](err); ok && goneAway.MatchString(e.Message) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return r.Commit(ctx, r.ref("base"))
}

// Moved says where a base branch is now.
type Moved struct {
	Moved  bool   `json:"moved"`
	Commit string `json:"commit"`
	// Rewritten says that the commit it was at is no part of it any more.
	Rewritten bool `json:"rewritten"`
	// Touched are, of the files that were named, those that changed in between.
	Touched []string `json:"touched"`
}

// MovedBase looks whether the base branch is still at a commit: at the remote, or here if that is "".
func (r *Repository) MovedBase(ctx context.Context, remote, branch, commit string, files []string) (Moved, error) {
	m := Moved{Commit: commit, Touched: []string{}}
	var err error
	if remote != "" {
		m.Commit, err = r.Fetch(ctx, remote, branch)
	} else if ref, e := r.branchRef(ctx, branch); e != nil {
		return m, e
	} else {
		m.Commit, err = r.Commit(ctx, ref)
	}
	if err != nil {
		return m, err
	}
	if m.Commit == "" {
		where := ""
		if remote != "" {
			where = " at " + remote
		}
		return m, fmt.Errorf("the branch %s is not there any more%s", branch, where)
	}
	if m.Moved = m.Commit != commit; !m.Moved {
		return m, nil
	}
	within, err := r.contains(ctx, m.Commit, commit)
	if err != nil {
		return m, err
	}
	m.Rewritten = !within
	changes, err := r.Changes(ctx, commit, m.Commit)
	if err != nil {
		return m, err
	}
	for _, c := range changes {
		if slices.ContainsFunc(files, func(name string) bool { return covers(name, c.Path) }) {
			m.Touched = append(m.Touched, c.Path)
		}
	}
	return m, nil
}
