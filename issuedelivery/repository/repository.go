package repository

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/agent/process"
)

const (
	// treeTime is for steps that read or write every file of a tree, networkTime for those that speak
	// to a remote.
	treeTime    = 15 * time.Minute
	networkTime = 5 * time.Minute

	refPrefix = "refs/assent/delivery/"
)

// Repository is a repository of the user's, as one call of a run uses it. Its methods may be called one at
// a time.
type Repository struct {
	// Top is the top of the user's working tree.
	Top string
	// Run is the id of the run.
	Run string

	git    *git.Repo
	folder string
	mark   string
	step   process.Step
	// network caps each step that speaks to a remote.
	network time.Duration
}

// Open finds the repository that a folder is in; git.ErrNone if there is none. mark (RUN/CALL) says whose
// git it is, and step is told of each process group.
func Open(folder, mark string, step process.Step) (*Repository, error) {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, err
	}
	repo, err := git.Open(real, mark, step)
	if err != nil {
		return nil, err
	}
	run, _, _ := strings.Cut(mark, "/")
	return &Repository{Top: repo.Top, Run: run, git: repo, folder: real, mark: mark, step: step, network: networkTime}, nil
}

// do runs one step and gives what it printed, without the end of its last line.
func (r *Repository) do(ctx context.Context, c git.Command) (string, error) {
	out, err := r.git.Do(ctx, c)
	return strings.TrimRight(string(out), "\r\n"), err
}

// ask is do for a step whose name is its first argument.
func (r *Repository) ask(ctx context.Context, args ...string) (string, error) {
	return r.do(ctx, git.Command{Step: args[0], Args: args})
}

// maybe is ask for a step that says with exit code 1 that there is nothing.
func (r *Repository) maybe(ctx context.Context, args ...string) (string, error) {
	out, err := r.ask(ctx, args...)
	if git.Exit(err) == 1 {
		return "", nil
	}
	return out, err
}

// Commit is the id of the commit that a name leads to, "" if there is none.
func (r *Repository) Commit(ctx context.Context, name string) (string, error) {
	return r.maybe(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
}

// known is Commit for ids that have to be there.
func (r *Repository) known(ctx context.Context, ids ...string) error {
	for _, id := range ids {
		found, err := r.Commit(ctx, id)
		if err != nil {
			return err
		}
		if found == "" {
			return fmt.Errorf("there is no commit %s in %s", id, r.Top)
		}
	}
	return nil
}

func (r *Repository) tree(ctx context.Context, commit string) (string, error) {
	return r.ask(ctx, "rev-parse", "--verify", "--end-of-options", commit+"^{tree}")
}

// contains reports whether a commit is another one, or comes after it.
func (r *Repository) contains(ctx context.Context, commit, earlier string) (bool, error) {
	_, err := r.ask(ctx, "merge-base", "--is-ancestor", earlier, commit)
	if git.Exit(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// Contains reports whether a commit is another one, or comes after it.
func (r *Repository) Contains(ctx context.Context, commit, earlier string) (bool, error) {
	return r.contains(ctx, commit, earlier)
}

// ref is a reference of the run's own.
func (r *Repository) ref(name string) string { return refPrefix + r.Run + "/" + name }

// keep keeps a commit from git's collector.
func (r *Repository) keep(ctx context.Context, commit string) error {
	return r.setRef(ctx, r.ref("made/"+commit), commit, "")
}

// setRef puts a reference to a commit; from, if it is not "", is where it has to be before, and 40 or 64
// zeros mean nowhere.
func (r *Repository) setRef(ctx context.Context, ref, commit, from string) error {
	args := []string{"update-ref", "-m", "assent: delivery", ref, commit}
	if from != "" {
		args = append(args, from)
	}
	_, err := r.ask(ctx, args...)
	return err
}

// nowhere is the id that stands for no commit, as long as id.
func nowhere(id string) string { return strings.Repeat("0", len(id)) }

// IsID reports whether a text is the whole id of a git object.
func IsID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// NewEnough reports whether git can do what a delivery needs, and which git it is.
func (r *Repository) NewEnough(ctx context.Context) (version string, ok bool, err error) {
	text, err := r.ask(ctx, "version")
	if err != nil {
		return "", false, err
	}
	version = strings.TrimPrefix(text, "git version ")
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return version, false, nil
	}
	major, errMajor := strconv.Atoi(parts[0])
	minor, errMinor := strconv.Atoi(parts[1])
	return version, errors.Join(errMajor, errMinor) == nil && (major > 2 || major == 2 && minor >= 38), nil
}

// Bare reports whether the repository has no working tree, or the folder lies in its git folder.
func (r *Repository) Bare(ctx context.Context) (bool, error) {
	out, err := r.ask(ctx, "rev-parse", "--is-inside-work-tree")
	if err != nil || out != "true" {
		return true, err
	}
	own, err := r.own(ctx)
	if err != nil {
		return false, err
	}
	rel, err := filepath.Rel(own, r.folder)
	return err == nil && filepath.IsLocal(rel), nil
}

// own is the git folder of the user's tree, without links.
func (r *Repository) own(ctx context.Context) (string, error) {
	out, err := r.ask(ctx, "rev-parse", "--git-dir")
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(out) {
		out = filepath.Join(r.Top, out)
	}
	return filepath.EvalSymlinks(out)
}

// branchRef is the reference of a branch. A name that git does not take is refused, and so is one that
// leads to something else, such as main~1.
func (r *Repository) branchRef(ctx context.Context, branch string) (string, error) {
	ref := "refs/heads/" + branch
	_, err := r.ask(ctx, "check-ref-format", ref)
	if git.Exit(err) == 1 || strings.HasPrefix(branch, "-") {
		return "", fmt.Errorf("%q is no name of a branch", branch)
	}
	return ref, err
}

// Linked reports whether the working tree is one that git worktree made.
func (r *Repository) Linked(ctx context.Context) (bool, error) {
	own, err := r.own(ctx)
	if err != nil {
		return false, err
	}
	common, err := r.git.Common(ctx)
	return own != common, err
}

// Operation is what is under way in the working tree, such as a merge; "" if nothing is.
func (r *Repository) Operation(ctx context.Context) (string, error) {
	for _, o := range []struct{ file, name string }{
		{"MERGE_HEAD", "merge"},
		{"CHERRY_PICK_HEAD", "cherry-pick"},
		{"REVERT_HEAD", "revert"},
		{"rebase-merge", "rebase"},
		{"rebase-apply", "rebase"},
		{"BISECT_LOG", "bisect"},
	} {
		path, err := r.ask(ctx, "rev-parse", "--git-path", o.file)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.Top, path)
		}
		if _, err := os.Lstat(path); err == nil {
			return o.name, nil
		}
	}
	return "", nil
}

// Head is where the user's tree is: its commit, "" if there is none yet, and its branch, "" if it is on none.
func (r *Repository) Head(ctx context.Context) (commit, branch string, err error) {
	if commit, err = r.Commit(ctx, "HEAD"); err != nil {
		return "", "", err
	}
	ref, err := r.maybe(ctx, "symbolic-ref", "--quiet", "HEAD")
	return commit, strings.TrimPrefix(ref, "refs/heads/"), err
}

// Dirty are the paths with uncommitted work in the user's tree, untracked files too, without those of
// Assent itself.
func (r *Repository) Dirty(ctx context.Context) ([]string, error) { return r.dirty(ctx, r.git) }

func (r *Repository) dirty(ctx context.Context, in *git.Repo) ([]string, error) {
	out, err := in.Do(ctx, git.Command{Step: "status", Limit: treeTime, Args: []string{"--no-optional-locks", "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal"}})
	if err != nil {
		return nil, err
	}
	var paths []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if len(entry) > 3 && !strings.HasPrefix(entry[3:], ".assent/") {
			paths = append(paths, entry[3:])
		}
	}
	return paths, nil
}

// Identity is the name under which commits are made; each is "" if it is not set.
func (r *Repository) Identity(ctx context.Context) (name, email string, err error) {
	if name, err = r.maybe(ctx, "config", "--get", "user.name"); err != nil {
		return "", "", err
	}
	email, err = r.maybe(ctx, "config", "--get", "user.email")
	return strings.TrimSpace(name), strings.TrimSpace(email), err
}
