//go:build unix

package tests_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery/forge/forgetest"
)

// The whole lane with the real gh, as a person takes it: an issue, a plan, a yes, and a pull request.
func TestDeliverAnIssueWithTheRealGh(t *testing.T) {
	t.Parallel()
	c, api := toForge(t)
	said := c.begins(t, "--issue", "3", "--label", "ready", "--reviewer", "ann", "--reviewer", "nobody")
	require.NotContains(t, api.Requests(), "create")
	require.Equal(t, c.before, c.own(t))
	c.approves(t, said)
	got := c.resumes(t, said.Run)
	require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
	require.Equal(t, []any{"completed", true, "completed", "main"}, []any{got.State, got.Result["success"], got.Result["status"], got.Result["base"]}, "%v", got.Result)
	require.Contains(t, got.talk, `"nobody" could not be asked for a review`)
	require.Equal(t, c.before, c.own(t))

	branch, commit := got.Result["branch"].(string), got.Result["commit"].(string)
	require.Regexp(t, `^assent/[0-9a-z]{6}-files-are-missing$`, branch)
	require.Equal(t, commit, c.git(t, "--git-dir="+c.bare, "rev-parse", "refs/heads/"+branch))
	require.Equal(t, "Add one.txt\nAdd two.txt", c.git(t, "log", "--reverse", "--format=%s", "main.."+branch))
	pr := got.Result["pr"].(map[string]any)
	require.Equal(t, []any{4.0, api.URL() + "/pull/4", "open", true, commit, "main"}, []any{pr["number"], pr["url"], pr["state"], pr["draft"], pr["head"], pr["base"]})

	var pull forgetest.Pull
	api.Change(func(r *forgetest.Repository) {
		require.Equal(t, 1, r.Creates)
		pull = *r.Pulls[0]
	})
	require.Equal(t, []any{"Files are missing", true, branch, "main"}, []any{pull.Title, pull.Draft, pull.Branch, pull.Base})
	require.Equal(t, []string{"ready"}, pull.Labels)
	require.Equal(t, []string{"ann"}, pull.Reviewers)
	checksum := said.Waiting[0].Checksum
	for _, part := range []string{"Closes #3", "Two files.", "Add one.txt", "Add two.txt", "names", checksum, "assent verify " + said.Run} {
		require.Contains(t, pull.Body, part)
	}
	require.NotContains(t, pull.Body, "ignore all that")

	// What the body says of the plan is what everybody can count for themselves: who holds the raw plan,
	// and who holds the issue's text.
	raw := c.assent(t, "show", said.Run, "--raw")
	require.Zero(t, raw.exit)
	sum := sha256.Sum256([]byte(strings.TrimSuffix(raw.out, "\n")))
	require.Equal(t, checksum, hex.EncodeToString(sum[:]))
	require.Contains(t, pull.Body, hex.EncodeToString(sum[:]))
	text := sha256.Sum256([]byte(`{"body":"One and two.","number":3,"title":"Files are missing"}`))
	require.Contains(t, raw.out, hex.EncodeToString(text[:]))
	require.Contains(t, c.git(t, "log", "-1", "--format=%B", branch), "Assent-Plan: sha256:"+checksum)

	verified := c.assent(t, "verify", said.Run)
	require.Zero(t, verified.exit, verified.talk)
	ticks, requests := len(c.lines(t, "asked")), len(api.Requests())
	again := c.resumes(t, said.Run)
	require.Zero(t, again.exit, again.talk)
	require.Equal(t, got.Result, again.Result)
	require.Equal(t, []int{ticks, requests}, []int{len(c.lines(t, "asked")), len(api.Requests())}, "it has ended: nobody is called")
}

func TestDeliverReadyWithTheRealGh(t *testing.T) {
	t.Parallel()
	c, api := toForge(t)
	got := c.delivers(t, "Add two files", "--ready")
	require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
	api.Change(func(r *forgetest.Repository) {
		require.Equal(t, []any{1, false, "Add two files"}, []any{r.Creates, r.Pulls[0].Draft, r.Pulls[0].Title})
		require.NotContains(t, r.Pulls[0].Body, "Closes #")
	})
}

func TestDeliverToAProgram(t *testing.T) {
	t.Parallel()
	c, gh := toProgram(t)
	got := c.delivers(t, "Add two files")
	require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
	require.Equal(t, []any{true, "completed"}, []any{got.Result["success"], got.Result["status"]})
	require.Equal(t, 1, gh.Creates())
	require.Equal(t, c.before, c.own(t))
	create := slices.IndexFunc(gh.Calls(), func(call string) bool { return strings.HasPrefix(call, "pr create ") })
	require.Contains(t, gh.Calls()[create], "-R forge.example/acme/rocket --head "+got.Result["branch"].(string)+" --base main --title Add two files --body-file - --draft")
}

// Checks that are at work are nothing to wait for, and checks that failed are for a person.
func TestDeliveryAgainstReportedChecks(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		conclusion, state string
		exit              int
		status            string
	}{
		"pending": {"", "completed", 0, "finalizing"},
		"failing": {"FAILURE", "stopped", 3, "needs-human"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, gh := toProgram(t)
			status := "COMPLETED"
			if want.conclusion == "" {
				status = "IN_PROGRESS"
			}
			check, err := json.Marshal([]any{map[string]any{"__typename": "CheckRun", "name": "build", "status": status, "conclusion": want.conclusion}})
			require.NoError(t, err)
			gh.Reports(string(check))
			got := c.delivers(t, "Add two files")
			require.Equal(t, want.exit, got.exit, "%s %v", got.talk, got.Result)
			require.Equal(t, []any{want.state, want.status, want.exit == 0}, []any{got.State, got.Result["status"], got.Result["success"]}, "%v", got.Result)
			require.Contains(t, got.Result["reason"], "build")
			if want.exit > 0 {
				require.Equal(t, "https://forge.example/acme/rocket/pull/1/checks   # mend it, then assent deliver --finish "+got.Run, got.Result["nextAction"])
				gh.Reports(strings.Replace(string(check), "FAILURE", "SUCCESS", 1)) // a person had them run again
				asked := c.asked(t)
				got = c.assent(t, "deliver", "--finish", got.Run, "--headless", "--json")
				require.Zero(t, got.exit, "%s %v", got.talk, got.Result)
				require.Equal(t, []any{"completed", "completed"}, []any{got.State, got.Result["status"]})
				asked["verifier"] = 1
				require.Equal(t, asked, c.asked(t))
			}
			require.Equal(t, 1, gh.Creates())
		})
	}
}
