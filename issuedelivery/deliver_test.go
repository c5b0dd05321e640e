package issuedelivery_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
)

// A delivery that meets no trouble is told of stage by stage.
func TestDeliverGoesThrough(t *testing.T) {
	w := newWorld(t)
	got := w.asked(issuedelivery.LaneNoPR, "true")
	require.True(t, got.Success, "%+v", got)
	require.Equal(t, []any{"completed", 0, issuedelivery.StageDone, issuedelivery.StageFinalization, "completed", ""},
		[]any{got.State, got.Exit, got.Stage, got.At, got.Status, got.StoppedBy})
	require.Equal(t, "git merge assent/abc123-write-two-files", got.Next)
	require.Equal(t, "assent/abc123-write-two-files", got.Branch)
	require.Nil(t, got.PR)
	require.Empty(t, got.Handover)
	require.True(t, got.Approval.Approved())
	require.Equal(t, "ann@here", got.Approval.ApprovedBy)

	s := got.Stages
	require.Equal(t, "main", s.Preflight.Base.Branch)
	require.Equal(t, w.commit, s.Preflight.Base.Commit)
	require.Len(t, s.Preflight.Commands, 1)
	require.Equal(t, "There is nothing yet.", s.Scout.Map)
	require.Equal(t, issuedelivery.Passage{Calls: 1, Usage: journal.Usage{Input: 10, Output: 1}}, s.Scout.Passage)
	require.Equal(t, 1, s.Thinker.Drafts)
	require.True(t, s.Planning.OK)
	require.Equal(t, []string{"one", "two"}, s.Planning.Order)
	require.Len(t, s.Asking.Questions, 1)
	require.Equal(t, journal.Approved, s.Asking.Questions[0].State)
	require.Len(t, s.Workers.Steps, 2)
	for i, id := range []string{"one", "two"} {
		step := s.Workers.Steps[i]
		require.Equal(t, []any{id, "done", 1, "Write " + id + ".txt"}, []any{step.ID, step.State, step.Attempts, step.Title})
		require.Equal(t, id, w.git("show", step.Commit+":"+id+".txt"))
		require.Len(t, step.Branches, 1)
	}
	require.Equal(t, s.Workers.Steps[1].Commit, got.Commit)
	require.Equal(t, []string{"one", "two", ""}, []string{got.Checks[0].Step, got.Checks[1].Step, got.Checks[2].Step})
	require.Len(t, got.Verdicts, 2)
	require.True(t, got.Verdicts[1].Passed)
	require.Equal(t, []string{"one", "two"}, s.Integration.Applied)
	require.Equal(t, got.Commit, s.Integration.Commit)
	require.True(t, s.Finalization.OK)
	require.Equal(t, "clean", s.Finalization.Details[0].Condition)
	require.Nil(t, s.Repair)
	require.Equal(t, journal.Usage{Input: 60, Output: 6}, got.Usage, "a scout, a thinker, two workers, two verifiers")

	again := w.resume(got.Run)
	require.Equal(t, got, again, "nothing is left to do")
	require.Equal(t, 2, w.count("worker"))
}

// A pull request is part of the outcome; where it could not be made, the rest is not done again.
func TestDeliverPublishes(t *testing.T) {
	w := newWorld(t)
	w.fail("delivery.publish", errBroken)
	stopped := w.asked(issuedelivery.LanePullRequest, "true")
	require.Equal(t, []any{"stopped", 3, issuedelivery.StageStopped, issuedelivery.StagePublication, "pull-request", "assent resume " + stopped.Run, false},
		[]any{stopped.State, stopped.Exit, stopped.Stage, stopped.At, stopped.StoppedBy, stopped.Next, stopped.Success})
	require.Len(t, stopped.Stages.Publication.Failures, 1)
	require.FileExists(t, stopped.Handover)

	w.fail("delivery.publish", nil)
	got := w.resume(stopped.Run)
	require.True(t, got.Success, "%+v", got)
	require.Equal(t, &issuedelivery.PullRequest{Number: 7, URL: "https://forge/pull/7", State: "OPEN", Draft: true}, got.PR)
	require.Empty(t, got.Handover, "the stop is not in force any more")
	require.Empty(t, got.Stages.Publication.Failures)
	require.Equal(t, 2, w.count("worker"))
}

// A dry run asks no approval, and makes no worker.
func TestDeliverRehearses(t *testing.T) {
	w := newWorld(t)
	o := w.options("Write two files")
	o.Lane = issuedelivery.LaneDryRun
	got := w.deliver(o)
	require.True(t, got.Success, "%+v", got)
	require.Equal(t, []any{"completed", 0, issuedelivery.StageDone, issuedelivery.StageAsking}, []any{got.State, got.Exit, got.Stage, got.At})
	require.Nil(t, got.Approval)
	require.Contains(t, string(got.Plan), `"Two files."`)
	require.Equal(t, journal.Defaulted, got.Stages.Asking.Questions[0].State)
	require.JSONEq(t, `"not seen"`, string(got.Stages.Asking.Questions[0].Decision))
	require.Zero(t, w.count("worker"))
}

// While a question waits, the delivery stands at it.
func TestDeliverWaits(t *testing.T) {
	w := newWorld(t)
	o := w.options("Write two files")
	o.Engine.OnGate = "suspend"
	got := w.deliver(o)
	require.Equal(t, []any{"waiting", 4, issuedelivery.StageAsking, issuedelivery.StageAsking, "needs-human", "waiting", "assent review " + got.Run},
		[]any{got.State, got.Exit, got.Stage, got.At, got.Status, got.StoppedBy, got.Next})
	require.Equal(t, 1, got.Stages.Asking.Open)
	require.Nil(t, got.Stages.Asking.Questions[0].Decision)
	require.Nil(t, got.Stages.Workers)
}

// What is to be delivered has to be said, once.
func TestDeliverNeedsATask(t *testing.T) {
	w := newWorld(t)
	refused := func(code fault.Code, change func(o *issuedelivery.Options)) {
		t.Helper()
		o := w.options("")
		change(&o)
		_, err := issuedelivery.Deliver(t.Context(), o)
		require.True(t, fault.Is(err, code), "%v", err)
	}
	refused(fault.TaskMissing, func(*issuedelivery.Options) {})
	refused(fault.TaskMissing, func(o *issuedelivery.Options) { o.Plan = json.RawMessage(" ") })
	refused(fault.Usage, func(o *issuedelivery.Options) { o.Resume, o.Finish = "A", "B" })
	refused(fault.Usage, func(o *issuedelivery.Options) { o.Resume, o.Task = "A", "B" })
	refused(fault.Usage, func(o *issuedelivery.Options) { o.Finish, o.Issues = "A", []int{1} })
	refused(fault.ArgsInvalid, func(o *issuedelivery.Options) { o.Task, o.Plan = "A", json.RawMessage("{") })
	refused(fault.ArgsInvalid, func(o *issuedelivery.Options) { o.Task, o.Lane = "A", "fast" })
	refused(fault.OptionInvalid, func(o *issuedelivery.Options) { o.Task, o.Engine.Work = "A", "" })
	refused(fault.RunUnknown, func(o *issuedelivery.Options) { o.Resume = "01ARZ3NDEKTSV4RRFFQ69G5FAV" })
	runs, err := w.store.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, runs)
}

// The arguments of the script are those that were given, and no others.
func TestDeliverPassesItsOptions(t *testing.T) {
	w := newWorld(t)
	w.fail("delivery.begin", errBroken)
	o := w.options("Write")
	o.Issues, o.Plan, o.Lane, o.Base, o.AllowNoChecks = []int{3, 4}, json.RawMessage(`{"steps":[]}`), "pull-request", "main", true
	o.Reviewers, o.Labels, o.Ready, o.MaxSteps = []string{"bob"}, []string{"bug"}, true, 5
	got := w.deliver(o)
	visit, err := w.store.Visit(t.Context(), got.Run)
	require.NoError(t, err)
	defer visit.Close()
	require.JSONEq(t, `{"task":"Write","issues":[3,4],"plan":{"steps":[]},"lane":"pull-request","base":"main","allowNoChecks":true,
		"reviewers":["bob"],"labels":["bug"],"ready":true,"maxSteps":5,"maxRevisions":3}`, string(visit.State().Started.Args))
	require.Equal(t, "issue-delivery", visit.State().Started.Title)
	require.Equal(t, "builtin/issue-delivery.js", visit.State().Program.Name)
}

// A run of another script has no outcome as a delivery.
func TestLookAtAnotherRun(t *testing.T) {
	w := newWorld(t)
	o := w.options("Write")
	o.Program = program(t, `return 1`)
	_, err := issuedelivery.Deliver(t.Context(), o)
	require.True(t, fault.Is(err, fault.DeliveryStagesInvalid), "%v", err)
}

// The note that a stop leaves is the user's own.
func TestHandoverIsPrivate(t *testing.T) {
	w := newWorld(t)
	got := w.deliver(w.options("Write two files"))
	require.Equal(t, filepath.Join(w.work, got.Run, "handover.md"), got.Handover)
	info, err := os.Stat(got.Handover)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
