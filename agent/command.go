package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/redact"
)

// Command is a Runner that starts a program for each attempt. Set its fields before the first
// Run.
type Command struct {
	// Name is how messages call the agent; empty is the program's name.
	Name string
	// Argv is the program and its arguments.
	Argv []string
	// Dir is where a relative path of the program starts, and the folder of a request
	// without cwd; empty is the current one.
	Dir string
	// Env is the environment of the agent. process.FilterEnv is applied to it again, so that no
	// caller hands on what no agent may have; nil stands for this process's own.
	Env []string
	// Keep names variables that process.FilterEnv would withhold.
	Keep []string
	// MaxOutput caps standard output in bytes; 0 is process.DefaultMaxOutput.
	MaxOutput int64
	// Grace is how long a group may take to end; 0 is process.DefaultGrace.
	Grace time.Duration
}

var _ Runner = (*Command)(nil)

// Check reports, before a run starts, whether there is such a program: AGENT_NOT_CONFIGURED
// if not.
func (c *Command) Check() error {
	_, err := c.program()
	return err
}

// program finds the program that Argv names.
func (c *Command) program() (string, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return "", fault.New(fault.AgentNotConfigured, "the agent has no command", "give one, such as --agent 'my-agent --json'")
	}
	name := c.Argv[0]
	if strings.ContainsAny(name, `/`+string(filepath.Separator)) && !filepath.IsAbs(name) {
		name = filepath.Join(c.Dir, name)
		abs, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		name = abs
	}
	path, err := exec.LookPath(name)
	if info, statErr := os.Stat(name); errors.Is(err, fs.ErrPermission) && statErr == nil && info.Mode().IsRegular() {
		return "", fault.Wrap(err, fault.AgentNotConfigured, fmt.Sprintf("the agent's program %q may not be executed", c.Argv[0]), "chmod +x "+quoted(name))
	}
	if err != nil {
		return "", fault.Wrap(err, fault.AgentNotConfigured, fmt.Sprintf("the agent's program %q cannot be started", c.Argv[0]),
			"install it, or name another one with --agent")
	}
	return path, nil
}

// quoted is a path as a shell takes it.
func quoted(path string) string {
	if !strings.ContainsAny(path, " \t\n'\"\\|;&<>$`()*?[]{}#~!^") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'"'"'`) + "'"
}

// Run starts the program, hands it the request, and reads its answer.
func (c *Command) Run(ctx context.Context, req Request, step Step) (Response, error) {
	if ctx.Err() != nil {
		return Response{}, ended(ctx)
	}
	path, err := c.program()
	if err != nil {
		return Response{}, err
	}
	input, err := json.Marshal(req)
	if err != nil {
		return Response{}, err
	}
	j := NewJob(req, c.Env, c.Keep)
	j.Argv = append([]string{path}, c.Argv[1:]...)
	j.Stdin = slices.Concat(input, []byte("\n"))
	j.MaxOutput, j.Grace = c.MaxOutput, c.Grace
	if j.Dir == "" {
		j.Dir = c.Dir
	}
	out, err := j.Run(ctx, step)
	if err != nil {
		return Response{}, c.notStarted(j, err)
	}
	return c.answer(ctx, j, out)
}

// notStarted tells a folder that is not there from a program that cannot run.
func (c *Command) notStarted(j process.Job, err error) error {
	if info, statErr := os.Stat(j.Dir); j.Dir != "" && (statErr != nil || !info.IsDir()) {
		return fault.New(fault.AgentFailed, fmt.Sprintf("the agent's folder %s is not there", j.Dir), "")
	}
	return fault.Wrap(err, fault.AgentNotConfigured, fmt.Sprintf("the agent's program %q cannot be started", c.Argv[0]),
		"see that it may be executed")
}

// answer judges how the child ended, and then what it said.
func (c *Command) answer(ctx context.Context, j process.Job, out process.Outcome) (Response, error) {
	if out.Over {
		return Response{}, tooLarge(cmp.Or(c.MaxOutput, process.DefaultMaxOutput))
	}
	if out.Late {
		// What was said before the end is no answer, but what it cost was spent.
		resp, _, _ := parseOutput(out.Stdout)
		return Response{Usage: resp.Usage}, ended(ctx)
	}
	resp, said, err := parseOutput(out.Stdout)
	if out.Held {
		resp.Note = "the agent had ended, but something that it started still held its output and was ended"
	}
	failed := out.State == nil || !out.State.Success()
	if err == nil && !failed {
		return resp, nil
	}
	resp.Value, resp.Structured = nil, false
	if err != nil && !failed && !said {
		return resp, err
	}
	if fault.Is(err, fault.UsageLimit) || fault.Is(err, fault.AgentUnable) {
		return resp, err
	}
	return resp, c.failure(j, out, said, err)
}

// failure is an agent that says that it failed, or whose exit code does: the agent's own
// word, the exit code, and the end of standard error.
func (c *Command) failure(j process.Job, out process.Outcome, said bool, err error) error {
	what := c.called() + " failed"
	switch {
	case out.State == nil:
		what += " and could not be ended"
	case out.State.Exited():
		what += fmt.Sprintf(" with exit code %d", out.State.ExitCode())
	default:
		what += " (" + out.State.String() + ")"
	}
	if said && err != nil {
		what += ": " + shorten(redact.Text(strings.TrimSpace(ownWord(err)), j.Env), process.StderrShown)
	}
	if text := process.LastOf(out.Stderr, j.Env); text != "" {
		what += "; standard error ends: " + text
	}
	return fault.New(fault.AgentFailed, what, "")
}

// ownWord is the agent's own word in err.
func ownWord(err error) string {
	if own, ok := errors.AsType[*failedError](err); ok {
		return own.message
	}
	return err.Error()
}

func (c *Command) called() string {
	if c.Name != "" {
		return "the agent " + c.Name
	}
	return "the agent " + filepath.Base(slices.Concat(c.Argv, []string{""})[0])
}
