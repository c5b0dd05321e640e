package watch

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-8d4a6081/assent/agent/git"
)

// state is a repository at one moment, in everything that a call which only reads must leave alone.
type state struct {
	head      string
	refs      map[string]string
	index     map[string]staged
	settings  map[string]string
	fixtures  map[string]fixture
	worktrees map[string]string
	// checkedOut are the references that are checked out in them.
	checkedOut map[string]string
	// files are those of the working tree that git knows or that are new to it, and not those that it
	// ignores; ignoring are the .gitignore files that are ignored themselves.
	files    map[string]held
	ignoring map[string]bool
	// ignored are the files and folders that git ignores, each as a whole.
	ignored []string
	// inner are the repositories inside of it, by their paths.
	inner []string
}

// look takes the state of a repository. extra are paths that count although they may be ignored.
// Without contents, files are not read: their stamps are compared first.
func (p *place) state(ctx context.Context, extra []string, contents bool) (*state, error) {
	s := &state{files: map[string]held{}, ignoring: map[string]bool{}}
	var untracked, ignored []byte
	var failed [2]error
	var asked sync.WaitGroup
	list := []string{"ls-files", "-z", "--others", "--exclude-standard"}
	asked.Go(func() { untracked, failed[0] = p.look(ctx, "", list...) })
	asked.Go(func() { ignored, failed[1] = p.look(ctx, "", append(list, "--ignored", "--directory")...) })
	asked.Go(func() { s.settings = p.settings(ctx) })
	err := p.readFolder(ctx, s)
	asked.Wait()
	if err = errors.Join(err, failed[0], failed[1]); err != nil {
		return nil, err
	}
	r := &room{contentRead, 0}
	if contents {
		r.keep = contentKept
	}
	s.fixtures = p.fixtures(ctx, s.settings, r)
	for name := range strings.SplitSeq(string(untracked), "\x00") {
		p.noteUntracked(s, name)
	}
	for name := range strings.SplitSeq(string(ignored), "\x00") {
		p.noteIgnored(s, name)
	}
	for _, name := range extra {
		if _, known := s.files[name]; !known {
			s.files[name] = held{stamp: stampOf(p.path(name))}
		}
	}
	p.noteGits(s)
	if contents {
		for _, name := range slices.Sorted(maps.Keys(s.files)) {
			h := s.files[name]
			if h.blob == "" {
				h.fill(ctx, p.path(name), r)
				s.files[name] = h
			}
		}
	}
	return s, ctx.Err()
}

// readFolder reads what needs no git: references, index, and the stamps of the files in it.
func (p *place) readFolder(ctx context.Context, s *state) (err error) {
	if s.head, s.refs, err = p.references(ctx); err != nil {
		return err
	}
	s.worktrees, s.checkedOut = p.worktrees()
	var written time.Time
	if s.index, written, err = p.readIndex(ctx); err != nil {
		return err
	}
	if len(s.index) > filesRead {
		return errTooLarge
	}
	entries := slices.Collect(maps.Values(s.index))
	stamps := make([]stamp, len(entries))
	var asked sync.WaitGroup
	const part = 2048
	for at := 0; at < len(entries); at += part {
		asked.Go(func() {
			for i := at; i < min(at+part, len(entries)) && ctx.Err() == nil; i++ {
				stamps[i] = stampOf(p.path(entries[i].path))
			}
		})
	}
	asked.Wait()
	for i, e := range entries {
		switch {
		case e.link():
			s.noteInner(e.path, p)
		case !p.unguarded(e.path) && filepath.IsLocal(filepath.FromSlash(e.path)):
			h := held{stamp: stamps[i]}
			if e.unchanged(h.stamp, written) {
				h.blob = e.object
			}
			s.files[e.path] = h
		}
	}
	return ctx.Err()
}

func (p *place) noteUntracked(s *state, name string) {
	switch inner := strings.HasSuffix(name, "/"); {
	case name == "" || p.unguarded(name):
	case inner:
		s.noteInner(strings.TrimSuffix(name, "/"), p)
	default:
		s.files[name] = held{stamp: stampOf(p.path(name))}
	}
}

// noteInner notes a folder that is a repository of its own.
func (s *state) noteInner(name string, p *place) {
	if _, err := os.Lstat(filepath.Join(p.path(name), ".git")); err == nil && !slices.Contains(s.inner, name) {
		s.inner = append(s.inner, name)
	}
}

// noteGits notes what is called .git in the folders of files, where git itself looks at no such thing:
// git commands that are run there would obey it. That of the top is compared by what it holds.
func (p *place) noteGits(s *state) {
	seen := map[string]bool{".": true}
	for name := range s.files {
		for at := path.Dir(name); !seen[at]; at = path.Dir(at) {
			seen[at] = true
		}
	}
	for folder := range seen {
		name := path.Join(folder, ".git")
		if now := stampOf(p.path(name)); folder != "." && now.there && !slices.Contains(s.inner, folder) {
			if now.mode.IsDir() {
				now = stamp{fileStat: fileStat{there: true, mode: now.mode}}
			}
			s.files[name] = held{stamp: now}
		}
	}
}

// noteIgnored looks for files of rules that hide themselves.
func (p *place) noteIgnored(s *state, name string) {
	if name == "" {
		return
	}
	s.ignored = append(s.ignored, name)
	if strings.HasSuffix(name, "/") {
		name += ".gitignore"
	}
	if path.Base(name) == ".gitignore" && stampOf(p.path(name)).there {
		s.ignoring[name] = true
	}
}

// ownUnguarded reports whether a path is one that Assent itself writes: a copy of a plan.
func ownUnguarded(name string) bool {
	return ownFolder(name) && strings.HasPrefix(name[strings.LastIndex("/"+name, "/.assent/")+len(".assent/"):], "plans/")
}

// configuring are the files, from top down to a folder, that say how runs and agents behave, and what
// they start. They count also if git ignores them. They are named by their paths from top.
func configuring(top, folder string) []string {
	var names []string
	rel, err := filepath.Rel(top, folder)
	if err != nil || !filepath.IsLocal(rel) {
		rel = "."
	}
	for at := rel; ; at = filepath.Dir(at) {
		for _, name := range []string{
			".assent", ".claude/agents", ".claude/workflows", ".claude/hooks", ".claude/skills", ".claude/commands", ".claude/settings.json", ".claude/settings.local.json",
			".pi/agents", ".pi/workflows", ".pi/extensions", ".pi/prompts", ".pi/settings.json", ".mcp.json",
		} {
			names = append(names, filesIn(top, filepath.Join(at, filepath.FromSlash(name)))...)
		}
		if at == "." {
			return names
		}
	}
}

// filesIn are a file, or the files of a folder at every depth, by their paths from top: the first
// configuringFiles of them, without those that Assent itself writes.
func filesIn(top, name string) []string {
	var names []string
	_ = filepath.WalkDir(filepath.Join(top, name), func(path string, e fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(top, path)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil || relErr != nil:
			return nil //nolint:nilerr // what cannot be read counts by not being there
		case e.IsDir() && ownUnguarded(rel+"/"):
			return fs.SkipDir
		case e.IsDir():
			return nil
		case len(names) == configuringFiles:
			return fs.SkipAll
		}
		names = append(names, rel)
		return nil
	})
	return names
}

// openInner opens a repository inside of another.
func (p *place) openInner(name string, open func(string) (*git.Repo, error)) (*place, error) {
	repo, err := open(p.path(name))
	if err != nil {
		return nil, err
	}
	if repo.Top != p.path(name) {
		return nil, git.ErrNone
	}
	return placeOf(repo, p.prefix+name+"/")
}
