package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
)

// Command is one step of git that may write.
type Command struct {
	// Step is what it is called in errors, such as commit; Args are git's arguments.
	Step string
	Args []string
	// Env is added to the environment, Input is its standard input.
	Env   []string
	Input string
	// Limit is how long it may take; 0 is stepTime.
	Limit time.Duration
	// Remote says that the step speaks to a remote: it gets the user's own means of signing in there, as
	// far as they ask nobody.
	Remote bool
}

const (
	// stepTime is for a step that moves names or writes an object; whoever checks out or adds
	// files gives more.
	stepTime = time.Minute

	// lockTries and lockPause bound how often a step is tried again because another git holds a
	// lock: some five seconds, far more than any git holds one for.
	lockTries = 20
	lockPause = 10 * time.Millisecond
	lockMost  = 400 * time.Millisecond
)

// StepError says which step of git failed, and how.
type StepError struct {
	// Step is Command.Step.
	Step string
	// Late says that it was ended after Limit, TooMuch that it printed too much.
	Late, TooMuch bool
	Limit         time.Duration
	// Exit is git's exit code, -1 if it had none. Message is the redacted end of what it said.
	Exit    int
	Message string
	// Err is why git could not be started, or why it was ended before its time.
	Err error
}

// Error names the step.
func (e *StepError) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("git, at the step %s: %v", e.Step, e.Err)
	case e.Late:
		return fmt.Sprintf("git did not finish the step %s in %v", e.Step, e.Limit)
	case e.TooMuch:
		return fmt.Sprintf("git printed too much at the step %s", e.Step)
	case e.Message == "":
		return fmt.Sprintf("git failed at the step %s (exit code %d)", e.Step, e.Exit)
	}
	return fmt.Sprintf("git failed at the step %s (exit code %d): %s", e.Step, e.Exit, e.Message)
}

// Unwrap returns the cause.
func (e *StepError) Unwrap() error { return e.Err }

// Exit is the code that git ended with, if err is that of a step that ended by itself; else -1.
func Exit(err error) int {
	if e, ok := errors.AsType[*StepError](err); ok {
		return e.Exit
	}
	return -1
}

// At is the working tree at top whose git folder is gitDir, whatever the .git in it says: an agent
// that works there can change or remove that. mark and step are as for Open.
func At(top, gitDir, mark string, step process.Step) (*Repo, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, ErrNone
	}
	return &Repo{Top: top, git: path, gitDir: gitDir, mark: mark, step: step}, nil
}

// noHelper is the setting that keeps programs which know passwords out.
const noHelper = "credential.helper="

// signingIn are variables by which git, its helpers and ssh sign in at a remote without asking anybody.
var signingIn = []string{
	"SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_*", "GIT_CONFIG_VALUE_*",
	"GH_*", "GITHUB_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GITLAB_TOKEN",
}

// writing are settings that hold for every step, against those of the user and the repository:
// nothing of theirs is run besides, nobody is asked, nothing is signed, and nothing goes on when the
// step has ended.
var writing = []string{
	"core.hooksPath=" + os.DevNull, "core.fsmonitor=false", "core.editor=true", "sequence.editor=true",
	"commit.gpgSign=false", "tag.gpgSign=false", "log.showSignature=false", "gc.auto=0", "maintenance.auto=false",
	noHelper, "submodule.recurse=false", "fetch.recurseSubmodules=false", "worktree.guessRemote=false",
	"i18n.commitEncoding=UTF-8", "i18n.logOutputEncoding=UTF-8", "core.quotePath=false", "advice.detachedHead=false",
}

// Do runs a step of git that may write, and gives what it printed. The error is a *StepError. If
// another git holds a lock, it is tried again, for some seconds at most: so a step has to be one that
// may be done twice, or that does nothing where it fails.
func (r *Repo) Do(ctx context.Context, c Command) ([]byte, error) {
	pause := lockPause
	for try := 1; ; try++ {
		out, err := r.once(ctx, c)
		e, failed := errors.AsType[*StepError](err)
		if !failed || try == lockTries || !held.MatchString(e.Message) {
			return out, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
			pause = min(2*pause, lockMost)
		}
	}
}

// held finds that git failed for a lock of another one, or for a working tree that another one is just
// making or taking away: git reads the registrations of all of them.
var held = regexp.MustCompile(`(?i)\.lock': File exists|could not lock config file|another git process seems|failed to read \S*worktrees/\S*(commondir|gitdir|HEAD)`)

func (r *Repo) once(ctx context.Context, c Command) ([]byte, error) {
	if c.Limit <= 0 {
		c.Limit = stepTime
	}
	fail := &StepError{Step: c.Step, Limit: c.Limit, Exit: -1}
	var keep []string
	if c.Remote {
		keep = signingIn
	}
	j := process.New(r.Top, r.mark, nil, keep)
	j.Argv = []string{r.git, "--no-pager"}
	for _, setting := range writing {
		if !c.Remote || setting != noHelper {
			j.Argv = append(j.Argv, "-c", setting)
		}
	}
	j.Argv = append(j.Argv, c.Args...)
	j.Env = append(r.environ(j.Env), "LC_ALL=C", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true", "GIT_LFS_SKIP_SMUDGE=1", "GIT_TEMPLATE_DIR=",
		"GIT_NO_REPLACE_OBJECTS=1") // what is judged has to be what is published
	j.Env = append(j.Env, c.Env...)
	j.Stdin, j.MaxOutput, j.Grace = []byte(c.Input), lookOutput, grace
	limited, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	out, err := j.Run(limited, r.step)
	switch {
	case err != nil:
		fail.Err = err
	case ctx.Err() != nil && out.Late:
		fail.Err = context.Cause(ctx)
	case out.Over:
		fail.TooMuch = true
	case out.Late, out.Held:
		fail.Late = true
	case !out.Success():
		if out.State != nil {
			fail.Exit = out.State.ExitCode()
		}
		fail.Message = strings.Join(strings.FieldsFunc(process.LastOf(out.Stderr, j.Env), isEnd), "; ")
	default:
		return out.Stdout, nil
	}
	return out.Stdout, fail
}

// isEnd says that a line ends there: a message is one line.
func isEnd(r rune) bool { return r == '\n' || r == '\r' }

// environ is the environment for this repository.
func (r *Repo) environ(environ []string) []string {
	env := environment(environ, r.Top)
	if r.gitDir != "" {
		env = append(env, "GIT_DIR="+r.gitDir, "GIT_WORK_TREE="+r.Top)
	}
	return env
}

// Common is the git folder that all working trees of the repository share, as an absolute path
// without links.
func (r *Repo) Common(ctx context.Context) (string, error) {
	text, err := r.Do(ctx, Command{Step: "rev-parse", Args: []string{"rev-parse", "--git-common-dir"}})
	if err != nil {
		return "", err
	}
	path := trimLine(text)
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Top, path)
	}
	return filepath.EvalSymlinks(path)
}

// trimLine is a line without its end.
func trimLine(text []byte) string { return strings.TrimRight(string(text), "\r\n") }
