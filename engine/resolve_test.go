package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/agent/agenttype"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// types are agent types by their names.
type types map[string]agenttype.Type

func (t types) Lookup(name string) (agenttype.Type, error) {
	kind, ok := t[name]
	if !ok {
		return kind, errors.New("there is no type " + name)
	}
	return kind, nil
}

// asks keeps the requests that it gets.
type asks struct{ got []agent.Request }

func (a *asks) Run(_ context.Context, req agent.Request, _ agent.Step) (agent.Response, error) {
	req.Again, req.Tell, req.Ask = nil, nil, nil
	a.got = append(a.got, req)
	return agent.Response{Value: json.RawMessage(`"ok"`)}, nil
}

// A model is the call's own, or the agent type's, the tier's, the phase's, the header's; the agent is
// the type's or the tier's; tools that the script names take the place of the type's, what it takes
// away is added to what that takes away, and read-only narrows.
func TestWhatACallStandsFor(t *testing.T) {
	const head = `export const meta = { name: "test", description: "d", model: "header", phases: [{title: "p", model: "phase"}] };` + "\n"
	known := types{
		"full": {
			Name: "full", Instructions: "be brief", Model: "typed", Effort: "low", Tier: "small", Agent: "other", ReadOnly: true,
			Tools: []string{"read"}, DisallowedTools: []string{"web", "bash"}, Skills: []string{"s"}, SHA256: "1f",
		},
		"plain":    {Name: "plain", SHA256: "2f"},
		"inherits": {Name: "inherits", Model: "inherit", SHA256: "3f"},
	}
	tiers := journal.Tiers{Small: journal.Tier{Model: "little"}, Big: journal.Tier{Agent: "other", Model: "large", Effort: "high"}}
	for _, c := range []struct {
		name, call string
		want       agent.Request
		other      bool
	}{
		{"nothing", `agent("x")`, agent.Request{Model: "header"}, false},
		{"phase", `(phase("p"), agent("x"))`, agent.Request{Model: "phase", Phase: "p"}, false},
		{"tier before phase", `(phase("p"), agent("x", {tier: "small"}))`, agent.Request{Model: "little", Phase: "p", Tier: "small"}, false},
		{"tier with an agent", `agent("x", {tier: "big"})`, agent.Request{Model: "large", Effort: "high", Tier: "big"}, true},
		{"call before tier", `agent("x", {tier: "big", model: "mine", effort: "none"})`, agent.Request{Model: "mine", Effort: "none", Tier: "big"}, true},
		{
			"a type", `agent("x", {agentType: "full"})`,
			agent.Request{
				Model: "typed", Effort: "low", Tier: "small", AgentType: "full", Instructions: "be brief", ReadOnly: true,
				Tools: []string{"read"}, DisallowedTools: []string{"web", "bash"}, Skills: []string{"s"},
			},
			true,
		},
		{
			"call before type", `agent("x", {agentType: "full", model: "mine", tools: [], disallowedTools: ["edit", "web"], readOnly: false, tier: "small"})`,
			agent.Request{
				Model: "mine", Effort: "low", Tier: "small", AgentType: "full", Instructions: "be brief", ReadOnly: true,
				Tools: []string{}, DisallowedTools: []string{"edit", "web", "bash"}, Skills: []string{"s"},
			},
			true,
		},
		{"a type that says nothing", `agent("x", {agentType: "plain"})`, agent.Request{Model: "header", AgentType: "plain"}, false},
		{"a type that inherits", `agent("x", {agentType: "inherits"})`, agent.Request{Model: "header", AgentType: "inherits"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			program, err := compileText(head + "return " + c.call)
			require.NoError(t, err)
			own, other := &asks{}, &asks{}
			workspace := t.TempDir()
			r := run(t, program, engine.Options{
				Store: newStore(t), Agent: own, AgentName: "own", Agents: map[string]agent.Runner{"other": other},
				Types: known, Workspace: workspace, Settings: journal.Settings{Tiers: tiers},
			})
			require.Equal(t, "completed", r.State, "%v", r.Err)
			got := own.got
			if c.other {
				require.Empty(t, own.got)
				got = other.got
			}
			c.want.Version, c.want.Run, c.want.Call, c.want.Prompt, c.want.Cwd, c.want.Attempt = 1, r.Run, "/agent#0", "x", workspace, 1
			require.Equal(t, []agent.Request{c.want}, got)
		})
	}
}

// What is not there is an error where the script calls, and nothing else is taken in its place.
func TestUnknownNamesAreRefused(t *testing.T) {
	for _, c := range []struct{ call, code, says string }{
		{`agent("x", {agentType: "none"})`, "", "there is no type none"},
		{`agent("x", {agentType: "elsewhere"})`, "AGENT_NOT_CONFIGURED", `there is no agent "othr"; there are other (did you mean "other"?`},
		{`agent("x", {tier: "medium"})`, "TIER_NOT_CONFIGURED", `the tier "medium" stands for nothing`},
		{`agent("x", {model: "larg"})`, "MODEL_UNKNOWN", `the agent own has no model "larg"; it has large, little (did you mean "large"?`},
	} {
		workers := &asks{}
		r := run(t, script(t, `try { await `+c.call+` } catch (e) { return [e.code, e.message] }`), engine.Options{
			Store: newStore(t), Agent: workers, AgentName: "own", Agents: map[string]agent.Runner{"other": &asks{}},
			Types: types{"elsewhere": {Name: "elsewhere", Agent: "othr", SHA256: "1f"}},
			Models: func(name string) []string {
				require.Equal(t, "own", name)
				return []string{"large", "little"}
			},
		})
		var got []string
		require.NoError(t, json.Unmarshal(r.Value, &got), "%s: %v", c.call, r.Err)
		if c.code != "" {
			require.Equal(t, c.code, got[0])
		}
		require.Contains(t, got[1], c.says)
		require.Empty(t, workers.got)
	}
}

// A definition that changed is no nondeterminism: the call runs again, and the run says what changed.
// Tiers are those of the run's beginning, unless a resume brings others.
func TestB36_WhatChangedOutsideIsStale(t *testing.T) {
	store := newStore(t)
	program := script(t, `const a = await agent("one", {agentType: "scout", readOnly: true});
const b = await agent("two", {tier: "small", readOnly: true});
return [a, b]`)
	workers := numbered()
	o := engine.Options{
		Store: store, Agent: workers, AgentName: "own", Types: types{"scout": {Name: "scout", SHA256: "1f"}},
		Settings: journal.Settings{Tiers: journal.Tiers{Small: journal.Tier{Model: "a"}}},
	}
	first := run(t, program, o)
	require.JSONEq(t, `[{"n":1},{"n":2}]`, string(first.Value), "%v", first.Err)
	workers.take()

	o.Settings = journal.Settings{}
	again := resume(t, first.Run, nil, o)
	require.Empty(t, workers.take(), "%v", again.Err)

	o.Settings.Tiers.Small.Model = "b"
	forecast, err := engine.DryRun(t.Context(), first.Run, nil, o)
	require.NoError(t, err)
	require.Equal(t, 1, forecast.Replayed)
	require.Len(t, forecast.Again, 1)
	require.Equal(t, "the configuration changed: the tier was name small, model a and is name small, model b", forecast.Again[0].Reason)
	changed := resume(t, first.Run, nil, o)
	require.Equal(t, []string{"two"}, workers.take(), "%v", changed.Err)
	require.JSONEq(t, `[{"n":1},{"n":3}]`, string(changed.Value))

	o.Settings, o.Types = journal.Settings{}, types{"scout": {Name: "scout", SHA256: "2f"}}
	changed = resume(t, first.Run, nil, o)
	require.Equal(t, []string{"one", "two"}, workers.take(), "the definition, and what came after; %v", changed.Err)
	_, err = engine.Replay(t.Context(), first.Run, engine.Options{Store: store})
	require.NoError(t, err, "without the definitions and agents of that time")
}

// What is not there is the call's failure in the journal: a script that goes on from it is executed again
// in the same way, whatever is configured by then, and a resume tries the call again.
func TestAnUnknownNameIsJournaled(t *testing.T) {
	store, workers := newStore(t), &asks{}
	o := engine.Options{Store: store, Agent: workers, Types: types{}}
	r := run(t, script(t, `let why = ""; try { await agent("a", {agentType: "scout"}) } catch (e) { why = e.message }
return agent("b " + why, {readOnly: true})`), o)
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.Contains(t, workers.got[0].Prompt, "there is no type scout")
	_, err := engine.Replay(t.Context(), r.Run, engine.Options{Store: store})
	require.NoError(t, err)
}

// A model of another agent is none for this one: a type that names an agent takes the tier of that.
func TestATierIsOfItsAgent(t *testing.T) {
	tiers := journal.Tiers{Big: journal.Tier{Model: "large"}}
	own, other := &asks{}, &asks{}
	o := engine.Options{
		Store: newStore(t), Agent: own, AgentName: "own", Agents: map[string]agent.Runner{"own": own, "other": other}, Settings: journal.Settings{Tiers: tiers},
		Types: types{"mine": {Name: "mine", Agent: "own", SHA256: "1f"}, "theirs": {Name: "theirs", Agent: "other", SHA256: "2f"}},
	}
	r := run(t, script(t, `await agent("x", {agentType: "mine", tier: "big"});
try { await agent("x", {agentType: "theirs", tier: "big"}) } catch (e) { return e.code }`), o)
	require.JSONEq(t, `"TIER_NOT_CONFIGURED"`, string(r.Value), "%v", r.Err)
	require.Equal(t, "large", own.got[0].Model)
	require.Empty(t, other.got)
}
