package checkpoint_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
)

func args(texts ...string) []json.RawMessage {
	list := make([]json.RawMessage, len(texts))
	for i, t := range texts {
		list[i] = json.RawMessage(t)
	}
	return list
}

func TestParse(t *testing.T) {
	q, err := checkpoint.Parse(args(`"Which?"`, `{"kind":"select","choices":["a","b"],"default":"b","headless":"suspend","timeoutMs":1500}`))
	require.NoError(t, err)
	require.Equal(t, checkpoint.Question{
		Kind: checkpoint.KindSelect, Prompt: "Which?", Choices: []string{"a", "b"}, Default: json.RawMessage(`"b"`),
		Headless: checkpoint.Suspend, Timeout: 1500 * time.Millisecond,
	}, q)
	q, err = checkpoint.Parse(args(`"Go?"`))
	require.NoError(t, err)
	require.Equal(t, checkpoint.Question{Kind: checkpoint.KindConfirm, Prompt: "Go?"}, q)
}

func TestB55_MisconfiguredCheckpoint(t *testing.T) {
	for _, c := range []struct {
		args []string
		code fault.Code
		in   string
	}{
		{nil, fault.CheckpointInvalid, "the prompt must be a text"},
		{[]string{`7`}, fault.CheckpointInvalid, "the prompt must be a text"},
		{[]string{`null`}, fault.CheckpointInvalid, "the prompt must be a text"},
		{[]string{`""`}, fault.CheckpointInvalid, "the prompt is empty"},
		{[]string{`"` + strings.Repeat("x", 65537) + `"`}, fault.CheckpointInvalid, "at most 65536 are allowed"},
		{[]string{`"go?"`, `{"default":"yes"}`}, fault.OptionInvalid, `"default" must be true or false, not "yes"`},
		{[]string{`"go?"`, `{"default":null}`}, fault.OptionInvalid, `"default" must be true or false, not null`},
		{[]string{`"go?"`, `{"headles":"abort"}`}, fault.OptionUnknown, `unknown option "headles"`},
		{[]string{`"go?"`, `{"headless":"approve"}`}, fault.OptionInvalid, `not "approve"`},
		{[]string{`"go?"`, `{"timeoutMs":0}`}, fault.OptionInvalid, `"timeoutMs"`},
		{[]string{`"go?"`, `{"timeoutMs":-1}`}, fault.OptionInvalid, `"timeoutMs"`},
		{[]string{`"go?"`, `{"kind":"plan"}`}, fault.OptionInvalid, `not "plan"`},
		{[]string{`"go?"`, `{"kind":"select"}`}, fault.CheckpointInvalid, "takes 1 to 1000 choices"},
		{[]string{`"go?"`, `{"kind":"select","choices":["a","a"]}`}, fault.CheckpointInvalid, `choices[1] repeats "a"`},
		{[]string{`"go?"`, `{"kind":"select","choices":["a",""]}`}, fault.CheckpointInvalid, "choices[1]"},
		{[]string{`"go?"`, `{"kind":"select","choices":["a"],"default":"b"}`}, fault.OptionInvalid, `not "b"`},
		{[]string{`"go?"`, `{"choices":["a"]}`}, fault.CheckpointInvalid, `choices belong to kind "select"`},
		{[]string{`"go?"`, `{"kind":"input","default":7}`}, fault.OptionInvalid, "must be a text, not 7"},
	} {
		_, err := checkpoint.Parse(args(c.args...))
		require.True(t, fault.Is(err, c.code), "%v: %v", c.args, err)
		require.ErrorContains(t, err, c.in)
	}
}

// The values were computed with a separate implementation of RFC 8785 and SHA-256.
func TestIdentity(t *testing.T) {
	const sum = "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772"
	for want, q := range map[string]checkpoint.Question{
		"9793ccd6b2e75528279080da7ea0c9f9200dc38446a7ac43735367fa95c99bb0": {Kind: checkpoint.KindConfirm, Prompt: "Delete A?"},
		"ac5eeace87cdf8ea57a2c2b83afad8842194380668fd8a1e7b4256eca24f3ba1": {
			Kind: checkpoint.KindSelect, Prompt: "Which?", Choices: []string{"a", "b"}, Default: json.RawMessage(`"b"`), Headless: checkpoint.Suspend,
		},
		"58aec831313bf1efe8d3d164b0242822b27847bf3865c97b9452b13c9a1c5db2": {
			Kind: checkpoint.KindPlan, Prompt: "Approve this plan?", Default: json.RawMessage("false"), Checksum: sum,
		},
		"5bdee4285d6553459080d10deb27a735da91c301848391a98804be8ad8ae4a6a": {
			Kind: checkpoint.KindPlan, Prompt: "Approve production deploy?", Default: json.RawMessage("false"), Headless: checkpoint.Abort, Checksum: sum,
		},
	} {
		got, err := q.Identity()
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// A deadline belongs to the asking, not to the question: changing it asks nothing anew.
func TestIdentityLeavesOutTheTimeout(t *testing.T) {
	q := checkpoint.Question{Kind: checkpoint.KindConfirm, Prompt: "Delete A?", Timeout: time.Hour}
	got, err := q.Identity()
	require.NoError(t, err)
	require.Equal(t, "9793ccd6b2e75528279080da7ea0c9f9200dc38446a7ac43735367fa95c99bb0", got)
}

func TestB50_NothingIsCoerced(t *testing.T) {
	plan := checkpoint.Question{Kind: checkpoint.KindPlan}
	confirm := checkpoint.Question{Kind: checkpoint.KindConfirm}
	for answer, ok := range map[string][2]bool{ // plan, confirm
		`true`: {true, true}, `false`: {true, true},
		`"not okay, approved later"`: {true, false}, `"true"`: {true, false}, `"no"`: {true, false},
		`""`: {false, false}, `1`: {false, false}, `0`: {false, false}, `{}`: {false, false}, `[]`: {false, false},
		`null`: {false, false}, `NaN`: {false, false}, ``: {false, false}, `true false`: {false, false},
	} {
		require.Equal(t, ok[0], plan.CheckAnswer(json.RawMessage(answer)) == nil, "plan %q", answer)
		require.Equal(t, ok[1], confirm.CheckAnswer(json.RawMessage(answer)) == nil, "confirm %q", answer)
	}
}

func TestRule(t *testing.T) {
	withDefault := checkpoint.Question{Kind: checkpoint.KindConfirm, Prompt: "Go?", Default: json.RawMessage("false")}
	without := checkpoint.Question{Kind: checkpoint.KindConfirm, Prompt: "Go?"}
	own := checkpoint.Question{Kind: checkpoint.KindConfirm, Prompt: "Go?", Headless: checkpoint.Abort}
	for _, c := range []struct {
		q    checkpoint.Question
		run  checkpoint.Rule
		want checkpoint.Rule
	}{
		{withDefault, "", checkpoint.Default},
		{withDefault, checkpoint.Suspend, checkpoint.Suspend},
		{without, checkpoint.Suspend, checkpoint.Suspend},
		{without, checkpoint.Abort, checkpoint.Abort},
		{own, checkpoint.Suspend, checkpoint.Abort},
		{own, checkpoint.Default, checkpoint.Abort},
	} {
		got, err := c.q.Rule(c.run)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	_, err := without.Rule("")
	require.True(t, fault.Is(err, fault.CheckpointNeedsDefault), "no default is ever invented: %v", err)
	require.Regexp(t, `(?i)human input|headless`, own.AbortError().Error())
}
