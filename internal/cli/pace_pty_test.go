//go:build unix

package cli_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const twoPlans = `export const meta = { name: "two", description: "x" };
const first = await planApprove({ n: 1 });
const second = await planApprove({ n: 2 });
return [first.decision, second.decision];
`

// What was typed for one question answers none that follows at once: in a run, and in a review.
func TestTypingAheadAnswersOneQuestion(t *testing.T) {
	t.Parallel()
	for _, command := range [][]string{{"run", "two.js"}, {"review"}} {
		t.Run(command[0], func(t *testing.T) {
			t.Parallel()
			u := newUser(t, "two.js", twoPlans, "both.js", `export const meta = { name: "both", description: "x" };
return await parallel([1, 2].map((n) => () => planApprove({ n })));
`)
			if command[0] == "review" {
				u.wants(4, "run", "both.js", "--on-gate", "suspend")
			}
			s := u.terminal(command...)
			s.sees("> ")
			s.types("approve")
			time.Sleep(30 * time.Millisecond)
			s.types("approve")
			s.sees("another question follows")
			s.sees("A plan waits for your decision")
			s.sees("> ")
			time.Sleep(300 * time.Millisecond) // longer than a question takes to read what was typed
			require.Equal(t, []string{"approved", "pending"}, u.gateStates())
			s.types("reject")
			if command[0] == "review" {
				s.sees("Go on with it?")
				s.sees("> ")
				s.types("no")
			}
			s.ends()
			require.Equal(t, []string{"approved", "rejected"}, u.gateStates())
		})
	}
}

// The pause before a question ends with Ctrl-C as the question would: nothing is answered.
func TestInterruptBetweenQuestions(t *testing.T) {
	t.Parallel()
	u := newUser(t, "two.js", twoPlans)
	s := u.terminal("run", "two.js")
	s.sees("> ")
	s.types("approve")
	s.sees("another question follows")
	s.sends("\x03")
	require.Equal(t, 5, s.ends(), s.shown())
	require.Equal(t, []string{"approved", "pending"}, u.gateStates())
	require.Equal(t, 1, strings.Count(s.shown(), "A plan waits for your decision"))
}

// gateStates are those of the newest run's gates.
func (u *user) gateStates() []string {
	u.t.Helper()
	var states []string
	for _, gate := range u.object(0, "show", "--json")["gates"].([]any) {
		states = append(states, gate.(map[string]any)["state"].(string))
	}
	return states
}
