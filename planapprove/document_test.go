package planapprove_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/planapprove"
)

const documentSum = "32cb308969ae8c4b9025cdf64027333a46af12b0bc7936419736b43ceecffb08"

func TestDocumentOf(t *testing.T) {
	d, ok := planapprove.DocumentOf(`{"markdown":"# A\n","question":"Go?","title":"T"}`)
	require.True(t, ok)
	require.Equal(t, planapprove.Document{Title: "T", Markdown: "# A\n", Question: "Go?"}, d)
	_, ok = planapprove.DocumentOf(`{"markdown":"","title":"T"}`)
	require.True(t, ok, "an empty text is one")
	for _, plan := range []string{
		`{"markdown":"x"}`, `{"title":"T"}`, `{"markdown":"x","title":""}`, `{"markdown":null,"title":"T"}`, `{"markdown":"x","title":1}`,
		`{"markdown":"x","question":"","title":"T"}`, `{"markdown":"x","question":null,"title":"T"}`,
		`{"markdown":"x","steps":[],"title":"T"}`, `{"markdown":"x","question":"q","steps":[],"title":"T"}`,
		`{"Markdown":"x","title":"T"}`, `["markdown","title"]`, `"markdown"`, `null`,
	} {
		_, ok := planapprove.DocumentOf(plan)
		require.False(t, ok, plan)
	}
}

func arguments(texts ...string) []json.RawMessage {
	var args []json.RawMessage
	for _, text := range texts {
		args = append(args, json.RawMessage(text))
	}
	return args
}

// The prompt of the call wins over the document's question, and that over the usual one.
func TestDocumentQuestion(t *testing.T) {
	for want, args := range map[string][]json.RawMessage{
		"Call's?":                 arguments(`{"title":"T","markdown":"x","question":"Document's?"}`, `{"prompt":"Call's?"}`),
		"Document's?":             arguments(`{"title":"T","markdown":"x","question":"Document's?"}`),
		planapprove.DefaultPrompt: arguments(`{"title":"T","markdown":"x"}`, `{}`),
	} {
		q, err := planapprove.Parse(args)
		require.NoError(t, err)
		require.Equal(t, want, q.Prompt)
	}
	q, err := planapprove.Parse(arguments(`{"title":"T","markdown":"x","question":"Mine?","more":1}`))
	require.NoError(t, err)
	require.Equal(t, planapprove.DefaultPrompt, q.Prompt, "a plan like any other")
	_, err = planapprove.Parse(arguments(`{"title":"T","markdown":"x","question":"Document's?"}`, `{"prompt":""}`))
	require.True(t, fault.Is(err, fault.CheckpointInvalid), "%v", err)
	long, err := json.Marshal(strings.Repeat("?", 64<<10+1))
	require.NoError(t, err)
	_, err = planapprove.Parse(arguments(`{"title":"T","markdown":"x","question":` + string(long) + `}`))
	require.True(t, fault.Is(err, fault.CheckpointInvalid), "%v", err)
}

// The checksum is that of the whole object: echo -n '{"markdown":"x","title":"T"}' | sha256sum.
func TestDocumentChecksum(t *testing.T) {
	q, err := planapprove.NewQuestion(json.RawMessage(`{"title": "T", "markdown": "x"}`), checkpoint.Question{})
	require.NoError(t, err)
	require.Equal(t, `{"markdown":"x","title":"T"}`, q.Plan)
	require.Equal(t, documentSum, q.Checksum)
}

func TestDocumentHasALimit(t *testing.T) {
	document := func(bytes int) json.RawMessage {
		raw, err := json.Marshal(map[string]string{"title": "T", "markdown": strings.Repeat("é", bytes/2) + strings.Repeat("x", bytes%2)})
		require.NoError(t, err)
		return raw
	}
	_, err := planapprove.NewQuestion(document(512<<10), checkpoint.Question{})
	require.NoError(t, err)
	_, err = planapprove.NewQuestion(document(512<<10+1), checkpoint.Question{})
	require.True(t, fault.Is(err, fault.PlanTooLarge), "%v", err)
	require.ErrorContains(t, err, "524289 bytes of Markdown")
}

// The limit is of the Markdown, whatever becomes of it in JSON, where a line end is two bytes and
// U+0001 six.
func TestDocumentOfEscapesHasTheSameLimit(t *testing.T) {
	for _, unit := range []string{"\n", "\x01", "\""} {
		document := func(length int) json.RawMessage {
			raw, err := json.Marshal(map[string]string{"title": "T", "markdown": strings.Repeat(unit, length)})
			require.NoError(t, err)
			return raw
		}
		q, err := planapprove.NewQuestion(document(512<<10), checkpoint.Question{})
		require.NoError(t, err, "%q", unit)
		require.Greater(t, len(q.Plan), planapprove.MaxPlan)
		_, err = planapprove.NewQuestion(document(512<<10+1), checkpoint.Question{})
		require.True(t, fault.Is(err, fault.PlanTooLarge), "%v", err)
		require.ErrorContains(t, err, "524289 bytes of Markdown")
	}
	_, err := planapprove.NewQuestion(json.RawMessage(`{"title":"T","markdown":"x","more":"`+strings.Repeat(`\n`, 512<<10)+`"}`), checkpoint.Question{})
	require.True(t, fault.Is(err, fault.PlanTooLarge), "%v", err)
	require.ErrorContains(t, err, "bytes of canonical text", "what has another member is a plan like any other")
}
