package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/fault"
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
	// Keep names variables that agents do not get by themselves.
	Keep []string
	// MaxOutput caps standard output in bytes; 0 is process.DefaultMaxOutput.
	MaxOutput int64
	// Grace is how long a group may take to end; 0 is process.DefaultGrace.
	Grace time.Duration
}

var (
	_ Runner    = (*Command)(nil)
	_ TierTaker = (*Command)(nil)
)

// TakesTiers is true: the program is told the tier.
func (c *Command) TakesTiers() bool { return true }

// Check reports, before a run starts, whether there is such a program: AGENT_NOT_CONFIGURED
// if not.
func (c *Command) Check() error {
	_, err := c.program()
	return err
}

// program finds the program that Argv names.
func (c *Command) program() (string, error) {
	if len(c.Argv) == 0 {
		return FindProgram("", c.Dir)
	}
	return FindProgram(c.Argv[0], c.Dir)
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
		return Response{}, NotStarted(j, c.Argv[0], err)
	}
	resp, err := c.answer(ctx, j, out)
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Code == fault.AgentFailed && req.Isolated {
		if word := c.uncommitted(j.Dir); word != "" {
			hinted := *e
			hinted.Next = word + " is not in the worktree, which has only what is committed: commit it, or give its whole path"
			err = &hinted
		}
	}
	return resp, err
}

// uncommitted is the word of the command that names a file where the agent is configured, or in the folder
// above, but none in the worktree that it works in; "" if there is none.
func (c *Command) uncommitted(tree string) string {
	there := func(folder, word string) bool {
		_, err := os.Stat(filepath.Join(folder, filepath.FromSlash(word)))
		return err == nil
	}
	for _, word := range c.Argv[1:] {
		if word != "" && !strings.HasPrefix(word, "-") && filepath.IsLocal(word) && !there(tree, word) &&
			(there(c.Dir, word) || there(filepath.Dir(c.Dir), word)) {
			return word
		}
	}
	return ""
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
	word := ""
	if said && err != nil {
		word = ownWord(err)
	}
	return Exited(c.called(), j, out, word, "")
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
