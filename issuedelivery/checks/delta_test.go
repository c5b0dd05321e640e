package checks_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/issuedelivery/checks"
)

func compact(t require.TestingT, text string) checks.Delta {
	var in checks.Rounds
	require.NoError(t, json.Unmarshal([]byte(text), &in))
	require.NoError(t, in.Check())
	return checks.Compact(in)
}

func texts(d checks.Delta) []string {
	out := []string{}
	for _, c := range d.RootCauses {
		out = append(out, c.Text)
	}
	return out
}

func TestCompactTheSameFailureIsOneCause(t *testing.T) {
	d := compact(t, `{"auditLogId":"r/1","rounds":[
		{"index":1,"verdict":"fail","feedback":"FAIL /tmp/a1/x_test.go:12: pid 17 waited 0.31s at 0xc0001\nx.go:3:1: undefined: two"},
		{"index":2,"verdict":"fail","feedback":"FAIL /tmp/b2/x_test.go:14: pid 21 waited 1.2s at 0xc0ffe"},
		{"index":3,"verdict":"fail","feedback":"FAIL /tmp/c3/x_test.go:9: pid 3 waited 15ms at 0xc0002\n--- FAIL: TestTwo (0.02s)"}]}`)
	require.Equal(t, []string{"FAIL /tmp/c3/x_test.go:9: pid 3 waited 15ms at 0xc0002", "--- FAIL: TestTwo (0.02s)", "x.go:3:1: undefined: two"}, texts(d))
	require.Equal(t, []int{1, 2, 3}, d.RootCauses[0].Rounds)
	require.Equal(t, 3, d.RootCauses[0].Count)
	require.Equal(t, checks.Delta{RootCauses: d.RootCauses, Rounds: 3, MaxTokens: 512, AuditLogID: "r/1"}, d)
	require.Equal(t, "What was wrong in 3 attempts, the newest first:\n"+
		"- FAIL /tmp/c3/x_test.go:9: pid 3 waited 15ms at 0xc0002 (attempt 1, 2, 3)\n- --- FAIL: TestTwo (0.02s) (attempt 3)\n- x.go:3:1: undefined: two (attempt 1)", checks.RenderDelta(d))
}

func TestFormOf(t *testing.T) {
	for _, same := range [][2]string{
		{"x.go:3:1: undefined: two", "x.go:14: undefined: two"},
		{"src/a.ts(3,14): error TS2322: no", "src/a.ts(30,1): error TS2322: no"},
		{"open /tmp/x1/y: no such file", "open /var/folders/zz/y: no such file"},
		{"--- FAIL: TestA (0.01s)", "--- FAIL: TestA (12.50s)"},
		{"2026-12-01T02:40:28.123Z boom", "2027-01-01 00:00:00 boom"},
		{"at line 4, column 2", "at line 40, column 22"},
		{"id 0b1e7a52-1111-4222-8333-444455556666", "id 00000000-aaaa-4222-8333-444455556666"},
		{"goroutine 17 [running]", "goroutine 1 [running]"},
	} {
		require.Equal(t, checks.FormOf(same[0]), checks.FormOf(same[1]))
	}
	for _, other := range [][2]string{
		{"--- FAIL: TestS01 (0.01s)", "--- FAIL: TestS02 (0.01s)"}, {"got 3, want 4", "got 3, want 5"}, {"a/x.go:1: no", "b/x.go:1: no"}, {"error TS2322", "error TS2323"},
	} {
		require.NotEqual(t, checks.FormOf(other[0]), checks.FormOf(other[1]))
	}
}

func TestCompactGoesOn(t *testing.T) {
	first := compact(t, `{"rounds":[{"index":1,"verdict":"fail","feedback":"error: a"}]}`)
	text, err := json.Marshal(first)
	require.NoError(t, err)
	// With all rounds once more, as scripts give them, nothing is counted twice.
	second := compact(t, `{"previousDelta":`+string(text)+`,"rounds":[{"index":1,"verdict":"fail","feedback":"error: a"},{"index":2,"verdict":"fail","feedback":"error: b\nerror: a"}]}`)
	require.Equal(t, []string{"error: a", "error: b"}, texts(second))
	require.Equal(t, []int{1, 2}, second.RootCauses[0].Rounds)
	require.Equal(t, 2, second.RootCauses[0].Count)
	require.Equal(t, 2, second.Rounds)
	// And without them, nothing is forgotten.
	third := compact(t, `{"previousDelta":`+string(text)+`,"rounds":[{"index":2,"verdict":"fail","feedback":"error: b"}]}`)
	require.Equal(t, []string{"error: b", "error: a"}, texts(third))
	require.Equal(t, 2, third.Rounds)
}

func TestCompactTakesOddRounds(t *testing.T) {
	d := compact(t, `{"previousDelta":null,"rounds":[null,7,"just text",[1,"two"],{},{"index":"3","verdict":null,"feedback":{"a":1}},{"index":-4,"feedback":["x","y"]},
		{"index":1e300,"verdict":false,"feedback":"z","localChecks":{"ok":"no"}},{"index":9,"verdict":"pass","feedback":"error: not this"},
		{"index":10,"verdict":"fail","localChecks":{"ok":false,"summary":"Checks failed: 1 of 1.","checks":[]}}]}`)
	require.Equal(t, []string{"Checks failed: 1 of 1.", "z", "x", "y", `1 two`, "just text", "7", `{"a":1}`}[0], texts(d)[0])
	require.Subset(t, texts(d), []string{"just text", "two", "x", "y", "z", `{"a":1}`})
	require.NotContains(t, strings.Join(texts(d), "\n"), "not this")
	for _, wrong := range []string{`{"rounds":"x"}`, `{"maxTokens":"5"}`, `{"auditLogId":5}`, `{"previousDelta":[]}`} {
		var in checks.Rounds
		require.Error(t, json.Unmarshal([]byte(wrong), &in), wrong)
	}
	var in checks.Rounds
	require.NoError(t, json.Unmarshal([]byte(`{"maxTokens":0}`), &in))
	require.Error(t, in.Check())
}

func TestCompactTakesSecretsOut(t *testing.T) {
	key := "ghp" + "_0123456789abcdefghij"
	d := compact(t, `{"auditLogId":"`+key+`","previousDelta":{"rootCauses":[{"text":"error: `+key+` b"}]},"rounds":[{"index":1,"verdict":"fail","feedback":"error: password=hunter22 `+key+`"}]}`)
	text, err := json.Marshal(d)
	require.NoError(t, err)
	require.NotContains(t, string(text), key)
	require.NotContains(t, string(text), "hunter22")
	require.NotContains(t, checks.RenderDelta(checks.Delta{RootCauses: []checks.Cause{{Text: "it was " + key}}}), key)
	require.NotContains(t, checks.Render(checks.Result{Summary: key, Checks: []checks.Ran{{Stdout: key, Summary: key}}}), key)
}

func TestDeltaIsBoundedAndTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens := rapid.IntRange(1, 200).Draw(t, "tokens")
		var rounds []map[string]any
		for i := range rapid.IntRange(0, 6).Draw(t, "rounds") {
			feedback := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.StringMatching(`error: [a-z]{1,900}`), rapid.Just("error: the same")), 0, 8).Draw(t, "feedback")
			rounds = append(rounds, map[string]any{"index": i + 1, "verdict": "fail", "feedback": strings.Join(feedback, "\n")})
		}
		text, err := json.Marshal(map[string]any{"rounds": rounds, "maxTokens": tokens})
		require.NoError(t, err)
		d := compact(t, string(text))
		rendered := checks.RenderDelta(d)
		require.LessOrEqual(t, len(rendered), tokens*4)
		require.Equal(t, rendered, checks.RenderDelta(compact(t, string(text))))
		seen := map[string]bool{}
		for i, c := range d.RootCauses {
			require.False(t, seen[checks.FormOf(c.Text)], c.Text)
			seen[checks.FormOf(c.Text)] = true
			require.True(t, i == 0 || c.Rounds[len(c.Rounds)-1] <= d.RootCauses[i-1].Rounds[len(d.RootCauses[i-1].Rounds)-1], "the newest first")
			if tokens > 20 {
				require.Contains(t, rendered, c.Text, "what a delta has, its text has")
			}
		}
	})
}

func TestManyCauses(t *testing.T) {
	var feedback strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&feedback, "error: number %d is wrong\\n", i)
	}
	d := compact(t, `{"rounds":[{"index":1,"verdict":"fail","feedback":"`+feedback.String()+`"}]}`)
	require.Equal(t, "error: number 0 is wrong", d.RootCauses[0].Text)
	require.Positive(t, d.Omitted)
	text := checks.RenderDelta(d)
	require.LessOrEqual(t, len(text), 2048)
	require.Greater(t, len(text), 1900)
	require.True(t, strings.HasSuffix(text, fmt.Sprintf("(%d more)", d.Omitted)))
}

func TestRender(t *testing.T) {
	text := checks.Render(checks.Result{Summary: "Checks failed: 1 of 2.", Checks: []checks.Ran{
		{Check: checks.Check{Name: "a", Command: []string{"./a"}}, OK: true, Summary: "a is good.", Stdout: "fine"},
		{Check: checks.Check{Name: "b", Command: []string{"./b", "-x"}}, Summary: "b failed with exit code 1.", Stdout: "one\n", Stderr: strings.Repeat("two\n", 5000)},
	}})
	require.True(t, strings.HasPrefix(text, "Checks failed: 1 of 2.\n\nb failed with exit code 1.\n$ ./b -x\none\ntwo\n"))
	require.NotContains(t, text, "fine")
	require.Less(t, len(text), 2300)
	require.Empty(t, checks.Render(checks.Result{}))
	// What it says goes into a delta as causes.
	round, err := json.Marshal(text)
	require.NoError(t, err)
	require.Equal(t, []string{"b failed with exit code 1."}, texts(compact(t, `{"rounds":[{"index":1,"verdict":"fail","feedback":`+string(round)+`}]}`)))
}
