package issuedelivery_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/issuedelivery"
)

// An agent that gives no answer before there is a plan stops the delivery; resumed, it is asked again, and
// those before it are not.
func TestWholeStopsWithoutAPlan(t *testing.T) {
	t.Parallel()
	for _, who := range []string{"scout", "thinker"} {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			e := newWhole(t)
			e.says(append([]object{fails(who)}, good(planOf(part("a")))...)...)
			got := e.start(says("true"))
			e.stoppedBy(got, who, "failed", "assent resume ", false)
			e.note(got)
			e.says(good(planOf(part("a")))...)
			got = e.goOn(got.Run, says("true"))
			require.True(t, got.Success, "%+v", got)
			want := map[string]int{"scout": 1, "thinker": 1, "worker": 1, "verifier": 1}
			want[who]++
			for label, n := range want {
				require.Len(t, e.requests(label), n, label)
			}
		})
	}
}

// A plan that breaks rules is sent back twice, with all that is wrong with it; then all of it is named.
func TestWholeStopsAtABadPlan(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	bad := planOf(part("a", "b"), part("b", "a"), part("c", "nobody"), part("c"), part("e"))
	bad["steps"].([]any)[4].(object)["files"] = []string{"../out.txt", ".git/hooks/pre-commit"}
	bad["steps"].([]any)[4].(object)["acceptance"] = []string{"it works well"}
	e.says(scouts(), thinks(bad))
	p := says("true")
	got := e.start(p)
	require.Equal(t, []any{"stopped", "plan-validation", "needs-human", "assent deliver 'Build the shop'"}, []any{got.State, got.StoppedBy, got.Status, got.Next}, "%+v", got)
	require.Empty(t, p.saw, "nobody is asked about it")
	require.Equal(t, []string{"scout", "thinker", "thinker, mended 1", "thinker, mended 2"}, e.labels())
	note := e.note(got, "nobody", "../out.txt", ".git/hooks/pre-commit")
	require.GreaterOrEqual(t, len(got.Stages.Planning.Violations), 5)
	for _, v := range got.Stages.Planning.Violations {
		require.Contains(t, note, v.What)
		for _, req := range e.requests("thinker, mended") {
			require.Contains(t, req.Prompt, v.What)
		}
	}

	e.says(good(planOf(part("a")))...)
	require.True(t, e.start(says("true")).Success, "anew, with a plan that can be carried out")
}

// A plan that was not approved is given back, and nothing was begun.
func TestWholeStopsAtTheApproval(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*person{"declined": says("false"), "nobody there": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newWhole(t)
			e.says(good(planOf(part("a")))...)
			got := e.start(p)
			require.Equal(t, []any{"stopped", 3, "plan-approval", "needs-human", "Plan was not approved.", "Modify the task and rerun, or approve interactively."},
				[]any{got.State, got.Exit, got.StoppedBy, got.Status, got.Reason, got.NextAction}, "%+v", got)
			var result struct {
				Success   *bool
				StoppedBy string
				Plan      struct{ Summary string }
				Approval  struct {
					Decision json.RawMessage
					Plan     struct{ Summary string }
				}
			}
			require.NoError(t, json.Unmarshal(got.Result, &result))
			require.False(t, *result.Success)
			require.Equal(t, []string{"plan-approval", "A shop.", "A shop.", "false"}, []string{result.StoppedBy, result.Plan.Summary, result.Approval.Plan.Summary, string(result.Approval.Decision)})
			require.Equal(t, "main", e.git("branch", "--format=%(refname:short)"))
			require.Equal(t, []string{"scout", "thinker"}, e.labels())
			e.note(got)

			if p != nil {
				require.Equal(t, "assent deliver 'Build the shop'", got.Next)
				require.True(t, e.start(says("true")).Success)
				return
			}
			require.Equal(t, "assent resume "+got.Run, got.Next)
			got = e.goOn(got.Run, says("true"))
			require.True(t, got.Success, "%+v", got)
			require.Len(t, e.requests("thinker"), 1, "the plan is not paid for twice")
		})
	}
}

// A text is no yes: the thinker revises the plan, and it is asked about with what is different.
func TestWholeRevisesThePlan(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	revised := planOf(part("b"))
	e.says(append([]object{{"label": "thinker, revision 1", "value": revised}, works("b")}, good(planOf(part("a")))...)...)
	p := says(`"call it b"`, "true")
	got := e.start(p)
	require.True(t, got.Success, "%+v", got)
	require.Len(t, p.saw, 2)
	require.Contains(t, e.requests("thinker, revision 1")[0].Prompt, "call it b")
	require.NotEqual(t, p.saw[0].Checksum, p.saw[1].Checksum)
	require.Contains(t, p.saw[1].Plan, "b.txt")
	require.Equal(t, "b", e.git("show", got.Branch+":b.txt"))
	require.Empty(t, e.requests("worker a"))

	e.says(good(planOf(part("a")))...)
	got = e.start(says(`"no"`, `"no"`, `"no"`, `"no"`))
	require.Equal(t, "plan-approval", got.StoppedBy, "it is revised three times and no more: %+v", got)
	require.Len(t, e.requests("thinker, revision"), 1+3)
}

// B75: what a scout changes is seen before anybody is asked, and what it changed is named.
func TestB75_WholeStopsAtAMutation(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(e *whole, cwd string){
		"a file that git knows":   func(e *whole, cwd string) { e.put("README.md", "changed\n") },
		"a file that it does not": func(e *whole, cwd string) { e.put("more.txt", "more\n") },
		"a commit":                func(e *whole, cwd string) { e.git("commit", "-q", "--allow-empty", "-m", "sneaked") },
		"a branch":                func(e *whole, cwd string) { e.git("branch", "sneaked") },
		"a hook":                  func(e *whole, cwd string) { e.put(".git/hooks/pre-commit", "#!/bin/sh\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newWhole(t)
			e.says(good(planOf(part("a")))...)
			e.before = func(req agent.Request) {
				if req.Label == "scout" {
					change(e, req.Cwd)
				}
			}
			p := says("true")
			got := e.start(p)
			e.stoppedBy(got, "mutation-before-approval", "needs-human", "assent resume ", false)
			require.Equal(t, "READ_ONLY_VIOLATED", got.Code)
			require.Empty(t, p.saw)
			require.Equal(t, []string{"scout"}, e.labels())
			if name != "a hook" { // one is enough to see it go on
				return
			}
			require.NoError(t, os.Remove(filepath.Join(e.dir, ".git/hooks/pre-commit")))
			e.before = nil
			got = e.goOn(got.Run, p)
			require.True(t, got.Success, "%+v", got)
		})
	}
}

// What a delivery needs is looked for before anything is spent.
func TestWholeStopsUnprepared(t *testing.T) {
	t.Parallel()
	e := newWhole(t)
	e.config = issuedelivery.Config{}
	e.says(good(planOf(part("a")))...)
	got := e.start(says("true"))
	e.stoppedBy(got, "no-checks", "needs-human", "assent resume ", false)
	e.note(got, `\[delivery.checks\]`)
	o := e.options("", says("true"))
	o.Resume, o.Config.Checks = got.Run, map[string][]string{"there": {"grep", "-q", "shop", "README.md"}}
	got = e.deliver(o)
	require.True(t, got.Success, "%+v", got)
	require.Len(t, e.labels(), 4)

	o = e.options("Build more", says("true"))
	o.Lane = issuedelivery.LanePullRequest
	o.Config = issuedelivery.Config{Checks: map[string][]string{"there": {"true"}}}
	got = e.deliver(o)
	e.stoppedBy(got, "not-ready", "needs-human", "assent resume ", false)
	require.Contains(t, e.note(got), "remote")
	require.Len(t, e.labels(), 4, "nobody was asked anything")
}
