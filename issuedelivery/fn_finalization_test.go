package issuedelivery_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/forge/forgetest"
)

// finalized is what scripts see of checkFinalization.
type finalized struct {
	OK                         bool
	Status, Reason, NextAction string
	Details                    []struct {
		Condition, Found string
		OK               bool
	}
	ToRunStatus map[string]any
}

// found are the conditions that do not hold.
func (f finalized) bad() (names []string) {
	for _, d := range f.Details {
		if !d.OK {
			names = append(names, d.Condition)
		}
	}
	return names
}

// spoil is one way in which a finished delivery is not finished.
type spoil struct {
	do, undo func(s *site, api *forgetest.Forge, branch string)
	// call is the call of checkFinalization, "" is the usual one.
	call                 string
	status, reason, next string
	bad                  string
}

const finalCall = `checkFinalization({ branch: b.branch, base: b.base, commit: s.commit, pr: p.pr, plan: ok.checksum, lane: "pull-request" })`

func (s *site) update(branch, commit string) { s.git("update-ref", "refs/heads/"+branch, commit) }

func pull(api *forgetest.Forge, with func(p *forgetest.Pull)) {
	api.Change(func(r *forgetest.Repository) { with(r.Pulls[len(r.Pulls)-1]) })
}

// spoils has every condition with every status that it can come to.
func spoils() map[string]spoil {
	reports := func(c ...forgetest.Check) func(*site, *forgetest.Forge, string) {
		return func(_ *site, api *forgetest.Forge, _ string) { pull(api, func(p *forgetest.Pull) { p.Checks = c }) }
	}
	merge := func(state string) func(*site, *forgetest.Forge, string) {
		return func(_ *site, api *forgetest.Forge, _ string) {
			pull(api, func(p *forgetest.Pull) { p.Mergeable = state })
		}
	}
	tip := func(s *site, branch string) string { return s.git("rev-parse", "refs/heads/"+branch) }
	remote := func(s *site, branch, commit string) {
		s.git("push", "-q", "--force", s.bare, commit+":refs/heads/"+branch)
	}
	var was string
	return map[string]spoil{
		"nothing": {status: "completed", reason: "Everything that was asked for is there.", next: "/pull/"},
		"clean": {
			do: func(s *site, _ *forgetest.Forge, branch string) {
				s.git("worktree", "add", "-q", s.work+"/person", branch)
				require.NoError(s.t, os.WriteFile(s.work+"/person/mine.txt", nil, 0o600))
			},
			undo:   func(s *site, _ *forgetest.Forge, _ string) { s.git("worktree", "remove", "--force", s.work+"/person") },
			status: "needs-finalize", reason: "There is uncommitted work: mine.txt.", next: "git status", bad: "clean",
		},
		"branch that moved": {
			do: func(s *site, _ *forgetest.Forge, branch string) {
				was = tip(s, branch)
				s.update(branch, s.commitOf("more.go", "package rocket\n", was))
			},
			undo:   func(s *site, _ *forgetest.Forge, branch string) { s.update(branch, was) },
			status: "needs-human", reason: "which was checked", next: "assent deliver --finish ", bad: "branch remoteHead pullRequestHead plan",
		},
		"branch that is gone": {
			call:   strings.Replace(finalCall, "b.branch", `"assent/none"`, 1),
			status: "needs-human", reason: "There is no branch assent/none.", next: "assent resume ", bad: "branch commits pushed remoteHead pullRequestHead plan",
		},
		"branch that is the base": {
			call:   `checkFinalization({ branch: "main", base: b.base })`,
			status: "needs-human", reason: "The branch to deliver is main itself.", next: "git switch -c", bad: "branch commits pullRequestHead pullRequestOpen checks mergeable plan",
		},
		"commits": {
			call:   `checkFinalization({ branch: b.branch, base: { ...b.base, commit: s.commit }, pr: p.pr.number, lane: "pull-request" })`,
			status: "needs-human", reason: "There is no commit beyond main: nothing to deliver.", next: "assent show ", bad: "commits plan",
		},
		"commits beyond what there is not": {
			call:   `checkFinalization({ branch: b.branch, base: "none", pr: p.pr, lane: "pull-request" })`,
			status: "needs-human", reason: "It is not known what is beyond the base: there is no base none.", next: "assent resume ", bad: "commits pullRequestOpen plan",
		},
		"pushed": {
			do: func(s *site, _ *forgetest.Forge, branch string) {
				was = tip(s, branch)
				s.git("push", "-q", s.bare, ":refs/heads/"+branch)
			},
			undo:   func(s *site, _ *forgetest.Forge, branch string) { remote(s, branch, was) },
			status: "needs-finalize", reason: "is not on origin.", next: "git push origin assent/", bad: "pushed remoteHead",
		},
		"a remote that cannot be reached": {
			do:     func(s *site, _ *forgetest.Forge, _ string) { require.NoError(s.t, os.Rename(s.bare, s.bare+".away")) },
			undo:   func(s *site, _ *forgetest.Forge, _ string) { require.NoError(s.t, os.Rename(s.bare+".away", s.bare)) },
			status: "needs-human", reason: "It is not known what is on the remote: ", bad: "pushed remoteHead",
		},
		"remote that is behind": {
			do: func(s *site, _ *forgetest.Forge, branch string) {
				was = tip(s, branch)
				remote(s, branch, s.commit)
			},
			undo:   func(s *site, _ *forgetest.Forge, branch string) { remote(s, branch, was) },
			status: "needs-finalize", reason: "is not the same here and on origin.", next: "git push origin assent/", bad: "remoteHead pullRequestHead",
		},
		"remote that has more": {
			do: func(s *site, _ *forgetest.Forge, branch string) {
				was = tip(s, branch)
				remote(s, branch, s.commitOf("more.go", "package rocket\n", was))
			},
			undo:   func(s *site, _ *forgetest.Forge, branch string) { remote(s, branch, was) },
			status: "needs-human", reason: "has commits that are not here.", next: "git fetch origin ", bad: "remoteHead pullRequestHead",
		},
		"no pull request": {
			do: func(_ *site, api *forgetest.Forge, _ string) {
				pull(api, func(p *forgetest.Pull) { p.HeadOwner = "mallory" })
			},
			undo: func(_ *site, api *forgetest.Forge, _ string) {
				pull(api, func(p *forgetest.Pull) { p.HeadOwner = "acme" })
			},
			call:   `checkFinalization({ branch: b.branch, base: b.base, lane: "pull-request" })`,
			status: "needs-finalize", reason: "There is no pull request of the branch assent/", next: "assent resume ", bad: "pullRequestHead pullRequestOpen checks mergeable",
		},
		"a forge that fails": {
			do:     func(_ *site, api *forgetest.Forge, _ string) { api.Fail("view", forgetest.Broken) },
			status: "needs-human", reason: "It is not known what the pull request shows: the forge ", next: "assent resume ", bad: "pullRequestHead pullRequestOpen checks mergeable",
		},
		"a forge that limits": {
			do:     func(_ *site, api *forgetest.Forge, _ string) { api.Fail("view", forgetest.Limited) },
			status: "needs-human", reason: "rate limit", next: "gh api rate_limit", bad: "pullRequestHead pullRequestOpen checks mergeable",
		},
		"pull request of another branch": {
			do: func(_ *site, api *forgetest.Forge, _ string) {
				pull(api, func(p *forgetest.Pull) { p.Branch = "main" })
			},
			undo: func(_ *site, api *forgetest.Forge, branch string) {
				pull(api, func(p *forgetest.Pull) { p.Branch = branch })
			},
			status: "needs-human", reason: "is of the branch main, not of assent/", next: "/pull/", bad: "pullRequestHead",
		},
		"pull request that shows less": {
			do: func(s *site, api *forgetest.Forge, _ string) {
				api.Change(func(r *forgetest.Repository) { r.Git, r.Pulls[len(r.Pulls)-1].Head = "", s.commit })
			},
			undo: func(s *site, api *forgetest.Forge, _ string) {
				api.Change(func(r *forgetest.Repository) { r.Git = s.bare })
			},
			status: "needs-finalize", reason: "does not show ", next: "assent deliver --finish ", bad: "pullRequestHead",
		},
		"pull request that is closed": {
			do: func(_ *site, api *forgetest.Forge, _ string) {
				pull(api, func(p *forgetest.Pull) { p.State = "CLOSED" })
			},
			undo:   func(_ *site, api *forgetest.Forge, _ string) { pull(api, func(p *forgetest.Pull) { p.State = "OPEN" }) },
			status: "needs-human", reason: " is closed.", next: "/pull/", bad: "pullRequestOpen",
		},
		"pull request that is merged": {
			do: func(s *site, api *forgetest.Forge, branch string) {
				was = tip(s, branch)
				pull(api, func(p *forgetest.Pull) { p.State, p.Mergeable, p.Head = "MERGED", "UNKNOWN", was })
				s.git("push", "-q", s.bare, ":refs/heads/"+branch) // as many forges do
			},
			undo: func(s *site, api *forgetest.Forge, branch string) {
				remote(s, branch, was)
				pull(api, func(p *forgetest.Pull) { p.State, p.Mergeable = "OPEN", "MERGEABLE" })
			},
			status: "completed", next: "/pull/",
		},
		"checks that failed": {
			do: reports(forgetest.Check{Name: "test", Status: "COMPLETED", Conclusion: "FAILURE"}), undo: reports(),
			status: "needs-human", reason: "Checks of the pull request failed: test.", next: "/checks", bad: "checks",
		},
		"checks at work": {
			do: reports(forgetest.Check{Name: "test", Status: "QUEUED"}), undo: reports(),
			status: "finalizing", reason: "Checks of the pull request are at work: test.", next: "assent deliver --finish ", bad: "checks",
		},
		"checks that nobody knows": {
			do: reports(forgetest.Check{Name: "test", Status: "COMPLETED", Conclusion: "ODD"}), undo: reports(),
			status: "needs-human", reason: "is not known: test.", next: "/checks", bad: "checks",
		},
		"checks that passed": {
			do: reports(forgetest.Check{Name: "test", Status: "COMPLETED", Conclusion: "SUCCESS"}), undo: reports(),
			status: "completed", next: "/pull/",
		},
		"conflicts": {
			do: merge("CONFLICTING"), undo: merge("MERGEABLE"),
			status: "needs-human", reason: " conflicts with main.", next: "assent deliver --finish ", bad: "mergeable",
		},
		"conflicts that are not known": {
			do: merge("UNKNOWN"), undo: merge("MERGEABLE"),
			status: "finalizing", reason: "has not worked out yet", next: "assent deliver --finish ", bad: "mergeable",
		},
		"a plan that is not approved": {
			call:   strings.Replace(finalCall, "ok.checksum", `"`+strings.Repeat("0", 64)+`"`, 1),
			status: "needs-human", reason: "is not approved in this run.", next: "assent show ", bad: "plan",
		},
		"checks at work, and a plan that is not approved": {
			do: reports(forgetest.Check{Name: "test", Status: "QUEUED"}), undo: reports(),
			call:   strings.Replace(finalCall, "ok.checksum", `"`+strings.Repeat("0", 64)+`"`, 1),
			status: "needs-human", reason: "is not approved in this run.", next: "assent show ", bad: "checks plan",
		},
		"the branch alone": {
			do: func(_ *site, api *forgetest.Forge, _ string) {
				pull(api, func(p *forgetest.Pull) { p.State = "CLOSED" })
			},
			undo:   func(_ *site, api *forgetest.Forge, _ string) { pull(api, func(p *forgetest.Pull) { p.State = "OPEN" }) },
			call:   `checkFinalization({ branch: b.branch, base: b.base, commit: s.commit, plan: ok.checksum, lane: "no-pr" })`,
			status: "completed", next: "git merge --no-ff assent/",
		},
	}
}

func TestFinalization(t *testing.T) {
	s, api := realSite(t)
	var body strings.Builder
	body.WriteString(sealBody + "const p = await publish(); const out = {};\n")
	all := spoils()
	for name, c := range all {
		for when, do := range map[string]func(*site, *forgetest.Forge, string){"do ": c.do, "undo ": c.undo} {
			s.acts[when+name] = func() {
				branch := s.git("for-each-ref", "--format=%(refname:short)", "refs/heads/assent")
				pull(api, func(p *forgetest.Pull) { p.Head = s.git("rev-parse", branch) }) // what the forge shows if nothing new reaches it
				if do != nil {
					do(s, api, branch)
				}
			}
		}
		call := c.call
		if call == "" {
			call = finalCall
		}
		body.WriteString(`await act("do ` + name + `"); out["` + name + `"] = await ` + call + `; await act("undo ` + name + `");` + "\n")
	}
	body.WriteString("return out;")
	r := s.run(t.Context(), body.String(), map[string]any{"change": s.change})
	got := value[map[string]finalized](t, r)
	require.Len(t, got, len(all))
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			f := got[name]
			require.Equal(t, c.status, f.Status, "%+v", f)
			require.Equal(t, c.status == "completed" || c.status == "finalizing", f.OK)
			require.Contains(t, f.Reason, c.reason)
			require.Contains(t, f.NextAction, c.next)
			require.Equal(t, strings.Fields(c.bad), append([]string{}, f.bad()...), "%+v", f)
			require.Equal(t, f.Status, f.ToRunStatus["status"])
			require.Equal(t, f.Reason, f.ToRunStatus["reason"])
			require.NotContains(t, f.Reason+f.NextAction, "\n")
		})
	}
}

// A repository with workflows has checks, also while none is reported.
func TestFinalizationWaitsForChecksOfWorkflows(t *testing.T) {
	s, _ := programSite(t)
	s.change = s.commitOf(".github/workflows/test.yml", "on: push\n", s.commit)
	f := value[finalized](t, s.run(t.Context(), sealBody+`const p = await publish(); return `+finalCall, map[string]any{"change": s.change}))
	require.Equal(t, "finalizing", f.Status, "%+v", f)
	require.True(t, f.OK)
	require.Equal(t, []string{"checks"}, f.bad())
}

// What a run approved is held against what its commits name: those of others, or of nobody, are not it.
func TestFinalizationOfCommitsThatNobodyApproved(t *testing.T) {
	s, _ := programSite(t)
	of := func(trailers string) string {
		return s.git("commit-tree", s.change+"^{tree}", "-p", s.commit, "-m", "work", "-m", trailers)
	}
	no := strings.Repeat("0", 64)
	for trailers, reason := range map[string]string{
		"Some: text": "names no plan", "Assent-Run: 01OTHER\nAssent-Plan: sha256:" + no: "was made by another run",
		"Assent-Run: RUN\nAssent-Plan: sha256:" + no: "was made under a plan that is not approved in this run",
	} {
		s.acts["commit"] = func() {
			runs, err := s.store.List(t.Context())
			require.NoError(t, err)
			var last string
			for _, r := range runs {
				last = max(last, r.ID)
			}
			s.update("work", of(strings.ReplaceAll(trailers, "RUN", last)))
		}
		f := value[finalized](t, s.run(t.Context(), `await planApprove("p"); await act("commit"); return checkFinalization({ branch: "work", base: "main", lane: "no-pr" })`, nil))
		require.Equal(t, "needs-human", f.Status, "%+v", f)
		require.Contains(t, f.Reason, reason)
		require.Equal(t, []string{"plan"}, f.bad())
	}
}

// Scripts of other runners give a folder of the workspace, and what its branch goes beyond.
func TestFinalizationOfAFolder(t *testing.T) {
	s, p := programSite(t)
	s.git("switch", "-q", "-c", "work")
	s.write("engine.go", "package rocket\n")
	f := value[finalized](t, s.run(t.Context(), `return checkFinalization(cwd, { baseRef: "origin/main" })`, nil))
	require.Equal(t, "needs-finalize", f.Status, "%+v", f)
	require.Equal(t, []string{"clean", "commits", "pushed", "remoteHead", "pullRequestHead", "pullRequestOpen", "checks", "mergeable"}, f.bad())
	s.git("add", ".")
	s.git("commit", "-q", "-m", "work")
	s.git("push", "-q", "origin", "work")
	require.Empty(t, p.Creates())
	f = value[finalized](t, s.run(t.Context(), `return checkFinalization(".github", { baseRef: "origin/main" })`, nil))
	require.Equal(t, []string{"pullRequestHead", "pullRequestOpen", "checks", "mergeable"}, f.bad(), "%+v", f)
	f = value[finalized](t, s.run(t.Context(), `return checkFinalization({ lane: "no-pr" })`, nil))
	require.Equal(t, []string{"plan"}, f.bad(), "%+v", f)
	s.git("switch", "-q", "--detach")
	f = value[finalized](t, s.run(t.Context(), `return checkFinalization(cwd, { baseRef: "origin/main" })`, nil))
	require.Equal(t, "No branch is checked out there.", f.Reason)
	for _, call := range []string{`checkFinalization("..")`, `checkFinalization("/")`, `checkFinalization("none")`, `checkFinalization({ lane: "dry-run" })`, `checkFinalization({ commit: "HEAD" })`} {
		r := s.run(t.Context(), `return `+call, nil)
		require.Equal(t, "failed", r.State, call)
		require.Contains(t, r.Err.Error(), "OPTION_INVALID", call)
	}
}
