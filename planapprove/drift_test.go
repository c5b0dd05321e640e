package planapprove_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/planapprove"
)

func TestDrift(t *testing.T) {
	for _, c := range []struct{ name, old, now, want string }{
		{"same", `{"a":[1,{"b":2}]}`, `{"a":[1,{"b":2}]}`, ""},
		{"scalar", `{"amount":10}`, `{"amount":999999}`, "~ $.amount: 10 -> 999999\n"},
		{"members", `{"a":1,"b":2}`, `{"b":2,"c":3}`, "- $.a: 1\n+ $.c: 3\n"},
		{"type", `{"a":[1]}`, `{"a":{"x":1}}`, "~ $.a: [1] -> {\"x\":1}\n"},
		{"null is a value", `{"a":null}`, `{}`, "- $.a: null\n"},
		{"list by place", `[1,2]`, `[1,3,4]`, "~ $[1]: 2 -> 3\n+ $[2]: 4\n"},
		{
			"list by id", `{"steps":[{"id":"s1","do":"x"},{"id":"s2","do":"y"}]}`, `{"steps":[{"id":"s0","do":"w"},{"id":"s1","do":"x"},{"id":"s2","do":"z"}]}`,
			"+ $.steps[id=\"s0\"]: {\"do\":\"w\",\"id\":\"s0\"}\n~ $.steps[id=\"s2\"].do: \"y\" -> \"z\"\n",
		},
		{
			"order of ids", `[{"id":"a"},{"id":"b"}]`, `[{"id":"b"},{"id":"a"}]`,
			"~ $: [\"a\",\"b\"] -> [\"b\",\"a\"]\n",
		},
		{"ids twice fall back to places", `[{"id":"a"},{"id":"a"}]`, `[{"id":"a"}]`, "- $[1]: {\"id\":\"a\"}\n"},
		{"odd names", `{"a b":1,"":2}`, `{"a b":2,"":2}`, "~ $[\"a b\"]: 1 -> 2\n"},
		{"digits are kept", `{"n":1.5}`, `{"n":1.25}`, "~ $.n: 1.5 -> 1.25\n"},
		{"no html escapes", `{"s":"a"}`, `{"s":"<b>&"}`, "~ $.s: \"a\" -> \"<b>&\"\n"},
	} {
		changes, err := planapprove.Drift(c.old, c.now)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, planapprove.Lines(changes), c.name)
	}
}
