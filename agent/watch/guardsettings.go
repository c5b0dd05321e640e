package watch

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/regular"
)

// settings is what git's configuration says, by key, wherever that is written. It is nil if git cannot
// read it.
func (p *place) settings(ctx context.Context) map[string]string {
	text, err := p.look(ctx, "", "config", "--list", "-z", "--show-scope")
	if err != nil {
		return nil
	}
	all := map[string]string{}
	words := strings.Split(string(text), "\x00")
	for i := 0; i+1 < len(words); i += 2 {
		if scope := words[i]; scope != "command" { // what this look itself was given
			key, value, _ := strings.Cut(words[i+1], "\n")
			all[key] += scope + ": " + value + "\n"
		}
	}
	return all
}

// last is the value of a key that is in force.
func last(settings map[string]string, key string) string {
	lines := strings.Split(strings.TrimSuffix(settings[key], "\n"), "\n")
	_, value, _ := strings.Cut(lines[len(lines)-1], ": ")
	if rest, ok := strings.CutPrefix(value, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return value
}

// ofRepository are files by which a repository can be made to behave differently, and those of
// something half done there. ofTree are those that each working tree has of its own. What a commit
// that was taken back leaves (ORIG_HEAD, logs) is not among them.
var (
	ofRepository = []string{"info/attributes", "info/exclude", "info/grafts", "objects/info/alternates", "logs/refs/stash"}
	ofTree       = []string{
		"commondir", "info/sparse-checkout", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG",
		"rebase-merge/git-rebase-" + "to" + "do", "rebase-merge/onto", "rebase-apply/onto", "rebase-apply/next", "sequencer/to" + "do",
	}
)

// fixtures are the files outside of the working tree that count, by what they are called to people,
// with the hooks.
func (p *place) fixtures(ctx context.Context, settings map[string]string, r *room) map[string]fixture {
	all := map[string]fixture{}
	add := func(name, path string) {
		f := fixture{held{stamp: stampOf(path)}, path}
		f.fill(ctx, path, r)
		all[name] = f
	}
	for _, name := range ofRepository {
		add(".git/"+name, filepath.Join(p.common, filepath.FromSlash(name)))
	}
	for _, name := range ofTree {
		add(".git/"+name, filepath.Join(p.dir, filepath.FromSlash(name)))
	}
	add(rawConfig, filepath.Join(p.common, "config"))
	add(rawConfig+".worktree", filepath.Join(p.dir, "config.worktree"))
	if ignore := last(settings, "core.excludesfile"); ignore != "" {
		add("core.excludesFile", from(p.repo.Top, ignore))
	} else if folder, err := os.UserConfigDir(); err == nil {
		add("git/ignore of the user", filepath.Join(folder, "git", "ignore"))
	}
	if attributes := last(settings, "core.attributesfile"); attributes != "" {
		add("core.attributesFile", from(p.repo.Top, attributes))
	} else if folder, err := os.UserConfigDir(); err == nil {
		add("git/attributes of the user", filepath.Join(folder, "git", "attributes"))
	}
	p.hooks(filepath.Join(p.common, "hooks"), "hook ", add)
	if path := last(settings, "core.hookspath"); path != "" {
		p.hooks(from(p.repo.Top, path), "hook "+path+"/", add)
	}
	return all
}

// fixture is a file and where it is.
type fixture struct {
	held
	path string
}

// rawConfig begins the names of the files of configuration. They count if git cannot say what they
// mean: a comment in them is no change.
const rawConfig = ".git/config"

// hooks adds the files of a folder of hooks.
func (p *place) hooks(folder, called string, add func(name, path string)) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for i, e := range entries {
		if i >= hooksRead {
			return
		}
		if !e.IsDir() {
			add(called+e.Name(), filepath.Join(folder, e.Name()))
		}
	}
}

// worktrees are the working trees that a repository has registered besides its own, and the references
// that are checked out in them.
func (p *place) worktrees() (all, checkedOut map[string]string) {
	all, checkedOut = map[string]string{}, map[string]string{}
	folder := filepath.Join(p.common, "worktrees")
	entries, _ := os.ReadDir(folder) // most have none
	for _, e := range entries {
		text, _ := regular.Read(filepath.Join(folder, e.Name(), "gitdir"), smallFile) // "" counts as a value
		all[e.Name()] = strings.TrimSpace(string(text))
		head, _ := regular.Read(filepath.Join(folder, e.Name(), "HEAD"), smallFile)
		checkedOut[e.Name()] = strings.TrimPrefix(strings.TrimSpace(string(head)), "ref: ")
	}
	return all, checkedOut
}
