package checks

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/redact"
)

// Options say what is run, and where.
type Options struct {
	// Folder is the top of the tree. Checks run there, Setup before them.
	Folder        string
	Checks, Setup []Check
	// Workspace is the user's own tree. If it is set, checks find the programs of its Python virtual
	// environment (.venv or venv), which no fresh tree has.
	Workspace string
	// Environ is the user's environment, of which checks get what agents get but for keys and tokens, and
	// besides what Keep names. Nil is that of this process.
	Environ, Keep []string
	// Mark and Step are as for process.New.
	Mark string
	Step process.Step
	// Timeout ends one check, Output is how many bytes of each of its outputs are kept; 0 are the defaults.
	Timeout time.Duration
	Output  int
}

// The states of a result.
const (
	Passed = "passed"
	Failed = "failed"
	None   = "none"
)

// Result is what checks show.
type Result struct {
	OK         bool   `json:"ok"`
	State      string `json:"state"`
	Commit     string `json:"commit,omitempty"`
	TargetFile string `json:"targetFile,omitempty"`
	Summary    string `json:"summary"`
	Checks     []Ran  `json:"checks"`
}

// Ran is a check as it ran.
type Ran struct {
	Check
	OK       bool `json:"ok"`
	ExitCode *int `json:"exitCode"`
	TimedOut bool `json:"timedOut"`
	// Tests is how many tests ran; nil if that cannot be told, or if the check has none to run.
	Tests   *int   `json:"tests"`
	Summary string `json:"summary"`
	Stdout  string `json:"stdout"`
	Stderr  string `json:"stderr"`
}

// Run runs the setup and then all checks. A check that fails is part of the result; the error is that of
// ctx, when nobody waits any more.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Environ == nil {
		o.Environ = process.Environ()
	}
	r := Result{State: None, Checks: []Ran{}, Summary: "No checks were found. Name them in [delivery.checks] of .assent/config.toml."}
	if len(o.Checks) == 0 {
		return r, nil
	}
	r.OK, r.State = true, Passed
	waiting := 0
	for i, c := range slices.Concat(o.Setup, o.Checks) {
		setup := i < len(o.Setup)
		if setup {
			c.Kind = Other // its output is no evidence of tests
		}
		ran := o.run(ctx, c)
		if ctx.Err() != nil {
			return Result{}, context.Cause(ctx)
		}
		if setup && ran.OK {
			continue
		}
		r.Checks = append(r.Checks, ran)
		if !ran.OK {
			r.OK, r.State = false, Failed
		}
		if setup {
			waiting = len(o.Checks) // without it nothing can be told
			break
		}
	}
	r.Summary = summaryOf(r, waiting)
	return r, nil
}

// run runs one check.
func (o Options) run(ctx context.Context, c Check) Ran {
	ran := Ran{Check: c}
	dir := filepath.Join(o.Folder, filepath.FromSlash(c.Dir))
	j := process.New(dir, o.Mark, o.Environ, o.Keep)
	j.Env = o.environment(j.Env, c)
	program, err := find(c.Command, dir, j.Env)
	if err != nil {
		ran.Summary = fmt.Sprintf("%s did not run: %s.", c.Name, err)
		return ran
	}
	limit := o.Output
	if limit <= 0 {
		limit = DefaultOutput
	}
	stdout, tests := &window{limit: limit}, &counter{}
	events := &goTest{out: stdout}
	if isGoTest(c.Command) {
		j.Argv = append([]string{program}, withEvents(c.Command)[1:]...)
		j.Lines = func(line []byte) { events.line(line); tests.see(line) }
	} else {
		j.Argv = append([]string{program}, c.Command[1:]...)
		j.Lines = func(line []byte) {
			_, _ = stdout.Write(line)
			_, _ = stdout.Write([]byte{'\n'})
			tests.see(line)
		}
	}
	j.MaxLine = longestLine
	limited, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	out, err := j.Run(limited, o.Step)
	events.end()
	stderr := &window{limit: limit}
	_, _ = stderr.Write(out.Stderr)
	for line := range strings.Lines(string(out.Stderr)) {
		tests.see([]byte(line))
	}
	if c.Kind == Test {
		ran.Tests = tests.count()
		if events.events {
			ran.Tests = &events.ran
		}
	}
	if out.State != nil && out.State.Exited() {
		code := out.State.ExitCode()
		ran.ExitCode = &code
	}
	ran.TimedOut = out.Late
	ran.judge(out, err, tests, o.Timeout)
	if ran.OK && o.Output <= 0 {
		limit = goodOutput
	}
	// The environment of the user has more secrets than that of the check, and it may find them elsewhere.
	secrets := slices.Concat(o.Environ, j.Env)
	clean := func(text string) string { return redact.Text(text, secrets) }
	ran.Stdout, ran.Stderr = stdout.text(limit, clean), stderr.text(limit, clean)
	if !ran.OK && out.State != nil && !out.Success() && !out.Late && !out.Over {
		ran.Summary += failuresOf(ran)
	}
	ran.Summary = clean(ran.Summary)
	return ran
}
