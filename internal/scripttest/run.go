package scripttest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/vm"
)

// Options say how tests are run. Exit and Base.Store are the only ones without a meaning at zero:
// Exit is needed, and a store is never taken from outside.
type Options struct {
	// Base is what runs have beside what a test says: functions, workflows that a script starts.
	Base engine.Options
	// Equip adds to the options of one run what depends on its folder, which is root, and its store; nil
	// adds nothing.
	Equip func(o engine.Options, root string) engine.Options
	// Exit is the exit code of a run, or of the refusal of one.
	Exit func(r *engine.Result, refused error) int
	// Env is the environment of commands that answers run, given the folder of a run; nil is that of
	// this process.
	Env func(root string) []string
	// Root is an empty folder for all that is made. Keep leaves it there; else each test's part is
	// removed after it.
	Root string
	Keep bool
	// Parallel is how many tests run at once; 0 is one for each core.
	Parallel int
}

// Case is a test with the script that it is for.
type Case struct {
	File *File
	Test *Test
	// Program is the script; Broken is why there is none.
	Program *vm.Program
	Broken  error
}

// Report is what came of a test.
type Report struct {
	Case Case
	OK   bool
	// Differences are lines for people.
	Differences []string
	// Calls are the agents' calls in the order in which they were made.
	Calls []string
	// Talk are the lines of the script, its calls and its gates.
	Talk []string
	// State is how the run ended, "" if it did not begin.
	State string
	Took  time.Duration
	// Folder is where all of it is, and Run the run's id, if it was kept.
	Folder, Run string
}

// Run runs tests, and gives the reports in the order of the cases, each as soon as those before it
// are there. Its error is for what is no test's fault.
func Run(ctx context.Context, cases []Case, o Options, each func(Report) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := o.Parallel
	if workers <= 0 {
		workers = runtime.NumCPU()
	}
	type result struct {
		report Report
		err    error
	}
	slots := make(chan struct{}, workers)
	results := make([]chan result, len(cases))
	for i := range cases {
		results[i] = make(chan result, 1)
	}
	go func() {
		for i, c := range cases {
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				r, err := one(ctx, c, o, filepath.Join(o.Root, fmt.Sprintf("%03d-%s", i+1, slug(c.Test.Name))))
				results[i] <- result{r, err}
			}()
		}
	}()
	var failed error
	for i := range cases {
		r := <-results[i] // every one, so that nothing is left behind
		if failed == nil {
			failed = r.err
		}
		if failed == nil {
			failed = each(r.report)
		}
		if failed != nil {
			cancel()
		}
	}
	return failed
}

// one runs a test, with all that is tried on it.
func one(ctx context.Context, c Case, o Options, root string) (r Report, err error) {
	r.Case = c
	if c.Broken != nil {
		r.Differences = []string{"the script does not compile: " + c.Broken.Error()}
		return r, nil
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	began := time.Now()
	defer func() { r.Took = time.Since(began) }()
	if err := os.Mkdir(root, 0o700); err != nil {
		return r, fmt.Errorf("make the folder of a test: %w", err)
	}
	if o.Keep {
		r.Folder = filepath.Join(root, "run")
	} else {
		defer func() { err = errors.Join(err, remove(root)) }()
	}
	t, err := newTrial(o, c.Test, c.Program, filepath.Join(root, "run"), 0)
	if err != nil {
		return r, err
	}
	out, err := t.start(ctx)
	if err != nil {
		return r, err
	}
	if err := ctx.Err(); err != nil {
		return r, err // it was not the test that ended it
	}
	if out.run != "" {
		st, err := t.state(ctx, out.run)
		if err != nil {
			return r, err
		}
		t.course.recorded(st, t.prepared)
	}
	if o.Keep {
		r.Run = out.run
	}
	r.State, r.Calls, r.Talk = out.state, names(t.course.calls), t.course.talk
	if r.Differences, err = t.differences(out); err != nil {
		return r, err
	}
	more, err := tryOn(ctx, o, t, out, root, len(r.Differences) == 0)
	r.Differences = append(r.Differences, more...)
	r.OK = err == nil && len(r.Differences) == 0
	return r, err
}

// tryOn tries what the test asks for beyond the run itself. A run that is not what it should be is
// not cut off: that would say the same many times.
func tryOn(ctx context.Context, o Options, t *trial, out outcome, root string, good bool) ([]string, error) {
	var list []string
	if t.test.resumes() && !out.late {
		var err error
		if list, err = t.proofs(ctx, out); err != nil {
			return nil, err
		}
	}
	if !good || len(list) > 0 {
		return list, nil
	}
	return survives(ctx, o, t, out, root)
}

// resumes says that a run of the test is also to be replayed, or resumed.
func (t *Test) resumes() bool { return t.table.Resume == nil || *t.table.Resume }

// remove clears a folder away, also what an answer has closed.
func remove(root string) error {
	if os.RemoveAll(root) == nil {
		return nil
	}
	_ = filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			return os.Chmod(path, 0o700) //nolint:gosec // a folder is entered
		}
		return nil
	})
	if err := os.RemoveAll(root); err != nil {
		return fmt.Errorf("remove the folder of a test: %w", err)
	}
	return nil
}

var notSlug = regexp.MustCompile(`[^a-z0-9]+`)

// slug makes a name that any file system takes.
func slug(name string) string {
	s := strings.Trim(notSlug.ReplaceAllString(strings.ToLower(name), "-"), "-")
	return strings.TrimRight(s[:min(len(s), 40)], "-")
}
