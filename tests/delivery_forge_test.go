//go:build unix

package tests_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/forge/forgetest"
)

// killer is shell that kills the executor.
func (c *courier) killer() string {
	return "kill -9 \"$(cat '" + filepath.Join(c.notes, "pid") + "')\""
}

// published is what delivery.publish gave.
func (c *courier) published(t *testing.T, run string) (out struct{ Adopted, Pushed bool }) {
	t.Helper()
	shown := c.assent(t, "show", run, "--json")
	require.Zero(t, shown.exit, shown.talk)
	var calls struct {
		Calls []struct {
			Label string
			Value json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal([]byte(shown.out), &calls))
	for _, call := range calls.Calls {
		if strings.HasPrefix(call.Label, "publish ") {
			require.NoError(t, json.Unmarshal(call.Value, &out))
			return out
		}
	}
	require.Fail(t, "nothing was published")
	return out
}

// Killed when the forge has the pull request and the journal has not, or when it has the branch alone.
func TestB67_KilledWhilePublishing(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]struct {
		prepare          func(c *courier, gh *forgetest.Program)
		creates          int
		adopted, pushing bool
	}{
		"after the creation":  {func(c *courier, gh *forgetest.Program) { gh.AfterCreate(c.killer()) }, 1, true, false},
		"before the creation": {func(c *courier, gh *forgetest.Program) { gh.Before("pr-create", c.killer()+"; exit 1") }, 0, false, false},
		"before the push":     {func(c *courier, gh *forgetest.Program) { gh.Before("pr-list", c.killer()+"; exit 1") }, 0, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, gh := toProgram(t)
			how.prepare(c, gh)
			said := c.begins(t, "Add two files")
			c.approves(t, said)
			require.Equal(t, -1, c.resumes(t, said.Run).exit)
			require.Equal(t, how.creates, gh.Creates())
			asked := c.asked(t)
			got := c.resumes(t, said.Run)
			require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
			require.Equal(t, 1, gh.Creates())
			require.Equal(t, asked, c.asked(t), "no agent is asked again")
			out := c.published(t, said.Run)
			require.Equal(t, []bool{how.adopted, how.pushing}, []bool{out.Adopted, out.Pushed})
			calls := gh.Calls()
			require.Zero(t, c.resumes(t, said.Run).exit)
			require.Equal(t, calls, gh.Calls())
			require.Equal(t, c.before, c.own(t))
		})
	}
}

func TestB67_KilledWhilePublishingWithTheRealGh(t *testing.T) {
	t.Parallel()
	c, api := toForge(t)
	lay(t, "gh pr create", c.notes, "words")
	lay(t, "", c.notes, "late")
	said := c.begins(t, "--issue", "3", "--label", "ready", "--reviewer", "ann")
	c.approves(t, said)
	require.Equal(t, -1, c.resumes(t, said.Run).exit)
	api.Change(func(r *forgetest.Repository) {
		require.Equal(t, 1, r.Creates)
		require.Empty(t, r.Pulls[0].Labels)
	})
	got := c.resumes(t, said.Run)
	require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
	require.True(t, c.published(t, said.Run).Adopted)
	api.Change(func(r *forgetest.Repository) {
		require.Equal(t, 1, r.Creates)
		require.Equal(t, []string{"ready"}, r.Pulls[0].Labels)
		require.Equal(t, []string{"ann"}, r.Pulls[0].Reviewers)
	})
	require.Equal(t, map[string]int{"scout": 1, "thinker": 1, "worker one": 1, "worker two": 1, "verifier one": 1, "verifier two": 1}, c.asked(t))
}

// Somebody closes the pull request: right away, or while nobody was at work.
func TestAPullRequestThatSomebodyCloses(t *testing.T) {
	t.Parallel()
	t.Run("before it is looked at", func(t *testing.T) {
		t.Parallel()
		c, gh := toProgram(t)
		gh.AfterCreate(`echo CLOSED >"$folder/state"`)
		got := c.delivers(t, "Add two files")
		require.Equal(t, []any{3, "finalization", "needs-human", "Pull request 1 is closed."}, []any{got.exit, got.Result["stoppedBy"], got.Result["status"], got.Result["reason"]}, "%v", got.Result)
		require.Equal(t, "https://forge.example/acme/rocket/pull/1", got.Result["nextAction"])
		commit := c.git(t, "rev-parse", got.Result["branch"].(string))
		gh.Before("pr-list", `echo OPEN >"$folder/state"`) // somebody opens it again
		got = c.assent(t, "deliver", "--finish", got.Run, "--headless", "--json")
		require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
		require.Equal(t, []any{"completed", commit}, []any{got.Result["status"], got.Result["commit"]})
		require.Equal(t, 1, gh.Creates())
	})
	t.Run("while the run is cut", func(t *testing.T) {
		t.Parallel()
		c, gh := toProgram(t)
		gh.AfterCreate(`echo CLOSED >"$folder/state"; ` + c.killer())
		said := c.begins(t, "Add two files")
		c.approves(t, said)
		require.Equal(t, -1, c.resumes(t, said.Run).exit)
		got := c.resumes(t, said.Run)
		require.Equal(t, []any{3, "pull-request"}, []any{got.exit, got.Result["stoppedBy"]}, "%v", got.Result)
		require.Contains(t, got.talk, "PULL_REQUEST_CLOSED")
		require.Contains(t, got.Result["reason"], "is closed: https://forge.example/acme/rocket/pull/1")
		gh.Before("pr-list", `echo OPEN >"$folder/state"`) // somebody opens it again
		got = c.resumes(t, said.Run)
		require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
		require.Equal(t, 1, gh.Creates())
	})
}

// The branch is on the remote already, with what somebody else pushed: that stays.
func TestABranchThatSomebodyElsePushed(t *testing.T) {
	t.Parallel()
	c, gh := toProgram(t)
	said := c.begins(t, "Add two files")
	c.approves(t, said)
	branch := "assent/" + strings.ToLower(said.Run[len(said.Run)-6:]) + "-add-two-files"
	theirs := c.git(t, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "theirs")
	c.git(t, "push", "-q", c.bare, theirs+":refs/heads/"+branch)
	got := c.resumes(t, said.Run)
	require.Equal(t, []any{3, "pull-request", "needs-human"}, []any{got.exit, got.Result["stoppedBy"], got.Result["status"]}, "%v", got.Result)
	require.Contains(t, got.Result["reason"], "somebody else works on it")
	require.Contains(t, got.talk, "PUSH_REFUSED")
	require.Contains(t, got.talk, "git fetch origin "+branch)
	require.Equal(t, theirs, c.git(t, "--git-dir="+c.bare, "rev-parse", "refs/heads/"+branch))
	require.Zero(t, gh.Creates())
	ours := c.git(t, "rev-parse", "refs/heads/"+branch)
	require.Equal(t, "one.txt\ntwo.txt", c.git(t, "diff", "--name-only", "main", ours), "what was made is here")

	asked := c.asked(t)
	c.git(t, "--git-dir="+c.bare, "branch", "-m", branch, "theirs")
	got = c.resumes(t, said.Run)
	require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
	require.Equal(t, []string{theirs, ours}, strings.Fields(c.git(t, "--git-dir="+c.bare, "rev-parse", "theirs", branch)))
	require.Equal(t, 1, gh.Creates())
	require.Equal(t, asked, c.asked(t))
}

// The forge does not do its part, and does it later: the run says once how it goes on.
func TestAForgeThatIsBroken(t *testing.T) {
	t.Parallel()
	c, gh := toProgram(t)
	const broken = "echo 'HTTP 502: bad gateway' >&2; exit 1"
	gh.Before("repo-view", broken)
	got := c.assent(t, "deliver", "Add two files", "--headless", "--on-gate", "suspend", "--json", "--agent", filepath.Join(filepath.Dir(c.dir), "agent"))
	require.Equal(t, []any{3, "not-ready"}, []any{got.exit, got.Result["stoppedBy"]}, "%v", got.Result)
	require.Equal(t, 1, strings.Count(got.talk, "next: "), got.talk)
	require.Contains(t, got.talk, "   # in a while: the forge did not do its part\n")
	said := c.assent(t, "resume", got.Run, "--headless", "--on-gate", "suspend", "--json")
	require.Equal(t, 4, said.exit, said.talk)

	gh.Before("pr-create", broken)
	c.approves(t, said)
	got = c.resumes(t, said.Run)
	require.Equal(t, []any{3, "pull-request", "needs-human"}, []any{got.exit, got.Result["stoppedBy"], got.Result["status"]}, "%v", got.Result)
	require.Contains(t, got.Result["reason"], "HTTP 502: bad gateway")
	require.Equal(t, 1, strings.Count(got.talk, "next: assent resume "), got.talk)
	asked := c.asked(t)
	got = c.resumes(t, got.Run)
	require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
	require.Equal(t, 1, gh.Creates())
	require.Equal(t, asked, c.asked(t))
}

// without takes variables out of the courier's environment, and gives what puts them back.
func (c *courier) without(names ...string) (mend func()) {
	all := c.env
	c.env = slices.DeleteFunc(slices.Clone(all), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(names, name)
	})
	return func() { c.env = all }
}

// Everything that is missing is said at once, and the run goes on when it is there.
func TestADeliveryThatIsNotReady(t *testing.T) {
	t.Parallel()
	c, gh := toProgram(t)
	ready := c.without("PATH")
	tools := filepath.Join(c.home, "tools")
	require.NoError(t, os.Mkdir(tools, 0o755))
	for _, name := range []string{"git", "sh", "sed", "head", "cat", "grep", "wc", "mkdir"} {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(tools, name)))
	}
	c.env = append(c.env, "PATH="+tools)
	settings := filepath.Join(c.home, ".gitconfig")
	require.NoError(t, os.Rename(settings, settings+".away"))
	address := c.git(t, "config", "remote.origin.url")
	c.git(t, "remote", "rename", "origin", "gone")
	c.git(t, "remote", "add", "other", c.bare)

	got := c.assent(t, "deliver", "Add two files", "--headless", "--on-gate", "suspend", "--json", "--agent", filepath.Join(filepath.Dir(c.dir), "agent"))
	require.Equal(t, []any{3, "not-ready", "needs-human"}, []any{got.exit, got.Result["stoppedBy"], got.Result["status"]}, "%v", got.Result)
	for _, part := range []string{"git has no user.name", "git has no user.email", "there are several remotes, and none is called origin: gone, other", "gh, which reaches the forge, is not on the PATH"} {
		require.Contains(t, got.Result["reason"], part)
	}
	require.Contains(t, got.talk, "DELIVERY_NOT_READY")
	require.Contains(t, got.talk, "assent resume ")
	require.Empty(t, c.asked(t))

	ready()
	require.NoError(t, os.Rename(settings+".away", settings))
	c.git(t, "remote", "remove", "other")
	c.git(t, "remote", "rename", "gone", "origin")
	require.Equal(t, address, c.git(t, "config", "remote.origin.url"))
	again := c.assent(t, "resume", got.Run, "--headless", "--on-gate", "suspend", "--json")
	require.Equal(t, 4, again.exit, again.talk)
	c.approves(t, again)
	again = c.resumes(t, got.Run)
	require.Zero(t, again.exit, "%s %v", again.talk, again.Result)
	require.Equal(t, 1, gh.Creates())
}

// Signed out: at the beginning, and when all is done but the pull request.
func TestADeliveryThatIsSignedOut(t *testing.T) {
	t.Parallel()
	c, api := toForge(t)
	mend := c.without("GH_ENTERPRISE_TOKEN")
	got := c.assent(t, "deliver", "--issue", "3", "--headless", "--on-gate", "suspend", "--json", "--agent", filepath.Join(filepath.Dir(c.dir), "agent"))
	require.Equal(t, []any{3, "not-ready"}, []any{got.exit, got.Result["stoppedBy"]}, "%v", got.Result)
	require.Contains(t, got.Result["reason"], "gh is not signed in to "+api.Host()+" (gh auth login --hostname "+api.Host()+")")
	require.Empty(t, c.asked(t))
	mend()
	said := c.assent(t, "resume", got.Run, "--headless", "--on-gate", "suspend", "--json")
	require.Equal(t, 4, said.exit, said.talk)
	c.approves(t, said)

	mend = c.without("GH_ENTERPRISE_TOKEN")
	got = c.resumes(t, said.Run)
	require.Equal(t, []any{3, "pull-request"}, []any{got.exit, got.Result["stoppedBy"]}, "%v", got.Result)
	require.Contains(t, got.talk, "gh auth login --hostname "+api.Host())
	asked := c.asked(t)
	mend()
	got = c.resumes(t, said.Run)
	require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
	require.Equal(t, asked, c.asked(t))
	api.Change(func(r *forgetest.Repository) { require.Equal(t, 1, r.Creates) })
}

// The base moves on the remote after the approval: beside the plan nobody is asked, in its files somebody is.
func TestABaseThatMovesOnTheRemote(t *testing.T) {
	t.Parallel()
	move := func(t *testing.T, c *courier, name, text string) string {
		other := filepath.Join(c.home, "other")
		c.git(t, "clone", "-q", c.bare, other)
		lay(t, text, other, name)
		c.git(t, "-C", other, "add", ".")
		c.git(t, "-C", other, "commit", "-qm", "theirs")
		c.git(t, "-C", other, "push", "-q", "origin", "main")
		return c.git(t, "-C", other, "rev-parse", "HEAD")
	}
	t.Run("beside the plan", func(t *testing.T) {
		t.Parallel()
		c, gh := toProgram(t)
		said := c.begins(t, "Add two files")
		c.approves(t, said)
		tip := move(t, c, "other.txt", "other\n")
		got := c.resumes(t, said.Run)
		require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
		require.Equal(t, 1, gh.Creates())
		require.Equal(t, tip, c.git(t, "rev-parse", got.Result["commit"].(string)+"~2"))
		require.Equal(t, c.before, c.own(t))
	})
	t.Run("in the files of the plan", func(t *testing.T) {
		t.Parallel()
		c, gh := toProgram(t)
		said := c.begins(t, "Add two files")
		c.approves(t, said)
		tip := move(t, c, "one.txt", "one\nand theirs\n")
		got := c.resumes(t, said.Run)
		require.Equal(t, []any{3, "base-moved"}, []any{got.exit, got.Result["stoppedBy"]}, "%v", got.Result)
		require.Zero(t, gh.Creates())
		asked := c.asked(t)
		got = c.assent(t, "resume", said.Run, "--headless", "--on-gate", "suspend", "--json")
		require.Equal(t, 4, got.exit, "%s %v", got.talk, got.Result)
		c.approves(t, got)
		got = c.resumes(t, said.Run)
		require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
		require.Equal(t, tip, c.git(t, "rev-parse", got.Result["commit"].(string)+"~2"))
		asked["repair one"], asked["verifier"] = 1, 1
		require.Equal(t, asked, c.asked(t), "the conflict is repaired, and the whole is judged")
		require.Equal(t, 1, gh.Creates())
		require.Equal(t, c.before, c.own(t))
	})
}
