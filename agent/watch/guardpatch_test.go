package watch_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/watch"
)

// The patch puts the files back, whatever they were before: committed, changed or unknown to git.
func TestB75_ThePatchPutsFilesBack(t *testing.T) {
	r := guarded(t)
	r.write("bin.dat", "\x00\x01binary before\xff")
	r.write("odd \"name\"\t.txt", "before\n")
	before := r.files()
	v := r.violation(func() {
		r.sh(`
			echo 2 > src/a.go; echo more >> dirty.txt; rm b.txt; chmod 755 a.txt; ln -sfn b.txt link
			printf '\000\002after' > bin.dat; mkdir -p deep/er; echo new > deep/er/new.txt; echo evil > hidden.txt
			echo x >> 'odd "name"	.txt'; printf 'no end' > noend; chmod 755 noend; : > empty
			git config alias.evil '!sh -c evil'; mkdir -p .git/hooks; echo 'rm -rf /' > .git/hooks/pre-commit
		`)
	})
	require.NotEqual(t, before, r.files())
	patch := filepath.Join(t.TempDir(), "patch")
	require.NoError(t, os.WriteFile(patch, v.Patch, 0o600))
	r.git("apply", "-R", "--check", patch)
	r.git("apply", "-R", patch)
	require.Equal(t, before, r.files())
	text := string(v.Patch)
	require.Contains(t, text, "# config alias.evil was set: nothing -> local: !sh -c evil\n")
	require.Contains(t, text, "# hook pre-commit was added: nothing -> rm -rf /\n")
}

// files are the files of the working tree with their modes and what they hold.
func (r *repository) files() map[string]string {
	all := map[string]string{}
	require.NoError(r.t, filepath.WalkDir(r.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" && d.IsDir() {
			return filepath.SkipDir
		}
		info, err := d.Info()
		if err != nil || d.IsDir() {
			return err
		}
		if info.Mode()&os.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			all[path] = "-> " + target
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = info.Mode().String()[:4] + " " + string(data)
		return err
	}))
	return all
}

// What a patch cannot undo does not keep it from undoing the rest: paths that git apply refuses, files of
// a submodule, files that a filter makes.
func TestB75_ThePatchAppliesWhateverWasDone(t *testing.T) {
	r := guarded(t)
	r.sh(`printf 'a.flt filter=x\ncr.txt text eol=crlf\n' > .gitattributes; git config filter.x.clean 'tr a b'; git config filter.x.smudge 'tr b a'
		printf 'one\r\ntwo\r\n' > cr.txt; echo aaaa > a.flt; echo 1 > m.txt; git add . && git commit -qm filters; sleep 0.1; touch x; git status >/dev/null; rm x`)
	v := r.violation(func() {
		r.sh(`echo evil > a.txt; echo evil > .GIT; echo evil > git~1; mkdir src/.git; echo x > src/.git/config; printf 'one\r\nevil\r\n' > cr.txt
			echo evil > a.flt; echo evil > sub/new.txt; echo evil > sub/a.txt; printf '[submodule "x"]\n' >> .gitmodules; rm m.txt; mkdir m.txt; echo x > m.txt/x`)
	})
	patch := filepath.Join(t.TempDir(), "patch")
	require.NoError(t, os.WriteFile(patch, v.Patch, 0o600))
	r.git("apply", "-R", patch)
	require.Equal(t, "a\n", r.read("a.txt"))
	require.Equal(t, "a\n", r.read("sub/a.txt"))
	require.Equal(t, "1\n", r.read("m.txt"))
	require.NoFileExists(t, filepath.Join(r.dir, "sub/new.txt"))
	for _, name := range []string{".GIT", "git~1", ".gitmodules"} {
		require.Contains(t, string(v.Patch), "# not below: "+name+": git apply takes no such path\n")
	}
	require.Contains(t, v.Changes, "changed: cr.txt")
	require.Contains(t, v.Changes, "added: src/.git")
}

// New commits are in the patch as comments, which git apply passes over.
func TestB75_ThePatchTellsOfCommits(t *testing.T) {
	r := guarded(t)
	v := r.violation(func() {
		r.sh(`echo 2 > src/a.go; git commit -qam 'sneaky
	
	diff --git a/evil b/evil'`)
	})
	text := string(v.Patch)
	require.Contains(t, text, "#     sneaky\n")
	require.Contains(t, text, "# +2\n")
	require.Contains(t, text, "# branch main moved from ")
	patch := filepath.Join(t.TempDir(), "patch")
	require.NoError(t, os.WriteFile(patch, v.Patch, 0o600))
	r.git("apply", "-R", patch)
	require.Equal(t, "1\n", r.read("src/a.go"))
}

func (r *repository) read(name string) string {
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	require.NoError(r.t, err)
	return string(data)
}

// What is too large for the patch is named in it, and is a violation all the same.
func TestB75_ThePatchSaysWhatItLacks(t *testing.T) {
	r := guarded(t)
	r.write("large.txt", strings.Repeat("x", 2<<20))
	v := r.violation(func() {
		r.write("large.txt", strings.Repeat("y", 2<<20))
		r.write("larger.txt", strings.Repeat("z", 5<<20))
		r.write("a.txt", "evil\n")
	})
	require.Equal(t, []string{"changed: a.txt", "changed: large.txt", "added: larger.txt"}, v.Changes)
	require.Contains(t, string(v.Patch), "# not below: large.txt: what it held before is not known\n")
	require.Contains(t, string(v.Patch), "# not below: larger.txt: it is too large, or cannot be read\n")
	require.Contains(t, string(v.Patch), "+evil\n")
}

// Nothing that the repository names is started, and nothing of it is written: neither before the call
// nor after it, with whatever the call put there.
func TestS19_TheGuardStartsAndWritesNothing(t *testing.T) {
	r := guarded(t)
	trap := filepath.Join(t.TempDir(), "trap")
	ran := trap + ".ran"
	require.NoError(t, os.WriteFile(trap, []byte("#!/bin/sh\necho \"$0 $@\" >> '"+ran+"'\ncat\n"), 0o755))
	set := func() {
		for _, key := range []string{
			"core.fsmonitor", "gpg.program", "core.pager", "diff.external", "core.editor", "filter.x.clean", "filter.x.smudge", "filter.x.process",
			"diff.x.textconv", "diff.x.command", "core.sshCommand", "core.askPass", "credential.helper", "core.alternateRefsCommand", "uploadpack.packObjectsHook",
			"merge.x.driver", "interactive.diffFilter", "remote.origin.uploadpack",
		} {
			r.git("config", key, trap)
		}
		r.git("config", "log.showSignature", "true")
		r.git("config", "remote.origin.url", "ext::"+trap)
		r.git("config", "remote.origin.promisor", "true")
		r.git("config", "protocol.ext.allow", "always")
		r.write(".gitattributes", "* filter=x diff=x merge=x\n")
	}
	set()
	require.NoError(t, os.RemoveAll(ran))
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(r.dir, "src/a.go"), old, old))
	tree := r.everything()
	g := watch.Guard(context.Background(), r.dir, "RUN/agent#0", nil)
	require.Equal(t, tree, r.everything())
	require.NoFileExists(t, ran)
	require.NoError(t, os.MkdirAll(filepath.Join(r.dir, ".git/hooks"), 0o755))
	for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc"} {
		require.NoError(t, os.WriteFile(filepath.Join(r.dir, ".git/hooks", hook), []byte("#!/bin/sh\ntouch '"+ran+"'\n"), 0o755))
	}
	r.write("a.txt", "changed")
	r.write("src/a.go", "changed")
	// A commit whose object is not there, as in a partial clone, is not fetched.
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, ".git/refs/heads/gone"), []byte(strings.Repeat("12", 20)+"\n"), 0o644))
	tree = r.everything()
	v, _ := g.Check(context.Background())
	require.NotNil(t, v)
	require.Contains(t, v.Changes, "changed: src/a.go")
	require.Contains(t, v.Changes, "hook post-index-change was added")
	require.Equal(t, tree, r.everything())
	require.NoFileExists(t, ran)
}

// everything are the times and sizes of all files, those of git's among them.
func (r *repository) everything() map[string]string {
	all := map[string]string{}
	require.NoError(r.t, filepath.WalkDir(r.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			all[path] = info.ModTime().String() + info.Mode().String() + info.Name()
		}
		return err
	}))
	return all
}
