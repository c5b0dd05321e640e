package issuedelivery_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/issuedelivery"
)

// A row of the table has all that a person needs, and the exit code of its run's state.
func TestStopsAreWhole(t *testing.T) {
	exits := map[string]int{"stopped": 3, "paused": 5, "interrupted": 5, "waiting": 4, "failed": 1, "cancelled": 1, "completed": 0}
	statuses := []string{"spawned", "workflow-running", "workflow-complete-pane-open", "needs-finalize", "finalizing", "completed", "failed", "needs-human"}
	seen := map[[4]string]bool{}
	for _, s := range issuedelivery.Stops() {
		key := [4]string{s.By, string(s.Stage), s.When, s.State}
		require.False(t, seen[key], "%v is there twice", key)
		seen[key] = true
		exit, known := exits[s.State]
		require.True(t, known, "%+v", s)
		require.Equal(t, exit, s.Exit, "%+v", s)
		require.Contains(t, statuses, s.Status, "%+v", s)
		require.NotEmpty(t, s.Reason, "%+v", s)
		require.Equal(t, s.State == "completed", s.By == "", "%+v", s)
		if s.State != "completed" {
			require.NotEmpty(t, s.NextAction, "%+v", s)
			require.NotEmpty(t, s.Next, "%+v", s)
		}
		require.Equal(t, s.Finish, s.Next == "assent deliver --finish RUN", "%+v", s)
		if s.Stage != "" {
			require.True(t, slices.Contains(issuedelivery.Stages(), s.Stage), "%+v", s)
		}
	}
}

// What a delivery can stop by is what its description names.
func TestStopsAreThoseOfThePipeline(t *testing.T) {
	require.ElementsMatch(t, []string{
		"not-ready", "no-checks", "prototype-safety", "scout", "thinker", "plan-validation", "plan-approval", "worker", "plan-conformance",
		"checks", "verifier", "integration", "base-moved", "pull-request", "finalization",
	}, issuedelivery.StopNames())
	for _, by := range issuedelivery.StopNames() {
		row, ok := issuedelivery.Deciding(by, "", true)
		require.True(t, ok, by)
		require.Equal(t, by, row.By)
	}
	_, ok := issuedelivery.Deciding("weather", "", true)
	require.False(t, ok)
	_, ok = issuedelivery.Deciding("budget", "", true)
	require.False(t, ok, "it stops no run by itself: it pauses one")
}

// A plan that was not approved is told of in exactly these words, whoever did not approve it.
func TestStopOfAPlanThatWasNotApproved(t *testing.T) {
	for when, next := range map[string]string{"declined": `assent deliver "TASK"`, "nobody answered": "assent resume RUN"} {
		row, ok := issuedelivery.Deciding("plan-approval", when, false)
		require.True(t, ok)
		require.Equal(t, issuedelivery.Stop{
			By: "plan-approval", Stage: "approval", When: when, Status: "needs-human", State: "stopped", Exit: 3,
			Reason: "Plan was not approved.", NextAction: "Modify the task and rerun, or approve interactively.", Next: next,
		}, row)
	}
}

// Without checks there are two ways to stop: before anything is spent, and with a result that lost them.
func TestStopWithoutChecks(t *testing.T) {
	before, _ := issuedelivery.Deciding("no-checks", "", false)
	later, _ := issuedelivery.Deciding("no-checks", "", true)
	require.Equal(t, issuedelivery.StagePreflight, before.Stage)
	require.Equal(t, issuedelivery.StageChecks, later.Stage)
}
