package planapprove_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

const (
	sumP1 = "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772" // {"a":2,"b":1}
	sumP2 = "5041bf1f713df204784353e82f6a4a535931cb64f1f4b4a5aeaffcb720918b22" // {"x":1}
)

func newRun(t *testing.T) journal.Run {
	t.Helper()
	ctx, dir := context.Background(), t.TempDir()
	store, err := journal.Open(journal.Options{Dir: filepath.Join(dir, "store"), KeyDir: filepath.Join(dir, "keys")})
	require.NoError(t, err)
	run, err := store.Create(ctx, journal.RunStarted{Title: "test", Args: json.RawMessage("{}"), Workspace: dir})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, run.Close())
		report, err := journal.Verify(ctx, store, run.ID())
		require.NoError(t, err)
		require.True(t, report.OK, "%v", report.Problems)
	})
	return run
}

func ask(t *testing.T, run journal.Run, key, plan, decision string, asked *int) planapprove.Approval {
	t.Helper()
	q, err := planapprove.NewQuestion(json.RawMessage(plan), checkpoint.Question{})
	require.NoError(t, err)
	asker := checkpoint.AskerFunc(func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		*asked++
		return checkpoint.Answer{Decision: json.RawMessage(decision), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Who: journal.Who{User: "ann", Host: "here"}}, nil
	})
	a, err := planapprove.Ask(context.Background(), run, key, q, checkpoint.AskOptions{Asker: asker, Program: "p"})
	require.NoError(t, err)
	return a
}

// The same key, P2 after P1: asked again, and the approval of P1 covers nothing any more.
func TestDriftedPlanIsAskedAgain(t *testing.T) {
	run, asked := newRun(t), 0
	first := ask(t, run, "deploy", `{"b":1,"a":2}`, "true", &asked)
	require.True(t, first.Approved())
	require.Equal(t, sumP1, first.Checksum)
	_, err := planapprove.Check(run.State(), planapprove.Claim{Key: "deploy", Checksum: sumP1, Program: "p"})
	require.NoError(t, err)

	second := ask(t, run, "deploy", `{"x":1}`, "false", &asked)
	require.Equal(t, 2, asked)
	require.False(t, second.Approved())
	require.Equal(t, sumP2, second.Checksum)
	for _, sum := range []string{sumP1, sumP2} {
		_, err = planapprove.Check(run.State(), planapprove.Claim{Key: "deploy", Checksum: sum, Program: "p"})
		require.True(t, fault.Is(err, fault.PlanNotApproved), "%v", err)
	}
	g := run.State().Gates[run.State().GateByKey["deploy"]]
	last := planapprove.LastApproved(run.State(), g.Seq)
	require.NotNil(t, last)
	changes, err := planapprove.Drift(last.Asked.Plan, g.Asked.Plan)
	require.NoError(t, err)
	require.Equal(t, "- $.a: 2\n- $.b: 1\n+ $.x: 1\n", planapprove.Lines(changes))
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	run, asked := newRun(t), 0
	ask(t, run, "yes", `{"b":1,"a":2}`, "true", &asked)
	ask(t, run, "no", `{"b":1,"a":2}`, "false", &asked)
	ask(t, run, "but", `{"b":1,"a":2}`, `"use less"`, &asked)
	for _, c := range []struct {
		claim planapprove.Claim
		why   string
	}{
		{planapprove.Claim{Key: "yes", Checksum: sumP1, Program: "p"}, ""},
		{planapprove.Claim{Key: "yes", Checksum: sumP2, Program: "p"}, "approves " + sumP1 + ", not " + sumP2},
		{planapprove.Claim{Key: "yes", Checksum: sumP1, Program: "q"}, "another version of the script"},
		{planapprove.Claim{Key: "no", Checksum: sumP1, Program: "p"}, "is rejected"},
		{planapprove.Claim{Key: "but", Checksum: sumP1, Program: "p"}, "is changes_requested"},
		{planapprove.Claim{Key: "other", Checksum: sumP1, Program: "p"}, "no plan was asked about at other"},
	} {
		_, err := planapprove.Check(run.State(), c.claim)
		if c.why == "" {
			require.NoError(t, err)
			continue
		}
		require.True(t, fault.Is(err, fault.PlanNotApproved), "%v", err)
		require.ErrorContains(t, err, c.why)
	}
	run.State().Proven = false
	_, err := planapprove.Check(run.State(), planapprove.Claim{Key: "yes", Checksum: sumP1, Program: "p"})
	require.ErrorContains(t, err, "not proven")
}

// The approval that a script gets is the same bytes live and replayed.
func TestReplayedIsNoPartOfTheJSON(t *testing.T) {
	run, asked := newRun(t), 0
	live, err := json.Marshal(ask(t, run, "k", `{"b":1,"a":2}`, "true", &asked))
	require.NoError(t, err)
	replayed := ask(t, run, "k", `{"b":1,"a":2}`, "true", &asked)
	require.True(t, replayed.Replayed)
	again, err := json.Marshal(replayed)
	require.NoError(t, err)
	require.Equal(t, string(live), string(again))
	require.Equal(t, 1, asked)
}
