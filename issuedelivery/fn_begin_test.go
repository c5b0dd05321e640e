package issuedelivery_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/canonical"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery/forge/forgetest"
)

const beginBody = `return delivery.begin(args)`

// begun is what scripts see of delivery.begin.
type begun struct {
	Task, Title, Slug, Branch string
	Base                      struct{ Branch, Commit, Remote, URL string }
	Here                      bool
	Issues                    []struct {
		Number                          int
		Title, Body, URL, State, SHA256 string
		Labels                          []string
	}
	Notes []struct {
		Path, Text string
		Cut        bool
	}
	Template string
	Checks   []struct {
		Name, Kind, Source string
		Command            []string
	}
	Warnings []string
}

func TestBegin(t *testing.T) {
	s, api := realSite(t)
	// The branch at the remote is ahead of what is here.
	ahead := s.commitOf("ahead.go", "package rocket\n", s.commit)
	s.git("push", "-q", "origin", ahead+":refs/heads/main")
	s.git("update-ref", "refs/remotes/origin/main", s.commit)
	before := everything(t, s.dir)
	r := s.run(t.Context(), beginBody, map[string]any{"issues": []int{3, 4}, "lane": "pull-request"})
	b := value[begun](t, r)
	require.Equal(t, "Engines fail\nOld", b.Task)
	require.Equal(t, []string{"Engines fail", "engines-fail"}, []string{b.Title, b.Slug})
	require.Equal(t, "assent/"+strings.ToLower(r.Run[len(r.Run)-6:])+"-engines-fail", b.Branch)
	require.Equal(t, []string{"main", ahead, "origin", api.URL()}, []string{b.Base.Branch, b.Base.Commit, b.Base.Remote, b.Base.URL})
	require.False(t, b.Here, "what is checked out is behind")
	require.Len(t, b.Issues, 2)
	require.Equal(t, canonical.Sum([]byte(`{"body":"They stop.","number":3,"title":"Engines fail"}`)), b.Issues[0].SHA256)
	require.Equal(t, "AGENTS.md Be brief.\n", b.Notes[0].Path+" "+b.Notes[0].Text)
	require.Equal(t, "## Why?", b.Template)
	require.NotEmpty(t, b.Checks)
	require.Equal(t, "go.mod", b.Checks[0].Source)
	require.Contains(t, b.Warnings, "issue 4 is closed")
	require.Equal(t, ahead, s.git("rev-parse", "refs/assent/delivery/"+r.Run+"/base"))
	for path := range before { // nothing of the user's has changed
		if !strings.Contains(path, "/.git/") {
			require.Equal(t, before[path], everything(t, s.dir)[path])
		}
	}
	require.Equal(t, s.commit, s.git("rev-parse", "HEAD", "refs/remotes/origin/main")[:40])
	require.Zero(t, func() (n int) { api.Change(func(r *forgetest.Repository) { n = r.Creates }); return n }())
}

// What a lane does not need is not asked for; a dry run writes nothing at all.
func TestBeginInALaneThatStaysHere(t *testing.T) {
	for _, lane := range []string{"no-pr", "dry-run", "prototype"} {
		s := newSite(t, "https://forge.example/acme/rocket", []string{"PATH=" + onlyGit(t)})
		s.git("remote", "remove", "origin")
		s.git("status") // refreshes the index
		before := everything(t, s.dir)
		b := value[begun](t, s.run(t.Context(), beginBody, map[string]any{"task": "Fix it", "lane": lane}))
		require.Equal(t, before, everything(t, s.dir), lane)
		require.Equal(t, []string{"main", s.commit, "", ""}, []string{b.Base.Branch, b.Base.Commit, b.Base.Remote, b.Base.URL})
		require.True(t, b.Here)
		s.write("new.txt", "mine")
		b = value[begun](t, s.run(t.Context(), beginBody, map[string]any{"task": "Fix it", "lane": lane}))
		require.False(t, b.Here)
		require.Contains(t, strings.Join(b.Warnings, "\n"), "new.txt")
	}
}

// onlyGit is a folder with git in it, and nothing else.
func onlyGit(t *testing.T) string {
	t.Helper()
	git, err := exec.LookPath("git")
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.Symlink(git, filepath.Join(folder, "git")))
	return folder
}

// refusal is the failure of the one call of a run, with what to do.
func refusal(t *testing.T, r *engine.Result) (code fault.Code, what string) {
	t.Helper()
	require.Equal(t, "failed", r.State, "%s", r.Value)
	require.Len(t, r.Failures, 1, "%v", r.Err)
	return fault.Code(r.Failures[0].Failure.Code), r.Failures[0].Failure.Message
}

func TestBeginNamesWhatIsMissing(t *testing.T) {
	for name, c := range map[string]struct {
		break_ func(s *site, p *forgetest.Program)
		args   map[string]any
		what   string
		next   string
		code   fault.Code
	}{
		"no repository": {func(s *site, _ *forgetest.Program) { s.host.Workspace = s.t.TempDir() }, nil, "is in no git repository", "git init", ""},
		"no name":       {func(s *site, _ *forgetest.Program) { s.git("config", "--unset", "user.name") }, nil, "git has no user.name", "git config --global user.name", ""},
		"no address":    {func(s *site, _ *forgetest.Program) { s.git("config", "--unset", "user.email") }, nil, "git has no user.email", "git config --global user.email", ""},
		"no remote":     {func(s *site, _ *forgetest.Program) { s.git("remote", "remove", "origin") }, nil, "there is no remote", "git remote add origin URL", ""},
		"remotes": {func(s *site, _ *forgetest.Program) {
			s.git("remote", "rename", "origin", "a")
			s.git("remote", "add", "b", "https://forge.example/acme/other")
		}, nil, "several remotes, and none is called origin: a, b", "[delivery] remote", ""},
		"remote of the configuration": {func(s *site, _ *forgetest.Program) { s.host.Config.Remote = "up" }, nil, `no remote "up"`, "git remote add up URL", ""},
		"remote on disk":              {func(s *site, _ *forgetest.Program) { s.git("remote", "set-url", "origin", s.bare) }, nil, "the remote origin lies on no forge", "--no-pr", ""},
		"no gh":                       {func(s *site, _ *forgetest.Program) { s.host.Environ = []string{"PATH=" + onlyGit(s.t)} }, nil, "gh, which reaches the forge, is not on the PATH", "apt-get install gh", ""},
		"signed out": {func(_ *site, p *forgetest.Program) {
			p.Before("repo-view", "echo 'To get started with GitHub CLI, please run:  gh auth login' >&2; exit 4")
		}, nil, "gh is not signed in to forge.example", "gh auth login --hostname forge.example", ""},
		"may only read": {func(_ *site, p *forgetest.Program) {
			p.Before("repo-view", `echo '{"nameWithOwner":"acme/rocket","viewerPermission":"READ"}'; exit 0`)
		}, nil, "may not push to forge.example/acme/rocket", "gh auth status", ""},
		"archived": {func(_ *site, p *forgetest.Program) {
			p.Before("repo-view", `echo '{"nameWithOwner":"acme/rocket","viewerPermission":"ADMIN","isArchived":true}'; exit 0`)
		}, nil, "is archived", "--no-pr", ""},
		"no network": {func(_ *site, p *forgetest.Program) {
			p.Before("repo-view", "echo 'error connecting to forge.example' >&2; exit 1")
		}, nil, "error connecting to forge.example", "assent resume", ""},
		"no base at the remote":           {nil, map[string]any{"base": "next"}, "there is no branch next at origin", "git push origin next", ""},
		"a remote that cannot be reached": {func(s *site, _ *forgetest.Program) { require.NoError(s.t, os.RemoveAll(s.bare)) }, nil, "the branch main of origin cannot be fetched", "git fetch origin", ""},
		"no base here":                    {nil, map[string]any{"base": "next", "lane": "no-pr"}, "there is no branch next", "git branch next", ""},
		"an issue in a lane without a pull request": {
			func(s *site, _ *forgetest.Program) { s.host.Environ = []string{"PATH=" + onlyGit(s.t)} },
			map[string]any{"lane": "no-pr", "issues": []int{3}},
			"gh, which reaches the forge, is not on the PATH", "apt-get install gh", "",
		},
		"an issue that there is not": {nil, map[string]any{"lane": "no-pr", "issues": []int{99}}, "issue 99", "assent resume", ""},
		"no checks":                  {func(s *site, _ *forgetest.Program) { s.withoutChecks() }, nil, "no check was found", "[delivery.checks]", fault.ChecksNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			s, p := programSite(t)
			if c.break_ != nil {
				c.break_(s, p)
			}
			args := map[string]any{"task": "Fix it", "lane": "pull-request"}
			for name, value := range c.args {
				args[name] = value
			}
			if c.code == "" {
				c.code = fault.DeliveryNotReady
			}
			r := s.run(t.Context(), beginBody, args)
			code, what := refusal(t, r)
			require.Equal(t, c.code, code, what)
			require.Contains(t, what, c.what)
			require.NotContains(t, what, "); ", "one thing is missing, and one is named")
			require.Contains(t, what, c.next)
			require.NotContains(t, what, "\n")
			require.Empty(t, s.git("for-each-ref", "refs/heads/assent"))
		})
	}
}

// withoutChecks takes what tells of checks out of the base.
func (s *site) withoutChecks() {
	s.git("rm", "-q", "go.mod")
	s.git("commit", "-q", "-m", "no module")
	s.git("push", "-q", "origin", "main")
}

func TestBeginNamesAllAtOnce(t *testing.T) {
	s, _ := programSite(t)
	s.host.Workspace, s.host.Environ = t.TempDir(), []string{"PATH=" + onlyGit(t)}
	out, err := exec.CommandContext(t.Context(), "git", "-C", s.host.Workspace, "init", "-q").CombinedOutput()
	require.NoError(t, err, "%s", out)
	r := s.run(t.Context(), beginBody, map[string]any{"task": "Fix it", "lane": "pull-request"})
	code, what := refusal(t, r)
	require.Equal(t, fault.DeliveryNotReady, code)
	for _, part := range []string{"git has no user.name", "git has no user.email", "the repository has no commit", "there is no remote", "gh, which reaches the forge"} {
		require.Contains(t, what, part)
	}
	require.Equal(t, 5, strings.Count(what, "); ")+1, what)
}

func TestBeginWithoutChecksThatIsAllowedTo(t *testing.T) {
	s, _ := programSite(t)
	s.withoutChecks()
	b := value[begun](t, s.run(t.Context(), beginBody, map[string]any{"task": "Fix it", "lane": "pull-request", "allowNoChecks": true}))
	require.Empty(t, b.Checks)
	require.Contains(t, strings.Join(b.Warnings, "\n"), "no check was found")
	s.host.Config.Checks = map[string][]string{"test": {"make", "test"}}
	b = value[begun](t, s.run(t.Context(), beginBody, map[string]any{"task": "Fix it", "lane": "no-pr"}))
	require.Equal(t, []string{"make", "test"}, b.Checks[0].Command)
}

// A git that is too old is named with its version.
func TestBeginWithAnOldGit(t *testing.T) {
	s, _ := programSite(t)
	git, err := exec.LookPath("git")
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "git"), []byte("#!/bin/sh\nfor last; do :; done\n[ \"$last\" = version ] && { echo 'git version 2.30.1'; exit; }\nexec "+git+" \"$@\"\n"), 0o700))
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	_, what := refusal(t, s.run(t.Context(), beginBody, map[string]any{"task": "Fix it", "lane": "no-pr"}))
	require.Contains(t, what, "git 2.30.1 is too old: 2.38 or newer is needed")
}

func TestBeginRefusesOptions(t *testing.T) {
	s, _ := programSite(t)
	for _, args := range []map[string]any{
		{"lane": "no-pr"}, {"task": " \n", "lane": "no-pr"}, {"task": "x", "lane": "fast"}, {"task": "x", "lane": "no-pr", "issues": []int{0}}, {"task": "x", "lane": "no-pr", "bse": "main"},
	} {
		r := s.run(context.Background(), beginBody, args)
		require.Equal(t, "failed", r.State, "%v", args)
		require.Regexp(t, string(fault.TaskMissing+"|"+fault.OptionInvalid+"|"+fault.OptionUnknown), r.Err.Error())
	}
}
