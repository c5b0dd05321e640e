package term_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/term"
)

func TestS09_SuspiciousText(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []term.FindingKind
	}{
		{"read a\u202Etxt.exe now", []term.FindingKind{term.FindingBidi}},
		{"a\u200Bb", []term.FindingKind{term.FindingInvisible}},
		{"⚠\uFE0F", []term.FindingKind{term.FindingInvisible}},
		{"x\U000E0041", []term.FindingKind{term.FindingInvisible}},
		{"go to pаypal.com", []term.FindingKind{term.FindingMixedScript}},
		{"a\x1b[2K", []term.FindingKind{term.FindingControl}},
		{"a\xffb", []term.FindingKind{term.FindingEncoding}},
		{"שלום עולם", []term.FindingKind{term.FindingRightToLeft}},
		{"pаy\u200Bpal", []term.FindingKind{term.FindingInvisible, term.FindingMixedScript}},
		{"tab\tand\nnewline, ‹quoted›", nil},
	} {
		var got []term.FindingKind
		for _, f := range term.Suspicious(tt.in) {
			got = append(got, f.Kind)
			require.Empty(t, dangerous(f.String()))
			require.NotContains(t, f.String(), "\n")
		}
		require.Equal(t, tt.want, got, "%q", tt.in)
	}
	for _, s := range harmless {
		if s != "עברית" {
			require.Empty(t, term.Suspicious(s), "%q", s)
		}
	}
}

func TestS09_TwinKeys(t *testing.T) {
	for name, tt := range map[string]struct{ json, first, second string }{
		"composed and decomposed": {"{\"caf\u00e9\":1,\"cafe\u0301\":2}", "caf\u00e9", "cafe\u0301"},
		"Cyrillic":                {`{"host":1,"hоst":2}`, "host", "hоst"},
		"invisible":               {"{\"amount\":1,\"amo\u200Bunt\":2}", "amount", "amo\u200Bunt"},
		"one and l":               {`{"item1":1,"iteml":2}`, "item1", "iteml"},
		"full-width":              {`{"a":1,"ａ":2}`, "a", "ａ"},
		"nested":                  {`{"x":[{"y":{"O":1,"0":2}}]}`, "O", "0"},
	} {
		found, err := term.LookAlikeKeys([]byte(tt.json))
		require.NoError(t, err)
		require.Len(t, found, 1, name)
		require.Equal(t, []string{tt.first, tt.second}, []string{found[0].Text, found[0].Other}, name)
		require.Empty(t, dangerous(found[0].String()))
	}
	found, err := term.LookAlikeKeys([]byte(`{"id":1,"ID":2,"a":{"id":3},"file":4,"files":5}`))
	require.NoError(t, err)
	require.Empty(t, found, "keys that look different, or stand in different objects")
	_, err = term.LookAlikeKeys([]byte(`{"a":1} {`))
	require.Error(t, err)
}

func TestS09_FindingsOfAPlanHavePaths(t *testing.T) {
	found, err := term.SuspiciousJSON([]byte("{\"steps\":[{\"file\":\"ok\"},{\"file\":\"a\\u202eb\"}],\"we ird\u200b\":1,\"y\":{\"O\":1,\"0\":2}}"))
	require.NoError(t, err)
	var paths []string
	for _, f := range found {
		paths = append(paths, string(f.Kind)+" "+f.Path)
	}
	require.ElementsMatch(t, []string{"bidi $.steps[1].file", `invisible $["we ird\u200b"]`, "twin-keys $.y"}, paths)
}
