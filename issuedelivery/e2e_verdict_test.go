package issuedelivery_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/issuedelivery"
)

// B73: whatever a verifier says, only true by the schema, with evidence of each criterion and no test that
// cannot fail, passes. What is no verdict stops at once, and is asked again; a bad one goes to a worker.
func TestB73_WholeStopsWithoutAVerdict(t *testing.T) {
	t.Parallel()
	with := func(key string, v any) object {
		all := passes(1)
		all[key] = v
		return all
	}
	e := newWhole(t)
	run := ""
	for name, said := range map[string]object{
		"nothing": {"text": ""}, "prose": {"text": "Sorry, I cannot judge that."}, "a refusal": {"text": "this is unsafe to run"},
		"a yes that is taken back": {"text": asText(passes(1)) + "\nFAIL"},
		"a text for no":            {"value": with("passed", "false")}, "a text for yes": {"value": with("passed", "true")}, "another schema": {"value": object{"verdict": "pass"}},
	} {
		said["label"] = "verifier*"
		e.says(instead(planOf(part("a")), said)...)
		var got issuedelivery.Outcome
		if run == "" {
			got = e.start(says("true"))
		} else {
			got = e.goOn(run, nil) // it is asked again
		}
		run = got.Run
		e.stoppedBy(got, "verifier", "needs-human", "assent resume ", false)
		e.note(got)
		require.Empty(t, e.git("branch", "--list", got.Branch), "%s: there is no result", name)
	}
	e.says(good(planOf(part("a")))...)
	got := e.goOn(run, nil)
	require.True(t, got.Success, "%+v", got)
	require.Len(t, e.requests("worker"), 1, "no worker is paid for twice")

	e = newWhole(t)
	for _, bad := range [][3]object{
		{with("passed", false), with("tautologicalTestDetected", true), with("criteria", []any{})},
		{with("criteria", []any{object{"criterion": 2, "met": true, "evidence": "seen"}}), with("criteria", []any{object{"criterion": 1, "met": false, "evidence": "seen"}}), with("criteria", []any{object{"criterion": 1, "met": true, "evidence": " "}})},
	} {
		e.says(instead(planOf(part("a")), object{"label": "verifier a", "value": bad[0]}, object{"label": "verifier a, attempt 2", "value": bad[1]}, object{"label": "verifier a, attempt 3", "value": bad[2]})...)
		got = e.start(says("true"))
		e.stoppedBy(got, "verifier", "needs-human", "assent deliver --finish ", true)
		e.note(got, "criterion 1 is not shown to be met")
		require.Empty(t, e.git("branch", "--list", got.Branch))
	}
	require.Len(t, e.requests("worker"), 6)
	require.Contains(t, e.requests("worker a, attempt 3")[0].Prompt, "a test cannot fail")
	got = e.finish(got.Run, nil)
	require.True(t, got.Success, "%+v", got)
	require.Len(t, e.requests("worker"), 6)
}

// A verifier gets the criteria by number, what the checks said, and the change as data.
func TestWholeTellsTheVerifier(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	e.says(good(planOf(part("a")))...)
	require.True(t, e.start(says("true")).Success)
	asked := e.requests("verifier a")[0]
	require.True(t, asked.ReadOnly)
	require.Equal(t, "big", asked.Tier)
	for _, text := range []string{`{"number":1,"criterion":"grep -q a a.txt exits with 0"}`, "+a", "words is good", "Wrote it."} {
		require.Contains(t, asked.Prompt, text)
	}
}

// Steps that do not fit together are repaired by a worker, and that is judged as a whole; if it cannot,
// by a person.
func TestWholeRepairsConflicts(t *testing.T) {
	t.Parallel()
	for name, repair := range map[string]object{
		"a worker": writes("repair b", "shared.txt", "a and b\n"),
		"a person": fails("repair b"),
		"markers":  writes("repair b", "shared.txt", "<<<<<<< a\na\n=======\nb\n>>>>>>> b\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newWhole(t, "shared.txt", "nobody\n")
			// Each amendment that is approved names one more file, and so two steps come to write the same.
			e.says(instead(planOf(part("a"), part("b")), repair,
				writes("worker a*", "a.txt", "a\n", "shared.txt", "a\n"), writes("worker b*", "b.txt", "b\n", "shared.txt", "b\n"))...)
			got := e.start(says("true", "true", "true"))
			if name == "a worker" {
				require.True(t, got.Success, "%+v", got)
				require.Equal(t, "a and b", e.git("show", got.Branch+":shared.txt"))
				require.Equal(t, "Add a\nAdd b", e.git("log", "--reverse", "--format=%s", e.commit+".."+got.Branch))
				require.Len(t, e.requests("verifier"), 3, "the whole is judged too")
				return
			}
			e.stoppedBy(got, "integration", "needs-human", "assent deliver --finish ", true)
			e.note(got, "shared.txt")
			require.Empty(t, e.git("branch", "--list", got.Branch))
			before := len(e.labels())
			e.mend(got, "shared.txt", "a and b by hand\n", "b.txt", "b\n")
			got = e.finish(got.Run, nil)
			require.True(t, got.Success, "%+v", got)
			require.Equal(t, "a and b by hand", e.git("show", got.Branch+":shared.txt"))
			require.Len(t, e.labels(), before+1)
		})
	}
}

// A base that moved where the plan's files are is asked about again, and taken in with a yes.
func TestWholeWhileTheBaseMoves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		says []string
		by   string
	}{
		"elsewhere":        {"other.txt", []string{"true"}, ""},
		"there, and yes":   {"dir/theirs.txt", []string{"true", "true"}, ""},
		"there, and no":    {"dir/theirs.txt", []string{"true", "false"}, "base-moved"},
		"there, and later": {"dir/theirs.txt", []string{"true"}, "base-moved"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newWhole(t)
			a := part("a")
			a["files"] = []string{"dir/"}
			e.says(instead(planOf(a), writes("worker a", "dir/a.txt", "a\n"))...)
			e.before = func(req agent.Request) {
				if req.Label == "verifier a" { // somebody commits to main meanwhile
					e.put(c.file, "theirs\n")
					e.git("add", c.file)
					e.git("commit", "-q", "-m", "meanwhile")
				}
			}
			p := says(c.says...)
			got := e.start(p)
			tip := e.git("rev-parse", "main")
			if c.by != "" {
				require.Equal(t, []any{"stopped", "base-moved", "needs-human", false}, []any{got.State, got.StoppedBy, got.Status, got.Finish}, "%+v", got)
				e.note(got, "dir/theirs.txt")
				require.Empty(t, e.git("branch", "--list", got.Branch))
				if len(c.says) == 2 {
					require.Equal(t, "assent deliver 'Build the shop'", got.Next)
					return
				}
				require.Equal(t, "assent resume "+got.Run, got.Next)
				got = e.goOn(got.Run, says("true"))
			}
			require.True(t, got.Success, "%+v", got)
			require.True(t, got.Stages.Integration.Moved)
			stands := tip
			if name == "elsewhere" {
				stands = e.commit // a local branch is anybody's: what came to it is not taken in unasked
			}
			require.Equal(t, stands, e.git("merge-base", "main", got.Branch))
			require.Len(t, e.requests("worker"), 1)
			require.Equal(t, e.git("rev-parse", got.Branch), got.Checks[len(got.Checks)-1].Commit, "what is delivered was checked as a whole")
		})
	}
}

// asText is a value as an agent writes it.
func asText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
