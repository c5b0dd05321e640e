package issuedelivery_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent"
	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/issuedelivery"
	"github.com/seed-8d4a6081/assent/journal"
)

// With real git and no stand-ins: a worker whose work fails the checks three times leaves a tree, a person
// mends it there, and the run goes on from what they committed, under the approval that it has.
func TestFinishWithRealGit(t *testing.T) {
	w := newWorld(t)
	w.git("config", "user.name", "Ann")
	w.git("config", "user.email", "ann@example.com")
	text := strings.Replace(prepared, `label = "worker greet"`, `label = "worker greet*"`, 1)
	text = strings.Replace(text, `"hello\n"`, `"bye\n"`, 1)
	text = strings.Replace(text, `label = "verifier greet"`, `label = "verifier"`, 1)
	answers, err := agent.ParseScripted([]byte(text), "answers.toml")
	require.NoError(t, err)
	o := issuedelivery.Options{
		Task: "Greet people", Lane: issuedelivery.LaneNoPR,
		Config: issuedelivery.Config{Checks: map[string][]string{"greeting": {"grep", "-q", "hello", "greeting.txt"}}},
		Engine: engine.Options{Store: w.store, Agent: answers, Workspace: w.dir, Work: w.work, OnGate: checkpoint.Suspend},
	}
	got := w.deliver(o)
	w.answer(got.Run, "true")
	o.Task, o.Lane, o.Resume, o.Engine.OnGate = "", "", got.Run, ""
	got = w.deliver(o)
	require.Equal(t, []any{"stopped", "checks", true, 3}, []any{got.State, got.StoppedBy, got.Finish, got.Stages.Workers.Steps[0].Attempts}, "%+v", got)
	place := got.Stages.Repair.Path
	note, err := os.ReadFile(got.Handover)
	require.NoError(t, err)
	require.Contains(t, string(note), "cd '"+place+"'\n")
	require.Contains(t, string(note), "worker greet, attempt 3")
	left, err := os.ReadFile(filepath.Join(place, "greeting.txt"))
	require.NoError(t, err)
	require.Equal(t, "bye\n", string(left), "the person begins with what was done")

	// Not committed is not repaired: it is asked again, and that question waits.
	require.NoError(t, os.WriteFile(filepath.Join(place, "greeting.txt"), []byte("hello\n"), 0o600))
	o.Resume, o.Finish, o.Who = "", got.Run, journal.Who{User: "ann", Host: "here"}
	got = w.deliver(o)
	require.Equal(t, []any{"waiting", true, issuedelivery.StageRepair}, []any{got.State, got.Finish, got.At}, "%+v", got)

	git("-C", place, "commit", "-q", "-a", "-m", "say hello")
	got = w.deliver(o)
	require.True(t, got.Success, "%+v", got)
	require.Equal(t, "hello", w.git("show", got.Branch+":greeting.txt"))
	require.Contains(t, w.git("log", "--format=%B", got.Branch), "Assent-Plan: sha256:"+got.Approval.Checksum)
	require.Equal(t, w.commit, w.git("rev-parse", "HEAD"))
	require.Empty(t, w.git("status", "--porcelain"))
	visit, err := w.store.Visit(t.Context(), got.Run)
	require.NoError(t, err)
	defer visit.Close()
	st := visit.State()
	last := st.Gates[st.GateOrder[len(st.GateOrder)-1]]
	require.Equal(t, journal.Who{User: "ann", Host: "here", Way: "command"}, last.Answer.Who)

	_, err = issuedelivery.Deliver(t.Context(), o)
	require.True(t, fault.Is(err, fault.RepairNotAsked), "%v", err)
}
