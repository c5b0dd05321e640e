package issuedelivery_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery"
)

// instead are the tables that come before those of a delivery that goes through.
func instead(plan object, first ...object) []object { return append(first, good(plan)...) }

// times is an answer that is given so often.
func times(n int, answer object) object {
	answer["times"] = n
	return answer
}

// A worker that fails is tried by larger models, and then a person does its step: nothing that was good is
// done again.
func TestWholeStopsAtAWorker(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	e.says(instead(planOf(part("a"), part("b")), fails("worker b*"))...)
	got := e.start(says("true"))
	e.stoppedBy(got, "worker", "needs-human", "assent deliver --finish ", true)
	e.note(got, "`b`", "3 attempts", "`a`")
	var tiers []string
	for _, req := range e.requests("worker b") {
		tiers = append(tiers, req.Tier)
	}
	require.Equal(t, []string{"small", "medium", "big"}, tiers)
	require.Contains(t, e.requests("worker b, attempt 2")[0].Prompt, "the agent failed")
	require.Equal(t, "main", e.git("branch", "--list", "--format=%(refname:short)", "main", got.Branch), "there is no result yet")

	before := len(e.labels())
	e.mend(got, "b.txt", "b\n")
	got = e.finish(got.Run, nil)
	require.True(t, got.Success, "%+v", got)
	require.Equal(t, "Add a\nRepair by hand", e.git("log", "--reverse", "--format=%s", e.commit+".."+got.Branch))
	require.Equal(t, "b", e.git("show", got.Branch+":b.txt"))
	require.Len(t, e.labels(), before+1, "one verdict on the whole, and no worker")
}

// A step may want more capable workers from the beginning.
func TestWholeBeginsAtTheTierOfAStep(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	a := part("a")
	a["tier"] = "medium"
	e.says(instead(planOf(a), times(1, fails("worker a*")))...)
	require.True(t, e.start(says("true")).Success)
	tries := e.requests("worker a")
	require.Equal(t, []string{"medium", "big"}, []string{tries[0].Tier, tries[1].Tier})
}

// Checks that are red three times stop. What they said goes to the next attempt, as causes and not as logs;
// a worker goes on from what the one before it did.
func TestWholeStopsAtChecks(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	e.config.Checks = map[string][]string{"words": {"sh", "-c", `if grep -rq RED .; then echo "a.txt:1: error: RED is no word"; exit 1; fi`}}
	e.says(instead(planOf(part("a")), writes("worker a*", "a.txt", "RED a\n"))...)
	got := e.start(says("true"))
	e.stoppedBy(got, "checks", "needs-human", "assent deliver --finish ", true)
	e.note(got, "RED is no word", "3 attempts")
	tries := e.requests("worker a")
	require.Len(t, tries, 3)
	require.NotContains(t, tries[0].Prompt, "RED is no word")
	for _, again := range tries[1:] {
		require.Equal(t, 1, strings.Count(again.Prompt, "words failed with exit code 1"), "the same twice is one cause: %s", again.Prompt)
		require.Less(t, len(again.Prompt)-len(tries[0].Prompt), 4*512+600, "feedback is bounded")
	}
	require.Empty(t, e.requests("verifier"), "what is red is not judged")
	e.mend(got, "a.txt", "a\n")
	got = e.finish(got.Run, nil)
	require.True(t, got.Success, "%+v", got)
	require.Equal(t, []string{"scout", "thinker", "verifier", "worker a", "worker a, attempt 2", "worker a, attempt 3"}, e.labels())
}

// A worker that makes it good at the second attempt is as good as any.
func TestWholeGoesOnFromFeedback(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	e.says(instead(planOf(part("a")), times(1, writes("worker a", "a.txt", "RED\n")))...)
	got := e.start(says("true"))
	require.True(t, got.Success, "%+v", got)
	require.Equal(t, 2, got.Stages.Workers.Steps[0].Attempts)
	require.Equal(t, "Add a", e.git("log", "--format=%s", e.commit+".."+got.Branch), "one commit a step, however many attempts")
}

// Tests that ran none are not good, whatever they exit with.
func TestWholeStopsAtChecksThatRanNoTest(t *testing.T) {
	t.Parallel()
	e := newWhole(t, "package.json", `{"scripts": {"test": "node --test"}}`)
	e.config.Checks = nil
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "npm"), []byte("#!/bin/sh\necho '# tests 0'\necho '# pass 0'\necho '# fail 0'\n"), 0o755))
	e.says(good(planOf(part("a")))...)
	o := e.options("Build the shop", nil)
	o.Engine.Environ = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	got := e.to(o, says("true"))
	e.stoppedBy(got, "checks", "needs-human", "assent deliver --finish ", true)
	require.Contains(t, e.note(got), "no test")
	require.Len(t, got.Checks, 3)
}

// A file that a step does not name is fed back, then asked about as an amendment of the plan.
func TestWholeAmendsThePlan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		wrote   []string
		said    string // what the worker is told
		amended []string
	}{
		"a file too many": {wrote: []string{"a.txt", "a\n", "more.txt", "more\n"}, said: "more.txt was changed, and the step does not name it", amended: []string{"a.txt", "more.txt"}},
		"another file":    {wrote: []string{"other.txt", "a\n"}, said: "a.txt was to be changed, and was not", amended: []string{"other.txt"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newWhole(t)
			e.says(instead(planOf(part("a")), writes("worker a*", c.wrote...))...)
			p := says("true", "true")
			got := e.start(p)
			require.True(t, got.Success, "%+v", got)
			require.Len(t, p.saw, 2)
			require.Contains(t, e.requests("worker a, attempt 2")[0].Prompt, c.said)
			require.Len(t, e.requests("worker a"), 2)
			var plan struct {
				Steps      []struct{ Files []string }
				Amendments []struct {
					Step           string
					Added, Removed []string
				}
			}
			require.NoError(t, json.Unmarshal([]byte(p.saw[1].Plan), &plan))
			require.Equal(t, c.amended, plan.Steps[0].Files)
			require.Equal(t, "a", plan.Amendments[0].Step)
			require.Equal(t, "Step a did not keep to its files. Approve this execution plan for: \"Build the shop\"?", p.saw[1].Prompt)
			require.Contains(t, e.git("log", "-1", "--format=%B", got.Branch), "Assent-Plan: sha256:"+p.saw[1].Checksum, "it was made under the amended plan")

			got = e.start(says("true", "false"))
			require.Equal(t, []any{"stopped", "plan-conformance", true}, []any{got.State, got.StoppedBy, got.Finish}, "%+v", got)
			e.note(got, c.said)
			require.FileExists(t, filepath.Join(got.Stages.Repair.Path, c.wrote[len(c.wrote)-2]), "what was done is there to repair")
		})
	}
}

// Declined, the person repairs it: they take the file out, and finish.
func TestWholeFinishesWhatWasDeclined(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	e.says(instead(planOf(part("a")), writes("worker a*", "a.txt", "a\n", "more.txt", "more\n"))...)
	got := e.start(says("true", "false"))
	e.stoppedBy(got, "plan-conformance", "needs-human", "assent deliver --finish ", true)
	place := got.Stages.Repair.Path
	require.NoError(t, os.Remove(filepath.Join(place, "more.txt")))
	e.mend(got, "a.txt", "a by hand\n")
	got = e.finish(got.Run, nil)
	require.Equal(t, []any{"waiting", issuedelivery.StageAsking, "assent review " + got.Run}, []any{got.State, got.At, got.Next}, "a no was said last: %+v", got)
	e.answer(got.Run, "true")
	got = e.goOn(got.Run, nil)
	require.True(t, got.Success, "%+v", got)
	require.Equal(t, "README.md\na.txt", e.git("ls-tree", "--name-only", got.Branch))
	require.Len(t, e.requests("worker"), 2)
}

// A text for an answer is told to the worker, which goes on.
func TestWholeTellsWhatAPersonSays(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	e.says(instead(planOf(part("a")), object{"label": "worker a, attempt 3", "run": "rm more.txt", "value": writes("")["value"]}, writes("worker a*", "a.txt", "a\n", "more.txt", "more\n"))...)
	p := says("true", `"leave more.txt out"`, "true")
	got := e.start(p)
	require.True(t, got.Success, "%+v", got)
	require.Len(t, p.saw, 3, "what is delivered has a yes to the question that was asked last")
	require.Equal(t, p.saw[0].Checksum, p.saw[2].Checksum)
	require.Contains(t, e.requests("worker a, attempt 3")[0].Prompt, "leave more.txt out")
	require.Equal(t, "a.txt", e.git("diff", "--name-only", e.commit, got.Branch))
}

// Without checks a delivery stops before it begins, unless that is allowed.
func TestWholeWithoutChecks(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	e.config.Checks = nil
	e.says(good(planOf(part("a")))...)
	e.stoppedBy(e.start(says("true")), "no-checks", "needs-human", "assent resume ", false)
	require.Empty(t, e.labels())
	o := e.options("Build the shop", says("true"))
	o.AllowNoChecks = true
	got := e.deliver(o)
	require.True(t, got.Success, "%+v", got)
	require.Equal(t, issuedelivery.StageDone, got.Stage)
	for _, c := range got.Checks {
		require.Equal(t, "none", c.State)
	}
}
