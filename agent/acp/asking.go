package acp

import (
	"context"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/seed-8d4a6081/assent/agent"
)

// permission answers an agent that asks whether it may use a tool.
func (s *session) permission(ctx context.Context, p sdk.RequestPermissionRequest) (any, error) {
	c := p.ToolCall
	s.transcript.mu.Lock()
	t := s.transcript.tool(c.ToolCallId).clone()
	s.transcript.mu.Unlock()
	t.asks(c)
	may := s.permit(ctx, t, s.use(t, false))
	option := optionFor(p.Options, may)
	if ctx.Err() != nil { // as the protocol has it for what waits when a turn is cancelled
		may, option = false, ""
	}
	if may && option == "" {
		s.say(agent.Event{Type: agent.EventPermission, Tool: t.called(), Failed: true, Text: "the agent cannot be let do it for this once only"})
		may, option = false, optionFor(p.Options, false)
	}
	if may {
		s.grant(t)
	}
	return answer(option), nil
}

// answer chooses an option, or none.
func answer(option sdk.PermissionOptionId) sdk.RequestPermissionResponse {
	if option == "" {
		return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeCancelled()}
	}
	return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeSelected(option)}
}

// permit decides by the rules, and by a person where they say so, and tells of it.
func (s *session) permit(ctx context.Context, t *tool, u use) bool {
	verdict, why := s.rules.decide(u)
	may := verdict == allowed
	shown, whole := t.shown()
	switch {
	case verdict == asked && !whole:
		why = "it is too long to be shown to a person, who would allow what they cannot see"
	case verdict == asked:
		var err error
		may, err = s.req.Ask(ctx, agent.Permission{Tool: t.called(), Title: cut(t.title, messageShown), Input: shown})
		switch {
		case err != nil:
			may, why = false, "nobody could be asked: "+err.Error()
		case may:
			why = "a person allowed it"
		default:
			why = "a person did not allow it"
		}
	}
	s.say(agent.Event{Type: agent.EventPermission, Tool: t.called(), Input: cut(either(shown, t.inputText()), eventShown), Text: why, Failed: !may})
	if !may {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.barred = t.called()
	}
	return may
}

// use is what the rules look at in the use of a tool; ours says that the command would be started here.
func (s *session) use(t *tool, ours bool) use {
	return t.use(s.folder, func(dir string) bool { return s.gitLooks(dir, ours) })
}

// grant keeps what was shown and allowed, so that an agent that asked and then has it done by us is not
// asked about twice.
func (s *session) grant(t *tool) {
	keys := t.keys(s.folder)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		if len(s.granted) < maxTools {
			s.granted[key] = true
		}
	}
}

// permitted reports whether that was allowed, and uses it up: leave is for once.
func (s *session) permitted(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ok := s.granted[key]
	delete(s.granted, key)
	return ok
}
