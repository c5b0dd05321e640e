package canonical_test

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/canonical"
)

// RFC 8785, appendix B: the bits of a double and its text.
func TestB24_NumbersOfRFC8785(t *testing.T) {
	samples := map[uint64]string{
		0x0000000000000000: "0",
		0x8000000000000000: "0",
		0x0000000000000001: "5e-324",
		0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308",
		0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992",
		0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22",
		0x44b52d02c7e14af6: "1e+23",
		0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000",
		0x444b1ae4d6e2ef4f: "999999999999999900000",
		0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7",
		0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332",
		0x41b3de4355555554: "333333333.33333325",
		0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334",
		0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333",
		0x43143ff3c1cb0959: "1424953923781206.2",
	}
	for bits, want := range samples {
		// 17 digits and more name a double without doubt.
		text := strconv.FormatFloat(math.Float64frombits(bits), 'e', 20, 64)
		got, err := canonical.Transform([]byte("[" + text + "]"))
		require.NoError(t, err)
		require.Equal(t, "["+want+"]", string(got), "%016x", bits)
	}
}

func TestB24_SpellingsOfOneNumber(t *testing.T) {
	for text, want := range map[string]string{
		"-0": "0", "-0.0": "0", "-0e5": "0", "0.000001": "0.000001", "1E-6": "0.000001", "1e-7": "1e-7",
		"1e21": "1e+21", "1000000000000000000000": "1e+21", "100e-2": "1", "1.0": "1",
		"295147905179352825856": "295147905179352830000", "333333333.33333329": "333333333.3333333",
		"2.4703282292062328e-324": "5e-324", "1e-400": "0",
	} {
		got, err := canonical.Transform([]byte(`{"n":` + text + `}`))
		require.NoError(t, err)
		require.Equal(t, `{"n":`+want+`}`, string(got), text)
	}
}

func TestB19_NumbersThatJSONLacks(t *testing.T) {
	for text, path := range map[string]string{
		`{"n":NaN}`:            "$.n",
		`{"n":[1,-Infinity]}`:  "$.n[1]",
		`{"n":{"m":Infinity}}`: "$.n.m",
		`{"n":{"m":1e309}}`:    "$.n.m",
		`[0,-1e309]`:           "$[1]",
		`{"n":01}`:             "$",
		`{"n":+1}`:             "$.n",
		`{"n":.5}`:             "$.n",
		`{"n":0x10}`:           "$",
	} {
		_, err := canonical.Transform([]byte(text))
		requirePath(t, path, err)
	}
}

func TestB23_OrderOfUTF16(t *testing.T) {
	got, err := canonical.Transform([]byte(`{"\uff20":1,"\ud83d\ude00":1}`))
	require.NoError(t, err)
	require.Equal(t, `{"😀":1,"＠":1}`, string(got))
	require.Equal(t, "425159f5c1f0575fbcbf9d05a8f60cde3d040eae5166aa2136657564048651b6", canonical.Sum(got))

	got, err = canonical.Transform([]byte(`{"\ufb33":7,"\ud83d\ude00":6,"\u20ac":5,"\u00f6":4,"\u0080":3,"1":2,"\r":1}`))
	require.NoError(t, err)
	require.Equal(t, "{\"\\r\":1,\"1\":2,\"\u0080\":3,\"ö\":4,\"€\":5,\"😀\":6,\"\ufb33\":7}", string(got))
}

func TestB25_IntegersThatLostDigits(t *testing.T) {
	for _, text := range []string{
		`{"id":9007199254740992}`, `{"id":9007199254740993}`, `{"id":-9007199254740993}`,
		`{"id":18446744073709549568}`, `{"id":9007199254740993.0}`, `{"id":9.007199254740993e15}`,
	} {
		requirePath(t, "$.id", canonical.Exact([]byte(text)))
		require.NoError(t, canonical.Check([]byte(text), 0), text)
	}
	for _, text := range []string{
		`{"id":9007199254740991}`, `{"id":-9007199254740991}`, `{"id":18446744073709551616}`,
		`{"id":295147905179352825856}`, `{"id":"9007199254740993"}`, `{"id":1e300}`, `{"id":0.1}`,
	} {
		require.NoError(t, canonical.Exact([]byte(text)), text)
	}
	got, err := canonical.Transform([]byte(`{"id":"9007199254740993"}`))
	require.NoError(t, err)
	require.Equal(t, `{"id":"9007199254740993"}`, string(got))
}

type record struct {
	Zed   string          `json:"zed"`
	Alpha int64           `json:"alpha"`
	Skip  string          `json:"skip,omitempty"`
	When  time.Time       `json:"when,omitzero"`
	Raw   json.RawMessage `json:"raw,omitempty"`
	Nil   []string        `json:"nil"`
	Map   map[string]bool `json:"map,omitempty"`
	Any   any             `json:"any,omitempty"`
	inner string
}

func TestOfSeesAValueAsEncodingJSONDoes(t *testing.T) {
	r := record{
		Zed: "<a&b>\u2028é", Alpha: -9007199254740991, Raw: json.RawMessage(`{"b":1.0, "a":"\u00e9"}`),
		Map: map[string]bool{"y": true, "x": false}, Any: []any{1.5, nil, map[string]any{}}, inner: "unseen",
	}
	got, err := canonical.Of(r)
	require.NoError(t, err)
	require.Equal(t, "{\"alpha\":-9007199254740991,\"any\":[1.5,null,{}],\"map\":{\"x\":false,\"y\":true},"+
		"\"nil\":null,\"raw\":{\"a\":\"é\",\"b\":1},\"zed\":\"<a&b>\u2028é\"}", string(got))

	// Whatever encoding/json writes of it, it has this form.
	text, err := json.Marshal(r)
	require.NoError(t, err)
	same, err := canonical.Transform(text)
	require.NoError(t, err)
	require.Equal(t, string(same), string(got))
}

func TestOfRefusesWhatWouldChangeInSilence(t *testing.T) {
	for name, v := range map[string]any{
		"bytes that are not UTF-8": record{Zed: "\xff"},
		"such a name":              map[string]int{"\xff": 1},
		"such a raw text":          record{Raw: json.RawMessage("\"\xff\"")},
		"an integer over 2^53":     record{Alpha: 9007199254740993},
		"the least int64":          record{Alpha: math.MinInt64},
		"such a raw integer":       record{Raw: json.RawMessage("9007199254740993")},
		"two raw names":            record{Raw: json.RawMessage(`{"a":1,"a":1}`)},
		"NaN":                      math.NaN(),
		"a function":               func() {},
	} {
		_, err := canonical.Of(v)
		require.Error(t, err, name)
	}
	// Large, but all its digits are there, in the form that a script's own numbers have.
	got, err := canonical.Of([]any{int64(1) << 53, json.RawMessage("295147905179352830000"), 1e300})
	require.NoError(t, err)
	require.Equal(t, "[9007199254740992,295147905179352830000,1e+300]", string(got))
}

func TestSumIsOfTheBytesAsTheyAre(t *testing.T) {
	require.Equal(t, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", canonical.Sum([]byte("abc"))) // FIPS 180-2, B.1
	_, err := canonical.Checksum([]byte(`{"a":1,"a":1}`))
	requirePath(t, "$.a", err)
}
