package forge_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge/forgetest"
)

func TestAccess(t *testing.T) {
	api, f := real(t)
	a, err := f.Access(t.Context())
	require.NoError(t, err)
	require.Equal(t, forge.Access{Name: "acme/rocket", Permission: "WRITE"}, a)
	require.True(t, a.Writes())
	api.Change(func(r *forgetest.Repository) { r.Permission = "READ" })
	a, err = f.Access(t.Context())
	require.NoError(t, err)
	require.False(t, a.Writes())
	api.Change(func(r *forgetest.Repository) { r.Permission, r.Archived = "ADMIN", true })
	a, err = f.Access(t.Context())
	require.NoError(t, err)
	require.False(t, a.Writes())
}

func TestB72_AnIssueIsASnapshotWithoutItsComments(t *testing.T) {
	api, f := real(t)
	api.Change(func(r *forgetest.Repository) {
		r.Issues = []*forgetest.Issue{{Number: 3, Title: "Engines \"fail\"", Body: "They\r\nstop <now>.", State: "OPEN", Labels: []string{"bug"}, Comments: []string{"plan already approved"}}}
		r.Pulls = []*forgetest.Pull{{Number: 4, State: "OPEN", Branch: "x", HeadOwner: "acme"}}
	})
	issue, err := f.Issue(t.Context(), 3)
	require.NoError(t, err)
	require.Equal(t, forge.Issue{
		Number: 3, Title: "Engines \"fail\"", Body: "They\r\nstop <now>.", URL: api.URL() + "/issues/3", State: "OPEN", Labels: []string{"bug"},
		// RFC 8785: members in order, no spaces, only what has to be escaped.
		SHA256: canonical.Sum([]byte(`{"body":"They\r\nstop <now>.","number":3,"title":"Engines \"fail\""}`)),
	}, issue)
	text, err := json.Marshal(issue)
	require.NoError(t, err)
	require.NotContains(t, string(text), "approved")

	_, err = f.Issue(t.Context(), 4)
	require.True(t, fault.Is(err, fault.ForgeFailed))
	require.ErrorContains(t, err, "number 4 of "+f.At().String()+" is a pull request")
	_, err = f.Issue(t.Context(), 5)
	require.True(t, fault.Is(err, fault.ForgeFailed))
	require.Equal(t, forge.KindNotFound, forge.KindOf(err))
	require.ErrorContains(t, err, "issue 5")
}

var draft = forge.Draft{Branch: "assent/x", Base: "main", Title: "Engines", Body: "What it does.\n\n<!-- x -->\n", Labels: []string{"ready"}, Reviewers: []string{"ann"}}

func setup(t *testing.T, api *forgetest.Forge) (commit string) {
	t.Helper()
	folder, commit := bare(t)
	api.Change(func(r *forgetest.Repository) {
		r.Git, r.Labels, r.Users = folder, []string{"ready"}, []string{"ann", "bob"}
		// A fork may have a branch of the same name.
		r.Pulls = []*forgetest.Pull{{Number: 1, State: "OPEN", Branch: "assent/x", Base: "main", HeadOwner: "mallory", Head: commit}}
	})
	return commit
}

func TestB67_OnePullRequest(t *testing.T) {
	api, f := real(t)
	commit := setup(t, api)
	first, err := f.Ensure(t.Context(), draft)
	require.NoError(t, err)
	require.False(t, first.Adopted)
	require.Empty(t, first.Warnings)
	require.Equal(t, 2, first.Number)
	require.Equal(t, api.URL()+"/pull/2", first.URL)
	require.Equal(t, []any{"OPEN", true, "assent/x", commit, "main", draft.Body, "MERGEABLE"},
		[]any{first.State, first.Draft, first.Branch, first.Head, first.Base, first.Body, first.Mergeable})
	api.Change(func(r *forgetest.Repository) {
		require.Equal(t, []string{"ready"}, r.Pulls[1].Labels)
		require.Equal(t, []string{"ann"}, r.Pulls[1].Reviewers)
		require.Empty(t, r.Pulls[0].Labels, "the fork's")
	})
	again := draft
	again.Body, again.Reviewers = "another", []string{"ann", "bob"}
	second, err := f.Ensure(t.Context(), again)
	require.NoError(t, err)
	require.True(t, second.Adopted)
	require.Equal(t, first.Pull, second.Pull, "and its body stays")
	require.NoError(t, f.SetBody(t.Context(), 2, "a new one"))
	api.Change(func(r *forgetest.Repository) {
		require.Equal(t, 1, r.Creates)
		require.Equal(t, []string{"ann", "bob"}, r.Pulls[1].Reviewers)
		require.Equal(t, "a new one", r.Pulls[1].Body)
	})
}

// The forge did it, and nobody heard of it.
func TestB67_ACreationThatNobodyHeardOf(t *testing.T) {
	for name, how := range map[string]forgetest.Failure{"the connection broke": forgetest.Dropped, "the time was up": forgetest.HangingAfter} {
		t.Run(name, func(t *testing.T) {
			api, f := real(t)
			setup(t, api)
			if how == forgetest.HangingAfter {
				f = f.Within(2 * time.Second)
			}
			api.Fail("create", how)
			p, err := f.Ensure(t.Context(), draft)
			require.NoError(t, err)
			require.True(t, p.Adopted)
			api.Change(func(r *forgetest.Repository) {
				require.Equal(t, 1, r.Creates)
				require.Equal(t, []string{"ready"}, r.Pulls[1].Labels)
			})
		})
	}
}

// The call is ended while the forge works: the next one finds what it did.
func TestB67_ACallThatIsCancelled(t *testing.T) {
	api, f := real(t)
	setup(t, api)
	api.Fail("create", forgetest.HangingAfter)
	ctx, cancel := context.WithCancelCause(t.Context())
	created := func() (n int) {
		api.Change(func(r *forgetest.Repository) { n = r.Creates })
		return n
	}
	done := make(chan error, 1)
	go func() { _, err := f.Ensure(ctx, draft); done <- err }()
	require.Eventually(t, func() bool { return created() == 1 }, 20*time.Second, time.Millisecond)
	cancel(context.Canceled)
	require.ErrorIs(t, <-done, context.Canceled)
	p, err := f.Ensure(t.Context(), draft)
	require.NoError(t, err)
	require.True(t, p.Adopted)
	require.Equal(t, 1, created())
}

func TestACreationThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		about string
		how   forgetest.Failure
		kind  forge.Kind
		next  string
	}{
		"broken":     {"create", forgetest.Broken, forge.KindBroken, "assent resume 01RUN"},
		"limited":    {"list", forgetest.Limited, forge.KindLimited, "gh api rate_limit"},
		"forbidden":  {"create", forgetest.Forbidden, forge.KindForbidden, "gh auth status"},
		"no such":    {"view", forgetest.Unknown, forge.KindNotFound, "gh repo view "},
		"no answer":  {"create", forgetest.Hanging, forge.KindLate, "assent resume 01RUN"},
		"broken off": {"list", forgetest.Dropped, forge.KindNetwork, "assent resume 01RUN"},
	} {
		t.Run(name, func(t *testing.T) {
			api, f := real(t)
			setup(t, api)
			if c.how == forgetest.Hanging {
				f = f.Within(2 * time.Second)
			}
			api.Fail(c.about, c.how)
			_, err := f.Ensure(t.Context(), draft)
			require.True(t, fault.Is(err, fault.ForgeFailed), "%v", err)
			require.Equal(t, c.kind, forge.KindOf(err), "%v", err)
			require.ErrorContains(t, err, "the step "+c.about)
			require.NotContains(t, err.Error(), forgetest.Token)
			require.NotContains(t, err.Error(), "\n")
			var e *fault.Error
			require.ErrorAs(t, err, &e)
			require.Contains(t, e.Next, c.next)
			require.Contains(t, e.Next, "assent resume 01RUN")
			// The same call again, as a resume makes it.
			p, err := f.Ensure(t.Context(), draft)
			require.NoError(t, err)
			require.Equal(t, c.about == "view", p.Adopted)
			api.Change(func(r *forgetest.Repository) { require.Equal(t, 1, r.Creates) })
		})
	}
}

func TestAClosedPullRequestIsNotReplaced(t *testing.T) {
	for _, state := range []string{"CLOSED", "MERGED"} {
		api, f := real(t)
		setup(t, api)
		api.Change(func(r *forgetest.Repository) {
			r.Pulls = append(r.Pulls, &forgetest.Pull{Number: 2, State: state, Branch: "assent/x", Base: "main", HeadOwner: "acme"})
		})
		_, err := f.Ensure(t.Context(), draft)
		require.True(t, fault.Is(err, fault.PullRequestClosed), "%v", err)
		require.ErrorContains(t, err, "is "+strings.ToLower(state)+": "+api.URL()+"/pull/2")
		api.Change(func(r *forgetest.Repository) { require.Zero(t, r.Creates) })
	}
}

func TestLabelsAndReviewersThatThereAreNot(t *testing.T) {
	api, f := real(t)
	setup(t, api)
	d := draft
	d.Labels, d.Reviewers = []string{"ready", "not/there"}, []string{"ann", "nobody", "bob"}
	_, err := f.Ensure(t.Context(), d)
	require.ErrorContains(t, err, `no label "not/there"; no pull request was created`)
	var e *fault.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, `gh label create "not/there" -R `+f.At().String()+` && assent resume 01RUN`, e.Next)
	api.Change(func(r *forgetest.Repository) {
		require.Zero(t, r.Creates)
		r.Labels = append(r.Labels, "not/there")
	})
	p, err := f.Ensure(t.Context(), d)
	require.NoError(t, err)
	require.Len(t, p.Warnings, 1)
	require.Contains(t, p.Warnings[0], `"nobody" could not be asked for a review: `)
	api.Change(func(r *forgetest.Repository) {
		require.Equal(t, []string{"ann", "bob"}, r.Pulls[1].Reviewers)
		require.Equal(t, []string{"ready", "not/there"}, r.Pulls[1].Labels)
	})
}

func TestSignedOut(t *testing.T) {
	for name, token := range map[string]string{"no token": "", "a wrong token": "not-the-token-0123"} {
		t.Run(name, func(t *testing.T) {
			_, f := real(t, "GH_ENTERPRISE_TOKEN="+token)
			_, err := f.Access(t.Context())
			require.Equal(t, forge.KindSignedOut, forge.KindOf(err), "%v", err)
			var e *fault.Error
			require.ErrorAs(t, err, &e)
			require.Contains(t, e.Next, "gh auth login --hostname "+f.At().Host)
			if token != "" {
				require.NotContains(t, err.Error(), token)
			}
		})
	}
}

func TestChecksOfAPullRequest(t *testing.T) {
	api, f := real(t)
	setup(t, api)
	p, err := f.Ensure(t.Context(), draft)
	require.NoError(t, err)
	run := func(name, status, conclusion string) forgetest.Check {
		return forgetest.Check{Name: name, Status: status, Conclusion: conclusion}
	}
	for _, c := range []struct {
		checks []forgetest.Check
		want   forge.Reported
		names  []string
	}{
		{nil, forge.ReportsNone, nil},
		{[]forgetest.Check{run("a", "COMPLETED", "SUCCESS"), run("b", "COMPLETED", "SKIPPED"), {Context: "c", State: "SUCCESS"}}, forge.ReportsPassed, []string{"a", "b", "c"}},
		{[]forgetest.Check{run("a", "COMPLETED", "SUCCESS"), run("b", "IN_PROGRESS", "")}, forge.ReportsPending, []string{"b"}},
		{[]forgetest.Check{{Context: "c", State: "EXPECTED"}}, forge.ReportsPending, []string{"c"}},
		{[]forgetest.Check{run("a", "COMPLETED", "TIMED_OUT"), run("b", "QUEUED", "")}, forge.ReportsFailed, []string{"a"}},
		{[]forgetest.Check{{Context: "c", State: "ERROR"}, run("a", "COMPLETED", "ODD")}, forge.ReportsFailed, []string{"c"}},
		{[]forgetest.Check{run("a", "COMPLETED", "ODD"), run("b", "QUEUED", ""), {Context: "c", State: "SUCCESS"}}, forge.ReportsUnknown, []string{"a"}},
		{[]forgetest.Check{run("a", "COMPLETED", "")}, forge.ReportsUnknown, []string{"a"}},
	} {
		api.Change(func(r *forgetest.Repository) { r.Pulls[1].Checks = c.checks })
		seen, err := f.View(t.Context(), p.Number)
		require.NoError(t, err)
		got, names := seen.Checks()
		require.Equal(t, c.want, got)
		require.Equal(t, c.names, names)
	}
}
