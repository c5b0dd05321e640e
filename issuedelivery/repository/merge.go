package repository

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// before and step are what the two sides are called in the marks of a conflict.
const before, step = "before", "step"

// merge joins two trees that began as a third one, and gives the tree with both changes, and the files in
// which they do not go together; of those the tree has both versions between marks, where that can be.
//
// Git is run in a git folder of its own, which has nothing but the objects of the repository. So no program
// that the configuration or .gitattributes name for merging is run, and neither settings nor what is
// uncommitted in .gitattributes changes the result: it is made of the three trees alone. The price is that
// what .gitattributes say about merging (merge=union, -merge) does not hold, and that a blob which a partial
// clone lacks is not fetched. A file that was renamed on one side is edited under its new name; a file that
// was added to a folder which was renamed stays where it was added.
func (r *Repository) merge(ctx context.Context, base, ours, theirs string) (tree string, conflicts []string, err error) {
	switch {
	case ours == base, ours == theirs:
		return theirs, nil, nil
	case theirs == base:
		return ours, nil, nil
	}
	common, err := r.git.Common(ctx)
	if err != nil {
		return "", nil, err
	}
	bare, err := bareFolder(len(base) == 64)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = os.RemoveAll(bare) }()
	g, err := git.At(bare, bare, r.mark, r.step)
	if err != nil {
		return "", nil, err
	}
	run := func(limit time.Duration, args ...string) (string, error) {
		out, err := g.Do(ctx, git.Command{Step: "merge", Limit: limit, Args: append([]string{
			"-c", "core.attributesFile=" + os.DevNull, "-c", "merge.renames=true", "-c", "merge.directoryRenames=false",
		}, args...), Env: append(
			[]string{
				"GIT_OBJECT_DIRECTORY=" + filepath.Join(common, "objects"), "GIT_NO_REPLACE_OBJECTS=1", "GIT_ATTR_NOSYSTEM=1",
				"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE=@0 +0000", "GIT_COMMITTER_DATE=@0 +0000",
			}, ownIdentity...,
		)})
		return strings.TrimRight(string(out), "\r\n"), err
	}
	// Git finds the base of a merge by the history: so all three become commits, with one. Nothing of the
	// user's names them, and git's collector takes them in its time.
	root, err := run(0, "commit-tree", base)
	if err != nil {
		return "", nil, err
	}
	for name, side := range map[string]string{before: ours, step: theirs} {
		id, err := run(0, "commit-tree", side, "-p", root)
		if err != nil {
			return "", nil, err
		}
		if _, err := run(0, "update-ref", "refs/heads/"+name, id); err != nil {
			return "", nil, err
		}
	}
	out, err := run(treeTime, "merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", before, step)
	if err != nil && git.Exit(err) != 1 {
		return "", nil, err
	}
	fields := strings.Split(out, "\x00")
	if !IsID(fields[0]) {
		return "", nil, fmt.Errorf("git gave no tree for a merge")
	}
	if err == nil {
		return fields[0], nil, nil
	}
	return fields[0], unique(fields[1:]), nil
}

// bareFolder makes an empty git folder.
func bareFolder(sha256 bool) (string, error) {
	folder, err := os.MkdirTemp("", "assent-merge-")
	if err != nil {
		return "", err
	}
	config := "[core]\n\trepositoryformatversion = 0\n"
	if sha256 {
		config = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n"
	}
	err = os.Mkdir(filepath.Join(folder, "refs"), 0o700)
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/none\n", "config": config} {
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600)
		}
	}
	if err != nil {
		_ = os.RemoveAll(folder)
		return "", err
	}
	return folder, nil
}
