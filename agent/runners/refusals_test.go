package runners_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/runners"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

func TestResetIn(t *testing.T) {
	zone := time.FixedZone("there", 2*60*60)
	now := time.Date(2026, 11, 30, 22, 21, 0, 0, zone)
	for message, want := range map[string]string{
		"You’ve hit your usage limit. Upgrade to Pro (https://x/y) or try again at Dec 1st, 2026 1:53 AM.": "2026-12-01T01:53:00+02:00",
		"You've hit your usage limit. Try again at 11:05 PM.":                                              "2026-11-30T23:05:00+02:00",
		"You've hit your usage limit. Try again at 1:05 PM.":                                               "2026-12-01T13:05:00+02:00",
		"limit (resets 2026-12-02T08:00:00Z)":                                                              "2026-12-02T08:00:00Z",
		"Your quota will reset after 18h31m10s.":                                                           "2026-12-01T16:52:10+02:00",
		"Please try again in 1.5s.":                                                                        "2026-11-30T22:21:01.5+02:00",
		"Server requested 3600s retry delay (max: 60s)":                                                    "2026-11-30T23:21:00+02:00",
		"Quota exceeded. Check your plan and billing details.":                                             "",
		"try again at Foo 77th, 2026 9:99 AM":                                                              "",
	} {
		got := runners.ResetIn(message, now)
		if want == "" {
			require.True(t, got.IsZero(), "%s: %s", message, got)
			continue
		}
		at, err := time.Parse(time.RFC3339Nano, want)
		require.NoError(t, err)
		require.True(t, at.Equal(got), "%s: %s", message, got)
	}
}

// What OpenAI's service takes: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas.
func TestStrictSchema(t *testing.T) {
	object := func(properties, required, more string) string {
		return `{"type":"object","properties":{` + properties + `},"required":[` + required + `],"additionalProperties":false` + more + `}`
	}
	for schema, want := range map[string]bool{
		object(`"a":{"type":"string"}`, `"a"`, ``):                                                                 true,
		object(`"a":{"type":["string","null"],"description":"d"}`, `"a"`, ``):                                      true,
		object(`"a":{"type":"array","items":`+object(`"b":{"enum":[1,2]}`, `"b"`, ``)+`,"minItems":1}`, `"a"`, ``): true,
		object(`"a":{"$ref":"#/$defs/x"}`, `"a"`, `,"$defs":{"x":{"type":"integer","minimum":1}}`):                 true,
		object(`"a":{"anyOf":[{"type":"string","format":"date"},{"type":"null"}]}`, `"a"`, ``):                     true,
		object(``, ``, ``):                                                            true,
		object(`"a":{"type":"string"}`, ``, ``):                                       false, // not required
		object(`"a":{"type":"string"}`, `"a","b"`, ``):                                false,
		object(`"a":{"type":"string"},"b":{"type":"string"}`, `"a","a"`, ``):          false,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`:     false, // open
		object(`"a":{"type":"object"}`, `"a"`, ``):                                    false, // open within
		object(`"a":{}`, `"a"`, ``):                                                   false, // anything
		object(`"a":{"type":"array"}`, `"a"`, ``):                                     false,
		object(`"a":{"type":"string","minLength":1}`, `"a"`, ``):                      false, // a keyword that it has not
		object(`"a":{"type":"string","format":"uri"}`, `"a"`, ``):                     false,
		object(`"a":{"oneOf":[{"type":"string"}]}`, `"a"`, ``):                        false,
		object(`"a":{"$ref":"https://example.org/x"}`, `"a"`, ``):                     false,
		object(`"a":{"$ref":"#/$defs/x"}`, `"a"`, `,"$defs":{"x":{"type":"object"}}`): false,
		`{"type":"array","items":{"type":"string"}}`:                                  false, // not an object
		`true`: false,
	} {
		_, ok := runners.StrictSchema(json.RawMessage(schema))
		require.Equal(t, want, ok, schema)
	}
}

// What is a limit, and what is none, by the forms that providers and programs have: the status, the code
// or type that is passed on, and the sentences that they write. A word alone is none of these.
func TestRefusals(t *testing.T) {
	for message, want := range map[string]fault.Code{
		"429 slow down":         fault.UsageLimit,
		"Error: 429: slow down": fault.UsageLimit,
		"exceeded retry limit, last status: 429 Too Many Requests":                                                         fault.UsageLimit,
		"unexpected status 429 Too Many Requests: slow down":                                                               fault.UsageLimit,
		"402 Insufficient Balance":                                                                                         fault.UsageLimit,
		"You have hit your ChatGPT usage limit (plus plan). Try again in ~5 min.":                                          fault.UsageLimit,
		"You’ve hit your usage limit. Upgrade to Pro":                                                                      fault.UsageLimit,
		"The usage limit has been reached":                                                                                 fault.UsageLimit,
		"Quota exceeded. Check your plan and billing details.":                                                             fault.UsageLimit,
		"400 Your credit balance is too low to access the Anthropic API.":                                                  fault.UsageLimit,
		`{"type":"error","error":{"type":"rate_limit_error","message":"x"}}`:                                               fault.UsageLimit,
		`400 {"error":{"code":"insufficient_quota","message":"x"}}`:                                                        fault.UsageLimit,
		`{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED"}}`:                                               fault.UsageLimit,
		"Le quota est atteint":                                                                                             "",
		"the answer speaks of a rate limit, of 429 and of a quota":                                                         "",
		"500 the usage limit service is down":                                                                              "",
		"500 Too many requests to the database":                                                                            "",
		"the tool failed: You exceeded your current quota":                                                                 "",
		"line 429 of quota.go does not compile":                                                                            "",
		"404 The model `x` does not exist or you do not have access to it.":                                                fault.AgentUnable,
		"400 The requested model 'x' does not exist.":                                                                      fault.AgentUnable,
		"The 'x' model is not supported when using Codex with a ChatGPT account.":                                          fault.AgentUnable,
		`Model "nope" not found. Use --list-models to see available models.`:                                               fault.AgentUnable,
		`404 {"type":"error","error":{"type":"not_found_error","message":"model: none"}}`:                                  fault.AgentUnable,
		`{"error":{"code":"model_not_found","message":"x"}}`:                                                               fault.AgentUnable,
		`unexpected status 400 Bad Request: {"error":{"param":"reasoning.effort","code":"unsupported_value"}}`:             fault.AgentUnable,
		"Unsupported value: 'reasoning.effort' does not support 'bogus'":                                                   fault.AgentUnable,
		"400: The model output mentioned an unsupported model parameter":                                                   "",
		`{"error":{"type":"invalid_request_error","message":"The model output mentioned an unsupported model parameter"}}`: "",
		"400 The model output is not supported":                                                                            "",
		"404 the page about the model was not found":                                                                       "",
		"the reasoning effort of the text is low":                                                                          "",
		`{"error":{"message":{"deep":1}}`:                                                                                  "",
		"":                                                                                                                 "",
	} {
		require.Equal(t, want, fault.CodeOf(runners.Refusal(message, time.Now())), message)
	}
}

// What an agent answers is no word of its provider's, and what it got over is over.
func TestAnswersThatSpeakOfLimits(t *testing.T) {
	const words = "429 Too Many Requests: you exceeded your current quota, usage limit reached"
	exits := func(lines ...string) string {
		path := prints(t, lines...)
		return shell(t, path+"; exit 1\n")
	}
	answer := `{"type":"result","subtype":"success","is_error":false,"result":` + quoted(words) + `}`
	codexAnswer := `{"type":"item.completed","item":{"id":"i","type":"agent_message","text":` + quoted(words) + `}}`
	codexTrouble := `{"type":"error","message":` + quoted(words) + `}`
	piAnswer := piSays("stop", "", words)
	for name, c := range map[string]struct {
		kind, program string
		code          fault.Code
	}{
		"claude: an answer":            {"claude", prints(t, answer), ""},
		"claude: with exit code 1":     {"claude", exits(answer), fault.AgentFailed},
		"claude: after a limit it had": {"claude", exits(claudeFailed("rate_limit", "429", words)[0], answer), fault.AgentFailed},
		"claude: at its last turn":     {"claude", prints(t, `{"type":"result","subtype":"error_max_turns","is_error":true,"result":`+quoted(words)+`}`), fault.AgentFailed},
		"claude: not by a code":        {"claude", prints(t, `{"type":"result","subtype":"success","is_error":true,"result":"Le quota est atteint"}`), fault.AgentFailed},
		"claude: by a code":            {"claude", prints(t, claudeFailed("rate_limit", "null", "Le quota est atteint")...), fault.UsageLimit},
		"claude: by a status":          {"claude", prints(t, claudeFailed("", "429", "Le quota est atteint")...), fault.UsageLimit},
		"codex: an answer":             {"codex", prints(t, codexThread, codexAnswer, codexCompleted), ""},
		"codex: got over":              {"codex", prints(t, codexThread, codexTrouble, codexAnswer, codexCompleted), ""},
		"codex: with exit code 1":      {"codex", exits(codexThread, codexTrouble, codexAnswer, codexCompleted), fault.AgentFailed},
		"codex: not got over":          {"codex", exits(codexThread, codexAnswer, codexTrouble), fault.UsageLimit},
		"pi: an answer":                {"pi", prints(t, piSession, piStart, piAnswer, piEnd), ""},
		"pi: got over":                 {"pi", prints(t, piSession, piStart, piSays("error", words, ""), piEnd, piStart, piAnswer, piEnd), ""},
		"pi: with exit code 1":         {"pi", exits(piSession, piStart, piSays("error", words, ""), piAnswer, piEnd), fault.AgentFailed},
		"pi: not got over":             {"pi", prints(t, piSession, piStart, piAnswer, piSays("error", words, ""), piEnd), fault.UsageLimit},
	} {
		_, _, err := attempt(t, c.kind, c.program)
		require.Equal(t, c.code, fault.CodeOf(err), "%s: %v", name, err)
		if c.code == fault.AgentFailed && name != "claude: not by a code" {
			require.NotContains(t, err.Error(), "quota", "%s", name)
		}
	}
}
