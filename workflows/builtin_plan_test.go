package workflows_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

// The plans of the prepared answers in canonical JSON: members by name, no white space.
const (
	quietPlan = `{"goal":"A quiet greeting","steps":[` +
		`{"acceptanceCriteria":["greet.sh takes --quiet"],"dependsOn":[],"files":["greet.sh"],"id":"flag","title":"Add the flag"},` +
		`{"acceptanceCriteria":["README.txt names --quiet","it has an example"],"dependsOn":["flag"],"files":["README.txt"],"id":"docs","title":"Document it"}` +
		`],"task":"add --quiet"}`
	revisedPlan = `{"goal":"A quiet greeting, without documents","steps":[` +
		`{"acceptanceCriteria":["greet.sh takes --quiet"],"dependsOn":[],"files":["greet.sh"],"id":"flag","title":"Add the flag"}` +
		`],"task":"add --quiet"}`
	addQuiet = `{"task": "add --quiet"}`
)

var quietSum, revisedSum = sumOf(quietPlan), sumOf(revisedPlan)

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// The work is done in the workspace, under the approval, and by nobody before it.
func TestPlanThenDo(t *testing.T) {
	workers, ann, folder := scripted(t, "plan-then-do", ""), says("true"), t.TempDir()
	store := storeAt(t, t.TempDir())
	asked := []string{}
	r := start(t, "plan-then-do", addQuiet, engine.Options{Store: store, Agent: workers, Asker: ann, Workspace: folder, Observe: func(e engine.Event) {
		switch e.Type {
		case engine.CallBegan:
			asked = append(asked, e.Label)
		case engine.GateOpened:
			asked = append(asked, "the person")
		}
	}})
	ends(t, r, "completed", happy["plan-then-do"].want)

	require.Len(t, ann.shown, 1)
	require.Equal(t, quietPlan, ann.shown[0].Gate.Plan)
	require.Equal(t, quietSum, ann.shown[0].Gate.Checksum)
	requests := workers.take()
	require.Equal(t, []string{"do flag", "do docs", "repair docs"}, labels(effectful(requests)))
	require.ElementsMatch(t, []string{
		"explore the code that it touches", "explore tests, and how they are run", "explore conventions and documents", "plan",
		"do flag", "check flag", "do docs", "check docs", "repair docs", "check docs again",
	}, labels(requests))
	require.Equal(t, []string{"plan", "the person", "do flag"}, asked[3:6], "the question comes before the work")
	text, err := os.ReadFile(filepath.Join(folder, "README.txt"))
	require.NoError(t, err)
	require.Equal(t, "--quiet says nothing, as in: sh greet.sh --quiet\n", string(text))

	require.Equal(t, map[string]string{"do flag": quietSum, "do docs": quietSum, "repair docs": quietSum}, under(t, store, r.Run))
}

// Nobody but a person's yes lets the work begin.
func TestPlanThenDoWithoutAYes(t *testing.T) {
	for name, c := range map[string]struct {
		person         *person
		args, decision string
		plan           string
		asks           int
	}{
		"declined":                  {says("false"), addQuiet, `false`, quietPlan, 1},
		"nobody there":              {nil, addQuiet, `false`, quietPlan, 0},
		"a change and then a no":    {says(`"no documents"`, "false"), addQuiet, `false`, revisedPlan, 2},
		"changes without end":       {says(`"less"`), `{"task": "add --quiet", "maxRevisions": 1}`, `"less"`, revisedPlan, 2},
		"a change, and no revision": {says(`"yes, but later"`), `{"task": "add --quiet", "maxRevisions": 0}`, `"yes, but later"`, quietPlan, 1},
	} {
		t.Run(name, func(t *testing.T) {
			workers, folder := scripted(t, "plan-then-do", ""), t.TempDir()
			o := engine.Options{Agent: workers, Workspace: folder}
			if c.person != nil {
				o.Asker = c.person
			}
			r := start(t, "plan-then-do", c.args, o)
			ends(t, r, "stopped", `{"success": false, "stoppedBy": "plan-approval", "plan": `+c.plan+`, "decision": `+c.decision+`}`)
			require.Empty(t, effectful(workers.take()))
			require.NoFileExists(t, filepath.Join(folder, "greet.sh"))
			if c.person != nil {
				require.Len(t, c.person.shown, c.asks)
			}
		})
	}
}

// Without the argument the plan is revised three times, and what is asked for then is no yes.
func TestPlanThenDoRevisesThreeTimes(t *testing.T) {
	workers, ann := scripted(t, "plan-then-do", planOf("plan, *", "", step("a", "", "", `"c"`))), says(`"more"`)
	r := start(t, "plan-then-do", addQuiet, engine.Options{Agent: workers, Asker: ann})
	require.Equal(t, "stopped", r.State, "%v", r.Err)
	has(t, r.Value, `{"stoppedBy": "plan-approval", "decision": "more"}`)
	require.Len(t, ann.shown, 4)
	require.Equal(t, []string{"plan", "plan, revision 1", "plan, revision 2", "plan, revision 3"}, labels(workers.take())[3:])
}

// A question that is left open stops the run, and the answer of another day continues it.
func TestPlanThenDoWaits(t *testing.T) {
	workers, store := scripted(t, "plan-then-do", ""), storeAt(t, t.TempDir())
	r := start(t, "plan-then-do", addQuiet, engine.Options{Store: store, Agent: workers, OnGate: checkpoint.Suspend, Workspace: t.TempDir()})
	require.Equal(t, "waiting", r.State)
	require.Len(t, workers.take(), 4)
	again, err := engine.Resume(t.Context(), r.Run, nil, engine.Options{Store: store, Agent: workers, Asker: says("true")})
	require.NoError(t, err)
	ends(t, again, "completed", happy["plan-then-do"].want)
	require.Equal(t, []string{"do flag", "check flag", "do docs", "check docs", "repair docs", "check docs again"}, labels(workers.take()))
}

// What the person asks for reaches the planner, the revised plan is asked about again, and only
// that is carried out.
func TestPlanThenDoRevises(t *testing.T) {
	workers, ann := scripted(t, "plan-then-do", ""), says(`"leave the documents alone"`, "true")
	store := storeAt(t, t.TempDir())
	r := start(t, "plan-then-do", addQuiet, engine.Options{Store: store, Agent: workers, Asker: ann, Workspace: t.TempDir()})
	ends(t, r, "completed", `{"success": true, "checksum": "`+revisedSum+`", "failed": [], "skipped": [],
		"steps": [{"id": "flag", "title": "Add the flag", "status": "completed", "report": "The flag is there.", "repaired": false}]}`)
	require.Equal(t, quietPlan, ann.shown[0].Gate.Plan)
	require.Equal(t, revisedPlan, ann.shown[1].Gate.Plan)
	requests := workers.take()
	require.Equal(t, []string{"do flag"}, labels(effectful(requests)))
	for _, req := range requests {
		if req.Label == "plan, revision 1" {
			require.Contains(t, req.Prompt, "leave the documents alone")
			require.Contains(t, req.Prompt, `"README.txt"`)
		}
	}
	require.Equal(t, map[string]string{"do flag": revisedSum}, under(t, store, r.Run))
}

// planOf is an answer with a plan of steps, each a TOML table in braces.
func planOf(label string, times string, steps ...string) string {
	return "[[answer]]\nlabel = \"" + label + "\"\n" + times + "\nvalue = { goal = \"g\", steps = [" + strings.Join(steps, ", ") + "] }\n"
}

func step(id, files, dependsOn, criteria string) string {
	return `{ id = "` + id + `", title = "t", files = [` + files + `], dependsOn = [` + dependsOn + `], acceptanceCriteria = [` + criteria + `] }`
}

// A plan that cannot be carried out goes back to its planner with every reason, twice, and no
// person is asked about it.
func TestPlanThenDoRefusesPlans(t *testing.T) {
	many := []string{}
	for i := range 13 {
		many = append(many, step(string(rune('a'+i)), "", "", `"c"`))
	}
	for name, c := range map[string]struct {
		steps []string
		want  string
	}{
		"none":                {nil, "it has 0 steps; it may have 1 to 12"},
		"too many":            {many, "it has 13 steps; it may have 1 to 12"},
		"twice":               {[]string{step("a", "", "", `"c"`), step("a", "", "", `"c"`)}, "two steps have the id a"},
		"no word":             {[]string{step("a b", "", "", `"c"`)}, `the id "a b" is not a plain word`},
		"reserved":            {[]string{step("constructor", "", "", `"c"`)}, `the id "constructor" is not a plain word`},
		"reserved too":        {[]string{step("__proto__", "", "", `"c"`)}, `the id "__proto__" is not a plain word`},
		"unknown":             {[]string{step("a", "", `"b"`, `"c"`)}, "step a depends on b, and no step has that id"},
		"itself":              {[]string{step("a", "", `"a"`, `"c"`)}, "these steps wait for each other in a circle, or for such steps: a"},
		"a circle":            {[]string{step("a", "", `"b"`, `"c"`), step("b", "", `"a"`, `"c"`), step("d", "", "", `"c"`)}, "these steps wait for each other in a circle, or for such steps: a, b"},
		"nothing to check":    {[]string{step("a", "", "", "")}, "step a has no acceptance criteria"},
		"up":                  {[]string{step("a", `"../x"`, "", `"c"`)}, "step a names ../x, which is no plain path inside the workspace"},
		"up and down":         {[]string{step("a", `"x/../../y"`, "", `"c"`)}, "step a names x/../../y, which is no plain path inside the workspace"},
		"absolute":            {[]string{step("a", `"/etc/passwd"`, "", `"c"`)}, "step a names /etc/passwd, which is no plain path inside the workspace"},
		"a home":              {[]string{step("a", `"~/.profile"`, "", `"c"`)}, "step a names ~/.profile, which is no plain path inside the workspace"},
		"a drive":             {[]string{step("a", `"C:x"`, "", `"c"`)}, "step a names C:x, which is no plain path inside the workspace"},
		"backward":            {[]string{step("a", `'..\x'`, "", `"c"`)}, `step a names ..\x, which is no plain path inside the workspace`},
		"one file, no order":  {[]string{step("a", `"f"`, "", `"c"`), step("b", `"f"`, "", `"c"`)}, "steps a and b both change f, and neither depends on the other"},
		"two things at once":  {[]string{step("a", `"../x"`, `"b"`, `"c"`)}, "step a depends on b, and no step has that id; step a names ../x, which is no plain path inside the workspace"},
		"far apart, in order": {[]string{step("a", `"f"`, "", `"c"`), step("b", "", `"a"`, `"c"`), step("d", `"f", "dir/"`, `"b"`, `"c"`)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			workers, ann := scripted(t, "plan-then-do", planOf("plan*", "", c.steps...)), says("false")
			r := start(t, "plan-then-do", `{"task": "x"}`, engine.Options{Agent: workers, Asker: ann})
			require.Equal(t, "stopped", r.State, "%v", r.Err)
			if c.want == "" {
				require.Len(t, ann.shown, 1)
				return
			}
			require.Contains(t, string(r.Value), `"stoppedBy":"plan-validation"`)
			require.Contains(t, string(r.Value), `"reason":`+string(must(json.Marshal(c.want))))
			require.Empty(t, ann.shown)
			asked := workers.take()
			require.Equal(t, []string{"plan", "plan, mended 1", "plan, mended 2"}, labels(asked)[3:])
			require.NotContains(t, asked[3].Prompt, c.want)
			require.Contains(t, asked[4].Prompt, c.want)
		})
	}
}

// A planner that mends its plan gets on; what was wrong is not approved along the way.
func TestPlanThenDoMendsAPlan(t *testing.T) {
	workers := scripted(t, "plan-then-do", planOf("plan", "times = 1", step("a", `"../x"`, "", `"c"`))+planOf("plan, mended 1", "", step("a", `"x"`, "", `"c"`)))
	ann := says("false")
	r := start(t, "plan-then-do", `{"task": "x"}`, engine.Options{Agent: workers, Asker: ann})
	ends(t, r, "stopped", `{"success": false, "stoppedBy": "plan-approval", "decision": false, "plan": `+ann.shown[0].Gate.Plan+`}`)
	require.Equal(t, `{"goal":"g","steps":[{"acceptanceCriteria":["c"],"dependsOn":[],"files":["x"],"id":"a","title":"t"}],"task":"x"}`, ann.shown[0].Gate.Plan)
}

// Whoever fails, the summary says what was done and what was not.
func TestPlanThenDoFailures(t *testing.T) {
	notMet := "[[answer]]\nlabel = \"check flag*\"\nvalue = [{ criterion = 1, met = false, evidence = \"none\" }]\n"
	silent := "[[answer]]\nlabel = \"check flag*\"\nvalue = [{ criterion = 2, met = true, evidence = \"of another\" }]\n"
	torn := "[[answer]]\nlabel = \"check flag*\"\nvalue = [{ criterion = 1, met = true, evidence = \"a\" }, { criterion = 1, met = false, evidence = \"b\" }]\n"
	repair := "[[answer]]\nlabel = \"repair flag\"\ntext = \"tried\"\n"
	for name, c := range map[string]struct{ first, why string }{
		"the worker":               {fails("do flag"), "out of order"},
		"the check":                {fails("check flag"), "out of order"},
		"the repair":               {notMet + fails("repair flag"), "out of order"},
		"never met":                {notMet + repair, "not met, also after a repair: greet.sh takes --quiet"},
		"a criterion without word": {silent + repair, "not met, also after a repair: greet.sh takes --quiet"},
		"met and not met":          {torn + repair, "not met, also after a repair: greet.sh takes --quiet"},
	} {
		t.Run(name, func(t *testing.T) {
			workers := scripted(t, "plan-then-do", c.first)
			r := start(t, "plan-then-do", addQuiet, engine.Options{Agent: workers, Asker: says("true"), Workspace: t.TempDir()})
			require.Equal(t, "stopped", r.State)
			var got map[string]any
			require.NoError(t, json.Unmarshal(r.Value, &got))
			require.Equal(t, false, got["success"])
			require.Equal(t, quietSum, got["checksum"])
			require.Equal(t, []any{
				map[string]any{"id": "flag", "title": "Add the flag", "status": "failed"},
				map[string]any{"id": "docs", "title": "Document it", "status": "skipped"},
			}, got["steps"])
			require.Equal(t, []any{"docs"}, got["skipped"])
			require.Len(t, got["failed"], 1)
			require.Contains(t, got["failed"].([]any)[0].(map[string]any)["error"], c.why)
			require.NotContains(t, labels(workers.take()), "do docs")
		})
	}
	t.Run("the planner", func(t *testing.T) {
		r := start(t, "plan-then-do", addQuiet, engine.Options{Agent: scripted(t, "plan-then-do", fails("plan")), Asker: says("true")})
		ends(t, r, "stopped", `{"success": false, "stoppedBy": "planner", "reason": "the planner failed"}`)
	})
	t.Run("the planner, at a revision", func(t *testing.T) {
		workers := scripted(t, "plan-then-do", fails("plan, revision 1"))
		r := start(t, "plan-then-do", addQuiet, engine.Options{Agent: workers, Asker: says(`"less"`, "true")})
		ends(t, r, "stopped", `{"success": false, "stoppedBy": "planner", "reason": "the planner failed"}`)
		require.Empty(t, effectful(workers.take()))
	})
	t.Run("explorers", func(t *testing.T) {
		r := start(t, "plan-then-do", addQuiet, engine.Options{Agent: scripted(t, "plan-then-do", fails("explore *")), Asker: says("true"), Workspace: t.TempDir()})
		ends(t, r, "completed", happy["plan-then-do"].want)
		require.Len(t, r.Failures, 3)
	})
}

// under gives the checksum of the approval that each call acted under, of those that did.
func under(t testing.TB, store *journal.Store, id string) map[string]string {
	t.Helper()
	v, err := store.Visit(t.Context(), id)
	require.NoError(t, err)
	defer v.Close()
	st, sums := v.State(), map[string]string{}
	for _, c := range st.Calls {
		if c.Call.Under != "" {
			sums[c.Call.Label] = st.Gates[st.GateByKey[c.Call.Under]].Asked.Checksum
		}
	}
	return sums
}
