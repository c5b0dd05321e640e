package options_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/options"
)

var known = []string{"prompt", "headless", "timeoutMs"}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct {
		raw  string
		code fault.Code
		what string
		next string
	}{
		{`{"headles":"abort"}`, fault.OptionUnknown, `gate: unknown option "headles"`, `did you mean "headless"?`},
		{`{"zzzzzzzz":1}`, fault.OptionUnknown, `gate: unknown option "zzzzzzzz"`, `the options are prompt, headless, timeoutMs`},
		{`[1]`, fault.OptionInvalid, `gate: the options must be an object, not [1]`, ``},
		{`"x"`, fault.OptionInvalid, `gate: the options must be an object, not "x"`, ``},
	} {
		_, err := options.Parse("gate", json.RawMessage(c.raw), known)
		var e *fault.Error
		require.ErrorAs(t, err, &e, c.raw)
		require.Equal(t, c.code, e.Code)
		require.Equal(t, c.what, e.What)
		require.Equal(t, c.next, e.Next)
	}
}

func TestNoOptions(t *testing.T) {
	for _, raw := range []string{"", "null", "{}"} {
		s, err := options.Parse("gate", json.RawMessage(raw), known)
		require.NoError(t, err)
		text, err := s.String("prompt", "Go?")
		require.NoError(t, err)
		require.Equal(t, "Go?", text)
		require.False(t, s.Has("prompt"))
	}
}

func TestValuesAreChecked(t *testing.T) {
	s, err := options.Parse("gate", json.RawMessage(`{"prompt":7,"headless":"approve","timeoutMs":1.5}`), known)
	require.NoError(t, err)
	_, err = s.String("prompt", "")
	require.EqualError(t, err, `OPTION_INVALID: gate: the option "prompt" must be a text, not 7`)
	_, err = s.Choice("headless", "", "default", "abort")
	require.EqualError(t, err, `OPTION_INVALID: gate: the option "headless" must be one of "default", "abort", not "approve"`)
	_, err = s.Int("timeoutMs", 0, 1, 100)
	require.EqualError(t, err, `OPTION_INVALID: gate: the option "timeoutMs" must be a whole number from 1 to 100, not 1.5`)
	s, err = options.Parse("gate", json.RawMessage(`{"prompt":null}`), known)
	require.NoError(t, err)
	_, err = s.String("prompt", "")
	require.True(t, fault.Is(err, fault.OptionInvalid), "null is not a text")
}

func TestNearest(t *testing.T) {
	require.Equal(t, "headless", options.Nearest("headles", known))
	require.Equal(t, "timeoutMs", options.Nearest("timeout", known))
	require.Equal(t, "timeoutMs", options.Nearest("TIMEOUT_MS", known))
	require.Empty(t, options.Nearest("colour", known))
}
