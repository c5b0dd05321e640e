package issuedelivery_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge/forgetest"
)

// sealBody is a delivery of one change, as far as its branch.
const sealBody = `
const ok = await planApprove({ summary: "Engines that stop." });
const b = await delivery.begin({ task: "Stop engines", issues: args.issues || [], lane: "pull-request" });
const s = await delivery.seal({ id: "one", title: "Stop engines", base: b.base.commit, commit: args.change, at: now(), under: ok });
await delivery.branch({ branch: b.branch, commit: s.commit, under: ok });
const publish = () => delivery.publish({
	branch: b.branch, commit: s.commit, base: b.base, title: b.title, issues: args.issues || [], template: b.template, labels: args.labels || [], reviewers: args.reviewers || [], ready: args.ready || false,
	report: { summary: "Engines that stop, @octocat.", steps: [{ id: "one", title: "Stop engines", commit: s.commit }], checks: args.checks, verdicts: [{ step: "one", passed: true, feedback: "Good. Closes #9" }] },
	under: ok,
});
`

const publishBody = sealBody + `const p = await publish(); return { ...p, branch: b.branch, commit: s.commit, checksum: ok.checksum };`

// published is what scripts see of delivery.publish, and what they gave it.
type published struct {
	PR struct {
		Number                 int
		URL, State, Head, Base string
		Draft                  bool
	}
	Adopted, Pushed          bool
	Warnings                 []string
	Branch, Commit, Checksum string
}

func TestPublish(t *testing.T) {
	s, api := realSite(t)
	api.Change(func(r *forgetest.Repository) { r.Labels, r.Users = []string{"ready"}, []string{"bob"} })
	before := everything(t, s.dir)
	r := s.run(t.Context(), publishBody, map[string]any{"change": s.change, "issues": []int{3}, "labels": []string{"ready"}, "reviewers": []string{"bob", "nobody"}})
	p := value[published](t, r)
	require.Equal(t, []any{5, api.URL() + "/pull/5", "open", p.Commit, "main", true}, []any{p.PR.Number, p.PR.URL, p.PR.State, p.PR.Head, p.PR.Base, p.PR.Draft})
	require.Equal(t, []bool{false, true}, []bool{p.Adopted, p.Pushed})
	require.Len(t, p.Warnings, 1)
	require.Contains(t, p.Warnings[0], `"nobody" could not be asked for a review`)
	require.Equal(t, p.Commit, s.git("--git-dir", s.bare, "rev-parse", "refs/heads/"+p.Branch))
	var body string
	api.Change(func(r *forgetest.Repository) {
		require.Equal(t, 1, r.Creates)
		require.Equal(t, "Stop engines", r.Pulls[0].Title)
		require.Equal(t, []string{"bob"}, r.Pulls[0].Reviewers)
		body = r.Pulls[0].Body
	})
	for _, part := range []string{
		"Closes #3\n", "| plan | `sha256:" + p.Checksum + "` |", "| run | `" + r.Run + "` |", "ann@&ZeroWidthSpace;here approved the plan on ", "(by the program that ran it)", "assent verify " + r.Run + "\n",
		"- Stop engines (one) " + p.Commit[:12], "## Why?",
	} {
		require.Contains(t, body, part)
	}
	require.NotContains(t, body, "#9")
	require.NotContains(t, body, "@octocat")
	// The user's tree is as it was.
	after := everything(t, s.dir)
	for path, text := range before {
		if !strings.Contains(path, "/.git/") {
			require.Equal(t, text, after[path])
		}
	}
	require.Equal(t, "main", s.git("symbolic-ref", "--short", "HEAD"))
}

// The forge did it, and the run was cut off before its journal had it: the call is made again, and finds it.
func TestB67_CutOffBetweenTheForgeAndTheJournal(t *testing.T) {
	s, api := realSite(t)
	args := map[string]any{"change": s.change}
	api.Fail("create", forgetest.HangingAfter)
	creates := func() (n int) {
		api.Change(func(r *forgetest.Repository) { n = r.Creates })
		return n
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		defer cancel(errors.New("gone"))
		for creates() == 0 && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
	}()
	r := s.run(ctx, publishBody, args)
	require.Equal(t, "interrupted", r.State, "%v", r.Err)
	again := s.resume(r.Run, args)
	p := value[published](t, again)
	require.True(t, p.Adopted)
	require.Equal(t, 1, again.Live, "the last call, and nothing that had been done")
	require.Equal(t, 1, creates())
	require.Equal(t, p, value[published](t, s.resume(r.Run, args)), "and a run that was done is left as it is")
	require.Equal(t, 1, creates())
}

func TestB67_AProgramThatDies(t *testing.T) {
	s, p := programSite(t)
	p.AfterCreate("kill -9 $$")
	args := map[string]any{"change": s.change}
	got := value[published](t, s.run(t.Context(), publishBody, args))
	require.True(t, got.Adopted)
	require.Equal(t, 1, p.Creates())

	// A forge that fails is a failure of the call, which a resume makes again.
	s, p = programSite(t)
	p.Before("pr-create", "echo 'HTTP 502: Bad gateway' >&2; exit 1")
	args["change"] = s.change
	r := s.run(t.Context(), publishBody, args)
	code, what := refusal(t, r)
	require.Equal(t, fault.ForgeFailed, code)
	require.Contains(t, what, "the step create")
	got = value[published](t, s.resume(r.Run, args))
	require.Equal(t, []bool{false, false}, []bool{got.Adopted, got.Pushed}, "the push had been done")
	require.Equal(t, 1, p.Creates())
}

// What nobody changed since it was written tells of the latest; what a person wrote stays.
func TestTheBodyOfAnAdoptedPullRequest(t *testing.T) {
	s, api := realSite(t)
	s.acts["write"] = func() { api.Change(func(r *forgetest.Repository) { r.Pulls[0].Body += "\nAnd I say: good.\n" }) }
	var bodies []string
	s.acts["read"] = func() { api.Change(func(r *forgetest.Repository) { bodies = append(bodies, r.Pulls[0].Body) }) }
	r := s.run(t.Context(), strings.Replace(sealBody, "checks: args.checks", "checks: checks", 1)+`
let checks = { checks: [] };
const out = [await publish()]; await act("read");
checks = { checks: [{ name: "test", command: ["make"], ok: true, tests: 3 }] };
out.push(await publish()); await act("read");
await act("write"); await act("read");
checks = { checks: [] };
out.push(await publish()); await act("read");
return out.map((p) => p.adopted);
`, map[string]any{"change": s.change})
	require.Equal(t, "completed", r.State, "%v", r.Err)
	require.JSONEq(t, "[false,true,true]", string(r.Value))
	require.Len(t, bodies, 4)
	require.Contains(t, bodies[0], "No check ran.")
	require.Contains(t, bodies[1], "| test | make | passed | 3 |")
	require.Contains(t, bodies[2], "And I say: good.")
	require.Equal(t, bodies[2], bodies[3])
}

func TestPublishRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		act  func(s *site, api *forgetest.Forge, branch string)
		code fault.Code
		what string
	}{
		"a branch that others pushed": {func(s *site, _ *forgetest.Forge, branch string) {
			s.git("push", "-q", "origin", s.commitOf("other.go", "package other\n", s.commit)+":refs/heads/"+branch)
		}, fault.PushRefused, "git push"},
		"a branch that moved here": {func(s *site, _ *forgetest.Forge, branch string) {
			s.git("update-ref", "refs/heads/"+branch, s.commitOf("other.go", "package other\n", s.commit))
		}, fault.BranchForeign, "the branch assent/"},
		"a pull request that was closed": {func(_ *site, api *forgetest.Forge, branch string) {
			api.Change(func(r *forgetest.Repository) {
				r.Pulls = append(r.Pulls, &forgetest.Pull{Number: 9, State: "CLOSED", Branch: branch, Base: "main", HeadOwner: "acme"})
			})
		}, fault.PullRequestClosed, "/pull/9"},
	} {
		t.Run(name, func(t *testing.T) {
			s, api := realSite(t)
			s.acts["foul"] = func() { c.act(s, api, s.git("for-each-ref", "--format=%(refname:short)", "refs/heads/assent")) }
			r := s.run(t.Context(), sealBody+`await act("foul"); return publish();`, map[string]any{"change": s.change})
			code, what := refusal(t, r)
			require.Equal(t, c.code, code, what)
			require.Contains(t, what, c.what)
			api.Change(func(r *forgetest.Repository) { require.Zero(t, r.Creates) })
			if c.code == fault.PullRequestClosed {
				require.Empty(t, s.git("--git-dir", s.bare, "for-each-ref", "refs/heads/assent"), "nothing was pushed either")
			}
		})
	}
}

// Without an approval nothing is published, and what is asked for has to be whole.
func TestPublishRefusesOptions(t *testing.T) {
	s, p := programSite(t)
	for _, options := range []string{
		`{ branch: "b", commit: args.change, base: { branch: "main", remote: "origin" }, title: "t", report: {} }`,
		`{ branch: "b", commit: "HEAD", base: { branch: "main", remote: "origin" }, title: "t", report: {}, under: ok }`,
		`{ branch: "b", commit: args.change, base: { branch: "main" }, title: "t", report: {}, under: ok }`,
		`{ branch: "b", commit: args.change, base: { branch: "main", remote: "origin" }, title: " ", report: {}, under: ok }`,
	} {
		r := s.run(t.Context(), `const ok = await planApprove("p"); return delivery.publish(`+options+`)`, map[string]any{"change": s.change})
		require.Equal(t, "failed", r.State)
		require.ErrorContains(t, r.Err, "OPTION_INVALID")
	}
	require.Empty(t, p.Calls())
}
