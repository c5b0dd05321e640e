package repository_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/repository"
)

func (u *user) conform(base, commit string, names ...string) repository.Conformance {
	u.t.Helper()
	c, err := u.Conform(u.t.Context(), names, base, commit)
	require.NoError(u.t, err)
	return c
}

// The files that were changed are held against those that were named: nothing more, nothing less.
func TestConform(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	odd := files{"-x": "1", "with space/and\nline": "1", "ü/ö": "1", "*.go": "1", "deep/er/x.go": "1", "deep/er/y.txt": "1", "[a]": "1"}
	work := u.commit(base, "x", odd)
	all := []string{"*.go", "-x", "[a]", "deep/er/x.go", "deep/er/y.txt", "with space/and\nline", "ü/ö"}
	c := u.conform(base, work, all...)
	require.True(t, c.OK, "%+v", c)
	require.Equal(t, all, paths(c.Changed))
	require.True(t, u.conform(base, work, "./deep/", "with space/", "-x", "?/*", "[a]", "*.go").OK)
	require.True(t, u.conform(base, work, "*").OK)
	require.True(t, u.conform(base, work, "d*/", "w*/", "-x", "ü/ö", "[a]", "*.go").OK, "a folder that is a pattern")

	c = u.conform(base, work, "deep/*.go", "with space/", "-x", "ü/ö", "nothing", "nothing/", "*.md", "tool.sh", "[-a]", "*.go", `\*.go`, "deep/er/y.txt/")
	require.False(t, c.OK)
	require.Equal(t, []string{"[a]", "deep/er/y.txt"}, c.Extra)
	require.Equal(t, []string{"nothing", "nothing/", "*.md", "tool.sh", "[-a]", `\*.go`, "deep/er/y.txt/"}, c.Missing)
	require.Empty(t, c.Forbidden)
	require.Equal(t, []string{"deep"}, u.conform(base, work, append(all, "deep")...).Missing, "a folder is named with a slash")

	// A rename is one removed and one added; a bit is a change.
	renamed := u.entries(base, "x", files{"a.txt": gone, "b.txt": "1\n2\n3\n4\n5\n"}, []string{"100755=#!/bin/sh\n,tool.sh"})
	c = u.conform(base, renamed, "b.txt")
	require.Equal(t, []string{"a.txt", "tool.sh"}, c.Extra)
	var kinds []string
	for _, change := range c.Changed {
		kinds = append(kinds, change.Kind+" "+change.Path)
	}
	require.Equal(t, []string{"removed a.txt", "added b.txt", "changed tool.sh"}, kinds)
	require.True(t, u.conform(base, renamed, "a.txt", "b.txt", "tool.sh").OK)
	require.True(t, u.conform(base, base).OK)
	require.Equal(t, []string{"a.txt"}, u.conform(base, base, "a.txt").Missing)
	_, err := u.Conform(t.Context(), nil, base, strings.Repeat("1", 40))
	require.ErrorContains(t, err, "there is no commit")
}

// Some changes no plan can name.
func TestConformForbidden(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.entries(u.head(), "x", nil, []string{"160000," + u.head() + ",lib", "120000=a.txt,link"})
	named := []string{"*"}
	for line, forbidden := range map[string]bool{
		"120000=/etc/passwd,l": true, "120000=../x,l": true, "120000=..,l": true, "120000=a/../../x,l": true, "120000=../../x,x/y/l": false,
		"120000=../../../x,x/y/l": true, "120000=../a.txt,x/l": false, "120000=a.txt,l": false, "120000=d/../a.txt,l": true, "120000=.git/config,l": true,
		"120000=../.GIT/hooks,x/l": true, "120000=C:/x,l": true, "120000=..\\x,l": true, "120000=.,l": false, "120000=./sub dir/,l": false, "120000=../x\n,l": true,
		"120000=.assent/x,l": true, "120000=" + strings.Repeat("x", 9<<20) + ",l": true, "120000=../x,link": true, "120000=tool.sh,link": false,
		"160000," + base + ",lib": false, "160000," + base + ",x/new": false,
		"100644=x,.assent/runs": true, "100644=x,x/.assent/runs": false, "100644=x,.gitignore": false, "100644=x,.gitattributes": false, "100644=x,.github/x": false,
	} {
		c := u.conform(base, u.entries(base, "x", nil, []string{line}), named...)
		if len(line) > 60 {
			line = line[:60]
		}
		require.Equal(t, forbidden, len(c.Forbidden) == 1, "%s: %+v", line, c)
		require.Equal(t, !forbidden, len(c.Extra) == 0 && len(c.Changed) == 1 && len(c.Forbidden) == 0, line)
	}
	// A submodule has to be named; to remove a link is free.
	require.Equal(t, []string{"lib"}, u.conform(base, u.entries(base, "x", nil, []string{"160000," + base + ",lib"})).Forbidden)
	require.Equal(t, []string{"lib"}, u.conform(base, u.commit(base, "x", files{"lib": gone}), "a.txt").Forbidden)
	require.True(t, u.conform(base, u.commit(base, "x", files{"link": gone}), "link").OK)
}

// Git itself takes no .git into an index, but who writes its objects can make a tree with one.
func TestConformForbidsGitsOwn(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	blob := u.git("rev-parse", base+":a.txt")
	for name, forbidden := range map[string]bool{
		".git": true, ".GIT": true, "git~1": true, "GIT~2": true, ".git.": true, ".git ": true, ".git::$INDEX_ALLOCATION": true, ".g\u200cit": true, ".Assent": true,
		"git": false, ".gitkeep": false, "x.git": false,
	} {
		old := u.git("ls-tree", base)
		made := u.mktree(old + "\n100644 blob " + blob + "\t" + name + "\n")
		c := u.conform(base, u.git("commit-tree", made, "-p", base, "-m", "x"), "*")
		require.Equal(t, forbidden, len(c.Forbidden) == 1, "%q: %+v", name, c)
	}
}

// The marks of a conflict are found in what was changed and in what was named, whatever ends the lines.
func TestConformMarkers(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	all := "x\n<<<<<<< ours\na\n||||||| base\n0\n=======\nb\n>>>>>>> theirs\n"
	base := u.commit(u.head(), "x", files{"old": all, "other": all})
	many := files{
		"lf": all, "crlf": strings.ReplaceAll(all, "\n", "\r\n"), "inner": strings.ReplaceAll(all, "\n", "\n "), "heading": "Title\n=======\n",
		"-x\ny": all, "half": "<<<<<<< a\n=======\n", "bin": "\x00\n" + all, "wide": strings.NewReplacer("<<<<<<<", "<<<<<<<<<", ">>>>>>>", ">>>>>>>>>").Replace(all),
	}
	names := []string{"./old", "*"}
	for i := range 450 { // more than git is asked for at once
		names = append(names, "nothing/"+strconv.Itoa(i))
	}
	work := u.commit(base, "x", many)
	u.git("config", "grep.patternType", "fixed")
	u.git("config", "grep.fullName", "false")
	c := u.conform(base, work, append(names, "other/", "lf")...)
	require.ElementsMatch(t, []string{"-x\ny", "bin", "crlf", "lf", "old", "wide"}, c.Markers)
	require.False(t, c.OK)
	require.Empty(t, u.conform(base, u.commit(base, "y", files{"old": "x\n"}), "old").Markers)
}

func TestCompare(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.entries(u.head(), "x", files{"bin": "\x00a", "latin": "gr\xfcn\n", "z": "z\n"}, nil)
	work := u.entries(base, "y", files{"bin": "\x00b", "a.txt": "1\n2\nthree\n4\n5\n6\n", "new\nline": "n\n", "latin": "gr\xfcner\n", "z": gone}, []string{"100755=#!/bin/sh\n,tool.sh"})
	u.git("config", "color.ui", "always")
	u.git("config", "diff.noprefix", "true")
	patch, cut, list, err := u.Compare(t.Context(), base, work, 10_000)
	require.NoError(t, err)
	require.False(t, cut)
	require.Contains(t, patch, "--- a/a.txt\n+++ b/a.txt\n@@ -1,5 +1,6 @@\n 1\n 2\n-3\n+three\n 4\n 5\n+6\n")
	require.Contains(t, patch, "Binary files a/bin and b/bin differ\n")
	require.Contains(t, patch, "old mode 100644\nnew mode 100755\n")
	require.Contains(t, patch, "+gr\uFFFDner\n")
	require.Contains(t, patch, `"b/new\nline"`)
	require.Contains(t, patch, "deleted file mode 100644")
	type row struct {
		path, kind     string
		added, removed int
	}
	var rows []row
	for _, f := range list {
		rows = append(rows, row{f.Path, f.Kind, f.Added, f.Removed})
	}
	require.Equal(t, []row{
		{"a.txt", "changed", 2, 1}, {"bin", "changed", 0, 0}, {"latin", "changed", 1, 1}, {"new\nline", "added", 1, 0}, {"tool.sh", "changed", 0, 0}, {"z", "removed", 0, 1},
	}, rows)
	// Whatever the bound, it holds, and what is there of a patch is whole lines.
	for _, limit := range []int{0, 1, 5, 30, 100, 180, 181, 300, 500, len(patch) - 1, len(patch), len(patch) + 1} {
		text, cut, list, err := u.Compare(t.Context(), base, work, limit)
		require.NoError(t, err)
		require.LessOrEqual(t, len(text), limit)
		require.Equal(t, limit < len(patch), cut, limit)
		require.Len(t, list, 6)
		require.True(t, strings.HasPrefix(patch, strings.TrimSuffix(text, "…\n")), text)
		require.True(t, text == "" || strings.HasSuffix(text, "\n"))
	}
}

// A file that is too large for git's output is said to be so, and does not hide the others.
func TestCompareHugeFile(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	base := u.head()
	work := u.commit(base, "x", files{"huge": strings.Repeat("line of text\n", 900_000), "small": "s\n"})
	patch, cut, list, err := u.Compare(t.Context(), base, work, 20_000)
	require.NoError(t, err)
	require.True(t, cut)
	require.Len(t, list, 2)
	require.Equal(t, 900_000, list[0].Added)
	require.Contains(t, patch, `"huge" differs, and is too large to be shown`)
	require.Contains(t, patch, "+s\n")
}
