package planapprove

import (
	"context"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// Respond is [checkpoint.Respond] for gates of every kind. Before it records the approval of a
// plan that has a copy in the workspace it compares the two, in the same transaction: a copy that
// was changed, or is gone, is PLAN_ARTIFACT_HASH_MISMATCH, and the gate waits as before.
func Respond(ctx context.Context, j checkpoint.Journal, executing func() bool, now func() time.Time, r checkpoint.Response) (checkpoint.Recorded, error) {
	r.Copies = artifacts{}
	return checkpoint.Respond(ctx, j, executing, now, r)
}

// MakeArtifact writes the copy of a plan into the workspace of its run, for whoever opens gates
// without [Ask]; the gate has to record what it gives. It gives nil if there is to be none.
func MakeArtifact(st *journal.State, q checkpoint.Question, now time.Time) (*journal.Artifact, error) {
	return artifacts{}.Make(st, q, now)
}

// Present is [Shown] for a gate that is about to be shown to a person: a copy of the plan that
// is gone is written again first, and what is wrong with it otherwise is among what is shown.
func Present(st *journal.State, g *journal.Gate, position, waiting int) checkpoint.Asked {
	asked := Shown(st, g, position, waiting)
	// Asked outlives this call; the state goes on changing.
	where, shown := &journal.State{ID: st.ID, Workspace: st.Workspace}, &journal.Gate{Asked: g.Asked}
	where.Started.Title = st.Started.Title
	asked.CheckCopy = func() error { return artifacts{}.Check(where, shown) }
	asked.RestoreCopy = func() error { return artifacts{}.Restore(where, shown) }
	if err := asked.RestoreCopy(); err != nil {
		asked.Copy = err.Error()
	}
	return asked
}
