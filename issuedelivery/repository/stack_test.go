package repository_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

// A part that stands on the commit is taken as it is; no part is the commit itself.
func TestStackTakesWhatFits(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	one := u.commit(base, "one\n", files{"one": "1\n"})
	s := u.stack(base, part("one", base, one))
	require.Equal(t, repository.Stacked{Commit: one, Applied: []string{"one"}, Commits: map[string]string{"one": one}}, s)
	require.Equal(t, repository.Stacked{Commit: base, Applied: []string{}, Commits: map[string]string{}}, u.stack(base))
	require.Equal(t, base, u.stack(base, part("empty", base, base)).Commit)
	two := u.commit(one, "two\n", files{"two": "2\n"})
	s = u.stack(base, part("one", base, one), part("two", one, two))
	require.Equal(t, two, s.Commit, "a chain whose parts stand on each other is taken as it is")
	// Of two commits one is made, with the title of the part.
	s = u.stack(base, part("both", base, two))
	require.Equal(t, []string{base}, u.parents(s.Commit))
	require.Equal(t, "Do both\n", u.git("log", "-1", "--format=%B", s.Commit))
	require.Equal(t, u.git("rev-parse", two+"^{tree}"), u.git("rev-parse", s.Commit+"^{tree}"))
	_, err := u.Stack(t.Context(), base, []repository.Part{part("x", base, strings.Repeat("1", 40))}, at)
	require.ErrorContains(t, err, "there is no commit 1111")
}

// Parts that began at the same commit become one commit each, in the order that is given; doing it again
// gives the same commits.
func TestStackPutsPartsInOrder(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	a := u.commit(base, "a\n\nSigned-off-by: Ann <a@b>\n", files{"a.txt": "one\n2\n3\n4\n5\n"})
	b := u.commit(base, "b\n", files{"a.txt": "1\n2\n3\n4\nfive\n", "sub dir/b.txt": gone})
	c := u.entries(base, "c\n", files{"new/c": "c\n"}, []string{"100755=#!/bin/sh\n,tool.sh"})
	s := u.stack(base, part("a", base, a), part("b", base, b), part("c", base, c))
	require.Nil(t, s.Conflict)
	require.Equal(t, []string{"a", "b", "c"}, s.Applied)
	require.Equal(t, "c\n\nb\n\na\n\nSigned-off-by: Ann <a@b>\n\nfirst\n", u.git("log", "--format=%B", s.Commit))
	require.Equal(t, "4", u.git("rev-list", "--count", "--first-parent", s.Commit))
	require.Equal(t, a, u.git("rev-parse", s.Commit+"~2"))
	require.Equal(t, "one\n2\n3\n4\nfive", u.show(s.Commit, "a.txt"))
	require.Equal(t, []string{"a.txt", "new/c", "tool.sh"}, u.names(s.Commit))
	require.Contains(t, u.git("ls-tree", s.Commit, "tool.sh"), "100755")
	require.Equal(t, "Ann Ünal <ann@example.org> 2026-03-04T05:06:07+00:00 2026-03-04T05:06:07+00:00", u.git("log", "-1", "--format=%an <%ae> %aI %cI", s.Commit))
	require.Equal(t, s, u.stack(base, part("a", base, a), part("b", base, b), part("c", base, c)), "twice is the same")
	again := u.stack(s.Commit, part("a", base, a), part("c", base, c))
	require.Equal(t, s.Commit, again.Commit, "what is there already changes nothing")
	require.Equal(t, []string{"a", "c"}, again.Applied)
}

// A diamond: two steps need the first one, and the last one needs both.
func TestStackDiamond(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	top := u.commit(base, "top\n", files{"top": "t\n"})
	left, right := u.commit(top, "left\n", files{"left": "l\n"}), u.commit(top, "right\n", files{"right": "r\n"})
	begun := u.stack(base, part("top", base, top), part("left", top, left), part("right", top, right))
	last := u.commit(begun.Commit, "last\n", files{"top": "tt\n", "last": "x\n"})
	s := u.stack(base, part("top", base, top), part("left", top, left), part("right", top, right), part("last", begun.Commit, last))
	require.Equal(t, last, s.Commit)
	// The base has moved meanwhile: all of them are put onto it.
	moved := u.commit(base, "moved\n", files{"moved": "m\n"})
	s = u.stack(moved, part("top", base, top), part("left", top, left), part("right", top, right), part("last", begun.Commit, last))
	require.Nil(t, s.Conflict)
	require.Equal(t, "last right left top moved first", strings.Join(strings.Fields(u.git("log", "--format=%s", s.Commit)), " "))
	require.Equal(t, []string{"a.txt", "last", "left", "moved", "right", "sub dir/b.txt", "tool.sh", "top"}, u.names(s.Commit))
}

// Where two parts change one line, the files are named and shown with marks, on top of those before; a
// resolution of it is sealed, and the rest goes on from there.
func TestStackConflict(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	a := u.commit(base, "a\n", files{"a.txt": "A\n2\n3\n4\n5\n"})
	b := u.commit(base, "b\n", files{"a.txt": "B\n2\n3\n4\n5\n", "neu\nü": "x\n"})
	c := u.commit(base, "c\n", files{"c": "c\n"})
	s := u.stack(base, part("a", base, a), part("b", base, b), part("c", base, c))
	require.Equal(t, a, s.Commit)
	require.Equal(t, []string{"a"}, s.Applied)
	require.Equal(t, &repository.Conflict{Step: "b", Files: []string{"a.txt"}, Commit: s.Conflict.Commit, Tip: a}, s.Conflict)
	require.Equal(t, []string{a}, u.parents(s.Conflict.Commit))
	text := u.show(s.Conflict.Commit, "a.txt")
	require.Equal(t, "<<<<<<< before\nA\n=======\nB\n>>>>>>> step\n2\n3\n4\n5", text)
	require.Equal(t, "x", u.show(s.Conflict.Commit, "neu\nü"))
	require.Equal(t, s, u.stack(base, part("a", base, a), part("b", base, b), part("c", base, c)), "the same marks each time")
	held, err := u.Conform(t.Context(), []string{"a.txt", "neu\nü"}, a, s.Conflict.Commit)
	require.NoError(t, err)
	require.Equal(t, []string{"a.txt"}, held.Markers)

	resolved := u.commit(s.Conflict.Commit, "resolved\n", files{"a.txt": "AB\n2\n3\n4\n5\n"})
	sealed, changed, err := u.Seal(t.Context(), s.Conflict.Tip, resolved, repository.Message{Title: "b"}, at)
	require.NoError(t, err)
	require.Equal(t, []string{"a.txt", "neu\nü"}, paths(changed))
	require.Equal(t, []string{a}, u.parents(sealed))
	rest := u.stack(sealed, part("c", base, c))
	require.Nil(t, rest.Conflict)
	require.Equal(t, "AB\n2\n3\n4\n5", u.show(rest.Commit, "a.txt"))
	require.Equal(t, []string{sealed}, u.parents(rest.Commit))
}

// What does not go together is never lost silently.
func TestStackConflictsOfOtherKinds(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.entries(u.head(), "more\n", files{"bin": "\x00\x01\x02"}, nil)
	for name, c := range map[string]struct {
		ours, theirs string
		files        []string
	}{
		"removed and edited":    {u.commit(base, "x", files{"a.txt": "changed\n"}), u.commit(base, "y", files{"a.txt": gone}), []string{"a.txt"}},
		"binary on both sides":  {u.commit(base, "x", files{"bin": "\x00a"}), u.commit(base, "y", files{"bin": "\x00b"}), []string{"bin"}},
		"added twice, not same": {u.commit(base, "x", files{"new": "a\n"}), u.commit(base, "y", files{"new": "b\n"}), []string{"new"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := u.stack(c.ours, part("theirs", base, c.theirs))
			require.NotNil(t, s.Conflict)
			require.Equal(t, c.files, s.Conflict.Files)
			require.Equal(t, c.ours, s.Commit)
		})
	}
	// A file and a folder of its name.
	s := u.stack(u.commit(base, "x", files{"d": "file\n"}), part("theirs", base, u.commit(base, "y", files{"d/e": "below\n"})))
	require.NotNil(t, s.Conflict)
	require.Equal(t, "below", u.show(s.Conflict.Commit, "d/e"))
	// And what goes together.
	renamed := u.commit(base, "x", files{"a.txt": gone, "renamed.txt": "1\n2\n3\n4\n5\n"})
	s = u.stack(renamed, part("theirs", base, u.commit(base, "y", files{"a.txt": "1\n2\n3\n4\n5\n6\n"})))
	require.Nil(t, s.Conflict)
	require.Equal(t, "1\n2\n3\n4\n5\n6", u.show(s.Commit, "renamed.txt"))
	require.NotContains(t, u.names(s.Commit), "a.txt")
	moved := u.commit(base, "x", files{"sub dir/b.txt": gone, "other/b.txt": "b\n"})
	s = u.stack(moved, part("theirs", base, u.commit(base, "y", files{"sub dir/c.txt": "c\n"})))
	require.Nil(t, s.Conflict)
	require.Contains(t, u.names(s.Commit), "sub dir/c.txt")
	both := u.entries(base, "x", nil, []string{"100755=#!/bin/sh\n,tool.sh"})
	s = u.stack(both, part("theirs", base, u.commit(base, "y", files{"tool.sh": "#!/bin/sh\nexit\n"})))
	require.Nil(t, s.Conflict)
	require.Contains(t, u.git("ls-tree", s.Commit, "tool.sh"), "100755")
	require.Equal(t, "#!/bin/sh\nexit", u.show(s.Commit, "tool.sh"))
	s = u.stack(u.commit(base, "x", files{"bin": "\x00a"}), part("theirs", base, u.commit(base, "y", files{"bin": "\x00a", "n": "\n"})))
	require.Nil(t, s.Conflict, "the same on both sides")
	s = u.stack(u.commit(base, "x", files{"a.txt": gone}), part("theirs", base, u.commit(base, "y", files{"a.txt": gone, "n": "\n"})))
	require.Nil(t, s.Conflict)
	require.NotContains(t, u.names(s.Commit), "a.txt")
}

// Nothing that the configuration or .gitattributes name is run, and neither they nor the user's settings
// change what comes out.
func TestStackRunsNothingOfTheRepository(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	a := u.commit(base, "a\n", files{"a.txt": "A\n2\n3\n4\n5\n", ".gitattributes": "* merge=evil diff=evil filter=evil\n"})
	b := u.commit(base, "b\n", files{"a.txt": "B\n2\n3\n4\n5\n"})
	want := u.stack(base, part("a", base, a), part("b", base, b))
	require.NotNil(t, want.Conflict)

	canary := filepath.Join(t.TempDir(), "canary")
	touch := "touch '" + canary + "'; cat"
	for key, value := range map[string]string{
		"merge.evil.driver": touch, "merge.evil.recursive": "evil", "merge.default": "evil", "diff.evil.textconv": touch, "diff.evil.command": touch,
		"filter.evil.clean": touch, "filter.evil.smudge": touch, "core.fsmonitor": touch, "gpg.program": touch, "commit.gpgSign": "true",
		"core.hooksPath": "hooks", "merge.conflictStyle": "diff3", "merge.renormalize": "true", "diff.external": touch, "core.autocrlf": "true",
	} {
		u.git("config", key, value)
	}
	for _, hook := range []string{"reference-transaction", "post-commit", "pre-commit", "commit-msg", "post-index-change", "pre-auto-gc"} {
		u.write("hooks/"+hook, "#!/bin/sh\n"+touch+"\n")
		require.NoError(t, os.Chmod(filepath.Join(u.dir, "hooks", hook), 0o755))
	}
	u.write(".gitattributes", "* merge=evil diff=evil filter=evil\n")
	u.write(".git/info/attributes", "* merge=evil diff=evil filter=evil\n")
	require.Equal(t, want, u.stack(base, part("a", base, a), part("b", base, b)))
	_, _, err := u.Seal(t.Context(), base, b, repository.Message{Title: "b"}, at)
	require.NoError(t, err)
	_, err = u.Conform(t.Context(), nil, base, b)
	require.NoError(t, err)
	patch, _, _, err := u.Compare(t.Context(), base, b, 1000)
	require.NoError(t, err)
	require.Contains(t, patch, "+B\n")
	_, err = u.MovedBase(t.Context(), "", "main", base, nil)
	require.NoError(t, err)
	_, err = u.SetBranch(t.Context(), "assent/6rabcd-x", b)
	require.NoError(t, err)
	require.NoFileExists(t, canary)
}
