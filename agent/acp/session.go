package acp

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/redact"
)

// session is one attempt's conversation with an agent.
type session struct {
	r       *Runner
	req     agent.Request
	step    agent.Step
	env     []string // the agent's
	folder  folder
	rules   rules
	granted map[string]bool // guarded by mu: what was allowed and not done yet

	// Set by talk before the agent is heard.
	ctx  context.Context // ends with the conversation
	stop context.CancelFunc
	wire *wire
	conn *sdk.Connection
	in   *input

	// Set by talk, and read by it and after it.
	info    *sdk.Implementation
	methods []sdk.AuthMethod
	answer  sdk.PromptResponse

	mu      sync.Mutex
	barred  string         // guarded by mu: the last tool that it was not let use
	id      sdk.SessionId  // guarded by mu for all but talk, which sets it
	over    bool           // guarded by mu
	working sync.WaitGroup // messages that are being dealt with

	transcript transcript
	terminals  terminals
}

func (r *Runner) session(req agent.Request, step agent.Step, env []string) (*session, error) {
	f, err := openFolder(req.Cwd, req.Scratch)
	if err != nil {
		return nil, fault.Wrap(err, fault.AgentFailed, "the agent's folder cannot be opened", "")
	}
	return &session{
		r: r, req: req, step: step, env: env, folder: f,
		rules:      rules{readOnly: req.ReadOnly, mode: req.PermissionMode, isolated: req.Isolated, person: req.Ask != nil},
		granted:    map[string]bool{},
		transcript: transcript{tools: map[sdk.ToolCallId]*tool{}},
		terminals:  terminals{open: map[string]*terminal{}},
	}, nil
}

// connect puts the library between the pipes.
func (s *session) connect(ctx context.Context, in io.WriteCloser, out io.Reader) {
	s.ctx, s.stop = context.WithCancel(ctx)
	s.wire = newWire(out, cmp.Or(s.r.o.MaxOutput, process.DefaultMaxStream), s.heard, func() {
		s.stop()
		_ = in.Close() // for a request that the agent does not read
	})
	s.in = &input{Writer: in}
	s.conn = sdk.NewConnection(s.handle, s.in, s.wire)
	s.conn.SetLogger(slog.New(slog.DiscardHandler))
	close(s.wire.ready)
}

// end lets nothing more happen, and waits for what is under way. The pipes are closed by then.
func (s *session) end() {
	if s.conn == nil {
		return
	}
	s.shut()
	<-s.conn.Done()
	s.working.Wait()
	s.terminals.running.Wait()
}

// shut has what is under way end, and refuses what comes.
func (s *session) shut() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.stop()
	s.wire.close()
}

// talk converses with the agent: Job.Talk.
func (s *session) talk(ctx context.Context, in io.WriteCloser, out io.Reader) error {
	s.connect(ctx, in, out)
	defer s.shut()
	if err := s.open(); err != nil {
		return err
	}
	return s.prompt(ctx)
}

// open begins the session.
func (s *session) open() error {
	if err := s.initialize(); err != nil {
		return err
	}
	made, err := s.begin()
	if err != nil {
		return s.failure("the start of a session", err)
	}
	s.mu.Lock()
	s.id = made.SessionId
	s.mu.Unlock()
	if s.id == "" {
		return agent.Unusable(s.r.called()+" gave its session no id", nil)
	}
	s.say(agent.Event{Type: agent.EventSession, Text: cut(string(s.id), eventShown)})
	if err := s.choose(s.ctx, made); err != nil {
		return err
	}
	s.begins(made.Meta)
	return nil
}

// initialize agrees on the version of the protocol.
func (s *session) initialize() error {
	got, err := request[sdk.InitializeResponse](s.ctx, s, sdk.AgentMethodInitialize, sdk.InitializeRequest{
		ProtocolVersion: sdk.ProtocolVersionNumber,
		ClientInfo:      &sdk.Implementation{Name: "assent", Version: "1"},
		ClientCapabilities: sdk.ClientCapabilities{
			Fs: sdk.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true}, Terminal: true,
		},
	})
	if err != nil {
		return s.failure("the greeting", err)
	}
	s.info, s.methods = got.AgentInfo, got.AuthMethods
	if got.ProtocolVersion != sdk.ProtocolVersionNumber {
		return fault.New(fault.AgentFailed,
			fmt.Sprintf("%s speaks version %d of the agent client protocol, and not %d", s.r.called(), got.ProtocolVersion, sdk.ProtocolVersionNumber),
			"install another version of it")
	}
	return nil
}

// begin makes the session. An agent that wants to be signed in to by variables which it has got is told
// to use them.
func (s *session) begin() (sdk.NewSessionResponse, error) {
	ask := sdk.NewSessionRequest{Cwd: s.folder.real, McpServers: []sdk.McpServer{}, Meta: s.hints()}
	made, err := request[sdk.NewSessionResponse](s.ctx, s, sdk.AgentMethodSessionNew, ask)
	own := refusal(err)
	if own == nil || own.Code != authRequired {
		return made, err
	}
	for _, m := range s.methods {
		if m.EnvVar == nil || !s.hasAll(m.EnvVar.Vars) {
			continue
		}
		if _, err := request[sdk.AuthenticateResponse](s.ctx, s, sdk.AgentMethodAuthenticate, sdk.AuthenticateRequest{MethodId: m.EnvVar.Id}); err != nil {
			return made, err
		}
		return request[sdk.NewSessionResponse](s.ctx, s, sdk.AgentMethodSessionNew, ask)
	}
	return made, err
}

func (s *session) hasAll(vars []sdk.AuthEnvVar) bool {
	return len(vars) > 0 && !slices.ContainsFunc(vars, func(v sdk.AuthEnvVar) bool {
		return !v.Optional && !slices.ContainsFunc(s.env, func(e string) bool { return strings.HasPrefix(e, v.Name+"=") && len(e) > len(v.Name)+1 })
	})
}

// hints are for Claude Code's adapter, which takes its program's own options beside the protocol; other
// agents leave them alone, as the protocol has them do. In a call that only reads, what stands in the
// repository sets no rule, hook or server.
func (s *session) hints() map[string]any {
	options := map[string]any{}
	barred := slices.Clone(s.req.DisallowedTools)
	if s.rules.readOnly {
		options["settingSources"], options["strictMcpConfig"] = []string{"user"}, true
		if s.req.Scratch == "" {
			barred = append(barred, "Write", "Edit", "MultiEdit", "NotebookEdit")
		}
	}
	if len(barred) > 0 {
		options["disallowedTools"] = barred
	}
	if s.req.Tools != nil {
		options["tools"] = s.req.Tools
	}
	if len(options) == 0 {
		return nil
	}
	return map[string]any{"claudeCode": map[string]any{"options": options}}
}

// prompt asks, and waits for the end of the turn. When ctx ends, the agent is told and has a moment to
// say what it used.
func (s *session) prompt(ctx context.Context) error {
	asking, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	done := make(chan error, 1)
	go func() {
		var err error
		s.answer, err = request[sdk.PromptResponse](asking, s, sdk.AgentMethodSessionPrompt,
			sdk.PromptRequest{SessionId: s.id, Prompt: []sdk.ContentBlock{sdk.TextBlock(promptText(s.req))}})
		done <- err
	}()
	var err error
	select {
	case err = <-done:
	case <-s.ctx.Done():
		if ctx.Err() != nil {
			go func() {
				_ = s.conn.SendNotification(asking, sdk.AgentMethodSessionCancel, sdk.CancelNotification{SessionId: s.id})
			}()
			select {
			case err = <-done:
				return s.judged(err)
			case <-time.After(s.r.leave()):
			}
		}
		cancel()
		err = <-done
	}
	return s.judged(err)
}

// judged is nil for a turn that came to its end.
func (s *session) judged(err error) error {
	if err != nil {
		return s.failure("the prompt", err)
	}
	switch reason := s.answer.StopReason; reason {
	case sdk.StopReasonEndTurn:
		return nil
	case sdk.StopReasonMaxTokens:
		return s.stopped("it came to the most tokens that it may use (max_tokens)", "ask for less, or raise the agent's limit")
	case sdk.StopReasonMaxTurnRequests:
		return s.stopped("it came to the most requests to its model in one turn (max_turn_requests)", "ask for less, or raise the agent's limit")
	case sdk.StopReasonRefusal:
		why := "it refused (refusal)"
		if said := strings.TrimSpace(s.finish()); said != "" {
			why += ": " + cut(redact.Text(said, s.env), messageShown)
		}
		return s.stopped(why, "")
	case sdk.StopReasonCancelled:
		why := "it says that it was cancelled"
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.barred != "" { // some agents end their turn with a refusal
			why += "; it was not let use " + s.barred
		}
		return s.stopped(why, "")
	default:
		return s.stopped(fmt.Sprintf("it ended for the reason %.100q", string(reason)), "")
	}
}

func (s *session) stopped(why, next string) error {
	return fault.New(fault.AgentFailed, s.r.called()+" did not come to an end: "+why, next)
}

// request asks the agent for something, one thing at a time.
func request[T any](ctx context.Context, s *session, method string, params any) (result T, err error) {
	answered := s.wire.ask(method == sdk.AgentMethodSessionPrompt)
	defer answered()
	defer func() {
		if p := recover(); p != nil { // from the reading of what the agent sent
			err = agent.Unusable(s.r.called()+" answered "+method+" with what cannot be read", nil)
		}
	}()
	if method != sdk.AgentMethodSessionPrompt {
		late := fault.New(fault.AgentFailed, fmt.Sprintf("%s did not answer %s within %s", s.r.called(), method, startTime), "")
		limited, cancel := context.WithTimeoutCause(ctx, startTime, late)
		defer cancel()
		ctx = limited
	}
	result, err = sdk.SendRequest[T](s.conn, ctx, method, params)
	switch {
	case err == nil:
		return result, nil
	case ctx.Err() != nil: // the library makes an error of the agent's of it
		return result, context.Cause(ctx)
	}
	select {
	case <-s.conn.Done(): // an answer that came would have held it open
		return result, errGone
	default:
	}
	if s.in.broken.Load() {
		return result, errGone
	}
	return result, err
}

// input is the agent's, and knows whether it still takes anything: the library gives that out as an
// error of the agent's own.
type input struct {
	io.Writer
	broken atomic.Bool
}

func (i *input) Write(p []byte) (int, error) {
	n, err := i.Writer.Write(p)
	if err != nil {
		i.broken.Store(true)
	}
	return n, err
}
