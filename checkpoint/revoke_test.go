package checkpoint_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

func approve(t *testing.T, run journal.Run, key string) string {
	t.Helper()
	asked := open(t, run, planQuestion(), checkpoint.Asking{Key: key, Program: "p"})
	_, err := respond(run, yes, checkpoint.Response{Gate: asked.Gate, Checksum: sumA, Decision: json.RawMessage("true")})
	require.NoError(t, err)
	return asked.Gate
}

func revoke(run checkpoint.Journal, gate string) (checkpoint.Withdrawn, error) {
	return checkpoint.Revoke(ctx, run, checkpoint.Revocation{Gate: gate, Who: journal.Who{User: "bob", Host: "there", Way: "command"}, Reason: "wrong branch"})
}

func TestRevoke(t *testing.T) {
	_, run := newRun(t)
	gate := approve(t, run, "/planApprove#0")
	got, err := revoke(run, "")
	require.NoError(t, err)
	require.Equal(t, checkpoint.Withdrawn{Gate: gate}, got)
	g := run.State().Gates[gate]
	require.Equal(t, journal.Revoked, g.State)
	require.Equal(t, "bob", g.Revocation.Who.User)
	require.Empty(t, checkpoint.StandingApprovals(run.State()))
	standing, reason := checkpoint.Stand(g, g.Identity, checkpoint.Circumstances{Program: "p", Proven: true})
	require.Equal(t, checkpoint.AskAgain, standing, "it never replays")
	require.Equal(t, "revoked", reason)

	head := run.State().Head
	for _, named := range []string{"", gate} {
		got, err = revoke(run, named)
		require.NoError(t, err)
		require.Equal(t, checkpoint.Withdrawn{Gate: gate, Already: true}, got)
	}
	for _, decision := range []string{"true", "false", `"less"`} {
		_, err = respond(run, yes, checkpoint.Response{Gate: gate, Checksum: sumA, Decision: json.RawMessage(decision)})
		require.True(t, fault.Is(err, fault.PlanApprovalStale), "a revoked approval takes no answer, not even the same one: %v", err)
		require.ErrorContains(t, err, `its approval was revoked by bob at `)
		require.ErrorContains(t, err, `"wrong branch"`)
	}
	require.Equal(t, head, run.State().Head, "nothing is journaled")
}

// What is no standing approval is not revoked, and the message says what it is.
func TestRevokeWhatIsNoApproval(t *testing.T) {
	_, run := newRun(t)
	_, err := revoke(run, "")
	require.ErrorContains(t, err, "nothing was asked in it")
	ended := func(key, decision string) string {
		asked := open(t, run, planQuestion(), checkpoint.Asking{Key: key})
		_, err := respond(run, yes, checkpoint.Response{Gate: asked.Gate, Checksum: sumA, Decision: json.RawMessage(decision)})
		require.NoError(t, err)
		return asked.Gate
	}
	pending := open(t, run, planQuestion(), checkpoint.Asking{Key: "/planApprove#0"}).Gate
	rejected, changes := ended("/planApprove#1", "false"), ended("/planApprove#2", `"less"`)
	old := approve(t, run, "/planApprove#3")
	again := ended("/planApprove#3", "false")
	question := open(t, run, confirm(), checkpoint.Asking{Key: "/checkpoint#0"}).Gate
	head := run.State().Head
	for gate, why := range map[string]string{
		pending: "it still waits for an answer", rejected: "it is rejected", changes: "it is changes requested",
		old: "it was asked again since, as gate " + again, question: "it asks no plan but a question",
	} {
		_, err := revoke(run, gate)
		require.True(t, fault.Is(err, fault.PlanApprovalStale), "%v", err)
		require.ErrorContains(t, err, "gate "+gate+" holds no approval to revoke: "+why)
	}
	_, err = revoke(run, "")
	require.True(t, fault.Is(err, fault.PlanApprovalStale), "%v", err)
	require.ErrorContains(t, err, "has no approved plan: its gates are ")
	_, err = revoke(run, "nothing-1")
	require.True(t, fault.Is(err, fault.GateUnknown), "%v", err)
	require.Equal(t, head, run.State().Head)
	for name, r := range map[string]checkpoint.Revocation{
		"nobody": {}, "long": {Who: ann, Reason: strings.Repeat("x", checkpoint.MaxReason+1)}, "not UTF-8": {Who: ann, Reason: "\xff"},
	} {
		_, err := checkpoint.Revoke(ctx, run, r)
		require.True(t, fault.Is(err, fault.AnswerInvalid), "%s: %v", name, err)
	}
}

func TestRevokeNeedsAGateIfSeveralStand(t *testing.T) {
	_, run := newRun(t)
	first, second := approve(t, run, "/planApprove#0"), approve(t, run, "/planApprove#1")
	_, err := revoke(run, "")
	require.True(t, fault.Is(err, fault.GateAmbiguous), "%v", err)
	require.ErrorContains(t, err, "2 approvals stand: "+first)
	_, err = revoke(run, second)
	require.NoError(t, err)
	require.Equal(t, journal.Approved, run.State().Gates[first].State)
	got, err := revoke(run, "")
	require.NoError(t, err)
	require.Equal(t, first, got.Gate, "the one that still stands")
	require.Equal(t, journal.Revoked, run.State().Gates[first].State)
}

func TestRevokeAfterTheEnd(t *testing.T) {
	for state, code := range map[string]fault.Code{"completed": "", "failed": "", "stopped": "", "cancelled": fault.PlanApprovalStale} {
		store, run := newRun(t)
		gate := approve(t, run, "/planApprove#0")
		_, err := journal.Append(ctx, run, journal.Draft{Kind: journal.KindRunFinished, Data: journal.RunFinished{State: state}})
		require.NoError(t, err)
		visit, err := store.Visit(ctx, run.ID())
		require.NoError(t, err)
		_, err = revoke(visit, gate)
		require.Equal(t, code, fault.CodeOf(err), "%s: %v", state, err)
		require.Equal(t, code == "", visit.State().Gates[gate].State == journal.Revoked)
		visit.State().Proven = false
		_, err = checkpoint.Revoke(ctx, fixed{visit.State()}, checkpoint.Revocation{Who: ann})
		require.True(t, fault.Is(err, fault.JournalUnproven), "%v", err)
		require.NoError(t, visit.Close())
	}
}

// Two people revoke in the same moment: one entry, and neither is told that it failed.
func TestTwoRevocations(t *testing.T) {
	for range 20 {
		store, run := newRun(t)
		gate := approve(t, run, "/planApprove#0")
		var wait sync.WaitGroup
		errs, got := make([]error, 2), make([]checkpoint.Withdrawn, 2)
		for i := range errs {
			wait.Go(func() {
				visit, err := store.Visit(ctx, run.ID())
				if err != nil {
					errs[i] = err
					return
				}
				defer visit.Close()
				got[i], errs[i] = revoke(visit, gate)
			})
		}
		wait.Wait()
		require.NoError(t, errs[0])
		require.NoError(t, errs[1])
		require.NotEqual(t, got[0].Already, got[1].Already)
	}
}

func TestPolicyOfAnApproval(t *testing.T) {
	full := checkpoint.Response{Checksum: sumA, Decision: json.RawMessage("true"), Mode: "auto", Model: "big", Effort: "high"}
	with := func(change func(*checkpoint.Response)) checkpoint.Response {
		r := full
		change(&r)
		return r
	}
	_, run := newRun(t)
	gate := open(t, run, planQuestion(), checkpoint.Asking{Key: "/planApprove#0"}).Gate
	for name, r := range map[string]checkpoint.Response{
		"mode":           with(func(r *checkpoint.Response) { r.Mode = "Auto" }),
		"blank model":    with(func(r *checkpoint.Response) { r.Model = " " }),
		"line":           with(func(r *checkpoint.Response) { r.Model = "a\nb" }),
		"bidi":           with(func(r *checkpoint.Response) { r.Model = "a\u202eb" }),
		"not UTF-8":      with(func(r *checkpoint.Response) { r.Model = "a\xff" }),
		"space behind":   with(func(r *checkpoint.Response) { r.Effort = "high " }),
		"too long":       with(func(r *checkpoint.Response) { r.Effort = strings.Repeat("h", checkpoint.MaxName+1) }),
		"a no":           with(func(r *checkpoint.Response) { r.Decision = json.RawMessage("false") }),
		"a change":       with(func(r *checkpoint.Response) { r.Decision = json.RawMessage(`"less"`) }),
		"an effort only": {Checksum: sumA, Decision: json.RawMessage("false"), Effort: "high"},
	} {
		_, err := respond(run, yes, r)
		require.True(t, fault.Is(err, fault.AnswerInvalid), "%s: %v", name, err)
		require.Equal(t, journal.Pending, run.State().Gates[gate].State)
	}
	_, err := respond(run, yes, full)
	require.NoError(t, err)
	require.Equal(t, checkpoint.Policy{Mode: "auto", Model: "big", Effort: "high"}, checkpoint.PolicyOf(run.State().Gates[gate]))
	again, err := respond(run, yes, full)
	require.NoError(t, err)
	require.True(t, again.Already)
	for name, r := range map[string]checkpoint.Response{
		"plain":  {Checksum: sumA, Decision: json.RawMessage("true")},
		"mode":   with(func(r *checkpoint.Response) { r.Mode = "ask" }),
		"model":  with(func(r *checkpoint.Response) { r.Model = "small" }),
		"effort": with(func(r *checkpoint.Response) { r.Effort = "" }),
	} {
		_, err := respond(run, yes, r)
		require.True(t, fault.Is(err, fault.PlanApprovalConflict), "%s: %v", name, err)
		require.ErrorContains(t, err, "mode auto, model big, effort high")
	}
}

// An asker that names a policy that there is not has given no answer.
func TestAskerWithAPolicyThatMeansNothing(t *testing.T) {
	g := journal.GateAsked{Gate: "g", Nonce: "n", Kind: "plan", Plan: `{"a":2,"b":1}`, Checksum: sumA}
	for _, a := range []checkpoint.Answer{{Mode: "bypass"}, {Model: " "}, {Effort: "\x1b"}} {
		a.Decision, a.Checksum, a.Nonce, a.Who = json.RawMessage("true"), sumA, "n", ann
		_, err := checkpoint.Consult(ctx, checkpoint.AskerFunc(func(_ context.Context, _ checkpoint.Asked) (checkpoint.Answer, error) { return a, nil }), checkpoint.Asked{Gate: g})
		require.ErrorIs(t, err, checkpoint.ErrNoAnswer)
	}
	require.Equal(t, "ask", checkpoint.PolicyOf(&journal.Gate{AnswerAt: time.Now(), Answer: &journal.GateAnswered{}}).Mode, "an approval from before there were policies")
}

// fixed is a journal whose state is given, and to which nothing is written.
type fixed struct{ st *journal.State }

func (f fixed) Update(_ context.Context, fn func(*journal.State) ([]journal.Draft, error)) ([]journal.Entry, error) {
	_, err := fn(f.st)
	return nil, err
}
