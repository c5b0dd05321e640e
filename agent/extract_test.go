package agent_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
)

func TestB63_OneValueIsFound(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1}`:                             `{"a":1}`,
		"\ufeff{\"z\":1,\r\n\"a\":2}\r\n":      `{"z":1,"a":2}`,
		`"yes"`:                                `"yes"`,
		" 42 \n":                               `42`,
		"```json\n{\"a\":1}\n```":              `{"a":1}`,
		"```\n{\"a\":1}\n```\n":                `{"a":1}`,
		"```js\n[1,2]\n```":                    `[1,2]`,
		"~~~~\n{\"a\":\"```\"}\n~~~~":          `{"a":"` + "```" + `"}`,
		"```json\r\n{\"a\":1}\r\n```\r\n":      `{"a":1}`,
		"```json\n{\"a\":1}":                   `{"a":1}`,
		"```\n42\n```":                         `42`,
		"Done.\n```json\n{\"a\":1}\n```\nBye.": `{"a":1}`,
		"Here: {\"a\":1}. Good?":               `{"a":1}`,
		"Result: [{\"a\":1}] as asked":         `[{"a":1}]`,
		"I looked.\n[1, 2]\nThat is all.":      `[1,2]`,
		"See [1] and [ ].\n{\"a\":[1]}":        `{"a":[1]}`,
		"{\"a\":1}\nagain: {\"a\":1.0}":        `{"a":1}`,
		"use {name} here: {\"a\":1}":           `{"a":1}`,
		"```go\nfunc f() { return }\n```\nand\n```json\n{\"a\":1}\n```": `{"a":1}`,
		"Braces in text: {\"a\":\"}{\"} ok":                             `{"a":"}{"}`,
	} {
		got, err := agent.Extract(text)
		require.NoError(t, err, "%q", text)
		require.Equal(t, want, string(got), "%q", text)
	}
}

func TestB20_B25_B63_B64_NothingIsGuessed(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "empty",
		"Sorry, I cannot.":                       "no JSON value",
		"it is \"yes\"":                          "no JSON value",
		"{}\nand\n{\"a\":1}":                     "more than one",
		"use {} or ```{\"a\":1}```":              "more than one",
		"first {} then\n```json\n{\"a\":1}\n```": "more than one",
		"{\"a\":1}{\"a\":2}":                     "more than one",
		"```json\n{\"a\":1}\n```\n```json\n{\"a\":2}\n```": "more than one",
		`{"approved":false,"approved":true}`:               "$.approved",
		`ok: {"approved":false,"approved":true}`:           "$.approved",
		`{"t":"a "b" c"}`:                                  "damaged",
		`{"items":[{"a":1},{"a":2`:                         "cut",
		"```json\n{\"items\":[{\"a\":1},\n```":             "damaged or cut",
		"```\n{\"items\":[{\"a\":1},\n```":                 "damaged or cut",
		`[{"a":1}, oops]`:                                  "damaged",
		`so: [1, {"a":1}, oops]`:                           "damaged",
		`{"x": oops, "y": {"a":1}}`:                        "damaged",
		`{passed: {"a":1}}`:                                "no JSON value",
		`{passed: {"a":1}`:                                 "cut",
		"{\"a\":\"\xff\"}":                                 "UTF-8",
		`{"a":"\ud800"}`:                                   "$.a",
		`{"id":9007199254740993}`:                          "$.id",
		`{"n":1e999}`:                                      "$.n",
		`{"t":"` + strings.Repeat("x", 65_536-6):           "cut",
	} {
		got, err := agent.Extract(text)
		require.ErrorContains(t, err, want, "%.80q gave %s", text, got)
	}
}

// The work on a text is linear: brackets that lead nowhere cannot hold a run up.
func TestB04_ExtractionIsBounded(t *testing.T) {
	for _, unit := range []string{"[", "{", "[1,", "[1\n", "[{", "{\"a\":", "```\n", "[\"", "{a} [x] ", "[1 {a} "} {
		text := strings.Repeat(unit, 256<<10/len(unit)) + "!"
		start := time.Now()
		_, err := agent.Extract(text)
		require.Error(t, err, unit)
		require.Less(t, time.Since(start), 10*time.Second, unit)
	}
}

func FuzzExtract(f *testing.F) {
	for _, seed := range []string{"{\"a\":1}", "```json\n[1]\n```", "x {\"a\":{}} [1]", "\ufeff{}\r\n", "{\"a\":1,\"a\":2}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := agent.Extract(text)
		if err != nil {
			return
		}
		require.True(t, json.Valid(value))
		again, err := agent.Extract(string(value))
		require.NoError(t, err)
		require.Equal(t, string(value), string(again))
	})
}

// A verdict that is taken back in the next line is none.
func TestAlone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"passed":true}`:                         `{"passed":true}`,
		" \ufeff{\"passed\":true}\n":              "",
		"\ufeff {\"passed\":true}\n":              `{"passed":true}`,
		"```json\n{\"passed\":true}\n```":         `{"passed":true}`,
		"```\n{\"passed\":true}\n```\n":           `{"passed":true}`,
		"{\"passed\":true}\nFAIL":                 "",
		"All good: {\"passed\":true}":             "",
		"```json\n{\"passed\":true}\n```\nor not": "",
		`{"passed":true}{"passed":true}`:          "",
		`{"passed":false,"passed":true}`:          "",
		"":                                        "",
	} {
		value, err := agent.Alone(text)
		if want == "" {
			require.Error(t, err, text)
		} else {
			require.NoError(t, err, text)
			require.Equal(t, want, string(value))
		}
	}
}
