package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// threeAgents asks three times; what the second answers does not reach the third's prompt.
const threeAgents = `
const one = await agent("one", {label: "one", readOnly: true});
const two = await agent("two", {label: "two", readOnly: true, model: "small", schema: {type: "object"}});
const three = await agent("three", {label: "three", readOnly: true});
return [one, two, three];`

// numbered answers each call with another number, so that an old answer can be told from a new one.
func numbered() *team {
	n := 0
	m := &team{}
	m.answer = func(context.Context, agent.Request) (any, error) {
		n++ // guarded by nothing: one call after the other
		return map[string]any{"n": n}, nil
	}
	return m
}

// B36: each part of what an agent is asked belongs to its identity. A call of which one part is another
// one is asked anew, and never gets the old answer; the call before it does.
func TestB36_OnePartChanged(t *testing.T) {
	for name, c := range map[string]struct{ old, now string }{
		"prompt":    {`agent("two"`, `agent("two, please"`},
		"model":     {`model: "small"`, `model: "large"`},
		"no model":  {`model: "small", `, ``},
		"schema":    {`{type: "object"}`, `{type: "object", required: ["n"]}`},
		"no schema": {`, schema: {type: "object"}`, ``},
		"effort":    {`model: "small"`, `model: "small", effort: "high"`},
		"tools":     {`model: "small"`, `model: "small", tools: []`},
		"skills":    {`model: "small"`, `model: "small", skills: ["x"]`},
		"denied":    {`model: "small"`, `model: "small", disallowedTools: ["x"]`},
		"folder":    {`model: "small"`, `model: "small", cwd: "."`}, // the workspace itself: the same
		"effectful": {`label: "two", readOnly: true`, `label: "two"`},
	} {
		t.Run(name, func(t *testing.T) {
			workers := numbered()
			o := engine.Options{Store: newStore(t), Agent: workers, Workspace: t.TempDir()}
			first := run(t, script(t, threeAgents), o)
			require.JSONEq(t, `[{"n":1},{"n":2},{"n":3}]`, string(first.Value), "%v", first.Err)
			workers.take()
			again := resume(t, first.Run, script(t, strings.Replace(threeAgents, c.old, c.now, 1)), o)
			require.Equal(t, "completed", again.State, "%v", again.Err)
			if name == "folder" {
				require.Empty(t, workers.take())
				require.Equal(t, first.Value, again.Value)
				return
			}
			require.Equal(t, []string{"two", "three"}, workers.take(), "the changed call, and what came after its answer")
			require.JSONEq(t, `[{"n":1},{"n":4},{"n":5}]`, string(again.Value))
		})
	}
}

// B36 (d): another type of agent is another question, which gets no old answer; the call before it does.
func TestB36_AnotherTypeOfAgent(t *testing.T) {
	workers := numbered()
	o := engine.Options{Store: newStore(t), Agent: workers, Workspace: t.TempDir(), Types: types{"reviewer": {Name: "reviewer", SHA256: "1f"}}}
	first := run(t, script(t, threeAgents), o)
	require.Equal(t, "completed", first.State)
	workers.take()
	again := resume(t, first.Run, script(t, strings.Replace(threeAgents, `model: "small"`, `model: "small", agentType: "reviewer"`, 1)), o)
	require.Equal(t, "completed", again.State, "%v", again.Err)
	require.Equal(t, []string{"two", "three"}, workers.take())
	require.Equal(t, 1, again.Replayed, "the call before it")
}

// B36: of a call that may have changed something, another question stops the run and is named, unless
// a person, or a flag of hers, says that it may run.
func TestB36_AChangedEffectIsNamed(t *testing.T) {
	workers := numbered()
	o := engine.Options{Store: newStore(t), Agent: workers, Workspace: t.TempDir()}
	effects := strings.ReplaceAll(threeAgents, ", readOnly: true", "")
	first := run(t, script(t, effects), o)
	require.Equal(t, "completed", first.State)
	workers.take()
	edited := script(t, strings.Replace(effects, `"small"`, `"large"`, 1))
	held := resume(t, first.Run, edited, o)
	require.Equal(t, "FINISHED_WORK_WOULD_REPEAT", held.Code)
	require.Len(t, held.Recovery.Changed, 1)
	require.Equal(t, "/agent#1", held.Recovery.Changed[0].Key)
	require.Equal(t, "the script asks for something else now", held.Recovery.Changed[0].Reason)
	require.Empty(t, workers.take())

	o.RerunChanged = true
	done := resume(t, first.Run, edited, o)
	require.Equal(t, "completed", done.State, "%v", done.Err)
	require.Equal(t, []string{"two", "three"}, workers.take())
}

// B36: what is no part of the identity, and white space, run nothing again; a plan is asked about anew,
// for its approval holds for the program to the byte.
func TestB36_WhiteSpaceRunsNothingAgain(t *testing.T) {
	body := threeAgents[:strings.LastIndex(threeAgents, "return")] + `const ok = await planApprove({steps: ["go"]});
return [one, two, three, ok.decision];`
	for name, edit := range map[string]func(string) string{
		"white space": func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\n", "\n\n  "), "(", "( ") },
		"a comment":   func(s string) string { return "// agent('two')\n" + s },
		"a label":     func(s string) string { return strings.ReplaceAll(s, `label: "two"`, `label: "second"`) },
		"a phase":     func(s string) string { return strings.ReplaceAll(s, `label: "two"`, `label: "two", phase: "later"`) },
		"patience": func(s string) string {
			return strings.ReplaceAll(s, `label: "two"`, `label: "two", retries: 3, timeoutMs: 60000, maxContextTokens: 5000`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			workers, ann := numbered(), says("true")
			o := engine.Options{Store: newStore(t), Agent: workers, Asker: ann, Workspace: t.TempDir()}
			first := run(t, script(t, body), o)
			require.JSONEq(t, `[{"n":1},{"n":2},{"n":3},true]`, string(first.Value), "%v", first.Err)
			workers.take()
			require.Len(t, ann.take(), 1)
			again := resume(t, first.Run, script(t, edit(body)), o)
			require.Equal(t, first.Value, again.Value, "%v", again.Err)
			require.Empty(t, workers.take())
			require.Len(t, ann.take(), 1, "the plan is asked about again")
			require.Len(t, state(t, o.Store.(*journal.Store), first.Run).GateOrder, 2)
		})
	}
}
