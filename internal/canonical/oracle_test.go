package canonical_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/internal/canonical"
)

// oracle is an implementation of RFC 8785 that shares no code with the one in use.
func oracle(text []byte) ([]byte, error) {
	value := jsontext.Value(slices.Clone(text))
	err := value.Canonicalize()
	return value, err
}

func FuzzTransform(f *testing.F) {
	for _, seed := range []string{
		"{}", "[]", `{"b":[1e400,-0,1.50],"a":"\ud83d\ude00"}`, `{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"",
		`{"\uff20":1,"\ud83d\ude00":1}`, "[[[[[[[[0]]]]]]]]", " 1 ", "1 2", "333333333.33333329", "tru", "9007199254740993",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := canonical.Transform(text)
		if checkErr := canonical.Check(text, 0); (checkErr == nil) != (err == nil) {
			t.Fatalf("Check says %v, Transform %v", checkErr, err)
		}
		want, oracleErr := oracle(text)
		if err != nil {
			var e *canonical.Error
			if !errors.As(err, &e) || !strings.HasPrefix(e.Path, "$") {
				t.Fatalf("no path in %v", err)
			}
			// The oracle knows neither our depth nor the range of numbers.
			if oracleErr == nil && !errors.Is(err, canonical.ErrTooDeep) && !strings.Contains(err.Error(), "range of a double") {
				t.Fatalf("refused by us alone: %v", err)
			}
			return
		}
		if oracleErr != nil {
			t.Fatalf("refused by the oracle alone: %v", oracleErr)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
		if !json.Valid(got) {
			t.Fatalf("not JSON: %s", got)
		}
		again, err := canonical.Transform(got)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("not a fixed point: %s, %v", again, err)
		}
	})
}

// A value and its respelling have one text, which is the oracle's.
func TestRespellingsShareOneText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		value := jsonValue(4).Draw(rt, "value")
		text, err := json.Marshal(value)
		require.NoError(rt, err)
		got, err := canonical.Transform(text)
		require.NoError(rt, err)
		respelt, err := canonical.Transform([]byte(respell(t, string(text))))
		require.NoError(rt, err)
		require.Equal(rt, string(got), string(respelt))
		want, err := oracle(text)
		require.NoError(rt, err)
		require.Equal(rt, string(want), string(got))
		of, err := canonical.Of(value)
		require.NoError(rt, err)
		require.Equal(rt, string(want), string(of))

		// Same value, same text; and the text has the same value.
		var back any
		require.NoError(rt, json.Unmarshal(got, &back))
		require.Equal(rt, value, back)
	})
}

func jsonValue(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(rt *rapid.T) any {
		top := 5
		if depth == 0 {
			top = 3
		}
		switch rapid.IntRange(0, top).Draw(rt, "kind") {
		case 0:
			return rapid.SampledFrom([]any{nil, true, false}).Draw(rt, "literal")
		case 1:
			// Negative zero has the text of zero, and is another Go value.
			return rapid.Float64().Draw(rt, "number") + 0
		case 2, 3:
			return rapid.String().Draw(rt, "string")
		case 4:
			array := rapid.SliceOfN(jsonValue(depth-1), 0, 4).Draw(rt, "array")
			return slices.Clone(array)
		default:
			return maps.Clone(rapid.MapOfN(rapid.String(), jsonValue(depth-1), 0, 4).Draw(rt, "object"))
		}
	})
}

func BenchmarkTransform(b *testing.B) {
	text := []byte(`{"prompt":"` + strings.Repeat("review the change and say what is wrong with it; ", 20) +
		`","schema":{"type":"object","required":["ok","why"],"properties":{"why":{"type":"string"},"ok":{"type":"boolean"}}},"n":1.5}`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := canonical.Transform(text); err != nil {
			b.Fatal(err)
		}
	}
}
