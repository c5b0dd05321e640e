package repository

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// RemoteTip is the commit that a branch has at a remote, "" if it is not there. A remote that is pushed to
// elsewhere is asked there.
func (r *Repository) RemoteTip(ctx context.Context, remote, branch string) (string, error) {
	ref, err := r.branchRef(ctx, branch)
	if err != nil {
		return "", err
	}
	from, err := r.ask(ctx, "remote", "get-url", "--", remote)
	if err != nil {
		return "", err
	}
	to, err := r.ask(ctx, "remote", "get-url", "--push", "--", remote)
	if err != nil {
		return "", err
	}
	if to != from {
		remote = to
	}
	out, err := r.remote(ctx, "ls-remote", "--quiet", "--end-of-options", remote, ref)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(out) {
		if id, name, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && name == ref {
			return id, nil
		}
	}
	return "", nil
}

// Push puts a commit onto a branch of a remote, and reports whether anything had to be done. What others
// have pushed there is never replaced.
func (r *Repository) Push(ctx context.Context, remote, branch, commit string) (pushed bool, err error) {
	if err := r.known(ctx, commit); err != nil {
		return false, err
	}
	there, err := r.RemoteTip(ctx, remote, branch)
	if err != nil {
		return false, refusedPush(err, branch, remote, r.Run)
	}
	own := r.ref("pushed/" + branch)
	if there == commit {
		return false, r.setRef(ctx, own, commit, "")
	}
	mine, err := r.Commit(ctx, own)
	if err != nil {
		return false, err
	}
	before, err := r.Commit(ctx, own+"-before")
	if err != nil {
		return false, err
	}
	ours := there == "" || there == mine || there == before
	if !ours && mine != "" { // others went on from what the run pushed, and the commit has what they did
		if ours, err = r.Holds(ctx, commit, there); ours && err == nil {
			ours, err = r.contains(ctx, there, mine)
		}
		if err != nil {
			return false, err
		}
	}
	if !ours {
		return false, fault.New(fault.PushRefused, fmt.Sprintf("git push: the branch %s of %s is at %s, which this run did not push: somebody else works on it", branch, remote, there),
			"git fetch "+remote+" "+branch+"   # shows it; move it to another name, then assent resume "+r.Run)
	}
	// The record comes first: after a crash the branch is where it was, or where it was to go, and both are the run's.
	if there != "" {
		if err := r.setRef(ctx, own+"-before", there, ""); err != nil {
			return false, err
		}
	}
	if err := r.setRef(ctx, own, commit, ""); err != nil {
		return false, err
	}
	// With a lease on what was seen: nothing that came in the meantime is replaced either.
	_, err = r.remote(ctx, "push", "--quiet", "--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no", "--force-with-lease=refs/heads/"+branch+":"+there,
		"--end-of-options", remote, commit+":refs/heads/"+branch)
	if err == nil {
		return true, nil
	}
	// Whether it arrived is the remote's to say.
	if now, e := r.RemoteTip(context.WithoutCancel(ctx), remote, branch); e == nil && now == commit {
		return true, nil
	}
	return false, refusedPush(err, branch, remote, r.Run)
}

func refusedPush(err error, branch, remote, run string) error {
	what := "push of " + branch + " to " + remote
	if e, ok := errors.AsType[*git.StepError](err); ok {
		what += ": " + e.Error()
	}
	return fault.Wrap(err, fault.PushRefused, what, "assent resume "+run+"   # once "+remote+" can be pushed to")
}
