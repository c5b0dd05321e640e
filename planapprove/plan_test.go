package planapprove_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/planapprove"
)

type vector struct{ Name, Canonical, SHA256 string }

func vectors(t *testing.T) []vector {
	t.Helper()
	raw, err := os.ReadFile("../tests/testdata/vectors/plan-checksums.json")
	require.NoError(t, err)
	var file struct {
		Accepted []vector `json:"accepted"`
	}
	require.NoError(t, json.Unmarshal(raw, &file))
	require.NotEmpty(t, file.Accepted)
	return file.Accepted
}

func TestChecksumVectors(t *testing.T) {
	for _, v := range vectors(t) {
		text, checksum, err := planapprove.Canonical(json.RawMessage(v.Canonical))
		require.NoError(t, err, v.Name)
		require.Equal(t, v.Canonical, text, v.Name)
		require.Equal(t, v.SHA256, checksum, v.Name)
	}
}

func TestB25_NumbersThatLostDigits(t *testing.T) {
	for plan, path := range map[string]string{
		`{"id":9007199254740993}`:                     "$.id",
		`{"id":9007199254740992}`:                     "$.id", // 2^53
		`[1,[2,-9007199254740993]]`:                   "$[1][1]",
		`{"a":{"b c":[0,18446744073709551615]}}`:      `$.a["b c"][1]`,
		`{"a":1,"b":9.007199254740993e15}`:            "$.b",
		`{"a":{"x":1},"b":[{"c":12345678901234567}]}`: "$.b[0].c",
		`9007199254740993`:                            "$",
	} {
		_, _, err := planapprove.Canonical(json.RawMessage(plan))
		require.True(t, fault.Is(err, fault.PlanNotJSON), "%s: %v", plan, err)
		require.ErrorContains(t, err, ": "+path+": the number")
	}
	for _, plan := range []string{
		`{"id":9007199254740991}`, `{"id":"9007199254740993"}`, `{"n":18446744073709551616}`, // 2^64
		`{"n":1e300}`, `{"n":0.1234567890123456789}`, `{"9007199254740993":1}`,
	} {
		_, _, err := planapprove.Canonical(json.RawMessage(plan))
		require.NoError(t, err, plan)
	}
}

func TestPlanRefused(t *testing.T) {
	for plan, code := range map[string]fault.Code{
		`{"n":NaN}`:        fault.PlanNotJSON,
		`{"a":1,"a":2}`:    fault.PlanNotJSON,
		`{"s":"\ud800"}`:   fault.PlanNotJSON,
		"{\"s\":\"\xff\"}": fault.PlanNotJSON,
		``:                 fault.PlanNotJSON,
		`{} {}`:            fault.PlanNotJSON,
		strings.Repeat("[", 20000) + strings.Repeat("]", 20000): fault.PlanNotJSON,
		`"` + strings.Repeat("x", 1<<20) + `"`:                  fault.PlanTooLarge,
	} {
		_, _, err := planapprove.Canonical(json.RawMessage(plan))
		require.True(t, fault.Is(err, code), "%.40s: %v", plan, err)
	}
}

func TestB55_MisconfiguredGate(t *testing.T) {
	for _, c := range []struct {
		args string
		code fault.Code
	}{
		{`[{"a":1},{"default":true}]`, fault.ApprovalDefault},
		{`[{"a":1},{"default":"x"}]`, fault.ApprovalDefault},
		{`[{"a":1},{"default":null}]`, fault.ApprovalDefault},
		{`[{"a":1},{"headles":"abort"}]`, fault.OptionUnknown},
		{`[{"a":1},{"headless":"approve"}]`, fault.OptionInvalid},
		{`[{"a":1},{"planModel":""}]`, fault.OptionInvalid},
		{`[{"a":1},{"planModel":["m"]}]`, fault.OptionInvalid},
		{`[{"a":1},{"planAgentType":1}]`, fault.OptionInvalid},
		{`[{"a":1},{"kind":"confirm"}]`, fault.OptionUnknown},
		{`[{"a":1},{"prompt":""}]`, fault.CheckpointInvalid},
		{`[{"a":1},7]`, fault.OptionInvalid},
		{`[]`, fault.PlanNotJSON},
	} {
		var args []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(c.args), &args))
		_, err := planapprove.Parse(args)
		require.True(t, fault.Is(err, c.code), "%s: %v", c.args, err)
	}
}

func TestParseDefaults(t *testing.T) {
	for _, options := range []string{``, `,{}`, `,{"default":false}`} {
		var args []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(`[{"b":1,"a":2}`+options+`]`), &args))
		q, err := planapprove.Parse(args)
		require.NoError(t, err)
		require.Equal(t, checkpoint.Question{
			Kind: checkpoint.KindPlan, Prompt: "Approve this plan?", Default: json.RawMessage("false"),
			Plan: `{"a":2,"b":1}`, Checksum: "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772",
		}, q)
		id, err := q.Identity()
		require.NoError(t, err)
		require.Equal(t, "58aec831313bf1efe8d3d164b0242822b27847bf3865c97b9452b13c9a1c5db2", id)
	}
}
