package acp

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/redact"
)

// errGone is the end of the agent's output before it answered.
var errGone = errors.New("it ended before it answered")

// refusal is the agent's own error in err, if it is one.
func refusal(err error) *sdk.RequestError {
	own, _ := errors.AsType[*sdk.RequestError](err)
	return own
}

// words are what an agent's error says: its message, and the texts in what it adds.
func words(e *sdk.RequestError) string {
	parts := []string{strings.TrimSpace(e.Message)}
	switch data := e.Data.(type) {
	case string:
		parts = append(parts, data)
	case map[string]any:
		for _, key := range []string{"details", "message", "error", "reason"} {
			if text, ok := data[key].(string); ok && !strings.Contains(e.Message, text) {
				parts = append(parts, text)
			}
		}
		if len(parts) == 1 && len(data) > 0 {
			if text, err := json.Marshal(data); err == nil {
				parts = append(parts, string(text))
			}
		}
	}
	return cut(redact.Text(strings.ToValidUTF8(strings.Join(parts, ": "), "?"), nil), messageShown)
}

// What agents say when their provider's plan is used up, and of a model that there is not. The protocol
// has no codes for either.
var (
	limitWords = regexp.MustCompile(`(?i)\b(usage limit|rate.?limit\w*|too many requests|API Error: 429|limit reached|quota (exceeded|exhausted|used up)|exceeded your (current )?quota|insufficient_quota|usage_limit_reached|(hit|reached) your (\S+ )?limit|out of (extra )?(credits|usage)|RESOURCE_EXHAUSTED|credit balance is too low)\b`)
	modelWords = regexp.MustCompile(`(?i)(\bmodel\b.{0,80}\b(not found|not exist|unknown|not supported|not available|invalid|no access)\b|\b(unknown|invalid|unsupported|no such) model\b|model_not_found|\bissue with the selected model\b)`)
	resetWords = regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)|\|(\d{10})\b`)
)

// failure is an agent's own error as ours.
func (s *session) failure(doing string, err error) error {
	own := refusal(err)
	if own == nil {
		return err
	}
	text := words(own)
	switch {
	case own.Code == authRequired:
		return s.signIn(cut(redact.Text(own.Message, nil), messageShown))
	case limitWords.MatchString(text):
		return agent.LimitReached(text, resetIn(text, time.Now()))
	case modelWords.MatchString(text):
		return agent.Unable("model", text)
	}
	return fault.New(fault.AgentFailed, fmt.Sprintf("%s failed at %s: %s (code %d)", s.r.called(), doing, text, own.Code), "")
}

// resetIn finds the time from which work can go on, if the agent gives one: RFC 3339, or seconds since
// 1970 behind a bar; or else as Claude Code words it.
func resetIn(text string, now time.Time) time.Time {
	found := resetWords.FindStringSubmatch(text)
	if found == nil {
		return runners.ClaudeReset(text, now)
	}
	if found[4] != "" {
		var seconds int64
		if _, err := fmt.Sscan(found[4], &seconds); err == nil {
			return time.Unix(seconds, 0).UTC()
		}
	}
	at, err := time.Parse(time.RFC3339, found[0])
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// signIn is the error of an agent that nobody is signed in to.
func (s *session) signIn(text string) error {
	next := "start " + strings.Join(s.r.o.Command, " ") + " by hand and sign in, then run again"
	if known := presetOf(s.r.program()).SignIn; known != "" {
		next = known
	} else if ways := s.waysIn(); ways != "" {
		next = "sign in with the agent's own program, then run again   # " + ways
	}
	return fault.New(fault.AgentFailed, s.r.called()+" is not signed in: "+text, next)
}

// waysIn names the agent's ways to sign in.
func (s *session) waysIn() string {
	var ways []string
	for _, m := range s.methods[:min(len(s.methods), 8)] {
		switch {
		case m.EnvVar != nil:
			var names []string
			for _, v := range m.EnvVar.Vars {
				names = append(names, v.Name)
			}
			ways = append(ways, "set "+strings.Join(names, " and "))
		case m.Terminal != nil:
			ways = append(ways, strings.TrimSpace(m.Terminal.Name+" "+strings.Join(m.Terminal.Args, " ")))
		case m.Agent != nil:
			ways = append(ways, m.Agent.Name)
		}
	}
	return cut(strings.ReplaceAll(strings.ToValidUTF8(strings.Join(ways, "; or "), "?"), "\n", " "), 500)
}
