package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// approving is an asker whose yes says how the work is to be done.
func approving(p checkpoint.Policy) checkpoint.AskerFunc {
	return func(_ context.Context, q checkpoint.Asked) (checkpoint.Answer, error) {
		return checkpoint.Answer{
			Decision: json.RawMessage("true"), Checksum: q.Gate.Checksum, Nonce: q.Gate.Nonce, Who: journal.Who{User: "ann"},
			Mode: p.Mode, Model: p.Model, Effort: p.Effort,
		}, nil
	}
}

// requests is an agent that keeps what it was asked, by label.
func requests(fail map[string]error) (*team, map[string]agent.Request) {
	seen := map[string]agent.Request{}
	workers := &team{}
	workers.answer = func(_ context.Context, req agent.Request) (any, error) {
		workers.mu.Lock()
		defer workers.mu.Unlock()
		seen[req.Label] = req
		return "done", fail[req.Label]
	}
	return workers, seen
}

const policed = `
const a = await planApprove({b: 1, a: 2});
await agent("x", {label: "own", under: a, model: "small", effort: "low"});
await agent("x", {label: "bare", under: a, readOnly: true});
await agent("x", {label: "free", model: "small", effort: "low"});
return a.permissionMode;`

func TestPolicyHoldsForCallsUnderTheApproval(t *testing.T) {
	for _, c := range []struct {
		policy          checkpoint.Policy
		own, bare, free [3]string // permissionMode, model, effort
		outside, mode   string
	}{
		{checkpoint.Policy{}, [3]string{"ask", "small", "low"}, [3]string{"ask", "", ""}, [3]string{"", "small", "low"}, ``, "ask"},
		{checkpoint.Policy{Mode: "accept-edits"}, [3]string{"accept-edits", "small", "low"}, [3]string{"accept-edits", "", ""}, [3]string{"", "small", "low"}, `{"policy":{"permissionMode":"accept-edits"}}`, "accept-edits"},
		{checkpoint.Policy{Model: "big"}, [3]string{"ask", "big", "low"}, [3]string{"ask", "big", ""}, [3]string{"", "small", "low"}, `{"policy":{"permissionMode":"ask","model":"big"}}`, "ask"},
		{checkpoint.Policy{Mode: "auto", Model: "big", Effort: "high"}, [3]string{"auto", "big", "high"}, [3]string{"auto", "big", "high"}, [3]string{"", "small", "low"}, `{"policy":{"permissionMode":"auto","model":"big","effort":"high"}}`, "auto"},
	} {
		store := newStore(t)
		workers, seen := requests(nil)
		r := run(t, script(t, policed), engine.Options{Store: store, Agent: workers, Asker: approving(c.policy)})
		require.Equal(t, "completed", r.State, "%v", r.Err)
		require.JSONEq(t, `"`+c.mode+`"`, string(r.Value))
		for label, want := range map[string][3]string{"own": c.own, "bare": c.bare, "free": c.free} {
			got := seen[label]
			require.Equal(t, want, [3]string{got.PermissionMode, got.Model, got.Effort}, "%s under %+v", label, c.policy)
		}
		st := state(t, store, r.Run)
		for _, call := range st.Calls {
			want := c.outside
			if call.Call.Label == "free" {
				want = ""
			}
			require.Equal(t, want, string(call.Call.Outside), call.Call.Label)
		}
		workers.take()
		again := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, Asker: approving(checkpoint.Policy{Mode: "auto"})})
		require.Equal(t, "completed", again.State)
		require.Empty(t, workers.take(), "the journal's policy is the one that counts, and nothing is done twice")
		_, err := engine.Replay(context.Background(), r.Run, engine.Options{Store: store})
		require.NoError(t, err)
	}
}

// What was done under another policy is no answer to a call that a person now wants done in
// another way, and the reason names both.
func TestPolicyIsPartOfTheIdentity(t *testing.T) {
	store := newStore(t)
	workers, seen := requests(nil)
	r := run(t, script(t, gated), engine.Options{Store: store, Agent: workers, Asker: approving(checkpoint.Policy{Model: "big"})})
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.NoError(t, revoke(store, r.Run, ""))
	again := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, Asker: approving(checkpoint.Policy{Mode: "auto", Model: "small"})})
	require.Equal(t, "interrupted", again.State)
	require.NotNil(t, again.Recovery)
	require.Len(t, again.Recovery.Changed, 1)
	require.Contains(t, again.Recovery.Changed[0].Reason, "the policy of the approval was permissionMode ask, model big and is permissionMode auto, model small")
	done := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers, RerunChanged: true})
	require.Equal(t, "completed", done.State, "%v", done.Err)
	require.Equal(t, "small", seen[""].Model, "the policy survives the resume")
	require.Equal(t, "auto", seen[""].PermissionMode)
}

// An agent that has not got what a person chose does nothing else instead.
func TestPolicyThatTheAgentCannotKeep(t *testing.T) {
	unable := func(what string) error { // as an agent says it, over its protocol
		path := filepath.Join(t.TempDir(), "answers.toml")
		require.NoError(t, os.WriteFile(path, []byte("[[answer]]\nlabel = \"*\"\nerror = { code = \""+what+"_unavailable\", message = \"not here\" }\n"), 0o600))
		scripted, err := agent.LoadScripted(path)
		require.NoError(t, err)
		_, err = scripted.Run(context.Background(), agent.Request{}, nil)
		require.True(t, fault.Is(err, fault.AgentUnable), "%v", err)
		return err
	}
	const body = `
const a = await planApprove({b: 1, a: 2});
return await agent("x", {label: "worker", under: a, model: "small", retries: 3});`
	all := checkpoint.Policy{Mode: "auto", Model: "big", Effort: "high"}
	for _, c := range []struct {
		lacks  string
		policy checkpoint.Policy
		code   string
	}{
		{"model", all, "PLAN_CONFIGURATION_BLOCKED"},
		{"effort", all, "PLAN_CONFIGURATION_BLOCKED"},
		{"mode", all, "PLAN_CONFIGURATION_BLOCKED"},
		{"model", checkpoint.Policy{Mode: "auto"}, ""}, // the script's own model: an ordinary failure
		{"effort", checkpoint.Policy{Model: "big"}, ""},
	} {
		store := newStore(t)
		fail := map[string]error{"worker": unable(c.lacks)}
		workers, seen := requests(fail)
		r := run(t, script(t, body), engine.Options{Store: store, Agent: workers, Asker: approving(c.policy)})
		require.Equal(t, []string{"worker"}, workers.take(), "asking again would not help")
		if c.code == "" {
			require.Equal(t, "completed", r.State, "%v", r.Err)
			require.Equal(t, "AGENT_UNABLE", r.Failures[0].Failure.Code)
			continue
		}
		require.Equal(t, "failed", r.State)
		require.Equal(t, c.code, r.Code)
		require.ErrorContains(t, r.Err, "not here")
		delete(fail, "worker")
		done := resume(t, r.Run, nil, engine.Options{Store: store, Agent: workers})
		require.Equal(t, "completed", done.State, "once the agent has it, it is asked again: %v", done.Err)
		require.Equal(t, "big", seen["worker"].Model)
	}
}
