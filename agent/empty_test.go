package agent_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
)

// An agent that says nothing succeeds with an empty text, and the record remarks upon it. With a
// schema, the schema says whether that is an answer.
func TestEmptyAnswerIsRemarked(t *testing.T) {
	for name, c := range map[string]struct{ options, value, before, want string }{
		"nothing":     {`{}`, `""`, "", "the agent's answer is empty"},
		"another too": {`{}`, `""`, "held", "held; the agent's answer is empty"},
		"something":   {`{}`, `" "`, "", ""},
		"schema":      {`{"schema":{"type":"string"}}`, `""`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := runnerFunc(func(context.Context, agent.Request) (agent.Response, error) {
				return agent.Response{Value: json.RawMessage(c.value), Note: c.before, Structured: true}, nil
			})
			got, err := agent.Do(t.Context(), r, parse(t, c.options), agent.Request{}, nil)
			require.NoError(t, err)
			require.Equal(t, c.want, got.Note)
			require.JSONEq(t, c.value, string(got.Value))
		})
	}
}
