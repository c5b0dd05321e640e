package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/glob"
	"github.com/seed-8d4a6081/assent/journal"
)

// Scripted is a Runner that answers from a file, for demonstrations, tests and first steps:
// no model, no network. LoadScripted documents the file.
type Scripted struct {
	// Env is the environment of the commands that answers run; see Command.Env.
	Env []string
	// Grace is how long such a command's group may take to end; 0 is process.DefaultGrace.
	Grace time.Duration
	// Unanswered, if it is set, is told of every request that no answer fits. It may be called from
	// several goroutines at once.
	Unanswered func(req Request)

	name string
	// table is how messages call an answer's table.
	table   string
	answers []*answer

	mu   sync.Mutex
	left map[*answer]int // guarded by mu: how often an answer with times can still be given
	// taken is what a call had of answers with times; guarded by mu.
	taken map[string][]*answer
}

var (
	_ Runner    = (*Scripted)(nil)
	_ TierTaker = (*Scripted)(nil)
)

// TakesTiers is true: an answer is the same whatever the tier.
func (s *Scripted) TakesTiers() bool { return true }

// answer is one [[answer]] table, checked.
type answer struct {
	label, prompt *string
	times         int
	delay         time.Duration
	write         map[string]string
	command       string

	value      json.RawMessage // the answer, unless failure is set
	structured bool
	failure    error
	usage      journal.Usage
}

// Run gives the first answer that fits the call: it waits, writes files, runs the command, and
// then answers or fails.
func (s *Scripted) Run(ctx context.Context, req Request, step Step) (Response, error) {
	if ctx.Err() != nil {
		return Response{}, ended(ctx)
	}
	a := s.take(req)
	if a == nil {
		if s.Unanswered != nil {
			s.Unanswered(req)
		}
		return Response{}, s.noMatch(req)
	}
	if req.ReadOnly && (len(a.write) > 0 || a.command != "") {
		return Response{}, fault.New(fault.AgentFailed,
			fmt.Sprintf("the scripted answer to %s writes or runs something, but the call is read-only", shown(req)), "")
	}
	if err := pause(ctx, a.delay); err != nil {
		return Response{}, err
	}
	if err := writeFiles(req.Cwd, a.write); err != nil {
		return Response{}, err
	}
	for _, path := range slices.Sorted(maps.Keys(a.write)) {
		req.Say(Event{Type: EventTool, Tool: "write", Input: path})
	}
	resp := Response{Usage: a.usage}
	if a.command != "" {
		req.Say(Event{Type: EventTool, Tool: "command", Input: a.command})
		note, err := s.command(ctx, a.command, req, step)
		if resp.Note = note; err != nil {
			return resp, err
		}
	}
	if a.failure != nil {
		return resp, a.failure
	}
	resp.Value, resp.Structured = a.value, a.structured
	req.Say(Event{Type: EventText, Text: said(a.value)})
	return resp, nil
}

// said is a value as an agent would say it: a text as itself, anything else as JSON.
func said(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// take finds the answer to a request and counts it.
func (s *Scripted) take(req Request) *answer {
	prompt := req.Prompt
	if req.asked != "" {
		prompt = req.asked // a repair round asks the same thing
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.answers {
		if a.label != nil && !glob.Match(*a.label, req.Label) || a.prompt != nil && !glob.Match(*a.prompt, prompt) {
			continue
		}
		if a.times > 0 {
			if s.left[a] == 0 {
				continue
			}
			s.left[a]--
			s.taken[req.Call] = append(s.taken[req.Call], a)
		}
		return a
	}
	return nil
}

// ForgetBut takes back the answers with times that other calls than these were given: calls that
// were cut off before their answers were kept, and that are made again.
func (s *Scripted) ForgetBut(kept map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for call, taken := range s.taken {
		if kept[call] {
			continue
		}
		for _, a := range taken {
			s.left[a]++
		}
		delete(s.taken, call)
	}
}

// noMatch shows the call, and the table that would answer it.
func (s *Scripted) noMatch(req Request) error {
	match := "label = " + strconv.Quote(req.Label)
	if req.Label == "" {
		match = "prompt = " + strconv.Quote(shorten(firstLine(req.Prompt), 60)+"*")
	}
	return fault.New(fault.AgentFailed, fmt.Sprintf("%s has no answer (left) for %s", s.name, shown(req)),
		"add to it:\n[["+s.table+"]]\n"+match+"\ntext = \"…\"")
}

// shown is a call as messages show it.
func shown(req Request) string {
	out := "the call " + strconv.Quote(req.Call)
	if req.Label != "" {
		out += ", label " + strconv.Quote(req.Label)
	}
	if req.Phase != "" {
		out += ", phase " + strconv.Quote(req.Phase)
	}
	return out + ", prompt " + strconv.Quote(shorten(req.Prompt, 200))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// pause waits, at most until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ended(ctx)
	}
}

// writeFiles writes an answer's files, in sorted order. os.Root keeps every path inside the
// folder, also when a link is in the way.
func writeFiles(folder string, files map[string]string) error {
	if len(files) == 0 {
		return nil
	}
	if folder == "" {
		folder = "."
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fault.Wrap(err, fault.AgentFailed, "the folder of the call cannot be opened", "")
	}
	defer root.Close()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		name := filepath.FromSlash(path)
		err := root.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = root.WriteFile(name, []byte(files[path]), 0o644)
		}
		if err != nil {
			return fault.Wrap(err, fault.AgentFailed, fmt.Sprintf("the scripted answer cannot write %q", path), "")
		}
	}
	return nil
}

// command runs an answer's command with the fences of a command agent.
func (s *Scripted) command(ctx context.Context, line string, req Request, step Step) (note string, err error) {
	j := NewJob(req, s.Env, nil)
	j.Argv = []string{"/bin/sh", "-c", line}
	if runtime.GOOS == "windows" {
		j.Argv = []string{"cmd", "/C", line}
	}
	j.Grace = s.Grace
	out, err := j.Run(ctx, step)
	shell := &Command{Name: s.name, Argv: j.Argv}
	switch {
	case err != nil:
		return "", NotStarted(j, j.Argv[0], err)
	case out.Over:
		return "", tooLarge(process.DefaultMaxOutput)
	case out.Late:
		return "", ended(ctx)
	case out.Held:
		note = "the command had ended, but something that it started still held its output and was ended"
	}
	if out.State == nil || !out.State.Success() {
		out.Stderr = append(lastBytes(out.Stdout), out.Stderr...)
		return note, shell.failure(j, out, false, nil)
	}
	return note, nil
}

// lastBytes is the end of what a command printed: many say on standard output what went
// wrong.
func lastBytes(text []byte) []byte { return slices.Clone(text[max(0, len(text)-process.StderrShown):]) }
