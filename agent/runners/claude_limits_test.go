package runners_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

func TestClaudeLimits(t *testing.T) {
	limit := func(t *testing.T, lines ...string) *agent.LimitError {
		t.Helper()
		_, _, err := attempt(t, "claude", prints(t, lines...))
		require.Equal(t, fault.UsageLimit, fault.CodeOf(err), "%v", err)
		l, ok := errors.AsType[*agent.LimitError](err)
		require.True(t, ok)
		return l
	}
	at := time.Unix(1_796_085_000, 0).UTC()
	event := `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1796085000,"rateLimitType":"five_hour"}}`
	require.Equal(t, at, limit(t, append([]string{event}, claudeFailed("rate_limit", "429", "You've hit your session limit · resets 3pm (UTC)")...)...).Reset, "the event is exact")
	old := `{"type":"result","subtype":"success","is_error":true,"result":"Claude AI usage limit reached|1796085000"}`
	require.Equal(t, at, limit(t, old).Reset)
	require.True(t, limit(t, claudeFailed("rate_limit", "429", "API Error: Request rejected (429) · slow down")...).Reset.IsZero())

	// In words, a full hour or minute, at most a day away.
	soon := time.Now().UTC().Add(90 * time.Minute).Truncate(time.Minute)
	word := "You've hit your session limit · resets " + soon.Format("3:04pm") + " (UTC)"
	require.Equal(t, soon, limit(t, claudeFailed("rate_limit", "429", word)...).Reset)
}

func TestClaudeReset(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	now := time.Date(2026, 12, 30, 22, 15, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"You've hit your session limit · resets 11pm (UTC)":               time.Date(2026, 12, 30, 23, 0, 0, 0, time.UTC),
		"You've hit your session limit · resets 12:30am (UTC)":            time.Date(2026, 12, 31, 0, 30, 0, 0, time.UTC),
		"You've hit your session limit · resets 10pm (UTC)":               time.Date(2026, 12, 31, 22, 0, 0, 0, time.UTC),
		"You've hit your weekly limit · resets 11:45pm (Europe/Berlin)":   time.Date(2026, 12, 30, 23, 45, 0, 0, berlin),
		"You've hit your Opus limit · resets Jan 2, 3pm (UTC)":            time.Date(2027, 1, 2, 15, 0, 0, 0, time.UTC),
		"You've hit your weekly limit · resets Jan 2, 2027, 3:05pm (UTC)": time.Date(2027, 1, 2, 15, 5, 0, 0, time.UTC),
		"5-hour limit reached · resets 11pm":                              time.Date(2026, 12, 30, 23, 0, 0, 0, time.UTC),
		"Claude AI usage limit reached|1796085000":                        time.Unix(1_796_085_000, 0),
		"Claude AI usage limit reached|1796085000123":                     time.Unix(1_796_085_000, 0),
		"resets 3pm (Nowhere/AtAll)":                                      {},
		"resets 25pm (UTC)":                                               {},
		"resets Foo 9, 3pm (UTC)":                                         {},
		"API Error: slow down":                                            {},
	} {
		require.True(t, want.Equal(runners.ClaudeReset(text, now)), "%s: %s", text, runners.ClaudeReset(text, now))
	}
}
