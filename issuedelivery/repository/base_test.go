package repository_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

// Where the base branch is, is looked up at the remote, or here if there is none.
func TestMovedBase(t *testing.T) {
	t.Parallel()
	for _, remote := range []string{"", "origin"} {
		t.Run(remote, func(t *testing.T) {
			u := newUser(t)
			base := u.head()
			place := u.dir
			if remote != "" {
				place = u.remote()
			}
			u.git("switch", "-q", "-c", "elsewhere")
			u.git("config", "fetch.prune", "true")
			move := func(commit string) {
				if remote != "" {
					u.git("push", "-q", "-f", place, commit+":refs/heads/main")
					return
				}
				u.git("update-ref", "refs/heads/main", commit)
			}
			look := func(names ...string) repository.Moved {
				t.Helper()
				refs := u.git("for-each-ref", "refs/remotes", "refs/heads", "refs/tags")
				m, err := u.MovedBase(t.Context(), remote, "main", base, names)
				require.NoError(t, err)
				require.Equal(t, refs, u.git("for-each-ref", "refs/remotes", "refs/heads", "refs/tags"))
				return m
			}
			require.Equal(t, repository.Moved{Commit: base, Touched: []string{}}, look("a.txt"))
			next := u.commit(base, "next", files{"sub dir/b.txt": "B\n", "n": "n\n"})
			move(next)
			require.Equal(t, repository.Moved{Moved: true, Commit: next, Touched: []string{}}, look("a.txt", "x/"))
			require.Equal(t, repository.Moved{Moved: true, Commit: next, Touched: []string{"n", "sub dir/b.txt"}}, look("sub dir/", "n", "nothing"))
			other := u.git("commit-tree", base+"^{tree}", "-m", "another beginning")
			other = u.commit(other, "x", files{"a.txt": "other\n"})
			move(other)
			require.Equal(t, repository.Moved{Moved: true, Commit: other, Rewritten: true, Touched: []string{"a.txt"}}, look("a.txt"))
			if remote != "" {
				in(t, place, "update-ref", "-d", "refs/heads/main")
			} else {
				u.git("update-ref", "-d", "refs/heads/main")
			}
			_, err := u.MovedBase(t.Context(), remote, "main", base, nil)
			require.ErrorContains(t, err, "the branch main is not there any more")
			for _, name := range []string{"main~0", "HEAD:x", "", "*"} {
				_, err = u.MovedBase(t.Context(), remote, name, base, nil)
				require.ErrorContains(t, err, "is no name of a branch")
			}
		})
	}
}

func TestDefaultBase(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := func(remote string) string {
		name, err := u.DefaultBase(t.Context(), remote)
		require.NoError(t, err)
		return name
	}
	require.Equal(t, "main", base(""))
	u.git("switch", "-q", "-c", "topic")
	require.Equal(t, "main", base(""), "the only one of main and master")
	u.git("branch", "master")
	require.Equal(t, "topic", base(""), "with both, the one that is checked out")
	u.remote()
	u.git("fetch", "-q", "origin")
	u.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/master")
	require.Equal(t, "master", base("origin"), "what the remote names")
	require.Equal(t, "topic", base("nowhere"))
	u.git("branch", "-D", "-q", "main", "master")
	u.git("switch", "-q", "--detach")
	require.Empty(t, base(""))
	names, err := u.Remotes(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"origin"}, names)
}
