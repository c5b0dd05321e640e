package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
)

const documented = `
const approval = await planApprove({title: "Ship it", markdown: "# Ship\n", question: "Ship?"});
return approval.decision;`

// copies are the copies of plans in a workspace.
func copies(t *testing.T, workspace string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(workspace, ".assent", "plans", "*.md"))
	require.NoError(t, err)
	return found
}

// The copy is there before the gate, and the gate says what it is.
func TestGateHasACopyInTheWorkspace(t *testing.T) {
	store, workspace := newStore(t), t.TempDir()
	o := engine.Options{Store: store, Workspace: workspace, OnGate: checkpoint.Suspend}
	r := run(t, script(t, documented), o)
	require.Equal(t, "waiting", r.State)
	asked := r.Waiting[0].Asked
	require.Equal(t, "Ship?", asked.Prompt)
	data, err := os.ReadFile(filepath.Join(workspace, filepath.FromSlash(asked.Artifact.Path)))
	require.NoError(t, err)
	require.Equal(t, "# Ship\n", string(data))

	// What only looks ahead, and a gate that is taken up, write none.
	_, err = engine.DryRun(context.Background(), r.Run, script(t, documented+"\n"), o)
	require.NoError(t, err)
	again := resume(t, r.Run, nil, o)
	require.Equal(t, asked, again.Waiting[0].Asked)
	require.Len(t, copies(t, workspace), 1)

	o.Asker, o.OnGate = says("true"), ""
	require.Equal(t, "completed", resume(t, r.Run, nil, o).State)
	_, err = engine.Replay(context.Background(), r.Run, o)
	require.NoError(t, err)
	require.Len(t, copies(t, workspace), 1)

	// An edited script asks anew about the same plan: the same copy.
	o.Asker, o.OnGate = nil, checkpoint.Suspend
	anew := resume(t, r.Run, script(t, documented+"\n// edited"), o)
	require.NotEqual(t, asked.Gate, anew.Waiting[0].Asked.Gate)
	require.Equal(t, asked.Artifact, anew.Waiting[0].Asked.Artifact)
	require.Len(t, copies(t, workspace), 1)

	require.Nil(t, run(t, script(t, documented), engine.Options{Store: store, OnGate: checkpoint.Suspend}).Waiting[0].Asked.Artifact)
}

// No copy, no gate: the run fails, says what to mend, and goes on from there.
func TestGateWithoutAPlaceForItsCopy(t *testing.T) {
	for name, o := range map[string]engine.Options{
		"asker": {Asker: says("true")}, "suspend": {OnGate: checkpoint.Suspend}, "default": {}, "abort": {OnGate: checkpoint.Abort},
	} {
		store, workspace, elsewhere := newStore(t), t.TempDir(), t.TempDir()
		require.NoError(t, os.Symlink(elsewhere, filepath.Join(workspace, ".assent")))
		o.Store, o.Workspace = store, workspace
		r := run(t, script(t, documented), o)
		require.Equal(t, "failed", r.State, name)
		require.Equal(t, "PLAN_ARTIFACT_UNWRITABLE", r.Code, name)
		require.Empty(t, visitState(t, store, r.Run).GateOrder, name)
		entries, err := os.ReadDir(elsewhere)
		require.NoError(t, err)
		require.Empty(t, entries, name)

		require.NoError(t, os.Remove(filepath.Join(workspace, ".assent")))
		o.Asker = says("true")
		require.Equal(t, "completed", resume(t, r.Run, nil, o).State, name)
		require.Len(t, copies(t, workspace), 1, name)
	}
}

// An agent that edits the copy while the question is open keeps the yes from being recorded.
func TestS08_CopyEditedWhileTheQuestionIsOpen(t *testing.T) {
	store, workspace := newStore(t), t.TempDir()
	var warnings []string
	o := engine.Options{Store: store, Workspace: workspace, Observe: func(e engine.Event) {
		if e.Type == engine.Warned {
			warnings = append(warnings, e.Text)
		}
	}, Asker: &person{answer: func(q checkpoint.Asked) string {
		require.NoError(t, os.WriteFile(filepath.Join(workspace, filepath.FromSlash(q.Gate.Artifact.Path)), []byte("# Shop\n"), 0o600))
		return "true"
	}}}
	r := run(t, script(t, documented), o)
	require.Equal(t, "waiting", r.State)
	require.Equal(t, journal.Pending, r.Waiting[0].State)
	require.Len(t, warnings, 1)
	require.Contains(t, warnings[0], "PLAN_ARTIFACT_HASH_MISMATCH")

	// The next who asks says so, and takes a no.
	shown := says("true")
	o.Asker = shown
	require.Equal(t, "waiting", resume(t, r.Run, nil, o).State)
	require.Contains(t, shown.take()[0].Copy, "PLAN_ARTIFACT_HASH_MISMATCH")
	o.Asker = says(`"another title"`)
	done := resume(t, r.Run, nil, o)
	require.Equal(t, "stopped", done.State)
	require.JSONEq(t, `"another title"`, string(done.Value))
	require.Equal(t, journal.ChangesRequested, visitState(t, store, r.Run).Gates[r.Waiting[0].Asked.Gate].State)
}

// A copy that is gone is written again before the question is shown.
func TestCopyIsRestoredBeforeTheQuestionIsShown(t *testing.T) {
	store, workspace := newStore(t), t.TempDir()
	plan := `{title: "Ship it", steps: [1]}`
	o := engine.Options{Store: store, Workspace: workspace, OnGate: checkpoint.Suspend}
	r := run(t, script(t, "return (await planApprove("+plan+")).decision;"), o)
	path := filepath.Join(workspace, filepath.FromSlash(r.Waiting[0].Asked.Artifact.Path))
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(filepath.Join(workspace, ".assent")))
	_, err = answer(t, store, r.Run, checkpoint.Response{Checksum: r.Waiting[0].Asked.Checksum, Decision: json.RawMessage("true")})
	require.ErrorContains(t, err, "assent/plans")
	require.ErrorContains(t, err, "is gone")
	o.Asker = &person{answer: func(q checkpoint.Asked) string {
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(before), string(after))
		require.Empty(t, q.Copy)
		return "true"
	}}
	require.Equal(t, "completed", resume(t, r.Run, nil, o).State)
}

func visitState(t *testing.T, store engine.Store, run string) *journal.State {
	t.Helper()
	v, err := store.Visit(context.Background(), run)
	require.NoError(t, err)
	defer v.Close()
	return v.State()
}
