package watch_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/watch"
)

// violation is what a read-only call that does work is found to have changed.
func (r *repository) violation(work func()) *watch.Violation {
	r.t.Helper()
	g := watch.Guard(context.Background(), r.dir, "RUN/agent#0", nil)
	work()
	v, note := g.Check(context.Background())
	require.Empty(r.t, note)
	return v
}

// sh runs a shell script at the top of the repository.
func (r *repository) sh(script string) {
	r.t.Helper()
	cmd := exec.Command("/bin/sh", "-ec", script)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.org",
		"GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.org")
	out, err := cmd.CombinedOutput()
	require.NoError(r.t, err, "%s: %s", script, out)
}

// What a read-only agent that does something else is found to have done. Each line has to be among
// those that are told, by its beginning.
func TestB75_WhatAReadOnlyCallChanges(t *testing.T) {
	cases := map[string]struct {
		script string
		want   []string
	}{
		"tracked file":   {`echo 2 > src/a.go`, []string{"changed: src/a.go"}},
		"untracked file": {`echo 2 > 'new file'`, []string{"added: new file"}},
		"dirty files":    {`echo more >> dirty.txt; echo more >> b.txt`, []string{"changed: b.txt", "changed: dirty.txt"}},
		"dirty file of the same size and times": {
			`touch -r dirty.txt ../ref.$$; echo DIRTY > dirty.txt; touch -r ../ref.$$ dirty.txt; rm ../ref.$$`, []string{"changed: dirty.txt"},
		},
		"tracked file of the same size and times": {
			`touch -r src/a.go ../ref.$$; echo 7 > src/a.go; touch -r ../ref.$$ src/a.go; rm ../ref.$$`, []string{"changed: src/a.go"},
		},
		"removed":        {`rm a.txt dirty.txt`, []string{"removed: a.txt", "removed: dirty.txt"}},
		"mode":           {`chmod 755 a.txt`, []string{"mode: a.txt was -rw-r--r--, is -rwxr-xr-x"}},
		"mode unwatched": {`git config core.fileMode false; chmod 755 a.txt`, []string{"config core.filemode was changed", "mode: a.txt"}},
		"symlink":        {`ln -sf b.txt link`, []string{"changed: link"}},
		"link for file":  {`rm a.txt; ln -s /etc/passwd a.txt`, []string{"changed: a.txt"}},
		"link for dir":   {`cp -r src ../src.$$; rm -r src; mv ../src.$$ elsewhere; ln -s elsewhere src`, []string{"added: elsewhere/a.go", "added: src"}},
		"commit": {
			`echo 2 > src/a.go; git commit -qam sneaky`,
			[]string{"branch main moved from", "index: staged src/a.go", "changed: src/a.go", "new commit"},
		},
		"commit on a detached head": {`git checkout -q --detach; git commit -q --allow-empty -m loose`, []string{"HEAD moved from main to", "new commit"}},
		"branch":                    {`git branch topic`, []string{"new branch topic at"}},
		"branch removed":            {`git branch -qD other`, []string{"branch other was removed"}},
		"branch packed and moved":   {`git pack-refs --all; git branch -f other HEAD~1`, []string{"branch other moved from"}},
		"tag":                       {`git tag v2; git tag -am x v3`, []string{"new tag v2", "new tag v3"}},
		"tag moved":                 {`git tag -f v1 HEAD~1`, []string{"tag v1 moved from"}},
		"another reference":         {`git update-ref refs/notes/x HEAD`, []string{"new reference refs/notes/x"}},
		"replace":                   {`git replace HEAD HEAD~1`, []string{"new reference refs/replace/"}},
		"HEAD switched":             {`git symbolic-ref HEAD refs/heads/other`, []string{"HEAD moved from main to other"}},
		"stash":                     {`git stash -q`, []string{"new stash", "changed: b.txt"}},
		"index only":                {`git update-index --cacheinfo 100644,$(echo evil | git hash-object -w --stdin),a.txt`, []string{"index: staged a.txt"}},
		"unstaged":                  {`git rm -q --cached a.txt`, []string{"index: removed a.txt"}},
		"intent to add":             {`git add -N dirty.txt`, []string{"index: staged dirty.txt"}},
		"hook":                      {`mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit`, []string{"hook pre-commit was added"}},
		"hook made to run":          {`chmod 700 .git/hooks/pre-push.off; : > .git/info/attributes`, []string{"hook pre-push.off has another mode", ".git/info/attributes was added"}},
		"hook by core.hooksPath": {
			`mkdir node_modules/h; echo evil > node_modules/h/pre-push; git config core.hooksPath node_modules/h`,
			[]string{"config core.hookspath was set", "hook node_modules/h/pre-push was added"},
		},
		"alias":               {`git config alias.x '!sh'`, []string{"config alias.x was set"}},
		"setting of a tree":   {`git config extensions.worktreeConfig true; git config --worktree core.editor evil`, []string{"config core.editor was set"}},
		"setting of the user": {`git config --global core.pager evil`, []string{"config core.pager was set"}},
		"included setting":    {`printf '[core]\n\teditor = evil\n' > .git/more; git config include.path more`, []string{"config core.editor was set"}},
		"broken setting":      {`echo '[[[' >> .git/config`, []string{".git/config was changed", "the repository cannot be looked at any more"}},
		"exclude":             {`echo evil.sh >> .git/info/exclude; echo x > evil.sh`, []string{".git/info/exclude was changed"}},
		"excludesFile":        {`echo evil.sh > ../ig.$$; git config core.excludesFile ../ig.$$; echo x > evil.sh`, []string{"config core.excludesfile was set", "core.excludesFile was added"}},
		"the user's ignores":  {`mkdir -p $XDG_CONFIG_HOME/git; echo evil.sh > $XDG_CONFIG_HOME/git/ignore; echo x > evil.sh`, []string{"git/ignore of the user was added"}},
		"ignores":             {`echo evil.sh >> .gitignore; echo x > evil.sh`, []string{"changed: .gitignore"}},
		"rule that hides itself": {
			`mkdir e; echo '*' > e/.gitignore; echo x > e/evil.sh`, []string{"added: e/.gitignore", "added: e/ (ignored by a rule that came with it)"},
		},
		"rule that hides itself among files": {
			`printf '.gitignore\nevil.sh\n' > src/.gitignore; echo x > src/evil.sh`, []string{"added: src/.gitignore", "added: src/evil.sh (ignored"},
		},
		"showUntrackedFiles":      {`git config status.showUntrackedFiles no; echo x > evil`, []string{"config status.showuntrackedfiles was set", "added: evil"}},
		"assume-unchanged":        {`git update-index --assume-unchanged a.txt; echo evil > a.txt`, []string{"index: marked a.txt as assume-unchanged", "changed: a.txt"}},
		"assumed before":          {`echo evil > hidden.txt`, []string{"changed: hidden.txt"}},
		"skip-worktree":           {`git update-index --skip-worktree a.txt; echo evil > a.txt`, []string{"index: marked a.txt as skip-worktree", "changed: a.txt"}},
		"sparse checkout":         {`git status >/dev/null; git sparse-checkout set --no-cone src`, []string{"config core.sparsecheckout was set", ".git/info/sparse-checkout was", "removed: a.txt"}},
		"core.worktree":           {`mkdir /tmp/away.$$; git config core.worktree /tmp/away.$$; rmdir /tmp/away.$$; echo evil > evil`, []string{"config core.worktree was set", "added: evil"}},
		"split index":             {`git update-index --split-index; git add dirty.txt`, []string{"index: staged dirty.txt"}},
		"fourth index":            {`git update-index --index-version 4; git add dirty.txt`, []string{"index: staged dirty.txt"}},
		"worktree":                {`git worktree add -q --detach node_modules/w`, []string{"worktree w was added"}},
		"worktree removed":        {`rm -r .git/worktrees`, []string{"worktree "}},
		"submodule moved":         {`git -C sub commit -q --allow-empty -m x`, []string{"branch main moved from", "new commit"}},
		"file in a submodule":     {`echo x > sub/evil`, []string{"added: sub/evil"}},
		"nested repository":       {`git init -q nest`, []string{"added: nest/ (a repository of its own)"}},
		"repository in a folder":  {`mkdir -p src/.git/hooks; echo evil > src/.git/config`, []string{"added: src/.git"}},
		"common folder elsewhere": {`cp -r .git ../common.$$; echo $PWD/../common.$$ > .git/commondir`, []string{".git/commondir was added"}},
		"a pipe for settings":     {`rm .git/config; mkfifo .git/config`, []string{".git/config was changed", "the repository cannot be looked at any more"}},
		"sparse index":            {`git sparse-checkout set --cone --sparse-index node_modules; mkdir -p src; echo evil > src/a.go`, []string{"changed: src/a.go"}},
		"half a merge":            {`git rev-parse HEAD > .git/MERGE_HEAD`, []string{".git/MERGE_HEAD was added"}},
		"grafts":                  {`git rev-parse HEAD > .git/info/grafts`, []string{".git/info/grafts was added"}},
		"alternates":              {`mkdir -p .git/objects/info; echo /tmp > .git/objects/info/alternates`, []string{".git/objects/info/alternates was added"}},
		"repository gone":         {`rm -rf .git`, []string{"the repository cannot be looked at any more"}},
		"repository elsewhere":    {`cp -r .git ../copy.$$; mv .git ../orig.$$; echo gitdir: $PWD/../copy.$$ > .git`, []string{"the repository cannot be looked at any more"}},
		"S19 own configuration":   {`echo 'agent = "evil"' > .assent/config.toml`, []string{"added: .assent/config.toml"}},
		"S19 ignored configuration": {
			`mkdir -p .claude; echo '.claude/' >> .git/info/exclude; echo '{}' > .claude/settings.local.json`,
			[]string{".git/info/exclude was changed", "added: .claude/settings.local.json"},
		},
		"agent type": {`mkdir -p .assent/agents; echo x > .assent/agents/code-scout.md`, []string{"added: .assent/agents/code-scout.md"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := guarded(t)
			v := r.violation(func() { r.sh(c.script) })
			require.NotNil(t, v)
			for _, want := range c.want {
				require.Contains(t, "\n"+strings.Join(v.Changes, "\n"), "\n"+want)
			}
		})
	}
}

// What is as it was is no violation, whatever was done on the way. The objects of a commit that was made
// and taken back lie in the repository until git clears them away: no name leads to them, so that no
// checkout, push or diff ever shows them.
func TestB75_WhatIsNoViolation(t *testing.T) {
	cases := map[string]string{
		"nothing":            `true`,
		"reading":            `git status >/dev/null; git log >/dev/null; git diff >/dev/null; cat a.txt`,
		"index refreshed":    `touch -d '2 hours ago' a.txt; git update-index -q --refresh || true`,
		"touched":            `touch a.txt src/a.go dirty.txt b.txt hidden.txt sub/a.txt .gitignore`,
		"put back":           `cp -p dirty.txt ../d.$$; cp a.txt ../a.$$; echo x > dirty.txt; echo x > a.txt; mv ../d.$$ dirty.txt; mv ../a.$$ a.txt`,
		"written as it was":  `echo 1 > src/a.go; echo dirty > dirty.txt; ln -sfn a.txt link`,
		"commit taken back":  `git commit -q --allow-empty -m x; git reset -q --soft HEAD~1`,
		"branch taken back":  `git branch x; git branch -qD x`,
		"ignored":            `echo x > node_modules/y; echo x > a.log; mkdir -p build && rmdir build`,
		"a cache":            `mkdir .c; echo '*' > .c/.gitignore; echo 'Signature: 8a477f597d28d172789f06886806bc55' > .c/CACHEDIR.TAG; echo x > .c/x`,
		"remote branches":    `git update-ref refs/remotes/origin/x HEAD; git update-ref refs/prefetch/x HEAD; git update-ref refs/assent/kept/x HEAD`,
		"packed and cleaned": `git pack-refs --all; git gc -q`,
		"plans":              `echo x > .assent/plans/p.md`,
		"comment":            `echo '# a comment' >> .git/config`,
	}
	for name, script := range cases {
		t.Run(name, func(t *testing.T) {
			r := guarded(t)
			require.Nil(t, r.violation(func() { r.sh(script) }))
		})
	}
}

// A linked working tree, a folder below the top and a repository without commits are guarded too.
func TestB75_OtherPlaces(t *testing.T) {
	r := guarded(t)
	linked := &repository{t, r.dir + "-tree"}
	v := linked.violation(func() { linked.sh(`echo x > evil; git -c core.hooksPath=/dev/null commit -q --allow-empty -m x`) })
	require.Contains(t, v.Changes, "added: evil")
	require.Contains(t, v.Changes[0], "branch elsewhere moved from")
	below := &repository{t, filepath.Join(r.dir, "src")}
	require.Equal(t, []string{"changed: a.txt"}, below.violation(func() { r.write("a.txt", "evil") }).Changes)
	empty := &repository{t, filepath.Join(t.TempDir(), "empty")}
	require.NoError(t, os.Mkdir(empty.dir, 0o755))
	empty.git("init", "-q", "-b", "main")
	v = empty.violation(func() { empty.sh(`echo x > a; git add a; git commit -qm first`) })
	require.Contains(t, strings.Join(v.Changes, "\n"), "new branch main at ")
	require.Contains(t, v.Changes, "added: a")
}

// A folder that is in no repository, or that its repository ignores, is walked.
func TestB75_WithoutARepository(t *testing.T) {
	dir := t.TempDir()
	plain := &repository{t, dir}
	plain.write("a.txt", "a\n")
	plain.write("same.txt", "same\n")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "gone"), 0o755))
	v := plain.violation(func() {
		plain.write("same.txt", "same\n")
		plain.write("a.txt", "b\n")
		plain.write("new/b.txt", "b\n")
		plain.write(".assent/plans/x.md", "ours")
		plain.write(".assent/config.toml", "not ours")
		require.NoError(t, os.Remove(filepath.Join(dir, "gone")))
	})
	require.Equal(t, []string{
		"added: .assent/", "added: .assent/config.toml", "changed: a.txt", "removed: gone/", "added: new/", "added: new/b.txt",
	}, without(v.Changes, "added: .assent/plans/"))
	require.Nil(t, v.Patch)
	require.Nil(t, plain.violation(func() { plain.write("same.txt", "same\n") }))

	outer := guarded(t)
	below := &repository{t, filepath.Join(outer.dir, "node_modules")}
	require.Equal(t, []string{"changed: x"}, below.violation(func() { below.write("x", "evil") }).Changes)
}

func without(list []string, word string) []string {
	var out []string
	for _, text := range list {
		if text != word {
			out = append(out, text)
		}
	}
	return out
}

// What is too large to be compared is said to be so.
func TestB75_WhatIsNotCompared(t *testing.T) {
	dir := t.TempDir()
	for i := range 21 {
		folder := filepath.Join(dir, strings.Repeat("x", i+1))
		require.NoError(t, os.Mkdir(folder, 0o755))
		for j := range 1000 {
			require.NoError(t, os.Mkdir(filepath.Join(folder, strings.Repeat("y", j%200+1)+strings.Repeat("z", j/200)), 0o755))
		}
	}
	v, note := watch.Guard(context.Background(), dir, "RUN/agent#0", nil).Check(context.Background())
	require.Nil(t, v)
	require.Equal(t, "what it changed in its folder was not compared: there is too much of it", note)
	v, note = watch.Guard(context.Background(), "", "RUN/agent#0", nil).Check(context.Background())
	require.Nil(t, v)
	require.Empty(t, note)
	late, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	v, note = watch.Guard(late, newRepository(t).dir, "RUN/agent#0", nil).Check(context.Background())
	require.Nil(t, v)
	require.Equal(t, "what it changed in the repository was not compared: it took too long", note)
}

func BenchmarkGuard(b *testing.B) {
	r := newRepository(b)
	for b.Loop() {
		g := watch.Guard(context.Background(), r.dir, "RUN/agent#0", nil)
		if v, note := g.Check(context.Background()); v != nil || note != "" {
			b.Fatal(v, note)
		}
	}
}

// Folders of Assent's own, such as the store, do not count where they lie in what is guarded.
func TestB75_FoldersOfAssentsOwn(t *testing.T) {
	r := guarded(t)
	plain := &repository{t, t.TempDir()}
	for _, at := range []*repository{r, plain} {
		at.write("store/runs/x.db", "1")
		g := watch.Guard(context.Background(), at.dir, "RUN/agent#0", nil, filepath.Join(at.dir, "store"), at.dir, "", filepath.Dir(at.dir))
		at.write("store/runs/x.db", "2")
		at.write("store/runs/y.db", "2")
		v, note := g.Check(context.Background())
		require.Nil(t, v)
		require.Empty(t, note)
		at.write("stored", "2")
		v, _ = g.Check(context.Background())
		require.Equal(t, []string{"added: stored"}, v.Changes)
	}
}
