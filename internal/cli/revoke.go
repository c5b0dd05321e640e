package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

func newRevokeCommand(a *app) *cobra.Command {
	var gate, reason string
	cmd := &cobra.Command{
		Use:   "revoke [RUN]",
		Short: "Take back the approval of a plan",
		Long: "Withdraws an approval. A run at work begins nothing more; what is at work may end, and then the\n" +
			"run stops. Nothing that was done is undone. The approval never counts again: a resume asks about\n" +
			"the plan anew.\n\n" +
			"It counts as the word of this user of the operating system, and is refused below an agent.",
		Example: "  assent revoke 01JD\n  assent revoke 01JD --gate 5zk3qa-1 --reason 'wrong branch'",
		Args:    atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("reason") && strings.TrimSpace(reason) == "" {
				return misused("--reason is empty", "say why, or leave it out")
			}
			return a.revoke(cmd.Context(), first(args), checkpoint.Revocation{Gate: gate, Reason: reason})
		},
	}
	cmd.Flags().StringVar(&gate, "gate", "", "the gate's id; needed if several approvals stand")
	cmd.Flags().StringVar(&reason, "reason", "", "why; whoever is asked again reads it")
	return cmd
}

func (a *app) revoke(ctx context.Context, named string, r checkpoint.Revocation) error {
	if err := refuseAgents(); err != nil {
		return err
	}
	store, err := a.existing()
	if err != nil {
		return err
	}
	id, err := a.pickApproved(ctx, store, named)
	if err != nil {
		return err
	}
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return err
	}
	defer visit.Close()
	r.Who = who(wayCommand)
	done, err := checkpoint.Revoke(ctx, visit, r)
	if err != nil {
		return err
	}
	_, owned := visit.Owner()
	return a.revoked(withWork(visit.State(), visit.Work()), done, owned)
}

// pickApproved is the run that was named, or the only one of this workspace that has not ended
// and in which an approval stands.
func (a *app) pickApproved(ctx context.Context, store *journal.Store, named string) (string, error) {
	if named != "" {
		return find(ctx, store, named)
	}
	runs, err := a.fitting(ctx, store, func(s journal.Summary) bool { return !over(s.State) })
	if err != nil {
		return "", err
	}
	fits := map[string]bool{}
	for _, s := range runs {
		visit, err := store.Visit(ctx, s.ID)
		if err != nil {
			return "", err
		}
		fits[s.ID] = len(checkpoint.StandingApprovals(visit.State())) > 0
		if err := visit.Close(); err != nil {
			return "", err
		}
	}
	return a.pick(ctx, store, "", "revoke", func(s journal.Summary) bool { return fits[s.ID] })
}

// revoked says that an approval is taken back, and what to do now.
func (a *app) revoked(st *journal.State, done checkpoint.Withdrawn, owned bool) error {
	g := st.Gates[done.Gate]
	hints := a.afterRevocation(st, owned)
	if a.json {
		return a.emit(struct {
			Format  int      `json:"format"`
			Run     string   `json:"run"`
			Gate    gateRow  `json:"gate"`
			Already bool     `json:"already"`
			Owned   bool     `json:"owned"`
			Next    []string `json:"next"`
		}{jsonFormat, st.ID, gateRowOf(g, a.moment(st, owned)), done.Already, owned, commands(hints)})
	}
	switch {
	case done.Already:
		a.say("gate " + done.Gate + " was revoked already, " + checkpoint.RevokedBy(g) + "; nothing was written")
	case owned:
		a.say(fmt.Sprintf("the approval of gate %s is revoked; run %s begins nothing more, and stops when %s", done.Gate, st.ID, atWork(st)))
	default:
		a.say("the approval of gate " + done.Gate + " is revoked")
	}
	a.hints(hints)
	return nil
}

// atWork says what a run still waits for before it stops.
func atWork(st *journal.State) string {
	n := int64(0)
	for _, c := range st.Calls {
		if c.Unfinished() {
			n++
		}
	}
	if n == 0 {
		return "it notices"
	}
	return term.Plural(n, "call that is at work has ended", "calls that are at work have ended")
}

// afterRevocation are the hints for a run in which an approval was taken back.
func (a *app) afterRevocation(st *journal.State, owned bool) []hint {
	if owned {
		return []hint{{"assent show " + st.ID, "says when it has stopped"}}
	}
	s := a.standingOf(st, owned)
	if len(s.open()) > 0 {
		return s.hints()
	}
	return s.askedAnew()
}

// askedAnew are the ways to go on with a run whose approval was taken back.
func (s standing) askedAnew() []hint {
	resume := "assent resume " + s.run
	return []hint{
		{resume, "in a terminal, asks about the plan anew"},
		{resume + suspended, "asks anew, and leaves the question open for another terminal"},
	}
}

// refusedPolicy is for a run that failed because an agent has not got what a plan was approved
// for.
func (s standing) refusedPolicy(resume string) []hint {
	return []hint{
		{resume, "when the agent has it"},
		{"assent revoke " + s.run, "takes the approval back; resume then asks anew, and approve can name something else"},
	}
}
