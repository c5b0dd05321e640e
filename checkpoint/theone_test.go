package checkpoint_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// An answer that names no gate is one to the gate that waits only if it can be an answer to nothing
// else: no person has answered the same text before, and it is the same question of the same script.
func TestTheOneThatIsMeant(t *testing.T) {
	t.Parallel()
	gate := func(state journal.GateState, prompt, program string, answer *journal.GateAnswered) *journal.Gate {
		return &journal.Gate{State: state, Asked: journal.GateAsked{Kind: "plan", Prompt: prompt, Program: program}, Answer: answer}
	}
	said, nobody := &journal.GateAnswered{}, &journal.GateAnswered{Unanswered: "headless"}
	waits := gate(journal.Pending, "Ship?", "p", nil)
	for name, c := range map[string]struct {
		others []*journal.Gate
		taken  bool
	}{
		"alone":                           {nil, true},
		"after one that was interrupted":  {[]*journal.Gate{gate(journal.Interrupted, "Ship?", "p", nil)}, true},
		"after one that expired":          {[]*journal.Gate{gate(journal.Expired, "Ship?", "p", nil)}, true},
		"after one that nobody answered":  {[]*journal.Gate{gate(journal.Defaulted, "Ship?", "p", nobody)}, true},
		"after a revocation":              {[]*journal.Gate{gate(journal.Revoked, "Ship?", "p", said)}, false},
		"after an approval":               {[]*journal.Gate{gate(journal.Approved, "Ship?", "p", said)}, false},
		"after an approval that lapsed":   {[]*journal.Gate{gate(journal.Lapsed, "Ship?", "p", said)}, false},
		"beside another one that waits":   {[]*journal.Gate{gate(journal.Pending, "Ship?", "p", nil)}, false},
		"S05: after another question":     {[]*journal.Gate{gate(journal.Interrupted, "Delete?", "p", nil)}, false},
		"after one of an earlier script":  {[]*journal.Gate{gate(journal.Interrupted, "Ship?", "q", nil)}, false},
		"after two, one of which counted": {[]*journal.Gate{gate(journal.Interrupted, "Ship?", "p", nil), gate(journal.Rejected, "Ship?", "p", said)}, false},
	} {
		got := checkpoint.TheOne(append(c.others, waits))
		if c.taken {
			require.Same(t, waits, got, name)
		} else {
			require.Nil(t, got, name)
		}
	}
	ended := []*journal.Gate{gate(journal.Expired, "Ship?", "p", nil), gate(journal.Expired, "Ship?", "p", nil)}
	require.Nil(t, checkpoint.TheOne(ended), "none waits")
	require.Nil(t, checkpoint.TheOne(nil))
}
