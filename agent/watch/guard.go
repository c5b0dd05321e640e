package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/git"
	"github.com/seed-8d4a6081/assent/agent/process"
)

// What a guard looks at, and what that may cost.
const (
	// contentKept is how much of the files that git has no object of is kept in memory while the call
	// is at work, so that its patch can put them back. Several calls may be guarded at once.
	contentKept int64 = 16 << 20

	// hashSize is how large a file may be that is read to see whether it is the same although it was
	// written to; a larger one counts as changed.
	hashSize int64 = 256 << 20

	// smallFile is more than a reference, a pointer to a folder or a name has; indexSize bounds git's
	// index and its packed references.
	smallFile, indexSize = 64 << 10, 256 << 20

	// refsRead, filesRead and hooksRead bound what is compared one by one. More is not compared,
	// and that is said.
	refsRead, filesRead, hooksRead = 100_000, 500_000, 200

	// configuringFiles is how many files of one folder count that say how runs and agents behave.
	configuringFiles = 2_000

	// innerRead is how many repositories inside of one are compared.
	innerRead = 16

	// walkedEntries bounds a folder that is in no repository.
	walkedEntries = 20_000

	// linesKept caps what a violation lists; the rest is counted.
	linesKept = 500

	// patchSize caps a patch, patchFile each file in it, patchFiles how many it has, and commitsShown
	// what it shows of commits.
	patchSize, patchFile, patchFiles, commitsShown = 16 << 20, 4 << 20, 5_000, 2 << 20
)

// errTooLarge says that there is more than is compared.
var errTooLarge = errors.New("there is more than is compared")

// Guarded is what a call that only reads must leave as it was.
type Guarded struct {
	mark   string
	step   process.Step
	folder string
	// top is the working tree that the folder is in, "" if it is in none.
	top    string
	places []*guardedPlace
	// own are folders that do not count.
	own []string
	// tree is the folder itself, where no repository tells of it.
	tree map[string]held
	// took is how long the look before the call was.
	took time.Duration
	// note says what is not compared.
	note string
}

// guardedPlace is a repository and its state before the call.
type guardedPlace struct {
	*place
	before *state
}

// Violation is what a call changed that was to read only.
type Violation struct {
	// Changes are lines for people, in the order of their weight. Names in them are those that the
	// call gave: whoever shows them escapes them. More counts those that are not listed.
	Changes []string
	More    int
	// Shared counts, of Changes and More together, those of what all working trees of a repository share:
	// references, hooks, configuration. Who works in another tree may have made them.
	Shared int
	// Patch undoes the changes of the working tree by git apply -R, at the top of the repository. As
	// comments it tells the rest: what was where before, and what new commits hold. Nil outside of a
	// repository.
	Patch []byte
}

// Guard looks at the folder of a call that only reads, before it starts: at the repository that the
// folder is in and those inside of that, or else at the files. It writes nothing there, and starts
// nothing but git, which reads names and settings alone. mark and step are as for git.Open. own are
// folders that runs write to, such as the store: they do not count where they lie inside.
func Guard(ctx context.Context, folder, mark string, step process.Step, own ...string) *Guarded {
	g := &Guarded{mark: mark, step: step, folder: folder}
	if folder == "" {
		return g
	}
	if abs, err := filepath.Abs(folder); err == nil {
		g.folder = abs
	}
	if real, err := filepath.EvalSymlinks(g.folder); err == nil {
		g.folder = real
	}
	for _, folder := range own {
		if real, err := filepath.EvalSymlinks(folder); err == nil {
			g.own = append(g.own, real)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, snapshotTime)
	defer cancel()
	begun := time.Now()
	defer func() { g.took = time.Since(begun) }()
	first, err := g.begin(ctx, "", g.open)
	switch {
	case errors.Is(err, git.ErrNone):
	case err != nil:
		g.note = whyNotCompared(ctx, err)
		return g
	default:
		g.top = first.repo.Top
		g.beginInner(ctx)
		if !ignores(first.before, first.place, g.folder) {
			return g
		}
	}
	if g.tree, err = walk(ctx, g.folder, g.unguarded(g.folder), true); err != nil {
		g.note = "what it changed in its folder was not compared: " + cmp.Or(reason(ctx, err), "it cannot be read")
	}
	return g
}

// unguarded tells which paths below a folder do not count: those in folders of Assent's own.
func (g *Guarded) unguarded(top string) func(name string) bool {
	var prefixes []string
	for _, folder := range g.own {
		if rel, err := filepath.Rel(top, folder); err == nil && rel != "." && filepath.IsLocal(rel) {
			prefixes = append(prefixes, filepath.ToSlash(rel)+"/")
		}
	}
	return func(name string) bool {
		return ownUnguarded(name) || slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name+"/", prefix) })
	}
}

// Covers reports whether what the guard looks at has the folder in it.
func (g *Guarded) Covers(folder string) bool {
	repo, err := g.open(folder)
	if err != nil {
		return g.tree != nil
	}
	return slices.ContainsFunc(g.places, func(p *guardedPlace) bool { return p.repo.Top == repo.Top })
}

func (g *Guarded) open(folder string) (*git.Repo, error) { return git.Open(folder, g.mark, g.step) }

// begin takes the state of the repository that the guarded folder is in.
func (g *Guarded) begin(ctx context.Context, prefix string, open func(string) (*git.Repo, error)) (*guardedPlace, error) {
	repo, err := open(g.folder)
	if err != nil {
		return nil, err
	}
	p, err := placeOf(repo, prefix)
	if err != nil {
		return nil, git.ErrNone // it only looks like a repository
	}
	p.unguarded = g.unguarded(repo.Top)
	s, err := p.state(ctx, configuring(repo.Top, g.folder), true)
	if err != nil {
		return nil, err
	}
	g.places = append(g.places, &guardedPlace{p, s})
	return g.places[0], nil
}

// beginInner takes the states of the repositories inside, submodules among them, of those inside
// these too.
func (g *Guarded) beginInner(ctx context.Context) {
	for i := 0; i < len(g.places); i++ {
		outer := g.places[i]
		for _, name := range outer.before.inner {
			if len(g.places) > innerRead {
				g.note = fmt.Sprintf("of the repositories inside, %d were compared and no more", innerRead)
				return
			}
			p, err := outer.openInner(name, g.open)
			if err != nil {
				continue // none that git could read
			}
			p.unguarded = g.unguarded(p.repo.Top)
			s, err := p.state(ctx, nil, true)
			if err != nil {
				g.note = "what it changed in " + p.prefix + " was not compared: " + cmp.Or(reason(ctx, err), "git cannot look at it")
				continue
			}
			g.places = append(g.places, &guardedPlace{p, s})
		}
	}
}

// Check looks again, after the call, and gives what is different, nil if nothing is. Its note says what
// could not be compared. A repository that could be looked at before and cannot now is a violation: also
// one that takes too long, if it took a moment before and nobody is in a hurry. Whoever else changed something meanwhile is not told apart.
func (g *Guarded) Check(ctx context.Context) (v *Violation, note string) {
	limit, hurried := snapshotTime, ctx.Err() != nil
	if hurried {
		limit = hurriedTime
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	note = g.note
	d := differences{own: g.own}
	var commits []byte
	for _, p := range g.places {
		after, err := g.again(ctx, p)
		switch {
		case err != nil:
			quick := d.addQuick(ctx, p)
			if slow := errors.Is(ctx.Err(), context.DeadlineExceeded); slow && quick == nil && (hurried || g.took > limit/4) {
				note = cmp.Or(note, whyNotCompared(ctx, err))
				continue
			}
			d.line(cmp.Or(named(p.prefix), "the repository") + " cannot be looked at any more: " + cmp.Or(reason(ctx, err), "git fails there, or it is gone"))
		default:
			d.compare(ctx, p, after)
			commits = append(commits, d.commits(ctx, p, after)...)
		}
	}
	if g.tree != nil {
		after, err := walk(ctx, g.folder, g.unguarded(g.folder), false)
		if err != nil {
			note = cmp.Or(note, "what it changed in its folder was not compared: "+cmp.Or(reason(ctx, err), "it cannot be read"))
		} else {
			d.compareTree(ctx, g.folder, g.tree, after)
		}
	}
	lines, more := atMost(d.lines, linesKept, 0)
	if len(lines) == 0 {
		return nil, note
	}
	v = &Violation{Changes: lines, More: more, Shared: d.shared}
	if g.top != "" {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
		defer cancel()
		v.Patch = g.patch(ctx, &d, commits)
	}
	return v, note
}

// again takes the state after the call of a repository that has one from before.
func (g *Guarded) again(ctx context.Context, p *guardedPlace) (*state, error) {
	dir, err := gitFolder(p.repo.Top)
	if err != nil {
		return nil, err
	}
	if dir != p.dir {
		return nil, errElsewhere
	}
	for _, path := range []string{"HEAD", "index", "config.worktree", "commondir", "info/exclude", filepath.Join(p.common, "config")} {
		// Git would wait for somebody to write into a pipe.
		if info, err := os.Stat(from(p.dir, path)); err == nil && !info.Mode().IsRegular() {
			return nil, errOdd
		}
	}
	var extra []string
	if p.prefix == "" {
		extra = configuring(p.repo.Top, g.folder)
	}
	return p.state(ctx, extra, false)
}

// Why a repository is not looked at again although something is there.
var (
	errElsewhere = errors.New("its .git leads to another repository")
	errOdd       = errors.New("something else is where a file of git's was")
)

// reason says why a look failed, "" if there is no more to say than that.
func reason(ctx context.Context, err error) string {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "it took too long"
	case errors.Is(err, errTooLarge), errors.Is(err, git.ErrTooMuch):
		return "there is too much of it"
	case errors.Is(err, errElsewhere), errors.Is(err, errOdd):
		return err.Error()
	}
	return ""
}

func whyNotCompared(ctx context.Context, err error) string {
	return "what it changed in the repository was not compared: " + cmp.Or(reason(ctx, err), "git cannot look at it")
}
