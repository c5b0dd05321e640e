package workflows_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
)

// answer is a table of answers: calls with that label get that value, which is TOML.
func answer(label, value string) string {
	return "[[answer]]\nlabel = \"" + label + "\"\nvalue = " + value + "\n"
}

// Whoever fails in the middle of a workflow that only reads: what the others brought is not
// lost, and the result names what is missing from it. want are members of the result.
func TestBuiltinFailures(t *testing.T) {
	const (
		wings  = `{"claim": "Bees beat their wings 230 times a second.", "source": "https://example.org/wings"`
		myth   = `{"claim": "Bees cannot fly by the laws of physics.", "source": "https://example.org/myth"`
		vortex = `{"claim": "A vortex at the wing's edge gives most of the lift.", "source": "https://example.org/vortex"`
		loss   = `{"dimension": "bugs", "file": "parse.go", "line": 40, "severity": "medium", "title": "the last line is lost", "detail": "without a newline at its end", "votes": `
		unused = `{"dimension": "bugs", "file": "parse.go", "line": 12, "severity": "low", "title": "an unused result", "detail": "of the second call", "votes": `
		trust  = `{"dimension": "security", "file": "parse.go", "line": 40, "severity": "high", "title": "the length is trusted", "detail": "it comes from the file", "suggestion": "bound it", "votes": `
		memory = `"objection": "It doubles the memory.", "severity": "serious", "because": "two copies are kept"`
		crash  = `"objection": "A crash loses the queue.", "severity": "fatal", "because": "it is in memory only"`
	)
	for _, c := range []struct{ workflow, name, first, want string }{
		{"deep-research", "the scout", fails("scout") + answer("search question, round 1", `[{ claim = "x", source = "y" }]`), `{"success": true,
			"claims": [{"claim": "x", "source": "y", "votes": "2 of 2", "reasons": []}, {"claim": "A bee carries up to 80 percent of its own weight.",
				"source": "https://example.org/load", "votes": "2 of 2", "reasons": []}], "notSearched": []}`},
		{"deep-research", "a search", fails("search doubt, round 1"), `{"success": true, "notSearched": ["doubt, round 1"], "unchecked": []}`},
		{"deep-research", "an answer that does not fit", answer("search doubt, round 1", "42"), `{"success": true, "notSearched": ["doubt, round 1"], "unchecked": []}`},
		{"deep-research", "a reviewer", fails("reviewer 2") + answer("completeness", "{ complete = true }"), `{"success": true, "missing": [], "claims": [` +
			wings + `, "votes": "1 of 1", "reasons": []}, ` + vortex + `, "votes": "1 of 1", "reasons": []}],
			"refuted": [` + myth + `, "votes": "0 of 1", "reasons": ["the source calls it a myth"]}]}`},
		{"deep-research", "all reviewers", fails("reviewer *"), `{"success": false, "reason": "no claim held", "claims": [], "refuted": [],
			"unchecked": [` + wings + `}, ` + myth + `}, ` + vortex + `}]}`},
		{"deep-research", "reviewers of two minds", answer("reviewer 2", `{ real = false, reason = "r" }`), `{"success": false, "refuted": [` +
			wings + `, "votes": "1 of 2", "reasons": ["r"]}, ` + myth + `, "votes": "0 of 2", "reasons": ["the source calls it a myth", "r"]}, ` + vortex + `, "votes": "1 of 2", "reasons": ["r"]}]}`},
		{"deep-research", "the writer", fails("write"), `{"success": false, "reason": "the writer failed"}`},
		{"deep-research", "the writer, again", fails("write again"), `{"success": true, "answer": "By beating fast [1] and by a vortex [2]."}`},
		{"deep-research", "the critic", fails("completeness"), `{"success": true, "answer": "By beating fast [1] and by a vortex [2].", "missing": []}`},
		{"deep-research", "nothing found", answer("search *", "[]"), `{"success": false, "reason": "no claim held", "question": "q", "claims": [], "refuted": [], "unchecked": [], "notSearched": []}`},

		{"code-review", "a dimension", fails("find security"), `{"success": true, "verdict": "consider", "notReviewed": ["security"], "findings": [` + loss + `"2 of 2", "reasons": [], "also": []}]}`},
		{"code-review", "a reviewer", fails("reviewer 1"), `{"success": true, "refuted": [` + unused + `"0 of 1", "reasons": ["it is used below"]}]}`},
		{"code-review", "reviewers of two minds", answer("reviewer 2", "{ real = false }"), `{"verdict": "clean", "findings": [], "unchecked": []}`},
		{"code-review", "all reviewers", fails("reviewer *"), `{"success": true, "verdict": "open", "findings": [], "refuted": [],
			"unchecked": [` + trust + `"0 of 0", "reasons": []}, ` + loss + `"0 of 0", "reasons": []}, ` + unused + `"0 of 0", "reasons": []}]}`},
		{"code-review", "all dimensions", fails("find *"), `{"success": false, "reason": "no dimension was reviewed", "target": "q", "notReviewed": ["bugs", "security"]}`},
		{"code-review", "the summary", fails("summary"), `{"success": true, "summary": null, "verdict": "change"}`},
		{"code-review", "nothing found", answer("find *", "[]"), `{"success": true, "target": "q", "verdict": "clean", "summary": "One place needs work.", "findings": [], "unchecked": [], "refuted": [], "notReviewed": []}`},
		{
			"code-review", "a whole file", answer("find *", `[{ file = "a", line = 0, severity = "low", title = "x", detail = "" }, { file = "a", line = 0, severity = "low", title = "y", detail = "" }]`),
			`{"findings": [
				{"dimension": "bugs", "file": "a", "line": 0, "severity": "low", "title": "x", "detail": "", "votes": "2 of 2", "reasons": [], "also": [{"dimension": "security", "title": "x", "detail": ""}]},
				{"dimension": "bugs", "file": "a", "line": 0, "severity": "low", "title": "y", "detail": "", "votes": "2 of 2", "reasons": [], "also": [{"dimension": "security", "title": "y", "detail": ""}]}]}`,
		},

		{"adversarial-review", "an attacker", fails("attack cost, *") + fails("judge*") + answer("attack failure, round 3", "[]"), `{"success": true, "verdict": "open", "dry": false, "standing": [], "minor": [],
			"undecided": [{"id": "1.1", "lens": "failure", ` + crash + `, "response": "The copies are small.", "ruling": "undecided", "reason": null}],
			"failed": ["attack cost, round 1", "judge, round 1", "attack cost, round 2", "attack cost, round 3"]}`},
		{"adversarial-review", "all attackers", fails("attack *"), `{"success": false, "reason": "no round of attacks was whole", "verdict": "open", "dry": false,
			"standing": [], "undecided": [], "answered": [], "minor": [], "failed": ["attack cost, round 1", "attack failure, round 1"]}`},
		{"adversarial-review", "the defender", fails("defend*"), `{"success": true, "verdict": "needs work", "failed": ["defend, round 1"],
			"standing": [{"id": "1.1", "lens": "cost", ` + memory + `, "response": null, "ruling": "stands", "reason": "nobody measured it"}]}`},
		{"adversarial-review", "the judge", fails("judge*"), `{"success": true, "verdict": "open", "dry": true, "standing": [], "answered": [], "failed": ["judge, round 1"]}`},
		{
			"adversarial-review", "a judge of two minds", answer("judge*", `[{ id = "1.2", ruling = "answered", reason = "a" }, { id = "1.2", ruling = "stands", reason = "b" }, { id = "1.1", ruling = "answered", reason = "c" }]`),
			`{"success": true, "verdict": "open", "undecided": [{"id": "1.2", "lens": "failure", ` + crash + `, "response": "It is written to disk first.", "ruling": "undecided", "reason": null}]}`,
		},
		{"adversarial-review", "a fatal one stands", answer("judge*", `[{ id = "1.1", ruling = "answered", reason = "a" }, { id = "1.2", ruling = "stands", reason = "b" }]`), `{"verdict": "refuted"}`},
		{"adversarial-review", "nothing found", answer("attack *", "[]"), `{"success": true, "verdict": "holds", "dry": true, "standing": [], "undecided": [], "answered": [], "minor": [], "failed": []}`},

		{"multi-perspective", "the choice", fails("choose") + answer("answer *", `{ position = "p", because = "b", confidence = 0.5 }`) + fails("critique *"), `{"success": true,
			"positions": [{"perspective": "user", "position": "p", "because": "b", "confidence": 0.5, "changed": false, "objections": [], "heardOthers": false},
				{"perspective": "maintainer", "position": "p", "because": "b", "confidence": 0.5, "changed": false, "objections": [], "heardOthers": false}]}`},
		{"multi-perspective", "an answer", fails("answer user"), `{"success": false, "reason": "fewer than two perspectives answered", "question": "q", "silent": ["user"]}`},
		{"multi-perspective", "a critique", fails("critique user"), `{"success": true, "positions": [
			{"perspective": "user", "position": "Rewrite it.", "because": "it is slow", "confidence": 0.9, "changed": false, "objections": [], "heardOthers": false},
			{"perspective": "maintainer", "position": "Keep it.", "because": "it is tested", "confidence": 0.6, "changed": false, "objections": [], "heardOthers": true}]}`},
		{"multi-perspective", "a judge", fails("judge 1.2"), `{"success": true, "best": {"perspective": "user", "score": 0.75}}`},
		{"multi-perspective", "all judges", fails("judge *"), `{"success": true, "best": null}`},
		{"multi-perspective", "the synthesis", fails("synthesis"), `{"success": false, "reason": "the synthesis failed", "best": {"perspective": "user", "score": 0.75}}`},

		{"codebase-audit", "the scout", fails("scout"), `{"success": false, "reason": "the scout failed", "goals": "q", "areas": []}`},
		{"codebase-audit", "an audit", fails("audit net"), `{"success": true, "audited": ["store"], "findings": [], "notLookedAt": [{"path": "vendor", "why": "the scout left it out"},
			{"path": "docs", "why": "beyond the first 2 modules"}, {"path": "net", "why": "its audit failed"}]}`},
		{"codebase-audit", "all audits", fails("audit *"), `{"success": false, "reason": "no module was audited"}`},
		{"codebase-audit", "reviewers of two minds", answer("reviewer 2", "{ real = false }"), `{"success": true, "findings": [], "unchecked": [],
			"bySeverity": {"critical": 0, "high": 0, "medium": 0, "low": 0}}`},
		{"codebase-audit", "all reviewers", fails("reviewer *"), `{"success": true, "findings": [], "refuted": [], "unchecked": [
			{"module": "store", "file": "store/w.go", "line": 3, "severity": "critical", "title": "no sync", "detail": "after a write", "status": "unchecked", "votes": "0 of 0", "reasons": []},
			{"module": "net", "file": "net/get.go", "line": 7, "severity": "high", "title": "an error is dropped", "detail": "when the body is cut", "status": "unchecked", "votes": "0 of 0", "reasons": []}]}`},
		{"codebase-audit", "the summary", fails("summary"), `{"success": true, "summary": null}`},
		{"codebase-audit", "no module", answer("scout", `{ modules = [], leftOut = ["."] }`), `{"success": false, "reason": "the scout found no module", "goals": "q", "areas": [], "notLookedAt": [{"path": ".", "why": "the scout left it out"}]}`},
	} {
		t.Run(c.workflow+": "+c.name, func(t *testing.T) {
			t.Parallel()
			var args map[string]any
			require.NoError(t, json.Unmarshal([]byte(happy[c.workflow].args), &args))
			for name, value := range args {
				if _, ok := value.(string); ok {
					args[name] = "q"
				}
			}
			workers := scripted(t, c.workflow, c.first)
			r := start(t, c.workflow, string(must(json.Marshal(args))), engine.Options{Agent: workers})
			state := "completed"
			if strings.Contains(c.want, `"success": false`) {
				state = "stopped"
			}
			require.Equal(t, state, r.State, "%v", r.Err)
			has(t, r.Value, c.want)
			require.Equal(t, strings.Contains(c.first, "out of order") || strings.HasSuffix(c.name, "does not fit"), len(r.Failures) > 0)
			require.Empty(t, effectful(workers.take()))
		})
	}
}

// An answer that does not fit, also after it was sent back, ends the run where nobody could do
// without it, and a resume asks again.
func TestBuiltinAnswerThatDoesNotFit(t *testing.T) {
	store := storeAt(t, t.TempDir())
	o := engine.Options{Store: store, Agent: scripted(t, "deep-research", answer("write", "42"))}
	r := start(t, "deep-research", happy["deep-research"].args, o)
	require.Equal(t, "failed", r.State)
	require.Equal(t, "SCHEMA_NONCOMPLIANCE", r.Code)
	workers := scripted(t, "deep-research", "")
	o.Agent = workers
	again, err := engine.Resume(t.Context(), r.Run, nil, o)
	require.NoError(t, err)
	ends(t, again, "completed", happy["deep-research"].want)
	require.Equal(t, []string{"write", "completeness", "search gap 1, round 1"}, labels(workers.take())[:3])
}

// What is cut off by an argument is not lost: the result has it among what nobody checked.
func TestBuiltinCaps(t *testing.T) {
	for workflow, c := range map[string]struct{ args, first, want string }{
		"deep-research": {`{"_raw": "q", "maxAngles": 2, "maxClaims": 1}`, "", `{"unchecked": [
			{"claim": "Bees cannot fly by the laws of physics.", "source": "https://example.org/myth"},
			{"claim": "A vortex at the wing's edge gives most of the lift.", "source": "https://example.org/vortex"}]}`},
		"code-review": {`{"_raw": "q", "dimensions": ["bugs"], "maxFindings": 1}`, "", `{"unchecked": [{"dimension": "bugs", "file": "parse.go", "line": 12,
			"severity": "low", "title": "an unused result", "detail": "of the second call", "votes": "0 of 0", "reasons": []}]}`},
		"codebase-audit": {
			`{"_raw": "q", "maxModules": 1, "maxFindings": 1}`, answer("audit net", `{ notRead = [], findings = [
			{ file = "a", line = 1, severity = "low", title = "x", detail = "" }, { file = "b", line = 2, severity = "high", title = "y", detail = "" }] }`),
			`{"audited": ["net"], "bySeverity": {"critical": 0, "high": 1, "medium": 0, "low": 0}, "unchecked": [{"module": "net", "file": "a", "line": 1,
				"severity": "low", "title": "x", "detail": "", "status": "unchecked", "votes": "0 of 0", "reasons": []}]}`,
		},
		"adversarial-review": {`{"_raw": "q", "lenses": ["cost", "failure"], "maxObjections": 1, "maxRounds": 1}`, "", `{"dry": false, "minor": []}`},
	} {
		t.Run(workflow, func(t *testing.T) {
			r := start(t, workflow, c.args, engine.Options{Agent: scripted(t, workflow, c.first)})
			require.Equal(t, "completed", r.State, "%v", r.Err)
			has(t, r.Value, c.want)
		})
	}
}

// has requires members of a JSON object.
func has(t testing.TB, value json.RawMessage, want string) {
	t.Helper()
	var members, got map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(want), &members))
	require.NoError(t, json.Unmarshal(value, &got))
	for name, member := range members {
		require.JSONEq(t, string(member), string(got[name]), "%s of %s", name, value)
	}
}

// What ended without success because agents failed goes on once they work again, and what had
// its answer is not asked again.
func TestBuiltinGoesOnAfterFailures(t *testing.T) {
	for workflow, c := range map[string]struct{ first, label string }{
		"deep-research":      {fails("write"), "write"},
		"code-review":        {fails("find *"), "find bugs"},
		"adversarial-review": {fails("attack *"), "attack cost, round 1"},
		"multi-perspective":  {fails("synthesis"), "synthesis"},
		"codebase-audit":     {fails("scout"), "scout"},
		"plan-then-do":       {fails("plan"), "plan"},
	} {
		t.Run(workflow, func(t *testing.T) {
			store, broken, mended := storeAt(t, t.TempDir()), scripted(t, workflow, c.first), scripted(t, workflow, "")
			o := engine.Options{Store: store, Agent: broken, Asker: says("true"), Workspace: t.TempDir()}
			r := start(t, workflow, happy[workflow].args, o)
			require.Equal(t, "stopped", r.State, "%v", r.Err)
			answered := map[string]bool{}
			for _, req := range broken.take() {
				answered[req.Call] = true
			}
			for _, failure := range r.Failures {
				delete(answered, failure.Key)
			}
			o.Agent = mended
			again, err := engine.Resume(t.Context(), r.Run, nil, o)
			require.NoError(t, err)
			ends(t, again, "completed", happy[workflow].want)
			asked := mended.take()
			require.Contains(t, labels(asked), c.label)
			for _, req := range asked {
				require.False(t, answered[req.Call], "%s was paid twice", req.Label)
			}
		})
	}
}

// Whoever criticises reads the others' answers, and its own apart from them.
func TestBuiltinCritiqueReadsTheOthers(t *testing.T) {
	workers := scripted(t, "multi-perspective", "")
	start(t, "multi-perspective", happy["multi-perspective"].args, engine.Options{Agent: workers})
	for _, req := range workers.take() {
		if req.Label == "critique user" {
			own, others, ok := strings.Cut(req.Prompt, "The others' answers")
			require.True(t, ok)
			require.Contains(t, own, "Rewrite it.")
			require.NotContains(t, others, "Rewrite it.")
			require.Contains(t, others, "Keep it.")
			return
		}
	}
	t.Fatal("nobody criticised")
}
