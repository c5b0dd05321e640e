package canonical_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/canonical"
)

func TestCheckNamesTheValueAtFault(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "$: the text is empty",
		" \n":                              "$: the text is empty",
		"1 2":                              "$: something follows the value",
		"{}x":                              "$: something follows the value",
		`{"a":[1,{"b":1,"b":2}]}`:          "$.a[1].b: the object has two members of this name",
		`{"a":1,"\u0061":2}`:               "$.a: the object has two members of this name",
		`{"a":[1,2`:                        "$.a: the text ends before the value does",
		`{"a":"x`:                          "$.a: the text ends before the value does",
		`{"1":[0,[tru]]}`:                  `$["1"][1][0]: invalid character ']' in literal true (expecting 'e')`,
		`{"a b":{"c.d":{"e/~f":{"":nul}}}`: `$["a b"]["c.d"]["e/~f"][""]: invalid character '}' in literal null (expecting 'l')`,
		`[1,]`:                             "$: invalid character ',' at start of value",
		`{'a':1}`:                          `$: invalid character '\'' at start of value`,
		"\ufeff{}":                         `$: invalid character '\ufeff' at start of value`,
		"{\"a\u202e\":{\"\x7f\":x}}":       `$["a\u202e"]["\x7f"]: invalid character 'x' at start of value`,
		`/**/1`:                            "$: invalid character '/' at start of value",
	} {
		err := canonical.Check([]byte(text), 0)
		require.EqualError(t, err, want, text)
		_, transformErr := canonical.Transform([]byte(text))
		require.EqualError(t, transformErr, want, text)
	}
}

// B20: what is not Unicode has no canonical text, and never that of U+FFFD.
func TestB20_InvalidUnicode(t *testing.T) {
	for text, path := range map[string]string{
		`{"s":"\ud800"}`:               "$.s",
		`{"s":"a\udc00b"}`:             "$.s",
		`{"s":"\ude00\ud83d"}`:         "$.s",
		`{"s":["\ud800\ud800"]}`:       "$.s[0]",
		`{"s":"\ud800x"}`:              "$.s",
		`{"\udc00":1}`:                 "$",
		`{"o":{"\ud83d":1}}`:           "$.o",
		"{\"s\":\"\xff\"}":             "$.s",
		"{\"s\":\"\xed\xa0\x80\"}":     "$.s", // a surrogate in three bytes
		"{\"s\":\"\xc0\xaf\"}":         "$.s", // an overlong slash
		"{\"s\":\"\xf4\x90\x80\x80\"}": "$.s", // beyond U+10FFFF
		"{\"o\":{\"\xff\":1}}":         "$.o",
	} {
		sum, err := canonical.Checksum([]byte(text))
		requirePath(t, path, err)
		require.Empty(t, sum)
	}
	sum, err := canonical.Checksum([]byte(`{"s":"\ufffd"}`))
	require.NoError(t, err)
	require.Equal(t, "7513ecfd", sum[:8])
	got, err := canonical.Transform([]byte(`{"s":"\ud83d\ude00"}`))
	require.NoError(t, err)
	require.Equal(t, `{"s":"😀"}`, string(got))
}

// B04, S12: depth is bounded long before a stack is in danger.
func TestB04_Depth(t *testing.T) {
	nest := func(open, end string, n int) []byte {
		return []byte(strings.Repeat(open, n) + "0" + strings.Repeat(end, n))
	}
	for _, pair := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
		deepest := nest(pair[0], pair[1], 1000)
		got, err := canonical.Transform(deepest)
		require.NoError(t, err)
		require.Equal(t, string(deepest), string(got))

		_, err = canonical.Transform(nest(pair[0], pair[1], 1001))
		require.ErrorIs(t, err, canonical.ErrTooDeep)
		require.ErrorContains(t, err, "1000")
	}
	requirePath(t, "$[2]", canonical.Check([]byte("[0,[],"+string(nest("[", "]", 1000))+"]"), 0))

	begin := time.Now()
	require.ErrorIs(t, canonical.Check(bytes.Repeat([]byte("["), 5_000_000), 0), canonical.ErrTooDeep)
	require.Less(t, time.Since(begin), 2*time.Second)
}

func TestCheckSize(t *testing.T) {
	require.NoError(t, canonical.Check([]byte(`"123"`), 5))
	err := canonical.Check([]byte(`"1234"`), 5)
	require.ErrorIs(t, err, canonical.ErrTooLarge)
	require.EqualError(t, err, "$: too large: 6 bytes, at most 5")
	require.NoError(t, canonical.Check([]byte(strings.Repeat(" ", 100_000)+"1"), 0))
}

// Names are the sender's to choose; an error stays short and is whole characters.
func TestPathsAreBounded(t *testing.T) {
	long := strings.Repeat("é", 50_000)
	err := canonical.Check([]byte(`{"`+long+`":x}`), 0)
	require.Less(t, len(err.Error()), 500)
	require.Contains(t, err.Error(), "é…")

	deep := strings.Repeat(`{"member":`, 900) + "x"
	err = canonical.Check([]byte(deep), 0)
	require.Less(t, len(err.Error()), 500)
	require.True(t, strings.HasPrefix(err.Error(), "$.member.member."), err.Error())

	err = canonical.Check([]byte("[1"+strings.Repeat("0", 100_000)+"]"), 0)
	require.Less(t, len(err.Error()), 200)
	requirePath(t, "$[0]", err)
}
