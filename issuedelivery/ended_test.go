package issuedelivery_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
)

// A delivery that its engine ended or left says why, and where it stands.
func TestDeliverEndedByTheEngine(t *testing.T) {
	w := newWorld(t)
	o := w.options("Write two files")
	o.Engine.Settings.Budget.Tokens = 10 // the scout takes 11
	got := w.deliver(o)
	require.Equal(t, []any{"paused", 5, issuedelivery.StageThinker, "budget", "BUDGET_EXCEEDED", "assent resume " + got.Run + " --budget AMOUNT"},
		[]any{got.State, got.Exit, got.Stage, got.StoppedBy, got.Code, got.Next}, "%+v", got)

	o = w.options("Write two files")
	o.Engine.OnGate = checkpoint.Abort
	got = w.deliver(o)
	require.Equal(t, []any{"stopped", 3, issuedelivery.StageStopped, issuedelivery.StageAsking, "human-input", "HUMAN_INPUT_REQUIRED"},
		[]any{got.State, got.Exit, got.Stage, got.At, got.StoppedBy, got.Code}, "%+v", got)

	o.Engine.OnGate = checkpoint.Suspend
	got = w.deliver(o)
	visit, err := w.store.Visit(t.Context(), got.Run)
	require.NoError(t, err)
	defer visit.Close()
	_, err = visit.Update(t.Context(), func(*journal.State) ([]journal.Draft, error) {
		return []journal.Draft{{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: journal.StatusCancelled, Code: "RUN_CANCELLED", Who: &ann}}}, nil
	})
	require.NoError(t, err)
	got, err = issuedelivery.Look(t.Context(), w.store, got.Run)
	require.NoError(t, err)
	require.Equal(t, []any{"cancelled", 1, issuedelivery.StageFailed, issuedelivery.StageAsking, "cancelled", "failed", "assent deliver 'Write two files'"},
		[]any{got.State, got.Exit, got.Stage, got.At, got.StoppedBy, got.Status, got.Next}, "%+v", got)
}

// B75: what changes something before the plan was approved stops the run before the question.
func TestB75_DeliverStopsAtAMutation(t *testing.T) {
	w := newWorld(t)
	w.meanwhile = func(who string, req agent.Request) {
		if who == "scout" {
			require.NoError(t, os.WriteFile(filepath.Join(w.dir, "sneaked.txt"), nil, 0o600))
		}
	}
	got := w.deliver(w.options("Write two files"))
	require.Equal(t, []any{"stopped", 3, "mutation-before-approval", "needs-human", "READ_ONLY_VIOLATED", "assent resume " + got.Run},
		[]any{got.State, got.Exit, got.StoppedBy, got.Status, got.Code, got.Next}, "%+v", got)
	require.Contains(t, got.Reason, "sneaked.txt")
	require.Nil(t, got.Stages.Asking)
	require.NoError(t, os.Remove(filepath.Join(w.dir, "sneaked.txt")))
	w.meanwhile = nil
	require.Equal(t, "plan-approval", w.resume(got.Run).StoppedBy)
}

// An approval that is taken back while workers are at work stops the run, and is asked for again.
func TestDeliverStopsWhenTheApprovalIsRevoked(t *testing.T) {
	w := newWorld(t)
	w.meanwhile = func(who string, req agent.Request) {
		if who == "worker" {
			visit, err := w.store.Visit(context.Background(), req.Run)
			require.NoError(t, err)
			defer visit.Close()
			_, err = checkpoint.Revoke(context.Background(), visit, checkpoint.Revocation{Who: ann, Reason: "too soon"})
			require.NoError(t, err)
		}
	}
	got := w.asked(issuedelivery.LaneNoPR, "true")
	require.Equal(t, []any{"stopped", 3, issuedelivery.StageStopped, "revoked", "PLAN_NOT_APPROVED", "assent resume " + got.Run},
		[]any{got.State, got.Exit, got.Stage, got.StoppedBy, got.Code, got.Next}, "%+v", got)
	w.meanwhile = nil
	o := w.options("")
	o.Resume, o.Engine.OnGate = got.Run, checkpoint.Suspend
	got = w.deliver(o)
	require.Equal(t, []any{"waiting", issuedelivery.StageAsking}, []any{got.State, got.At}, "%+v", got)
	w.answer(got.Run, "true")
	got = w.resume(got.Run)
	require.Equal(t, []any{"interrupted", 5, "assent resume " + got.Run + " --rerun-changed"}, []any{got.State, got.Exit, got.Next}, "%+v", got)
	o.Engine.RerunChanged = true
	got = w.deliver(o)
	require.True(t, got.Success, "%+v", got)
}

// A delivery can be looked at while it is at work, and where it was cut off.
func TestLookMeanwhile(t *testing.T) {
	w := newWorld(t)
	ctx, cut := context.WithCancel(t.Context())
	defer cut()
	var seen issuedelivery.Outcome
	var seenErr error
	w.meanwhile = func(who string, req agent.Request) {
		if who == "worker" {
			seen, seenErr = issuedelivery.Look(context.Background(), w.store, req.Run)
			cut()
		}
	}
	o := w.options("Write two files")
	o.Engine.Asker = answers{"true", "false"}
	got, err := issuedelivery.Deliver(ctx, o)
	require.NoError(t, err)
	require.NoError(t, seenErr)
	require.Equal(t, []any{"running", issuedelivery.StageWorkers, "", "at-work", 1, 1},
		[]any{seen.State, seen.Stage, seen.StoppedBy, seen.Stages.Workers.Steps[0].State, seen.Stages.Workers.Steps[0].Attempts, seen.Stages.Workers.Open}, "%+v", seen)
	require.Equal(t, "waiting", seen.Stages.Workers.Steps[1].State)
	require.Equal(t, []any{"interrupted", 5, "interrupted", issuedelivery.StageWorkers}, []any{got.State, got.Exit, got.StoppedBy, got.At}, "%+v", got)

	w.meanwhile = nil
	got = w.resume(got.Run)
	require.True(t, got.Success, "%+v", got)
	require.Equal(t, 1, got.Stages.Workers.Steps[0].Attempts)
	require.WithinDuration(t, time.Now(), must(time.Parse(time.RFC3339, got.Approval.ApprovedAt)), time.Hour)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A verdict counts only as a whole: yes, no test that cannot fail, and evidence of each criterion.
func TestVerdictsNeedEvidence(t *testing.T) {
	for name, said := range map[string]struct {
		change func(v object)
		want   issuedelivery.Verdict
	}{
		"no evidence":  {func(v object) { v["criteria"] = []any{object{"criterion": 1, "met": true, "evidence": " "}} }, issuedelivery.Verdict{Step: "one", Unmet: []int{1}}},
		"not answered": {func(v object) { v["criteria"] = []any{} }, issuedelivery.Verdict{Step: "one", Unmet: []int{1}}},
		"not met": {func(v object) {
			v["criteria"] = []any{object{"criterion": 1, "met": true, "evidence": "a"}, object{"criterion": 1, "met": false, "evidence": "b"}}
		}, issuedelivery.Verdict{Step: "one", Unmet: []int{1}}},
		"tautology": {func(v object) { v["tautologicalTestDetected"] = true }, issuedelivery.Verdict{Step: "one", Unmet: []int{}, Tautological: true}},
		"no":        {func(v object) { v["passed"] = false }, issuedelivery.Verdict{Step: "one", Unmet: []int{}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			v := verdict(true)
			said.change(v)
			w.give("verifier", v)
			got := w.asked(issuedelivery.LaneNoPR, "true")
			require.Equal(t, "verifier", got.StoppedBy, "what the outcome says is what the pipeline did")
			said.want.Feedback = "Looked at it."
			require.Equal(t, []issuedelivery.Verdict{said.want, said.want, said.want}, got.Verdicts)
			require.Equal(t, "failed", got.Stages.Workers.Steps[0].State)
			require.Equal(t, "waiting", got.Stages.Workers.Steps[1].State)
		})
	}
}
