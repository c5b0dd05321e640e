package runners_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

// claudeUsed is an answer of claude's with a report of its usage, which may be none.
func claudeUsed(report string) []string {
	return []string{
		`{"type":"assistant","message":{"id":"m","content":[],"usage":{"input_tokens":7,"output_tokens":2}}}`,
		`{"type":"result","subtype":"success","is_error":false,"result":"ok",` + report + `}`,
	}
}

func codexUsed(report ...string) []string {
	lines := []string{codexThread, codexDone, `{"type":"turn.completed","usage":{"input_tokens":7,"output_tokens":2}}`}
	for _, r := range report {
		lines = append(lines, `{"type":"turn.completed","usage":`+r+`}`)
	}
	return lines
}

func piUsed(report string) []string {
	return []string{
		piSession, piStart,
		`{"type":"message_end","message":{"role":"assistant","content":[],"usage":{"input":7,"output":2},"stopReason":"toolUse"}}`,
		`{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"ok"}],"usage":` + report + `,"stopReason":"stop"}}`,
		piEnd,
	}
}

// A usage that cannot be counted is no answer, as of an agent of the protocol: a budget could not be held
// against it. What could be counted is, and nothing makes it less.
func TestUsageThatCannotBeCounted(t *testing.T) {
	const most = "9223372036854775807"
	type program struct {
		kind  string
		lines []string
	}
	for name, p := range map[string]program{
		"an enormous cost":           {"claude", claudeUsed(`"total_cost_usd":1e300`)},
		"a cost beyond all numbers":  {"claude", claudeUsed(`"total_cost_usd":1e999`)},
		"a negative cost":            {"claude", claudeUsed(`"total_cost_usd":-0.01`)},
		"a cost as a text":           {"claude", claudeUsed(`"total_cost_usd":"0.5"`)},
		"enormous tokens":            {"claude", claudeUsed(`"usage":{"input_tokens":9000000000000000000,"cache_read_input_tokens":9000000000000000000}`)},
		"a model that gives back":    {"claude", claudeUsed(`"modelUsage":{"a":{"inputTokens":5000},"b":{"inputTokens":-100000}}`)},
		"models that are a list":     {"claude", claudeUsed(`"modelUsage":[5]`)},
		"codex: two turns":           {"codex", codexUsed(`{"input_tokens":`+most+`}`, `{"input_tokens":`+most+`}`)},
		"codex: a negative":          {"codex", codexUsed(`{"input_tokens":1,"output_tokens":-1}`)},
		"codex: a text":              {"codex", codexUsed(`"much"`)},
		"codex: two of one name":     {"codex", codexUsed(`{"input_tokens":99,"input_tokens":1}`)},
		"pi: the largest number":     {"pi", piUsed(`{"input":` + most + `,"cacheRead":` + most + `}`)},
		"pi: a negative beside more": {"pi", piUsed(`{"input":-100,"cacheRead":200}`)},
		"pi: a part of a token":      {"pi", piUsed(`{"input":1.5}`)},
		"pi: an enormous cost":       {"pi", piUsed(`{"input":1,"cost":{"total":1e300}}`)},
		"pi: a negative cost":        {"pi", piUsed(`{"input":1,"cost":{"total":-3}}`)},
	} {
		t.Run(name, func(t *testing.T) {
			resp, _, err := attempt(t, p.kind, prints(t, p.lines...))
			require.Equal(t, fault.AgentAnswerInvalid, fault.CodeOf(err), "%v", err)
			require.Empty(t, resp.Value)
			require.GreaterOrEqual(t, resp.Usage.Input, int64(7))
			require.GreaterOrEqual(t, resp.Usage.Output, int64(2))
			require.Less(t, resp.Usage.Input, int64(10_000), "an enormous number counts for nothing")
			require.Zero(t, resp.Usage.CostMicroUSD)
		})
	}
	for name, p := range map[string]program{
		"none": {"claude", []string{claudeDone}}, "null": {"claude", claudeUsed(`"usage":null,"modelUsage":null,"total_cost_usd":null`)},
		"codex: none": {"codex", []string{codexDone, `{"type":"turn.completed"}`}}, "codex: null": {"codex", []string{codexDone, `{"type":"turn.completed","usage":null}`}},
		"pi: null": {"pi", piUsed("null")},
	} {
		_, _, err := attempt(t, p.kind, prints(t, p.lines...))
		require.NoError(t, err, name)
	}
}

// An event of a known type that is not of its shape is damage: what was said before it is no answer.
func TestDamagedEventsOfAKnownType(t *testing.T) {
	piSaid := piSays("toolUse", "", "an earlier word")
	for name, p := range map[string]struct {
		kind  string
		lines []string
	}{
		"claude: an answer that is none":    {"claude", []string{`{"type":"result","subtype":"success","is_error":false,"result":["a"]}`}},
		"claude: a failure that is a text":  {"claude", []string{`{"type":"result","subtype":"success","is_error":"false","result":"ok"}`}},
		"claude: not failed after all":      {"claude", []string{`{"type":"result","subtype":"success","is_error":true,"is_error":false,"result":"ok"}`}},
		"claude: two types":                 {"claude", []string{`{"type":"result","type":"assistant","subtype":"success","is_error":true,"result":"no"}`, claudeDone}},
		"claude: a message without a list":  {"claude", []string{`{"type":"assistant","message":{"id":"m","content":7}}`, claudeDone}},
		"codex: a message that is a number": {"codex", []string{codexThread, codexDone, `{"type":"item.completed","item":{"id":"i","type":"agent_message","text":7}}`, codexCompleted}},
		"codex: an item that is a list":     {"codex", []string{codexThread, codexDone, `{"type":"item.completed","item":[]}`, codexCompleted}},
		"codex: a failure without a shape":  {"codex", []string{codexThread, codexDone, `{"type":"turn.failed","error":"x"}`, codexCompleted}},
		"codex: two texts":                  {"codex", []string{codexThread, `{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"a","text":"b"}}`, codexCompleted}},
		"pi: a content that is a number":    {"pi", []string{piSession, piStart, piSaid, `{"type":"message_end","message":{"role":"assistant","content":7,"stopReason":"stop"}}`, piEnd}},
		"pi: a text that is a number":       {"pi", []string{piSession, piStart, piSays("stop", "", "done"), `{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":7}],"stopReason":"stop"}}`, piEnd}},
		"pi: no message":                    {"pi", []string{piSession, piStart, piSays("stop", "", "done"), `{"type":"message_end"}`, piEnd}},
		"pi: stopped twice":                 {"pi", []string{piSession, piStart, `{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"error","stopReason":"stop"}}`, piEnd}},
	} {
		resp, _, err := attempt(t, p.kind, prints(t, p.lines...))
		require.Equal(t, fault.AgentAnswerInvalid, fault.CodeOf(err), "%s: %v", name, err)
		require.ErrorContains(t, err, "damaged", name)
		require.Empty(t, resp.Value, name)
	}

	// A name in another case is another name; half of a character spoils nothing.
	_, _, err := attempt(t, "claude", prints(t, `{"type":"result","subtype":"success","is_error":true,"IS_ERROR":false,"result":"no"}`))
	require.Equal(t, fault.AgentFailed, fault.CodeOf(err), "%v", err)
	resp, _, err := attempt(t, "claude", prints(t, `{"type":"result","subtype":"success","is_error":false,"Is_Error":true,"result":"cut \ud83d"}`))
	require.NoError(t, err)
	require.Equal(t, "\"cut \ufffd\"", string(resp.Value))
}

// Of two results, one that failed is what the attempt came to, whichever it is.
func TestClaudeTwoResults(t *testing.T) {
	failed := `{"type":"result","subtype":"success","is_error":true,"result":"it broke","usage":{"input_tokens":9},"total_cost_usd":0.5}`
	for _, lines := range [][]string{{failed, claudeDone}, {claudeDone, failed}} {
		resp, _, err := attempt(t, "claude", prints(t, lines...))
		require.Equal(t, fault.AgentFailed, fault.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "it broke")
		require.Equal(t, []int64{9, 500_000}, []int64{resp.Usage.Input, resp.Usage.CostMicroUSD})
	}
	resp, _, err := attempt(t, "claude", prints(t, claudeDone, `{"type":"result","subtype":"success","is_error":false,"result":"more"}`))
	require.NoError(t, err)
	require.Equal(t, `"more"`, string(resp.Value))
}

// What passed its limit is said with the limit that it passed.
func TestLineThatIsTooLong(t *testing.T) {
	program := shell(t, `cat >/dev/null; printf '{"type":"x","a":"'; head -c 70000000 /dev/zero | tr '\0' x; printf '"}\n'`+"\n")
	for _, k := range runners.Kinds() {
		_, _, err := attempt(t, k.Name, program)
		require.Equal(t, fault.AgentOutputTooLarge, fault.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "a line of more than 67108864 bytes")
	}
	long := strings.Repeat(codexThread+"\n", 100)
	_, _, err := attempt(t, "codex", prints(t, long), most(1000))
	require.ErrorContains(t, err, "more than 1000 bytes")
	require.NotContains(t, err.Error(), "a line")
}

// most caps what a program may print.
func most(bytes int64) func(*agent.Request, *runners.Options) {
	return func(_ *agent.Request, o *runners.Options) { o.MaxOutput = bytes }
}
