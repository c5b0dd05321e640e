package repository_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// own is the record of where the run put the branch.
const own = "refs/assent/delivery/" + run + "/branch/" + branch

func (u *user) setBranch(commit string) (string, error) {
	u.t.Helper()
	return u.SetBranch(u.t.Context(), branch, commit)
}

func (u *user) tip() string { u.t.Helper(); return u.git("rev-parse", "refs/heads/"+branch) }

// B69 (a): a branch of this run's is made, found and moved.
func TestB69BranchOfThisRun(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	one, two := u.commit(base, "one", files{"n": "1"}), u.commit(base, "two", files{"n": "2"})
	was, err := u.setBranch(one)
	require.NoError(t, err)
	require.Empty(t, was)
	for _, c := range []struct{ to, was string }{{one, one}, {two, one}, {two, two}, {one, two}} {
		was, err = u.setBranch(c.to)
		require.NoError(t, err)
		require.Equal(t, c.was, was)
		require.Equal(t, c.to, u.tip())
	}
	u.git("update-ref", "-d", "refs/heads/"+branch)
	_, err = u.setBranch(two)
	require.NoError(t, err)
	require.Equal(t, two, u.tip(), "it was removed: it is made again")
}

// B69 (b): a branch that others made or went on with is refused by its name, and is left where it is.
func TestB69ForeignBranch(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	one, two := u.commit(base, "one", files{"n": "1"}), u.commit(base, "two", files{"n": "2"})
	theirs := u.commit(one, "theirs", files{"m": "1"})
	refused := func(at string) {
		t.Helper()
		_, err := u.setBranch(two)
		require.Equal(t, fault.BranchForeign, fault.CodeOf(err))
		require.ErrorContains(t, err, branch)
		require.Equal(t, at, u.tip())
		err = u.Repair(t.Context(), branch, two, filepath.Join(u.work, "repair"))
		require.Equal(t, fault.BranchForeign, fault.CodeOf(err))
		require.NoDirExists(t, filepath.Join(u.work, "repair"))
		require.Equal(t, at, u.tip())
	}
	u.git("branch", branch, base)
	refused(base)
	// One that stands where the run would put it does not become the run's.
	was, err := u.setBranch(base)
	require.NoError(t, err)
	require.Equal(t, base, was)
	refused(base)
	u.git("update-ref", "-d", "refs/heads/"+branch)
	_, err = u.setBranch(one)
	require.NoError(t, err)
	u.git("update-ref", "refs/heads/"+branch, theirs)
	_, err = u.setBranch(two)
	require.Equal(t, fault.BranchForeign, fault.CodeOf(err))
	require.ErrorContains(t, err, theirs)
	require.Equal(t, theirs, u.tip())
	for _, name := range []string{"a..b", "main~0", "", "-x", "../heads/main"} {
		_, err = u.SetBranch(t.Context(), name, one)
		require.ErrorContains(t, err, "is no name of a branch")
	}
}

// B69 (c): a branch that is checked out is not moved below a person's feet.
func TestB69CheckedOut(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	one, two := u.commit(base, "one", files{"n": "1"}), u.commit(base, "two", files{"n": "2"})
	_, err := u.setBranch(one)
	require.NoError(t, err)
	u.git("switch", "-q", branch)
	before := u.state()
	_, err = u.setBranch(two)
	require.Equal(t, fault.BranchForeign, fault.CodeOf(err))
	require.ErrorContains(t, err, "is checked out in "+u.dir)
	_, err = u.setBranch(one)
	require.NoError(t, err, "where it is already, nothing moves")
	require.Equal(t, fault.BranchForeign, fault.CodeOf(u.Repair(t.Context(), branch, two, filepath.Join(u.work, "repair"))))
	require.Equal(t, before, u.state())
	// A branch that does not exist yet, and on which the user's tree is.
	u.git("switch", "-q", "--orphan", "assent/6rabcd-none")
	_, err = u.SetBranch(t.Context(), "assent/6rabcd-none", two)
	require.Equal(t, fault.BranchForeign, fault.CodeOf(err))
}

// A crash between the record and the branch leaves a branch with which the run goes on.
func TestB69CrashBetweenRecordAndBranch(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	one, two, three := u.commit(base, "one", files{"n": "1"}), u.commit(base, "two", files{"n": "2"}), u.commit(base, "three", files{"n": "3"})
	u.git("update-ref", own, one) // and the branch was never made
	_, err := u.setBranch(two)
	require.NoError(t, err)
	require.Equal(t, two, u.tip())
	for _, to := range []string{three, one} {
		u.git("update-ref", own+"-before", u.tip())
		u.git("update-ref", own, two)
		_, err = u.setBranch(to)
		require.NoError(t, err)
		require.Equal(t, to, u.tip())
	}
}

func (u *user) repair(commit string) (string, error) {
	u.t.Helper()
	folder := filepath.Join(u.work, "repair")
	return folder, u.Repair(u.t.Context(), branch, commit, folder)
}

// A person gets a branch and a working tree; what they do there stays, whatever is called again.
func TestRepair(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	one, two := u.commit(base, "one", files{"n": "1"}), u.commit(base, "two", files{"n": "2"})
	before := u.state()
	folder, err := u.repair(one)
	require.NoError(t, err)
	require.Equal(t, branch, in(t, folder, "branch", "--show-current"))
	put(t, filepath.Join(folder, "n"), "edited\n")
	put(t, filepath.Join(folder, "new file"), "x\n")
	put(t, filepath.Join(folder, ".assent", "x"), "x\n")
	for range 2 {
		_, err = u.repair(two)
		require.NoError(t, err)
	}
	commit, dirty, err := u.Repaired(t.Context(), branch)
	require.NoError(t, err)
	require.Equal(t, one, commit)
	require.Equal(t, []string{"n", "new file"}, dirty)
	in(t, folder, "add", "n", "new file")
	in(t, folder, "commit", "-q", "-m", "by hand")
	mended := in(t, folder, "rev-parse", "HEAD")
	commit, dirty, err = u.Repaired(t.Context(), branch)
	require.NoError(t, err)
	require.Equal(t, mended, commit)
	require.Equal(t, []string{}, dirty)
	_, err = u.repair(two)
	require.NoError(t, err)
	require.Equal(t, mended, u.tip())
	require.Equal(t, before, u.state())

	// The folder is gone, and still registered: the branch has what there was. Another repository around it
	// is not taken for it.
	require.NoError(t, os.RemoveAll(folder))
	in(t, filepath.Dir(u.work), "init", "-q")
	put(t, filepath.Join(u.work, "something"), "x\n")
	commit, dirty, err = u.Repaired(t.Context(), branch)
	require.NoError(t, err)
	require.Equal(t, mended, commit)
	require.Empty(t, dirty)
	_, err = u.repair(two)
	require.NoError(t, err)
	require.Equal(t, mended, in(t, folder, "rev-parse", "HEAD"))
	require.Len(t, u.worktrees(), 2)

	// The folder is gone and the branch too.
	require.NoError(t, os.RemoveAll(folder))
	u.git("update-ref", "-d", "refs/heads/"+branch)
	_, err = u.repair(two)
	require.NoError(t, err)
	require.Equal(t, two, in(t, folder, "rev-parse", "HEAD"))

	// The person works on the branch in their own tree.
	u.git("worktree", "remove", "--force", folder)
	u.git("switch", "-q", branch)
	u.write("mine", "x\n")
	_, dirty, err = u.Repaired(t.Context(), branch)
	require.NoError(t, err)
	require.Equal(t, []string{"mine"}, dirty)
	_, err = u.repair(two)
	require.Equal(t, fault.BranchForeign, fault.CodeOf(err))
	u.git("switch", "-q", "main")
	u.git("branch", "-q", "-D", branch)
	_, _, err = u.Repaired(t.Context(), branch)
	require.ErrorContains(t, err, "is not there any more")
}

// B69: a folder that git does not know is in the way, and stays; one of which the making was cut off is
// made anew.
func TestB69RepairFolderInTheWay(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	one := u.commit(u.head(), "one", files{"n": "1"})
	folder := filepath.Join(u.work, "repair")
	put(t, filepath.Join(folder, "somebody's"), "x\n")
	_, err := u.repair(one)
	require.Equal(t, fault.DeliveryFailed, fault.CodeOf(err))
	require.ErrorContains(t, err, folder)
	require.FileExists(t, filepath.Join(folder, "somebody's"))
	require.NoError(t, os.RemoveAll(folder))
	require.NoError(t, os.MkdirAll(folder, 0o700))
	_, err = u.repair(one)
	require.NoError(t, err, "an empty one is in nobody's way")

	u.git("worktree", "lock", "--reason", "initializing", folder)
	require.NoError(t, os.Remove(filepath.Join(folder, "n")))
	_, err = u.repair(one)
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(folder, "n"))
	require.NotContains(t, u.git("worktree", "list", "--porcelain"), "locked")
	require.Equal(t, one, u.tip())
	// The branch of the run stands, and it is made a tree for.
	u.git("worktree", "remove", folder)
	_, err = u.repair(u.head())
	require.NoError(t, err)
	require.Equal(t, one, u.tip(), "where it stood")
}

// A tree is fresh each time, and is gone with its registration when it is removed, whatever stands in it.
func TestCheckout(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	one := u.entries(base, "one", files{"n": "1"}, []string{"160000," + base + ",lib"})
	folder := filepath.Join(u.work, "checks", "one")
	before := u.state()
	for range 2 {
		remove, err := u.Checkout(t.Context(), one, folder)
		require.NoError(t, err)
		require.Equal(t, one, in(t, folder, "rev-parse", "HEAD"))
		require.Empty(t, in(t, folder, "branch", "--show-current"))
		require.Empty(t, in(t, folder, "status", "--porcelain", "--ignored"))
		put(t, filepath.Join(folder, "left", "over"), "x")
		require.NoError(t, os.WriteFile(filepath.Join(folder, "n"), []byte("changed"), 0o444))
		require.NoError(t, os.Chmod(filepath.Join(folder, "left"), 0o500))
		remove2, err := u.Checkout(t.Context(), base, folder)
		require.NoError(t, err, "what an earlier attempt left is removed")
		require.Equal(t, base, in(t, folder, "rev-parse", "HEAD"))
		require.NoDirExists(t, filepath.Join(folder, "left"))
		put(t, filepath.Join(folder, "left", "deeper", "over"), "x")
		require.NoError(t, os.Chmod(filepath.Join(folder, "left", "deeper"), 0))
		require.NoError(t, os.Chmod(filepath.Join(folder, "left"), 0))
		in(t, u.dir, "worktree", "lock", folder)
		require.NoError(t, remove2(t.Context()))
		require.NoDirExists(t, folder)
		require.Equal(t, []string{u.dir}, u.worktrees())
		require.NoError(t, remove(t.Context()), "twice")
	}
	require.Equal(t, before, u.state())
	// A folder that git does not know, and one that it knows and is gone.
	put(t, filepath.Join(folder, ".git"), "gitdir: /nowhere\n")
	_, err := u.Checkout(t.Context(), one, folder)
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(folder))
	remove, err := u.Checkout(t.Context(), one, folder)
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(filepath.Join(folder, ".git")))
	require.NoError(t, remove(t.Context()))
	require.Equal(t, []string{u.dir}, u.worktrees())
	// A link in its place leads to a tree of the user's, which stays.
	mine := filepath.Join(filepath.Dir(u.dir), "mine")
	u.git("worktree", "add", "-q", "-b", "mine", mine)
	require.NoError(t, os.Symlink(mine, folder))
	remove, err = u.Checkout(t.Context(), one, folder)
	require.NoError(t, err)
	require.NoError(t, remove(t.Context()))
	require.FileExists(t, filepath.Join(mine, "a.txt"))
	require.ElementsMatch(t, []string{u.dir, mine}, u.worktrees())
	// What cannot be checked out leaves nothing. A filter whose program is not there is left out.
	u.git("config", "filter.gone.required", "true")
	u.git("config", "filter.gone.smudge", "/nowhere/at/all")
	filtered := u.commit(base, "filtered", files{".gitattributes": "a.txt filter=gone\n"})
	remove, err = u.Checkout(t.Context(), filtered, folder)
	require.NoError(t, err)
	require.Equal(t, "1\n2\n3\n4\n5\n", in(t, folder, "cat-file", "-p", ":a.txt")+"\n")
	require.FileExists(t, filepath.Join(folder, "a.txt"))
	require.NoError(t, remove(t.Context()))
	u.git("config", "filter.gone.smudge", "false")
	_, err = u.Checkout(t.Context(), filtered, folder)
	require.ErrorContains(t, err, "worktree add")
	require.NoDirExists(t, folder)
	require.ElementsMatch(t, []string{u.dir, mine}, u.worktrees())
}

// What a person has begun in their tree, and git's status says nothing of, is not taken for done.
func TestRepairThatIsNotThrough(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	one := u.commit(base, "one", files{"n": "1\n"})
	unfinished := func() []string {
		t.Helper()
		left, err := u.Unfinished(t.Context(), branch, filepath.Join(u.work, "repair"))
		require.NoError(t, err)
		return left
	}
	require.Empty(t, unfinished(), "there is no tree yet")
	folder, err := u.repair(one)
	require.NoError(t, err)
	put(t, filepath.Join(folder, "n"), "edited\n")
	require.Empty(t, unfinished(), "that is Repaired's to tell")
	in(t, folder, "commit", "-q", "-a", "-m", "by hand")
	require.Empty(t, unfinished())

	other := u.commit(base, "other", files{"n": "2\n"})
	cmd := exec.Command("git", "rebase", "-q", other)
	cmd.Dir = folder
	require.Error(t, cmd.Run(), "it is in conflict")
	left := unfinished()
	require.Contains(t, left, "(a rebase is under way)")
	require.Contains(t, left, "n")
	in(t, folder, "rebase", "--abort")
	require.Empty(t, unfinished())

	in(t, folder, "checkout", "-q", "--detach", other)
	put(t, filepath.Join(folder, "new"), "x\n")
	require.Equal(t, []string{"new", "(the commit " + other[:12] + " is checked out, which is not on the branch " + branch + ")"}, unfinished())
	require.NoError(t, os.RemoveAll(folder))
	require.Empty(t, unfinished(), "it is gone, and the branch is what there is")
}
