package runners

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/process"
)

// headless is one attempt at a program that prints an event a line, and what became of it.
type headless struct {
	Options
	// argv are the arguments after Options.Args, stdin the input, environ what is set beside the
	// filtered environment, most the cap on the output where Options has none; 0 is process's own.
	argv    []string
	stdin   string
	environ []string
	most    int64
	// event is handed each line that is a JSON object, but for those that begin with one of skip. Its error
	// is that a line of a known kind is not of the shape that it has.
	event func(line []byte) error
	skip  []string

	job process.Job
	out process.Outcome
	// damaged is the beginning of the first line that should have been an event, damage what is wrong with it.
	damaged []byte
	damage  string
}

// damagedShown is how much of a damaged line is kept for the error.
const damagedShown = 4 << 10

// called is how messages call the agent.
func (o Options) called(kind string) string { return "the agent " + cmp.Or(o.Name, kind) }

// run starts the program and waits for its end. The error is that of a program that was not there, or
// whose end was not its own; how it ended otherwise is for the caller to judge.
func (h *headless) run(ctx context.Context, req agent.Request, step agent.Step, program string) error {
	if ctx.Err() != nil {
		return agent.Ended(ctx)
	}
	program = cmp.Or(h.Program, program)
	path, err := agent.FindProgram(program, h.Dir)
	if err != nil {
		return err
	}
	h.job = agent.NewJob(req, h.Env, h.Keep)
	h.job.Argv = append(append([]string{path}, h.Args...), h.argv...)
	h.job.Dir = cmp.Or(h.job.Dir, h.Dir)
	h.job.Env = append(h.job.Env, h.environ...)
	h.job.Stdin = []byte(h.stdin)
	h.job.MaxOutput, h.job.Grace = cmp.Or(h.MaxOutput, h.most), h.Grace
	h.job.Lines = h.line
	h.out, err = h.job.Run(ctx, step)
	switch {
	case err != nil:
		return agent.NotStarted(h.job, program, err)
	case h.out.Late:
		return agent.Ended(ctx)
	case h.out.Over:
		if h.out.LongLine {
			return agent.LineTooLarge(process.DefaultMaxOutput)
		}
		return agent.TooLarge(cmp.Or(h.job.MaxOutput, process.DefaultMaxStream))
	}
	return nil
}

// line tells an event from talk and from what is left of one.
func (h *headless) line(line []byte) {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0 || line[0] != '{':
	case slices.ContainsFunc(h.skip, func(start string) bool { return bytes.HasPrefix(line, []byte(start)) }):
	case !utf8.Valid(line) || !json.Valid(line):
		h.broken(line, "a line is no JSON object")
	default:
		if err := h.event(line); err != nil {
			h.broken(line, err.Error())
		}
	}
}

// broken keeps the first line that is damaged. No answer is taken from such a stream: what was said
// before it is none, and what it would have said is not known.
func (h *headless) broken(line []byte, what string) {
	if h.damaged == nil {
		h.damaged, h.damage = bytes.Clone(line[:min(len(line), damagedShown)]), what
	}
}

// unusable is the error of a stream that is damaged.
func (h *headless) unusable(called string) error {
	return agent.Unusable(called+" printed an event that is damaged", h.damaged, h.damage)
}

// note is a remark about how the program ended.
func (h *headless) note() string {
	if h.out.Held {
		return "the agent had ended, but something that it started still held its output and was ended"
	}
	return ""
}

// notes joins remarks.
func notes(all ...string) string {
	var kept []string
	for _, n := range all {
		if n != "" {
			kept = append(kept, n)
		}
	}
	return strings.Join(kept, "; ")
}

// withSchema is a prompt that asks for a value of a schema, for a program that is not told of it in
// another way. Without a schema it is the prompt.
func withSchema(prompt string, schema json.RawMessage) string {
	if len(schema) == 0 {
		return prompt
	}
	return prompt + "\n\nAnswer with one JSON value that satisfies this JSON Schema, and nothing else:\n" + string(schema)
}

// scrap is a file in a folder of its own, outside of every repository, that only this user can read;
// remove removes both.
func scrap(name string, content []byte) (path string, remove func(), err error) {
	folder, err := os.MkdirTemp("", "assent-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(folder) }
	path = filepath.Join(folder, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

// passed is the environment that the program gets.
func (o Options) passed() []string { return process.New(o.Dir, "", o.Env, o.Keep).Env }

// variable is the value that a variable has in an environment.
func variable(environ []string, name string) string {
	value := ""
	for _, v := range environ {
		if given, ok := strings.CutPrefix(v, name+"="); ok {
			value = given
		}
	}
	return value
}

// homeIn is the user's own folder in an environment.
func homeIn(environ []string) string {
	if runtime.GOOS == "windows" {
		return variable(environ, "USERPROFILE")
	}
	return variable(environ, "HOME")
}

// looking is how long a program may take to say what it is.
const looking = 10 * time.Second

// lookMost caps what a program may print about itself.
const lookMost = 1 << 20

// look runs a program for a Probe, and gives what it printed, wherever it printed it to. Its error says
// what happened if that was not its end with exit code 0. Nothing that it started goes on.
func (o Options) look(ctx context.Context, path string, args ...string) (text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, looking)
	defer cancel()
	j := process.New(o.Dir, "probe/"+filepath.Base(path), o.Env, o.Keep)
	j.Argv = append(append([]string{path}, o.Args...), args...)
	j.Grace, j.MaxOutput = o.Grace, lookMost
	j.ReadOnly()
	out, err := j.Run(ctx, nil)
	asked := filepath.Base(path) + " " + strings.Join(args, " ")
	switch {
	case err != nil:
		return "", fmt.Errorf("it cannot be started: %w", err)
	case out.Late:
		return "", fmt.Errorf("`%s` did not end within %s, and was ended", asked, looking)
	case out.Over:
		return "", fmt.Errorf("`%s` printed more than %d bytes, and was ended", asked, lookMost)
	}
	text = strings.TrimSpace(string(out.Stdout))
	if text == "" {
		text = process.LastOf(out.Stderr, j.Env)
	}
	switch {
	case out.Success():
		return text, nil
	case out.State == nil:
		return text, fmt.Errorf("`%s` could not be ended", asked)
	case text == "":
		return "", fmt.Errorf("`%s` ended with %s, and said nothing", asked, out.State)
	}
	return text, fmt.Errorf("`%s` ended with %s: %s", asked, out.State, process.LastOf([]byte(lastLine(text)), j.Env))
}
