package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/coder/acp-go-sdk"
)

// handle deals with one request of the agent: the library's MethodHandler. Nothing that an agent
// sends may end this process.
func (s *session) handle(ctx context.Context, method string, params json.RawMessage) (result any, failed *sdk.RequestError) {
	defer s.wire.done()
	if !s.enter() {
		return nil, refused("the session is over")
	}
	defer s.working.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(s.ctx, cancel)
	defer stop()
	result, err := s.guarded(ctx, method, params)
	if err == nil {
		return result, nil
	}
	if own := refusal(err); own != nil {
		return nil, own
	}
	return nil, &sdk.RequestError{Code: internalError, Message: err.Error()}
}

// heard deals with one update. Its error is nobody's: an update that cannot be read says nothing.
func (s *session) heard(params json.RawMessage) {
	if !s.enter() {
		return
	}
	defer s.working.Done()
	_, _ = s.guarded(s.ctx, sdk.ClientMethodSessionUpdate, params)
}

// guarded is dispatch, whatever the agent's message does to it.
func (s *session) guarded(ctx context.Context, method string, params json.RawMessage) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, errors.New("this message cannot be dealt with")
			s.say(note("a message of the agent could not be dealt with: "+cut(method, 100), true))
		}
	}()
	return s.dispatch(ctx, method, params)
}

// enter reports whether the session goes on, and has its end wait for this message.
func (s *session) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return false
	}
	s.working.Add(1)
	return true
}

func (s *session) dispatch(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case sdk.ClientMethodSessionUpdate:
		return on(ctx, s, params, s.update)
	case sdk.ClientMethodSessionRequestPermission:
		return on(ctx, s, params, s.permission)
	case sdk.ClientMethodFsReadTextFile:
		return on(ctx, s, params, s.readFile)
	case sdk.ClientMethodFsWriteTextFile:
		return on(ctx, s, params, s.writeFile)
	case sdk.ClientMethodTerminalCreate:
		return on(ctx, s, params, s.createTerminal)
	case sdk.ClientMethodTerminalOutput:
		return on(ctx, s, params, s.terminalOutput)
	case sdk.ClientMethodTerminalWaitForExit:
		return on(ctx, s, params, s.awaitTerminal)
	case sdk.ClientMethodTerminalKill:
		return on(ctx, s, params, s.killTerminal)
	case sdk.ClientMethodTerminalRelease:
		return on(ctx, s, params, s.releaseTerminal)
	}
	return nil, &sdk.RequestError{Code: methodMissing, Message: fmt.Sprintf("there is no method %.100q", method)}
}

// on reads the parameters of a message, and has do carry it out if it is for this session. The
// library's own checks are left out: they take an empty file for a missing one.
func on[P any](ctx context.Context, s *session, params json.RawMessage, do func(context.Context, P) (any, error)) (any, error) {
	var to struct {
		SessionID sdk.SessionId `json:"sessionId"`
	}
	var p P
	if err := errors.Join(json.Unmarshal(params, &to), json.Unmarshal(params, &p)); err != nil {
		return nil, refused("the parameters cannot be read: %v", err)
	}
	s.mu.Lock()
	own := s.id
	s.mu.Unlock()
	if own == "" || to.SessionID != own {
		return nil, refused("there is no such session here")
	}
	return do(ctx, p)
}
