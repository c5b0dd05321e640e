package acp

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/process"
)

// terminal is a command that runs for the agent.
type terminal struct {
	kill  context.CancelFunc
	ended chan struct{} // closed when exit is set
	limit int

	mu        sync.Mutex
	output    []byte
	truncated bool
	exit      sdk.TerminalExitStatus // set before ended is closed
}

// terminals are those of an attempt.
type terminals struct {
	mu      sync.Mutex
	made    int
	open    map[string]*terminal
	running sync.WaitGroup
}

// createTerminal starts a command, if the rules let it or did so before.
func (s *session) createTerminal(ctx context.Context, p sdk.CreateTerminalRequest) (any, error) {
	cwd := deref(p.Cwd)
	if cwd == "" {
		cwd = s.folder.real
	}
	at, dir, name := s.folder.locate(cwd)
	if at == outside || at == reserved || p.Command == "" {
		return nil, refused("a command may run in the folder of this call, and not in %s", cwd)
	}
	var given any = p.Command
	if len(p.Args) > 0 {
		words := []any{p.Command}
		for _, arg := range p.Args {
			words = append(words, arg)
		}
		given = words
	}
	input := map[string]any{"command": given, "cwd": cwd}
	if len(p.Env) > 0 {
		set := map[string]any{}
		for _, v := range p.Env {
			set[v.Name] = v.Value
		}
		input["env"] = set
	}
	t := &tool{
		kinds: []sdk.ToolKind{sdk.ToolKindExecute}, title: strings.Join(append([]string{p.Command}, p.Args...), " "), inputs: []any{input},
	}
	u := s.use(t, true)
	if !s.permitted(commandKey(given, filepath.Join(dir, name), input["env"])) && !s.permit(ctx, t, u) {
		return nil, refused("this command may not be run")
	}
	j, err := s.terminalJob(p, filepath.Join(dir, name), s.rules.recognises(u))
	if err != nil {
		return nil, err
	}
	id, err := s.startTerminal(j, p.OutputByteLimit)
	if err != nil {
		return nil, err
	}
	return sdk.CreateTerminalResponse{TerminalId: id}, nil
}

// terminalJob is the command as a job with an agent's fences. One that runs since it is known to read
// only gets no variables of the agent's, which could make it do more.
func (s *session) terminalJob(p sdk.CreateTerminalRequest, dir string, recognised bool) (process.Job, error) {
	req := s.req
	req.Cwd = dir
	j := agent.NewJob(req, s.r.o.Env, s.r.o.Keep)
	j.Grace = s.r.o.Grace
	if recognised {
		j.Env = append(systemOnly(j.Env, s.folder), looking...)
	}
	for i, v := range p.Env {
		again := slices.ContainsFunc(p.Env[:i], func(before sdk.EnvVariable) bool { return before.Name == v.Name })
		switch {
		case again || v.Name == "" || strings.ContainsAny(v.Name, "=\x00") || strings.ContainsRune(v.Value, 0):
			return process.Job{}, refused("%q is no name of a variable, or is there twice", v.Name)
		case recognised, strings.HasPrefix(strings.ToUpper(v.Name), "ASSENT_"):
			continue
		}
		j.Env = append(j.Env, v.Name+"="+v.Value)
	}
	shell, err := shellFor(p.Command, p.Args)
	if err != nil {
		return process.Job{}, refused("%s cannot be run: %v", p.Command, err)
	}
	j.Argv = shell
	return j, nil
}

// shellFor is the command line of a terminal, with what goes to standard error in its place among the
// rest. A command without arguments is a line of a shell, as agents write it.
func shellFor(command string, args []string) ([]string, error) {
	if strings.ContainsRune(command+strings.Join(args, ""), 0) {
		return nil, fmt.Errorf("it has a zero byte")
	}
	if runtime.GOOS == "windows" {
		if len(args) == 0 {
			return []string{"cmd", "/c", command}, nil
		}
		path, err := exec.LookPath(command)
		return append([]string{path}, args...), err
	}
	if len(args) == 0 {
		return []string{"/bin/sh", "-c", `exec /bin/sh -c "$1" 2>&1`, "sh", command}, nil
	}
	return append([]string{"/bin/sh", "-c", `exec "$@" 2>&1`, "sh", command}, args...), nil
}

// startTerminal starts the job. It ends with the attempt.
func (s *session) startTerminal(j process.Job, limit *int) (string, error) {
	s.terminals.mu.Lock()
	defer s.terminals.mu.Unlock()
	if len(s.terminals.open) >= maxTerminals {
		return "", refused("there are %d terminals already; release some", maxTerminals)
	}
	ctx, cancel := context.WithCancel(s.ctx)
	t := &terminal{kill: cancel, ended: make(chan struct{}), limit: maxTerminalOutput}
	if limit != nil && *limit >= 0 {
		t.limit = min(*limit, maxTerminalOutput)
	}
	j.Lines = t.line
	s.terminals.made++
	id := "terminal-" + strconv.Itoa(s.terminals.made)
	s.terminals.open[id] = t
	s.terminals.running.Go(func() {
		defer close(t.ended)
		defer cancel()
		out, err := j.Run(ctx, s.step)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.exit = statusOf(out, err)
	})
	return id, nil
}

// statusOf is how a command ended; that it could not be started is told as a shell would.
func statusOf(out process.Outcome, err error) sdk.TerminalExitStatus {
	switch {
	case err != nil:
		return sdk.TerminalExitStatus{ExitCode: sdk.Ptr(127)}
	case out.State == nil:
		return sdk.TerminalExitStatus{Signal: sdk.Ptr("killed")}
	case out.State.Exited():
		return sdk.TerminalExitStatus{ExitCode: sdk.Ptr(out.State.ExitCode())}
	}
	return sdk.TerminalExitStatus{Signal: sdk.Ptr(signalOf(out.State))}
}

func signalOf(state *os.ProcessState) string { return strings.TrimPrefix(state.String(), "signal: ") }

// line keeps the end of the output, cut at a character.
func (t *terminal) line(line []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.output = append(append(t.output, line...), '\n')
	if extra := len(t.output) - t.limit; extra > 0 {
		for extra < len(t.output) && !utf8.RuneStart(t.output[extra]) {
			extra++
		}
		t.output = append(t.output[:0], t.output[extra:]...)
		t.truncated = true
	}
}

// terminal finds one that is open.
func (s *session) terminal(id string) (*terminal, error) {
	s.terminals.mu.Lock()
	defer s.terminals.mu.Unlock()
	t := s.terminals.open[id]
	if t == nil {
		return nil, refused("there is no terminal %.100q", id)
	}
	return t, nil
}

func (s *session) terminalOutput(_ context.Context, p sdk.TerminalOutputRequest) (any, error) {
	t, err := s.terminal(p.TerminalId)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	out := sdk.TerminalOutputResponse{Output: strings.ToValidUTF8(string(t.output), "\ufffd"), Truncated: t.truncated}
	select {
	case <-t.ended:
		out.ExitStatus = &t.exit
	default:
	}
	return out, nil
}

func (s *session) awaitTerminal(ctx context.Context, p sdk.WaitForTerminalExitRequest) (any, error) {
	t, err := s.terminal(p.TerminalId)
	if err != nil {
		return nil, err
	}
	select {
	case <-t.ended:
		return sdk.WaitForTerminalExitResponse{ExitCode: t.exit.ExitCode, Signal: t.exit.Signal}, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (s *session) killTerminal(_ context.Context, p sdk.KillTerminalRequest) (any, error) {
	t, err := s.terminal(p.TerminalId)
	if err != nil {
		return nil, err
	}
	t.kill()
	return sdk.KillTerminalResponse{}, nil
}

func (s *session) releaseTerminal(_ context.Context, p sdk.ReleaseTerminalRequest) (any, error) {
	t, err := s.terminal(p.TerminalId)
	if err != nil {
		return nil, err
	}
	t.kill()
	s.terminals.mu.Lock()
	defer s.terminals.mu.Unlock()
	delete(s.terminals.open, p.TerminalId)
	return sdk.ReleaseTerminalResponse{}, nil
}
