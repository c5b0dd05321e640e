package checkpoint_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

var (
	ctx  = context.Background()
	ann  = journal.Who{User: "ann", Host: "here", Way: "command"}
	yes  = func() bool { return true }
	no   = func() bool { return false }
	sumA = "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772" // {"a":2,"b":1}
)

func newRun(t testing.TB) (*journal.Store, journal.Run) {
	t.Helper()
	dir := t.TempDir()
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
	return store, run
}

func planQuestion() checkpoint.Question {
	return checkpoint.Question{
		Kind: checkpoint.KindPlan, Prompt: "Approve this plan?", Default: json.RawMessage("false"), Plan: `{"a":2,"b":1}`, Checksum: sumA,
	}
}

func open(t testing.TB, run journal.Run, q checkpoint.Question, a checkpoint.Asking) journal.GateAsked {
	t.Helper()
	if a.Now.IsZero() {
		a.Now = time.Now()
	}
	var asked journal.GateAsked
	_, err := run.Update(ctx, func(st *journal.State) (drafts []journal.Draft, err error) {
		drafts, asked, err = checkpoint.Open(st, q, a)
		return drafts, err
	})
	require.NoError(t, err)
	return asked
}

func respond(run checkpoint.Journal, executing func() bool, r checkpoint.Response) (checkpoint.Recorded, error) {
	if r.Who == (journal.Who{}) {
		r.Who = ann
	}
	return checkpoint.Respond(ctx, run, executing, time.Now, r)
}

func TestRespond(t *testing.T) {
	for decision, want := range map[string]journal.GateState{
		`true`: journal.Approved, `false`: journal.Rejected, `"use less"`: journal.ChangesRequested,
	} {
		_, run := newRun(t)
		asked := open(t, run, planQuestion(), checkpoint.Asking{Key: "/planApprove#0"})
		got, err := respond(run, yes, checkpoint.Response{Checksum: sumA, Decision: json.RawMessage(decision)})
		require.NoError(t, err)
		require.Equal(t, checkpoint.Recorded{Gate: asked.Gate, State: want}, got)
		again, err := respond(run, yes, checkpoint.Response{Checksum: sumA, Decision: json.RawMessage(decision)})
		require.NoError(t, err, "the same answer again is no error")
		require.True(t, again.Already)
		other := json.RawMessage(`"something else"`)
		_, err = respond(run, yes, checkpoint.Response{Checksum: sumA, Decision: other})
		require.True(t, fault.Is(err, fault.PlanApprovalConflict), "%v", err)
		require.ErrorContains(t, err, "no longer pending")
	}
}

func TestB48_S13_StaleApproval(t *testing.T) {
	_, run := newRun(t)
	first := open(t, run, planQuestion(), checkpoint.Asking{Key: "/planApprove#0"})
	second := planQuestion()
	second.Plan, second.Checksum = `{"x":1}`, "5041bf1f713df204784353e82f6a4a535931cb64f1f4b4a5aeaffcb720918b22"
	now := open(t, run, second, checkpoint.Asking{Key: "/planApprove#0"})
	require.Equal(t, first.Gate, now.Revises)
	head := run.State().Head
	for _, c := range []struct {
		r    checkpoint.Response
		code fault.Code
	}{
		{checkpoint.Response{Checksum: sumA}, fault.PlanApprovalStale},
		{checkpoint.Response{Gate: now.Gate, Checksum: sumA}, fault.PlanApprovalStale},
		{checkpoint.Response{Gate: first.Gate, Checksum: sumA}, fault.PlanApprovalStale},
		{checkpoint.Response{Checksum: second.Checksum[:2]}, fault.ChecksumInvalid},
		{checkpoint.Response{Checksum: "5041BF1F713DF204784353E82F6A4A535931CB64F1F4B4A5AEAFFCB720918B22"}, fault.ChecksumInvalid},
		{checkpoint.Response{Checksum: second.Checksum, Nonce: first.Nonce}, fault.PlanApprovalStale},
		{checkpoint.Response{Gate: "nothing-1", Checksum: second.Checksum}, fault.GateUnknown},
	} {
		c.r.Decision = json.RawMessage("true")
		_, err := respond(run, yes, c.r)
		require.True(t, fault.Is(err, c.code), "%+v: %v", c.r, err)
	}
	require.Equal(t, head, run.State().Head, "nothing is journaled")
	require.Equal(t, journal.Pending, run.State().Gates[now.Gate].State)
}

func TestB40_LateAnswers(t *testing.T) {
	t.Run("after the deadline", func(t *testing.T) {
		_, run := newRun(t)
		q := planQuestion()
		q.Timeout = time.Minute
		asked := open(t, run, q, checkpoint.Asking{Key: "/planApprove#0", Now: time.Now().Add(-time.Hour)})
		for range 2 {
			_, err := respond(run, yes, checkpoint.Response{Checksum: sumA, Decision: json.RawMessage("true")})
			require.True(t, fault.Is(err, fault.PlanApprovalStale), "%v", err)
			require.ErrorContains(t, err, "no longer pending")
			require.Equal(t, uint64(3), run.State().Head, "only the closing is recorded, once")
		}
		require.Equal(t, journal.Expired, run.State().Gates[asked.Gate].State)
	})
	t.Run("after the end of the run", func(t *testing.T) {
		store, run := newRun(t)
		open(t, run, planQuestion(), checkpoint.Asking{Key: "/planApprove#0", Suspended: true})
		_, err := journal.Append(ctx, run, journal.Draft{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: "cancelled"}})
		require.NoError(t, err)
		visit, err := store.Visit(ctx, run.ID())
		require.NoError(t, err)
		defer visit.Close()
		_, err = respond(visit, no, checkpoint.Response{Checksum: sumA, Decision: json.RawMessage("true")})
		require.ErrorContains(t, err, "no longer pending")
	})
	t.Run("after the death of the process that showed it", func(t *testing.T) {
		_, run := newRun(t)
		open(t, run, planQuestion(), checkpoint.Asking{Key: "/planApprove#0"})
		_, err := respond(run, no, checkpoint.Response{Checksum: sumA, Decision: json.RawMessage("true")})
		require.True(t, fault.Is(err, fault.PlanApprovalInterrupt), "%v", err)
	})
}

func TestSeveralGatesNeedAName(t *testing.T) {
	_, run := newRun(t)
	a := open(t, run, planQuestion(), checkpoint.Asking{Key: "/planApprove#0"})
	b := open(t, run, planQuestion(), checkpoint.Asking{Key: "/planApprove#1"})
	require.NotEqual(t, a.Gate, b.Gate)
	_, err := respond(run, yes, checkpoint.Response{Checksum: sumA, Decision: json.RawMessage("true")})
	require.True(t, fault.Is(err, fault.GateAmbiguous), "%v", err)
	got, err := respond(run, yes, checkpoint.Response{Gate: b.Gate, Checksum: sumA, Decision: json.RawMessage("true")})
	require.NoError(t, err)
	require.Equal(t, journal.Approved, got.State)
	require.Equal(t, journal.Pending, run.State().Gates[a.Gate].State)
	_, err = respond(run, yes, checkpoint.Response{Checksum: sumA, Decision: json.RawMessage("false")})
	require.True(t, fault.Is(err, fault.GateAmbiguous), "an answered gate with the same checksum counts: %v", err)
	_, err = respond(run, yes, checkpoint.Response{Decision: json.RawMessage("false")})
	require.NoError(t, err, "only one waits")
}

// Two people answer in the same moment: one durable decision, and the other one is told.
func TestS14_OneDecision(t *testing.T) {
	for range 20 {
		store, run := newRun(t)
		asked := open(t, run, planQuestion(), checkpoint.Asking{Key: "/planApprove#0", Suspended: true})
		var wait sync.WaitGroup
		errs := make([]error, 2)
		for i, decision := range []string{"true", "false"} {
			wait.Go(func() {
				visit, err := store.Visit(ctx, run.ID())
				if err != nil {
					errs[i] = err
					return
				}
				defer visit.Close()
				_, errs[i] = respond(visit, no, checkpoint.Response{Gate: asked.Gate, Checksum: sumA, Decision: json.RawMessage(decision)})
			})
		}
		wait.Wait()
		_, err := run.Sync(ctx)
		require.NoError(t, err)
		g := run.State().Gates[asked.Gate]
		loser := errs[0]
		if string(g.Answer.Decision) == "true" {
			loser = errs[1]
		}
		require.True(t, fault.Is(loser, fault.PlanApprovalConflict), "%v", loser)
		require.NotEqual(t, errs[0] == nil, errs[1] == nil)
	}
}

func identityOf(t *testing.T, q checkpoint.Question) string {
	t.Helper()
	id, err := q.Identity()
	require.NoError(t, err)
	return id
}

// A record that claims the identity of a question and asks another one is no answer to it.
func TestStandDoesNotTrustTheRecordedIdentity(t *testing.T) {
	id := identityOf(t, planQuestion())
	for _, state := range []journal.GateState{journal.Pending, journal.Approved, journal.Expired} {
		g := &journal.Gate{Identity: id, State: state, Asked: journal.GateAsked{
			Kind: "plan", Prompt: "Approve this plan?", Default: json.RawMessage("false"), Plan: `{"x":1}`,
			Checksum: "5041bf1f713df204784353e82f6a4a535931cb64f1f4b4a5aeaffcb720918b22",
		}}
		got, reason := checkpoint.Stand(g, id, checkpoint.Circumstances{Proven: true})
		require.Equal(t, checkpoint.AskAgain, got)
		require.Equal(t, "drift", reason)
	}
	confirm := checkpoint.Question{Kind: checkpoint.KindConfirm, Prompt: "Delete prod?"}
	g := &journal.Gate{Identity: identityOf(t, confirm), State: journal.Expired, Asked: journal.GateAsked{
		Kind: "confirm", Prompt: "Delete prod?", Default: json.RawMessage("true"),
	}}
	got, _ := checkpoint.Stand(g, identityOf(t, confirm), checkpoint.Circumstances{Proven: true})
	require.Equal(t, checkpoint.AskAgain, got, "a forged default answers nothing")
}

func TestStand(t *testing.T) {
	const program = "p1"
	gate := func(kind checkpoint.Kind, state journal.GateState) *journal.Gate {
		g := &journal.Gate{State: state, Asked: journal.GateAsked{Kind: string(kind), Prompt: "Go?", Program: program}}
		g.Identity = identityOf(t, checkpoint.QuestionOf(g))
		return g
	}
	here := checkpoint.Circumstances{Program: program, Proven: true}
	person := checkpoint.Circumstances{Program: program, Proven: true, Person: true}
	edited := checkpoint.Circumstances{Program: "p2", Proven: true}
	unproven := checkpoint.Circumstances{Program: program}
	for _, c := range []struct {
		g        *journal.Gate
		identity string
		c        checkpoint.Circumstances
		want     checkpoint.Standing
		reason   string
	}{
		{nil, "i", here, checkpoint.AskAgain, ""},
		{gate(checkpoint.KindPlan, journal.Pending), "i", here, checkpoint.TakeUp, ""},
		{gate(checkpoint.KindPlan, journal.Pending), "j", here, checkpoint.AskAgain, "drift"},
		{gate(checkpoint.KindPlan, journal.Pending), "i", edited, checkpoint.AskAgain, "script changed"},
		{gate(checkpoint.KindPlan, journal.Approved), "i", here, checkpoint.Replay, ""},
		{gate(checkpoint.KindPlan, journal.Approved), "i", person, checkpoint.Replay, ""},
		{gate(checkpoint.KindPlan, journal.Approved), "i", edited, checkpoint.AskAgain, "script changed"},
		{gate(checkpoint.KindPlan, journal.Approved), "i", unproven, checkpoint.AskAgain, "unproven"},
		{gate(checkpoint.KindPlan, journal.Rejected), "i", here, checkpoint.Replay, ""},
		{gate(checkpoint.KindPlan, journal.ChangesRequested), "i", person, checkpoint.Replay, ""},
		{gate(checkpoint.KindPlan, journal.Defaulted), "i", here, checkpoint.Replay, ""},
		{gate(checkpoint.KindPlan, journal.Defaulted), "i", person, checkpoint.AskAgain, "defaulted"},
		{gate(checkpoint.KindPlan, journal.Expired), "i", here, checkpoint.Replay, ""},
		{gate(checkpoint.KindPlan, journal.Expired), "i", person, checkpoint.AskAgain, "expired"},
		{gate(checkpoint.KindPlan, journal.Interrupted), "i", here, checkpoint.AskAgain, "interrupted"},
		{gate(checkpoint.KindPlan, journal.Cancelled), "i", here, checkpoint.AskAgain, "cancelled"},
		{gate(checkpoint.KindPlan, journal.Superseded), "i", here, checkpoint.AskAgain, "superseded"},
		{gate(checkpoint.KindPlan, journal.Revoked), "i", here, checkpoint.AskAgain, "revoked"},
		{gate(checkpoint.KindPlan, journal.Lapsed), "i", here, checkpoint.AskAgain, "lapsed"},
		{gate(checkpoint.KindConfirm, journal.Answered), "i", edited, checkpoint.Replay, ""},
		{gate(checkpoint.KindConfirm, journal.Answered), "j", here, checkpoint.AskAgain, "question changed"},
		{gate(checkpoint.KindConfirm, journal.Answered), "i", unproven, checkpoint.AskAgain, "unproven"},
	} {
		if c.g != nil && c.identity == "i" {
			c.identity = c.g.Identity
		}
		got, reason := checkpoint.Stand(c.g, c.identity, c.c)
		require.Equal(t, c.want, got, "%+v", c)
		require.Equal(t, c.reason, reason, "%+v", c)
	}
}
