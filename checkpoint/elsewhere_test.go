package checkpoint_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// visitAnswer records an answer as another process does.
func visitAnswer(store *journal.Store, run string, r checkpoint.Response) (checkpoint.Recorded, error) {
	v, err := store.Visit(ctx, run)
	if err != nil {
		return checkpoint.Recorded{}, err
	}
	defer v.Close()
	return respond(v, v.Executing, r)
}

func TestAskLaterAfterAnsweredElsewhere(t *testing.T) {
	store, r := newRun(t)
	asker := checkpoint.AskerFunc(func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		_, err := visitAnswer(store, r.ID(), checkpoint.Response{Decision: json.RawMessage("true")})
		if err != nil {
			return checkpoint.Answer{}, err
		}
		return checkpoint.Answer{Later: true}, nil
	})
	out, err := checkpoint.Ask(ctx, r, "k", confirm(), checkpoint.AskOptions{Asker: asker})
	require.NoError(t, err)
	require.JSONEq(t, "true", string(out.Decision()))
}

func TestAskEndsWhenAnsweredElsewhere(t *testing.T) {
	store, r := newRun(t)
	asker := checkpoint.AskerFunc(func(ctx context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		_, err := visitAnswer(store, r.ID(), checkpoint.Response{Decision: json.RawMessage("true")})
		if err != nil {
			return checkpoint.Answer{}, err
		}
		<-ctx.Done()
		return checkpoint.Answer{}, ctx.Err()
	})
	c, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	_, err := checkpoint.Ask(c, r, "k", confirm(), checkpoint.AskOptions{Asker: asker})
	require.NoError(t, c.Err(), "the asker was never told that the gate was answered elsewhere: %v", err)
}

func TestAskHeadlessExpires(t *testing.T) {
	_, r := newRun(t)
	q := confirm()
	q.Timeout = time.Second
	_, err := checkpoint.Ask(ctx, r, "k", q, checkpoint.AskOptions{OnGate: checkpoint.Suspend})
	require.Error(t, err)
	later := func() time.Time { return time.Now().Add(time.Hour) }
	out, err := checkpoint.Ask(ctx, r, "k", q, checkpoint.AskOptions{Now: later})
	require.NoError(t, err)
	require.Equal(t, journal.Expired, out.Gate.State)
}

func TestAskSuspendAsksDefaultedAnew(t *testing.T) {
	_, r := newRun(t)
	_, err := checkpoint.Ask(ctx, r, "k", confirm(), checkpoint.AskOptions{})
	require.NoError(t, err)
	_, err = checkpoint.Ask(ctx, r, "k", confirm(), checkpoint.AskOptions{OnGate: checkpoint.Suspend})
	require.Error(t, err, "it can be put to a person later: GATE_WAITING")
}

func TestSecondIdenticalAnswerSpelledDifferently(t *testing.T) {
	store, r := newRun(t)
	q := checkpoint.Question{Kind: checkpoint.KindInput, Prompt: "name?"}
	_, err := checkpoint.Ask(ctx, r, "k", q, checkpoint.AskOptions{OnGate: checkpoint.Suspend})
	require.Error(t, err)
	_, err = visitAnswer(store, r.ID(), checkpoint.Response{Decision: json.RawMessage(`"a<b"`)})
	require.NoError(t, err)
	id := r.ID()
	_, err = visitAnswer(store, id, checkpoint.Response{Gate: r.State().GateOrder[0], Decision: json.RawMessage(`"a\u003cb"`)})
	require.NoError(t, err)
}
