package canonical_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/canonical"
)

type vectors struct {
	Accepted []struct{ Name, Canonical, SHA256 string }
	Refused  []struct{ Name, Path string }
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "tests", "testdata", "vectors", "plan-checksums.json"))
	require.NoError(t, err)
	var v vectors
	require.NoError(t, json.Unmarshal(data, &v))
	return v
}

func TestVectorsAccepted(t *testing.T) {
	accepted := readVectors(t).Accepted
	require.Len(t, accepted, 27)
	for _, v := range accepted {
		t.Run(v.Name, func(t *testing.T) {
			require.Equal(t, v.SHA256, canonical.Sum([]byte(v.Canonical)))
			for _, text := range []string{v.Canonical, respell(t, v.Canonical)} {
				got, err := canonical.Transform([]byte(text))
				require.NoError(t, err, text)
				require.Equal(t, v.Canonical, string(got), text)
				sum, err := canonical.Checksum([]byte(text))
				require.NoError(t, err)
				require.Equal(t, v.SHA256, sum)
			}
		})
	}
}

// Of the refused plans, those that can be written down as JSON at all, or nearly so.
func TestVectorsRefused(t *testing.T) {
	texts := map[string]string{
		"NaN":                     `{"n":NaN}`,
		"infinity in an array":    `{"n":[1,-Infinity]}`,
		"nested infinity":         `{"n":{"m":Infinity}}`,
		"undefined member":        `{"a":1,"b":undefined}`,
		"undefined in an array":   `{"a":[undefined]}`,
		"bigint":                  `{"n":1e400}`,
		"unsafe integer":          `{"id":9007199254740993}`,
		"lone high surrogate":     `{"s":"\ud800"}`,
		"lone low surrogate":      `{"s":"a\udc00b"}`,
		"reversed pair":           `{"s":"\ude00\ud83d"}`,
		"lone surrogate in a key": `{"\ud800":1}`,
		"too deep":                `{"a":` + strings.Repeat("[", 20_001) + strings.Repeat("]", 20_001) + `}`,
		"undefined plan":          ``,
	}
	for _, v := range readVectors(t).Refused {
		text, ok := texts[v.Name]
		if !ok {
			continue
		}
		delete(texts, v.Name)
		t.Run(v.Name, func(t *testing.T) { requirePath(t, v.Path, canonical.Exact([]byte(text))) })
	}
	require.Empty(t, texts, "names that the vectors do not have")
}

// respell writes a JSON text as differently as it can be: members in reverse order, white
// space everywhere, every character of a string and every digit of a number in another form.
func respell(t *testing.T, text string) string {
	t.Helper()
	d := jsontext.NewDecoder(strings.NewReader(text))
	out := respellValue(t, d)
	return "\r\n" + out + " \t"
}

func respellValue(t *testing.T, d *jsontext.Decoder) string {
	t.Helper()
	token, err := d.ReadToken()
	require.NoError(t, err)
	switch token.Kind() {
	case '{':
		var members []string
		for d.PeekKind() != '}' {
			name := respellValue(t, d)
			members = append([]string{name + "\n:\t" + respellValue(t, d)}, members...)
		}
		_, err := d.ReadToken()
		require.NoError(t, err)
		return "{ " + strings.Join(members, " ,\n") + "\t}"
	case '[':
		var elements []string
		for d.PeekKind() != ']' {
			elements = append(elements, respellValue(t, d))
		}
		_, err := d.ReadToken()
		require.NoError(t, err)
		return "[ " + strings.Join(elements, "\r,  ") + " ]"
	case '"':
		var b strings.Builder
		for _, unit := range utf16.Encode([]rune(token.String())) {
			hex := strconv.FormatUint(uint64(unit), 16)
			b.WriteString(`\u` + strings.Repeat("0", 4-len(hex)) + strings.ToUpper(hex))
		}
		return `"` + b.String() + `"`
	case '0':
		value, err := strconv.ParseFloat(token.String(), 64)
		require.NoError(t, err)
		return strings.ToUpper(strconv.FormatFloat(value, 'e', 20, 64))
	default:
		return token.String()
	}
}

// requirePath checks that err is an *canonical.Error about the value at path.
func requirePath(t *testing.T, path string, err error) {
	t.Helper()
	var e *canonical.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, path, e.Path, "%v", err)
}
