package worktree

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// submodulesDeep is how deep submodules may lie in each other.
const submodulesDeep = 5

// submodule is where submodules are looked for: in the user's tree, and in the call's.
type submodule struct {
	user, tree *git.Repo
	// top is the top of the call's tree, or of the submodule in it; admin is its git folder.
	top, admin string
	// within is the path for people.
	within string
}

// gitlink is the mode of an entry that names a commit of another repository.
const gitlink = "160000"

// submodules checks out the submodules that the user's tree has checked out, from the repositories
// that are there, without a network. A failure is a note: the folder is then empty, as git leaves it.
func (t *Tree) submodules(ctx context.Context, s submodule, depth int) {
	if _, err := os.Lstat(filepath.Join(s.top, ".gitmodules")); err != nil || depth == submodulesDeep {
		return
	}
	names := map[string]string{} // by path
	out, err := t.do(ctx, s.tree, git.Command{Step: "config", Args: []string{"config", "-z", "--file", filepath.Join(s.top, ".gitmodules"), "--get-regexp", `^submodule\..*\.path$`}})
	if err != nil {
		return
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		key, path, _ := strings.Cut(entry, "\n")
		names[path] = strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path")
	}
	links, err := t.links(ctx, s.tree, nil)
	if err != nil {
		t.note("submodules are empty in the worktree: " + err.Error())
	}
	for _, path := range slices.Sorted(maps.Keys(links)) {
		commit, shown := links[path], filepath.Join(s.within, path)
		name, local := names[path], filepath.FromSlash(path)
		if name == "" || !filepath.IsLocal(filepath.FromSlash(name)) || !filepath.IsLocal(local) {
			continue
		}
		user, err := git.Open(filepath.Join(s.user.Top, local), t.mark, t.step)
		if err != nil || user.Top != filepath.Join(s.user.Top, local) {
			t.note("the submodule " + shown + " is empty in the worktree, as it is in yours")
			continue
		}
		inner := submodule{user: user, top: filepath.Join(s.top, local), admin: filepath.Join(s.admin, "modules", filepath.FromSlash(name)), within: shown}
		if err := t.checkOut(ctx, &inner, commit); err != nil {
			t.note("the submodule " + shown + " is empty in the worktree: " + err.Error())
			continue
		}
		t.submodules(ctx, inner, depth+1)
	}
}

// checkOut makes one submodule, with a repository of its own: an agent can spoil no object of the
// user's.
func (t *Tree) checkOut(ctx context.Context, s *submodule, commit string) error {
	from, err := s.user.Common(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.admin), 0o700); err != nil {
		return err
	}
	if _, err := t.do(ctx, t.repo, git.Command{
		Step: "clone", Limit: checkoutTime, Env: t.filters,
		Args: []string{"-c", "clone.defaultRemoteName=origin", "clone", "--quiet", "--no-checkout", "--no-hardlinks", "--template=", "--separate-git-dir=" + s.admin, "--", from, s.top},
	}); err != nil {
		return err
	}
	if s.tree, err = git.At(s.top, s.admin, t.mark, t.step); err != nil {
		return err
	}
	if _, err := t.do(ctx, s.tree, git.Command{Step: "checkout", Limit: checkoutTime, Env: t.filters, Args: []string{"checkout", "--quiet", "--detach", commit, "--"}}); err != nil {
		return err
	}
	// It came from the user's copy; what it is a copy of is what an agent should see.
	if url, err := t.do(ctx, s.user, git.Command{Step: "config", Args: []string{"config", "--get", "remote.origin.url"}}); err == nil {
		_, err = t.do(ctx, s.tree, git.Command{Step: "config", Args: []string{"config", "remote.origin.url", strings.TrimRight(string(url), "\r\n")}})
		return err
	}
	return nil
}

// links are the commits of other repositories that an index names, by path.
func (t *Tree) links(ctx context.Context, repo *git.Repo, env []string) (map[string]string, error) {
	links := map[string]string{}
	out, err := t.do(ctx, repo, git.Command{Step: "ls-files", Env: env, Args: []string{"ls-files", "--stage", "-z"}})
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		head, path, _ := strings.Cut(entry, "\t")
		if words := strings.Fields(head); len(words) == 3 && words[0] == gitlink && isID(words[1]) {
			links[path] = words[1]
		}
	}
	return links, nil
}

// ownRepositories names the repositories in the tree that hold work of which a commit would have no
// more than an id: those that an agent made, and submodules that it worked in. It is "" if there are
// none. index is the file of the index that names them, "" is the tree's own.
func (t *Tree) ownRepositories(ctx context.Context, index string) (string, error) {
	var found, env []string
	if index != "" {
		env = []string{"GIT_INDEX_FILE=" + index}
	}
	links, err := t.links(ctx, t.tree, env)
	if err != nil {
		return "", err
	}
	for path, commit := range links {
		top := filepath.Join(t.home.tree(), filepath.FromSlash(path))
		repo, err := git.Open(top, t.mark, t.step)
		if err != nil || repo.Top != top {
			continue // an empty folder
		}
		began, err := t.do(ctx, t.repo, git.Command{Step: "ls-tree", Args: []string{"ls-tree", "--full-tree", t.rec.Base, "--", path}})
		dirty, statusErr := t.do(ctx, repo, git.Command{Step: "status", Limit: checkoutTime, Args: []string{"--no-optional-locks", "status", "--porcelain"}})
		if err != nil || statusErr != nil || len(dirty) > 0 || !strings.Contains(string(began), commit) {
			found = append(found, path)
		}
	}
	slices.Sort(found)
	return strings.Join(found, ", "), nil
}
