//go:build unix

package tests_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/forge/forgetest"
)

// apart is how many calls of programs lie between two kills of one run: enough for a call that has to
// begin anew to get through.
const apart = 60

// The executor is killed at calls of git, of gh and of agents, from before there is a run until after the
// pull request, and resumed after each, where nobody is and with no leave to repeat anything.
//
// One run is killed at every sixtieth call. ASSENT_LONG kills at every call, in sixty runs;
// ASSENT_KILLED_RUNS says in how many of these.
func TestDeliverySurvivesKills(t *testing.T) {
	t.Parallel()
	runs := 1
	if os.Getenv("ASSENT_LONG") != "" {
		runs = apart
	}
	if text := os.Getenv("ASSENT_KILLED_RUNS"); text != "" {
		var err error
		runs, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	for i := range runs {
		first := (i*apart/runs + 37) % apart
		t.Run(fmt.Sprintf("from call %d on", max(first, 1)), func(t *testing.T) {
			if runs > 1 {
				t.Parallel()
			}
			c, gh := toProgram(t)
			real, err := exec.LookPath("git")
			require.NoError(t, err)
			c.counts(t, "git", real)
			run, kills := c.survives(t, max(first, 1))
			t.Logf("%d kills", kills)
			require.Positive(t, kills)
			c.whole(t, gh, run)
		})
	}
}

// survives delivers, and is killed at the call first and then every so many calls, until the run has ended.
func (c *courier) survives(t *testing.T, first int) (run string, kills int) {
	t.Helper()
	c.killAt(t, first)
	var done map[string]int
	through, stuck := 0, 0
	for range 60 {
		var said drove
		if run == "" {
			said = c.assent(t, "deliver", "Add two files", "--headless", "--on-gate", "suspend", "--json", "--agent", filepath.Join(filepath.Dir(c.dir), "agent"))
		} else {
			said = c.assent(t, "resume", run, "--headless", "--on-gate", "suspend", "--json")
		}
		if said.exit == 4 {
			require.Len(t, said.Waiting, 1, said.talk)
			said = c.assent(t, "approve", said.Run, "--checksum", said.Waiting[0].Checksum)
			require.Contains(t, []int{-1, 0}, said.exit, said.talk)
			said.exit = 4
		}
		at := strings.Join(c.lines(t, "killed/at"), "")
		// What has finished is never asked again.
		now := c.asked(t)
		for label, n := range done {
			require.Equal(t, n, now[label], "%s was done already; killed at: %s", label, at)
		}
		if at != "" {
			kills++
			require.NoError(t, os.RemoveAll(filepath.Join(c.notes, "killed")))
		} else {
			require.NotEqual(t, -1, said.exit)
		}
		switch said.exit {
		case 0:
			require.Equal(t, "completed", said.State)
			return said.Run, kills
		case -1, 4:
		default:
			require.Fail(t, "the run does not go on", "exit code %d, killed at: %s\n%s\n%v", said.exit, at, said.talk, said.Result)
		}
		before := through
		if run, through, done = c.finished(t); at == "" {
			continue
		}
		stuck++
		if through > before {
			stuck = 0
		}
		c.killAt(t, len(c.lines(t, "ticks"))+apart<<stuck) // later each time: what was begun has to get through
	}
	require.Fail(t, "the run does not end")
	return "", 0
}

// finished are the one run that there is, how many of its calls are done, and how often the agents were
// asked whose answers it has.
func (c *courier) finished(t *testing.T) (run string, through int, done map[string]int) {
	t.Helper()
	ask := func(into any, args ...string) {
		cmd := exec.CommandContext(t.Context(), filepath.Join(built, "assent"), args...)
		cmd.Dir, cmd.Env = c.dir, c.env
		out, err := cmd.Output()
		require.NoError(t, err, "%v", args)
		require.NoError(t, json.Unmarshal(out, into), "%s", out)
	}
	var all struct {
		Runs []struct{ Run string }
	}
	ask(&all, "ls", "--json")
	if len(all.Runs) == 0 {
		return "", 0, nil
	}
	require.Len(t, all.Runs, 1)
	var shown struct {
		Calls []struct{ Label, State string }
	}
	ask(&shown, "show", all.Runs[0].Run, "--json")
	asked := c.asked(t)
	done = map[string]int{}
	for _, call := range shown.Calls {
		if call.State == "done" {
			through++
		}
		if n := asked[call.Label]; n > 0 && call.State == "done" {
			done[call.Label] = n
		}
	}
	return all.Runs[0].Run, through, done
}

// whole holds what a run has left against what one leaves that nobody killed.
func (c *courier) whole(t *testing.T, gh *forgetest.Program, run string) {
	t.Helper()
	require.Equal(t, 1, gh.Creates())
	require.Equal(t, c.before, c.own(t))
	require.Equal(t, []string{"scout", "thinker", "verifier one", "verifier two", "worker one", "worker two"}, slices.Sorted(maps.Keys(c.asked(t))))

	// What a worker had done when it was cut off is kept, and with it the working tree and its branch.
	kept := map[string]bool{}
	for ref := range strings.FieldsSeq(c.git(t, "for-each-ref", "--format=%(refname)", "refs/assent/kept")) {
		kept[filepath.Base(filepath.Dir(ref))] = true
	}
	own := "assent/" + strings.ToLower(run[len(run)-6:])
	branch := own + "-add-two-files"
	want := []string{"refs/assent/delivery/" + run + "/branch/" + branch, "refs/assent/delivery/" + run + "/pushed/" + branch, "refs/heads/" + branch, "refs/heads/main"}
	folders := []string{"checks", "scratch"}
	for slug := range kept {
		require.Contains(t, slug, "-agent-")
		want, folders = append(want, "refs/heads/"+own+"/"+slug), append(folders, slug)
	}
	require.ElementsMatch(t, want, strings.Fields(c.git(t, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/assent/delivery")))
	require.Len(t, strings.Split(c.git(t, "worktree", "list"), "\n"), 1+len(kept))
	require.Equal(t, "Add one.txt\nAdd two.txt", c.git(t, "log", "--reverse", "--format=%s", "main.."+branch))
	require.Equal(t, "one.txt\ntwo.txt", c.git(t, "diff", "--name-only", "main", branch))
	require.Equal(t, c.git(t, "rev-parse", branch), c.git(t, "--git-dir="+c.bare, "rev-parse", branch))
	require.Equal(t, branch+"\nmain", c.git(t, "--git-dir="+c.bare, "for-each-ref", "--format=%(refname:short)"))

	work := filepath.Join(c.home, "state", "assent-work", run)
	require.ElementsMatch(t, folders, names(t, work))
	for _, folder := range folders[:2] {
		require.Empty(t, names(t, filepath.Join(work, folder)))
	}
	c.killAt(t, 1<<30)
	require.Zero(t, c.assent(t, "verify", run).exit)
	ticks := len(c.lines(t, "ticks"))
	again := c.resumes(t, run)
	require.Zero(t, again.exit, again.talk)
	require.Len(t, c.lines(t, "ticks"), ticks, "a run that has ended calls nobody")
}
