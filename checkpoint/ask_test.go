package checkpoint_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// answering is an asker that answers the asking it is shown.
func answering(decision string) checkpoint.AskerFunc {
	return func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		return checkpoint.Answer{Decision: json.RawMessage(decision), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Who: ann}, nil
	}
}

func confirm() checkpoint.Question {
	return checkpoint.Question{Kind: checkpoint.KindConfirm, Prompt: "Delete A?", Default: json.RawMessage("false")}
}

func TestAskReplays(t *testing.T) {
	_, run := newRun(t)
	first, err := checkpoint.Ask(ctx, run, "delete", confirm(), checkpoint.AskOptions{Asker: answering("true")})
	require.NoError(t, err)
	require.JSONEq(t, "true", string(first.Decision()))
	require.False(t, first.Replayed)
	second, err := checkpoint.Ask(ctx, run, "delete", confirm(), checkpoint.AskOptions{Asker: answering("false")})
	require.NoError(t, err)
	require.JSONEq(t, "true", string(second.Decision()), "the journal's answer")
	require.True(t, second.Replayed)
	other, err := checkpoint.Ask(ctx, run, "elsewhere", confirm(), checkpoint.AskOptions{Asker: answering("false")})
	require.NoError(t, err)
	require.JSONEq(t, "false", string(other.Decision()), "another key is another question")
}

func TestAskHeadless(t *testing.T) {
	_, run := newRun(t)
	got, err := checkpoint.Ask(ctx, run, "a", confirm(), checkpoint.AskOptions{})
	require.NoError(t, err)
	require.JSONEq(t, "false", string(got.Decision()))
	require.Equal(t, journal.Defaulted, got.Gate.State, "it was not a person")
	require.Equal(t, "headless", got.Gate.Answer.Unanswered)

	got, err = checkpoint.Ask(ctx, run, "a", confirm(), checkpoint.AskOptions{Asker: answering("true")})
	require.NoError(t, err, "a person is asked anew")
	require.JSONEq(t, "true", string(got.Decision()))

	_, err = checkpoint.Ask(ctx, run, "b", confirm(), checkpoint.AskOptions{OnGate: checkpoint.Abort})
	require.True(t, fault.Is(err, fault.HumanInputRequired), "%v", err)

	_, err = checkpoint.Ask(ctx, run, "c", confirm(), checkpoint.AskOptions{OnGate: checkpoint.Suspend})
	require.True(t, fault.Is(err, fault.GateWaiting), "%v", err)
	_, err = respond(run, no, checkpoint.Response{Decision: json.RawMessage("true")})
	require.NoError(t, err, "a suspended gate is answered by any process")
	got, err = checkpoint.Ask(ctx, run, "c", confirm(), checkpoint.AskOptions{OnGate: checkpoint.Suspend})
	require.NoError(t, err)
	require.JSONEq(t, "true", string(got.Decision()))
}

// Whatever an asker does short of the right answer to the right question, nothing is approved.
func TestB50_AskerIsNoAnswer(t *testing.T) {
	wrong := func(change func(*checkpoint.Answer)) checkpoint.AskerFunc {
		return func(c context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
			a, err := answering("true")(c, q)
			change(&a)
			return a, err
		}
	}
	for name, asker := range map[string]checkpoint.Asker{
		"error": checkpoint.AskerFunc(func(context.Context, checkpoint.Asked) (checkpoint.Answer, error) {
			return checkpoint.Answer{Decision: json.RawMessage("true")}, errors.New("x")
		}),
		"panic":   checkpoint.AskerFunc(func(context.Context, checkpoint.Asked) (checkpoint.Answer, error) { panic("x") }),
		"nothing": checkpoint.AskerFunc(func(context.Context, checkpoint.Asked) (checkpoint.Answer, error) { return checkpoint.Answer{}, nil }),
		"later":   wrong(func(a *checkpoint.Answer) { a.Later = true }),
		"other checksum": wrong(func(a *checkpoint.Answer) {
			a.Checksum = "5041bf1f713df204784353e82f6a4a535931cb64f1f4b4a5aeaffcb720918b22"
		}),
		"no checksum": wrong(func(a *checkpoint.Answer) { a.Checksum = "" }),
		"other nonce": wrong(func(a *checkpoint.Answer) { a.Nonce = "00000000000000000000000000000000" }),
		"number":      wrong(func(a *checkpoint.Answer) { a.Decision = json.RawMessage("1") }),
		"object":      wrong(func(a *checkpoint.Answer) { a.Decision = json.RawMessage("{}") }),
		"null":        wrong(func(a *checkpoint.Answer) { a.Decision = json.RawMessage("null") }),
		"garbage":     wrong(func(a *checkpoint.Answer) { a.Decision = json.RawMessage("yes") }),
	} {
		t.Run(name, func(t *testing.T) {
			_, run := newRun(t)
			_, err := checkpoint.Ask(ctx, run, "plan", planQuestion(), checkpoint.AskOptions{Asker: asker})
			require.True(t, fault.Is(err, fault.GateWaiting), "%v", err)
			g := run.State().Gates[run.State().GateByKey["plan"]]
			require.Equal(t, journal.Pending, g.State)
			require.True(t, g.Suspended)
		})
	}
	t.Run("a text is a change request", func(t *testing.T) {
		_, run := newRun(t)
		got, err := checkpoint.Ask(ctx, run, "plan", planQuestion(), checkpoint.AskOptions{Asker: answering(`"true"`)})
		require.NoError(t, err)
		require.Equal(t, journal.ChangesRequested, got.Gate.State)
	})
}

func TestAskDeadline(t *testing.T) {
	_, run := newRun(t)
	slow := checkpoint.AskerFunc(func(c context.Context, _ checkpoint.Asked) (checkpoint.Answer, error) {
		<-c.Done()
		return checkpoint.Answer{}, c.Err()
	})
	q := planQuestion()
	q.Timeout = 1 // a nanosecond
	got, err := checkpoint.Ask(ctx, run, "plan", q, checkpoint.AskOptions{Asker: slow})
	require.NoError(t, err)
	require.Equal(t, journal.Expired, got.Gate.State)
	require.Equal(t, "PLAN_APPROVAL_TIMEOUT", got.Gate.Closed.Code)
	require.JSONEq(t, "false", string(got.Decision()))

	q = confirm()
	q.Default, q.Timeout = nil, 1
	_, err = checkpoint.Ask(ctx, run, "confirm", q, checkpoint.AskOptions{Asker: slow})
	require.True(t, fault.Is(err, fault.PlanApprovalTimeout), "%v", err)
}

// A question's own rule to wait holds until its deadline: what expired then replays, unless the
// program says itself that questions are to be left open.
func TestAskExpiredByItsOwnRule(t *testing.T) {
	_, run := newRun(t)
	q := confirm()
	q.Headless, q.Timeout = checkpoint.Suspend, time.Hour
	o := checkpoint.AskOptions{}
	_, err := checkpoint.Ask(ctx, run, "a", q, o)
	require.True(t, fault.Is(err, fault.GateWaiting), "%v", err)
	o.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	for _, replayed := range []bool{false, true, true} {
		got, err := checkpoint.Ask(ctx, run, "a", q, o)
		require.NoError(t, err)
		require.JSONEq(t, "false", string(got.Decision()))
		require.Equal(t, replayed, got.Replayed)
	}
	require.Len(t, run.State().GateOrder, 1)
	o.OnGate = checkpoint.Suspend
	_, err = checkpoint.Ask(ctx, run, "a", q, o)
	require.True(t, fault.Is(err, fault.GateWaiting), "%v", err)
	require.Len(t, run.State().GateOrder, 2)
}
