package issuedelivery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/checks"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge"
	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

// looking is one look at whether everything is there. What is missing is collected: all of it is said at
// once.
type looking struct {
	h   *Host
	c   call
	in  beginOptions
	out begun

	r       *repository.Repository
	missing []lack
	// unchecked says that no check was found.
	unchecked bool
}

// lack is something that is missing, and the command that mends it.
type lack struct{ what, mend string }

func (l *looking) lacks(what, mend string) { l.missing = append(l.missing, lack{what, mend}) }

// refusal is what is said of everything that is missing, each with what mends it; nil if nothing is.
func (l *looking) refusal() error {
	again := "assent resume " + l.c.Run + "   # once that is mended"
	if l.unchecked && len(l.missing) == 0 {
		return fault.New(fault.ChecksNotFound, "no check was found at "+shortCommit(l.out.Base.Commit)+" ("+checksNext+")", again)
	}
	if l.unchecked {
		l.lacks("no check was found", checksNext)
	}
	if len(l.missing) == 0 {
		return nil
	}
	var all []string
	for _, m := range l.missing {
		all = append(all, m.what+" ("+strings.Join(strings.Fields(m.mend), " ")+")")
	}
	return fault.New(fault.DeliveryNotReady, strings.Join(all, "; "), again)
}

// away reports whether the delivery goes to a remote.
func (l *looking) away() bool { return l.in.Lane == LanePullRequest }

// all looks at everything, as far as one thing does not need another that is missing. Its error is one
// that has nothing to do with what is missing.
func (l *looking) all(ctx context.Context) error {
	r, err := repository.Open(l.h.Workspace, l.c.Mark, l.c.Step)
	if errors.Is(err, git.ErrNone) {
		if !gitThere() {
			l.lacks("git is not on the PATH", "apt-get install git")
			return nil
		}
		l.lacks(l.h.Workspace+" is in no git repository", "git init && git add --all && git commit -m 'First commit'")
		return nil
	} else if err != nil {
		return err
	}
	l.r = r
	version, ok, err := r.NewEnough(ctx)
	if err != nil {
		return err
	}
	if !ok {
		l.lacks("git "+version+" is too old: 2.38 or newer is needed", "apt-get install git   # or as https://git-scm.com says")
	}
	name, email, err := r.Identity(ctx)
	if err != nil {
		return err
	}
	if name == "" {
		l.lacks("git has no user.name, under which commits are made", `git config --global user.name "YOUR NAME"`)
	}
	if email == "" {
		l.lacks("git has no user.email, under which commits are made", "git config --global user.email YOU@EXAMPLE.ORG")
	}
	head, _, err := r.Head(ctx)
	if err != nil {
		return err
	}
	if head == "" {
		l.lacks("the repository has no commit", "git add --all && git commit -m 'First commit'")
	}
	// A branch is a file or a folder of that name, and those of a delivery are below assent.
	if clash, err := r.Commit(ctx, "refs/heads/"+strings.TrimSuffix(branchPrefix, "/")); err != nil {
		return err
	} else if clash != "" {
		l.lacks("there is a branch assent, beside which there can be none below assent/", "git branch -m assent ANOTHER")
	}
	remote, err := l.remote(ctx)
	if err != nil {
		return err
	}
	if err := l.forge(ctx, remote); err != nil {
		return err
	}
	if head == "" {
		return nil
	}
	if err := l.base(ctx, remote); err != nil || l.out.Base.Commit == "" {
		return err
	}
	if l.out.Base.Settings, err = r.Settings(ctx); err != nil {
		return err
	}
	return l.tree(ctx, head)
}

// remote is the one that the delivery goes to, and that issues are read from; "" if there is none.
func (l *looking) remote(ctx context.Context) (string, error) {
	all, err := l.r.Remotes(ctx)
	if err != nil {
		return "", err
	}
	wanted := l.h.Config.Remote
	for _, remote := range all {
		if remote == wanted {
			return remote, nil
		}
	}
	needed := l.away() || len(l.in.Issues) > 0
	switch remote := theRemote(all); {
	case wanted != "" && needed:
		l.lacks(fmt.Sprintf("there is no remote %q, which [delivery] remote names", wanted), "git remote add "+wanted+" URL")
		return "", nil
	case wanted != "":
		return "", nil
	case remote == "" && needed && len(all) > 1:
		l.lacks("there are several remotes, and none is called origin: "+strings.Join(all, ", "), "set [delivery] remote in .assent/config.toml")
	case remote == "" && needed:
		l.lacks("there is no remote", "git remote add origin URL   # or --no-pr, which needs none")
	default:
		return remote, nil
	}
	return "", nil
}

// forge looks at the forge, and reads the issues.
func (l *looking) forge(ctx context.Context, remote string) error {
	if !l.away() && len(l.in.Issues) == 0 {
		return nil
	}
	at, ok := forge.Address{}, false
	if remote != "" {
		var err error
		if at, ok, err = addressOf(ctx, l.r, remote); err != nil {
			return err
		}
		if !ok {
			l.lacks("the remote "+remote+" lies on no forge that gh knows, and a pull request and issues need one", noForge)
		}
	}
	// That gh is missing is said in any case; without an address it has nothing to ask.
	f, err := forge.New(ctx, at, forge.Options{Folder: l.r.Top, Mark: l.c.Mark, Step: l.c.Step, Environ: l.h.environ()})
	if errors.Is(err, forge.ErrNoProgram) {
		l.lacks("gh, which reaches the forge, is not on the PATH", installGh)
		return nil
	} else if err != nil || !ok {
		return err
	}
	access, err := f.Access(ctx)
	switch {
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case forge.KindOf(err) == forge.KindSignedOut:
		l.lacks("gh is not signed in to "+f.At().Host, "gh auth login --hostname "+f.At().Host)
		return nil
	case err != nil:
		l.lacksFault(err)
		return nil
	case l.away() && access.Archived:
		l.lacks(f.At().String()+" is archived: nothing can be pushed to it", noForge)
	case l.away() && !access.Writes():
		l.lacks("whoever gh is signed in as may not push to "+f.At().String(), "gh auth status   # says who that is")
	}
	if l.away() {
		l.out.Base.URL = "https://" + f.At().String()
	}
	for _, number := range l.in.Issues {
		issue, err := f.Issue(ctx, number)
		if err != nil {
			if context.Cause(ctx) != nil {
				return context.Cause(ctx)
			}
			l.lacksFault(err)
			continue
		}
		if issue.State != "OPEN" {
			l.out.Warnings = append(l.out.Warnings, fmt.Sprintf("issue %d is %s", number, strings.ToLower(issue.State)))
		}
		l.out.Issues = append(l.out.Issues, issue)
	}
	return nil
}

// lacksFault is a step that failed as something that is missing.
func (l *looking) lacksFault(err error) {
	mend := "assent resume " + l.c.Run
	if e, ok := asFault(err); ok {
		mend = cmp.Or(e.Next, mend)
	}
	l.lacks(said(err), mend)
}

// base finds the commit that work begins at.
func (l *looking) base(ctx context.Context, remote string) error {
	branch := cmp.Or(l.in.Base, l.h.Config.Base)
	if branch == "" {
		var err error
		if branch, err = l.r.DefaultBase(ctx, remote); err != nil {
			return err
		}
	}
	if branch == "" {
		l.lacks("there is no branch to deliver to: HEAD is on none, and none is called main or master", "assent deliver --base BRANCH …")
		return nil
	}
	l.out.Base.Branch = branch
	if l.away() {
		if remote == "" {
			return nil
		}
		l.out.Base.Remote = remote
		commit, err := l.r.Fetch(ctx, remote, branch)
		switch {
		case context.Cause(ctx) != nil:
			return context.Cause(ctx)
		case err != nil:
			l.lacks(fmt.Sprintf("the branch %s of %s cannot be fetched: %v", branch, remote, err), "git fetch "+remote)
		case commit == "":
			l.lacks(fmt.Sprintf("there is no branch %s at %s", branch, remote), fmt.Sprintf("git push %s %s   # if it is not there yet", remote, branch))
		}
		l.out.Base.Commit = commit
		return nil
	}
	names := []string{"refs/heads/" + branch}
	if remote != "" {
		names = append(names, "refs/remotes/"+remote+"/"+branch) // a clone may not have it as a branch of its own
	}
	for _, name := range names {
		commit, err := l.r.Commit(ctx, name)
		if err != nil {
			return err
		}
		if commit != "" {
			l.out.Base.Commit = commit
			return nil
		}
	}
	l.lacks("there is no branch "+branch, "git branch "+branch+"   # or name another with --base")
	return nil
}

// tree looks at what stands at the base, and at how the user's tree differs from it.
func (l *looking) tree(ctx context.Context, head string) error {
	dirty, err := l.r.Dirty(ctx)
	if err != nil {
		return err
	}
	base := l.out.Base.Commit
	if l.out.Here = head == base && len(dirty) == 0; len(dirty) > 0 {
		l.out.Warnings = append(l.out.Warnings, "uncommitted work stays where it is, and is no part of this: "+few(dirty))
	}
	if head != base {
		l.out.Warnings = append(l.out.Warnings, fmt.Sprintf("work begins at %s of %s, and not at what is checked out (%s)", shortCommit(base), l.out.Base.Branch, shortCommit(head)))
	}
	files, err := l.r.Files(ctx, base)
	if err != nil {
		return err
	}
	l.out.Notes, l.out.Template = notesOf(files), templateOf(files)
	list, setup := checks.Detect(files)
	list, setup = l.h.configured(list, setup)
	l.out.Checks, l.out.Setup = append(l.out.Checks, list...), append(l.out.Setup, setup...)
	if len(list) == 0 {
		if l.unchecked = !l.in.AllowNoChecks; !l.unchecked {
			l.out.Warnings = append(l.out.Warnings, "no check was found: nothing but verifiers will look at the work")
		}
	}
	return nil
}

// checksNext is what to do where no check is found.
const checksNext = `set [delivery.checks] in .assent/config.toml, such as test = ["make", "test"]   # or --allow-no-checks`

// gitThere reports whether there is a git.
func gitThere() bool {
	_, err := exec.LookPath("git")
	return err == nil
}
