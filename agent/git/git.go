package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
)

// What a look at a repository can fail with.
var (
	// ErrTooMuch says that git printed more than is looked at.
	ErrTooMuch = errors.New("git printed more than is looked at")
	// ErrFailed says that git failed.
	ErrFailed = errors.New("git failed")
	// ErrNone says that a folder is in no working tree, or that there is no git.
	ErrNone = errors.New("there is no git repository")
)

const (
	// lookOutput caps what git may print for one look: some 50,000 changed files, more than
	// anybody reads.
	lookOutput = 8 << 20

	// grace is how long git may take to end once it is told to.
	grace = 2 * time.Second
)

// Repo is a working tree and the git that looks at it.
type Repo struct {
	// Top is the top of the working tree.
	Top string

	git    string
	gitDir string // "" is what Top's own .git leads to
	mark   string
	step   process.Step
}

// Open finds the working tree that a folder is in; ErrNone if there is none, or no git. mark
// (RUN/CALL) marks what git starts as started below that call, since a repository's own
// configuration may name programs; step is told of each process group, nil is nobody.
func Open(folder, mark string, step process.Step) (*Repo, error) {
	top := workingTree(folder)
	if top == "" {
		return nil, ErrNone
	}
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, ErrNone
	}
	return &Repo{Top: top, git: path, mark: mark, step: step}, nil
}

// Look runs git to read: with no lock, hook, monitor or signature checker of the repository's, and
// with input as its standard input. Its errors are ErrTooMuch, ErrFailed, and those of starting it.
func (r *Repo) Look(ctx context.Context, input string, args ...string) ([]byte, error) {
	j := process.New(r.Top, r.mark, nil, nil)
	j.Argv = append([]string{
		r.git, "--no-optional-locks", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
		"-c", "log.showSignature=false", "-c", "i18n.logOutputEncoding=UTF-8", "-c", "core.quotePath=false",
	}, args...)
	j.Env = append(r.environ(j.Env), looking...)
	j.Stdin, j.MaxOutput, j.Grace = []byte(input), lookOutput, grace
	out, err := j.Run(ctx, r.step)
	switch {
	case err != nil:
		return nil, err
	case out.Over:
		return nil, ErrTooMuch
	case out.Late || out.Held || !out.Success():
		return nil, ErrFailed
	}
	return out.Stdout, nil
}

// looking are variables that keep a look from writing, and from loading what is not there.
var looking = []string{"GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "LC_ALL=C"}

// environment is environ without what would lead git to another repository than the one at top, or
// to write somewhere.
func environment(environ []string, top string) []string {
	var env []string
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		switch name = strings.ToUpper(name); {
		case strings.HasPrefix(name, "GIT_TRACE"):
		case name == "GIT_DIR", name == "GIT_WORK_TREE", name == "GIT_INDEX_FILE", name == "GIT_COMMON_DIR", name == "GIT_NAMESPACE",
			name == "GIT_PREFIX", name == "GIT_OBJECT_DIRECTORY", name == "GIT_ALTERNATE_OBJECT_DIRECTORIES", name == "GIT_SHALLOW_FILE",
			name == "GIT_GRAFT_FILE", name == "GIT_REPLACE_REF_BASE", name == "GIT_IMPLICIT_WORK_TREE", name == "GIT_LITERAL_PATHSPECS":
		default:
			env = append(env, variable)
		}
	}
	return append(env, "GIT_CEILING_DIRECTORIES="+filepath.Dir(top))
}

// workingTree is the top of the git working tree that a folder is in, "" if it is in none.
func workingTree(folder string) string {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return ""
	}
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}
