package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// ownedRun stands for a run that an attempt owns; none of its methods is called.
type ownedRun struct{ journal.Run }

// Only a rehearsal takes an approval that has fallen for one: an attempt that could do work by it
// does not, whatever else it is told.
func TestNothingIsAssumedInAnOwnedRun(t *testing.T) {
	g := &journal.Gate{State: journal.Lapsed, AnswerSeq: 5, Answer: &journal.GateAnswered{}}
	g.Asked.Kind, g.Asked.Prompt = "confirm", "Go?"
	var err error
	g.Identity, err = checkpoint.QuestionOf(g).Identity()
	require.NoError(t, err)
	c := &call{prepared: prepared{identity: g.Identity}}
	c.Key = "/planApprove#0"
	for _, owned := range []journal.Run{nil, ownedRun{}} {
		a := &attempt{run: owned, st: &journal.State{Proven: true, ImportedSeq: 9}, course: &course{assumed: map[string]string{}}, proving: &journal.Attempt{Seq: 7}}
		assumed, delivered := a.assume(c, g, "lapsed"), a.asDelivered(g)
		if owned == nil {
			require.Equal(t, journal.Approved, assumed.State, "a rehearsal may")
			require.Equal(t, journal.Approved, delivered.State, "a proof may")
			continue
		}
		require.Nil(t, assumed)
		require.Empty(t, a.course.assumed)
		require.Equal(t, journal.Lapsed, delivered.State)
	}
}
