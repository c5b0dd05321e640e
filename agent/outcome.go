package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/redact"
)

// What a runner's attempt came to: all runners say it in these words.

// FindProgram finds an agent's program: a name by PATH, a relative path from dir. The error is
// AGENT_NOT_CONFIGURED.
func FindProgram(program, dir string) (string, error) {
	if program == "" {
		return "", fault.New(fault.AgentNotConfigured, "the agent has no command", "give one, such as --agent 'my-agent --json'")
	}
	name := program
	if strings.ContainsAny(name, `/`+string(filepath.Separator)) && !filepath.IsAbs(name) {
		abs, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		name = abs
	}
	path, err := exec.LookPath(name)
	if info, statErr := os.Stat(name); errors.Is(err, fs.ErrPermission) && statErr == nil && info.Mode().IsRegular() {
		return "", fault.Wrap(err, fault.AgentNotConfigured, fmt.Sprintf("the agent's program %q may not be executed", program), "chmod +x "+quoted(name))
	}
	if err != nil {
		return "", fault.Wrap(err, fault.AgentNotConfigured, fmt.Sprintf("the agent's program %q cannot be started", program),
			"install it, or name another one with --agent")
	}
	return path, nil
}

// NotStarted is the error of a job that could not be started: it tells a folder that is not there from
// a program that cannot run.
func NotStarted(j process.Job, program string, err error) error {
	if info, statErr := os.Stat(j.Dir); j.Dir != "" && (statErr != nil || !info.IsDir()) {
		return fault.New(fault.AgentFailed, fmt.Sprintf("the agent's folder %s is not there", j.Dir), "")
	}
	return fault.Wrap(err, fault.AgentNotConfigured, fmt.Sprintf("the agent's program %q cannot be started", program),
		"see that it may be executed")
}

// Exited is AGENT_FAILED of a program that ended: how, its own word if it gave one, and the end of
// what it wrote to standard error. called is "the agent NAME".
func Exited(called string, j process.Job, out process.Outcome, word, next string) error {
	what := called + " failed"
	switch {
	case out.State == nil:
		what += " and could not be ended"
	case out.State.Exited():
		what += fmt.Sprintf(" with exit code %d", out.State.ExitCode())
	default:
		what += " (" + out.State.String() + ")"
	}
	if word != "" {
		what += ": " + shorten(redact.Text(strings.TrimSpace(word), j.Env), process.StderrShown)
	}
	if text := process.LastOf(out.Stderr, j.Env); text != "" {
		what += "; standard error ends: " + text
	}
	return fault.New(fault.AgentFailed, what, next)
}

// Ended is the error of an attempt that ended because its ctx did: AGENT_TIMEOUT if its time was up,
// else that of a cancelled call.
func Ended(ctx context.Context) error { return ended(ctx) }

// LimitReached is USAGE_LIMIT with the agent's own word; reset is zero if the agent did not say when
// work can go on.
func LimitReached(message string, reset time.Time) error {
	limit := &LimitError{Message: redact.Text(message, nil)}
	if !reset.IsZero() {
		limit.Reset = reset.UTC()
	}
	return fault.Wrap(limit, fault.UsageLimit, "the agent's provider refuses more work at present", "resume the run later")
}

// Unable is AGENT_UNABLE: the agent has no such what, which is "model", "effort" or "mode".
func Unable(what, message string) error {
	return fault.Wrap(&UnableError{What: what, Message: redact.Text(message, nil)}, fault.AgentUnable,
		"the agent does not have the "+what+" that was asked for", "name one that it has")
}

// Unusable is AGENT_ANSWER_INVALID: raw is what the agent said.
func Unusable(what string, raw []byte, problems ...string) error { return bad(what, raw, problems...) }

// TooLarge is AGENT_OUTPUT_TOO_LARGE.
func TooLarge(limit int64) error { return tooLarge(limit) }

// LineTooLarge is AGENT_OUTPUT_TOO_LARGE of an agent one of whose lines passed the limit of a line.
func LineTooLarge(limit int64) error {
	return fault.New(fault.AgentOutputTooLarge, fmt.Sprintf("the agent printed a line of more than %d bytes", limit),
		"have the agent write large results to a file and answer with its path")
}

// Text is a text as the value of a Response.
func Text(text string) (json.RawMessage, error) { return quote(text) }
