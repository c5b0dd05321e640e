package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

func newReviewCommand(a *app) *cobra.Command {
	var resume, wait bool
	cmd := &cobra.Command{
		Use:   "review [RUN]",
		Short: "Show what waits for you, and answer it",
		Long: "Shows every gate of a run that waits, whole, and takes your answer. It works from any terminal, also\n" +
			"while the run is busy. Where there is no terminal it shows the gates and how to answer them.",
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.review(cmd.Context(), first(args), resume, wait)
		},
	}
	cmd.Flags().BoolVar(&resume, "resume", false, "then go on with the run, if nothing executes it")
	cmd.Flags().BoolVar(&wait, "wait", false, "wait until a question comes up, or the run ends")
	return cmd
}

func (a *app) review(ctx context.Context, named string, resume, wait bool) error {
	store, err := a.existing()
	if fault.Is(err, fault.RunUnknown) && named == "" {
		return a.nothingHere()
	}
	if err != nil {
		return err
	}
	if named == "" && !wait {
		several, err := a.reviewable(ctx, store)
		if err != nil {
			return err
		}
		if len(several) > 1 {
			return a.reviewSeveral(ctx, store, several, resume)
		}
	}
	fits := waits
	if wait {
		fits = func(s journal.Summary) bool { return waits(s) || s.Owned }
	}
	id, err := a.pick(ctx, store, named, "review", fits)
	if fault.Is(err, fault.PlanApprovalStale) {
		return a.nothingHere()
	}
	if err != nil {
		return err
	}
	return a.reviewRun(ctx, store, id, resume, wait)
}

// reviewRun shows what waits in one run, and takes the answers.
func (a *app) reviewRun(ctx context.Context, store *journal.Store, id string, resume, wait bool) error {
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return err
	}
	defer visit.Close()
	if wait {
		if err := a.awaitQuestion(ctx, visit); err != nil {
			return err
		}
	}
	_, owned := visit.Owner()
	switch gates := visit.State().Pending(); {
	case len(gates) == 0:
		return a.nothingWaits(visit.State(), owned)
	case !visit.State().Proven:
		return unprovenRun(visit.State())
	case !a.interactive(driveFlags{}):
		return a.showGates(visit, gates, owned)
	}
	if err := refuseAgents(); err != nil {
		return err
	}
	said, err := a.reviewAll(ctx, visit)
	if err != nil && !errors.Is(err, errOrphaned) {
		return err
	}
	if _, owned = visit.Owner(); owned {
		return a.recordedOrLeft(id, said, visit, owned)
	}
	if resume && (said != nil || err != nil) {
		if err := visit.Close(); err != nil {
			return err
		}
		return a.resumeAfter(ctx, store, id, said)
	}
	if err != nil {
		return fault.New(fault.PlanApprovalInterrupt, "the gate was being shown when its process ended, so it cannot be answered any more",
			"assent review "+id+" --resume   # asks again")
	}
	if said != nil && !a.json && len(visit.State().Pending()) == 0 && !over(visit.State().StatusWith(owned)) {
		return a.offerResume(ctx, store, visit, said)
	}
	return a.recordedOrLeft(id, said, visit, owned)
}

// unprovenRun refuses to ask for an answer that would not count.
func unprovenRun(st *journal.State) error {
	return fault.New(fault.JournalUnproven, "the journal of run "+st.ID+" is not proven, so no answer in it would count: "+st.Unproven,
		"assent verify "+st.ID+"   # says more")
}

// errOrphaned is a gate that belonged to the screen of a process that is gone.
var errOrphaned = errors.New("the gate's process is gone")

// reviewAll asks one gate after the other, as long as any waits that was not put off. It gives
// the last answer that was recorded.
func (a *app) reviewAll(ctx context.Context, visit journal.Visit) (*recordedAnswer, error) {
	screen := a.openTerminal()
	if screen == nil {
		return nil, term.ErrNotTerminal
	}
	var said *recordedAnswer
	putOff := map[string]bool{}
	for {
		g, asked := nextGate(visit.State(), putOff)
		if g == nil {
			return said, nil
		}
		if _, alive := visit.Owner(); !alive && !g.Suspended {
			return said, errOrphaned
		}
		answer, err := a.reviewGate(ctx, screen, visit, asked)
		switch {
		case errors.Is(err, errSettled):
			a.sayEnded(visit.State().Gates[g.Asked.Gate])
			continue
		case errors.Is(err, term.ErrDeadline):
			a.say(fmt.Sprintf("gate %s: %s", g.Asked.Gate, term.ErrDeadline))
			putOff[g.Asked.Gate] = true
			continue
		case errors.Is(err, term.ErrInterrupted):
			return nil, exitCode(exitInterrupted)
		case errors.Is(err, term.ErrClosed):
			return nil, exitCode(exitWaiting)
		case err != nil:
			return said, err
		case answer.Later:
			putOff[g.Asked.Gate] = true
			continue
		}
		recorded, err := planapprove.Respond(ctx, visit, visit.Executing, a.Now, checkpoint.ResponseTo(g.Asked.Gate, answer))
		if err != nil {
			return said, err
		}
		said = recordedIn(visit.State(), recorded, answer.Decision)
		a.sayRecorded(said)
	}
}

// nextGate is the first gate that waits and was not put off, with its place among all that do.
func nextGate(st *journal.State, putOff map[string]bool) (*journal.Gate, checkpoint.Asked) {
	pending := st.Pending()
	for i, g := range pending {
		if !putOff[g.Asked.Gate] {
			return g, planapprove.Present(st, g, i+1, len(pending))
		}
	}
	return nil, checkpoint.Asked{}
}

// errSettled ends a question that another process has answered.
var errSettled = errors.New("the question was settled elsewhere")

// settled is errSettled, and how it was settled.
type settled struct{ how string }

func (s settled) Error() string { return "it was " + s.how }

func (s settled) Is(target error) bool { return target == errSettled }

// reviewGate asks one gate, and gives up when it ends elsewhere.
func (a *app) reviewGate(ctx context.Context, screen *term.Terminal, visit journal.Visit, asked checkpoint.Asked) (checkpoint.Answer, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type back struct {
		answer checkpoint.Answer
		err    error
	}
	came := make(chan back, 1)
	go func() {
		answer, err := a.consult(ctx, screen, asked)
		came <- back{answer, err}
	}()
	changes := visit.Changes()
	for {
		select {
		case b := <-came:
			if errors.Is(context.Cause(ctx), errSettled) {
				return checkpoint.Answer{}, errSettled
			}
			return b.answer, b.err
		case <-changes:
			if _, err := visit.Sync(ctx); err != nil {
				cancel(err)
				changes = nil
			} else if g := visit.State().Gates[asked.Gate.Gate]; g.State != journal.Pending {
				cancel(settled{outcome(g)})
				changes = nil
			}
		}
	}
}

func (a *app) sayEnded(g *journal.Gate) {
	a.say(gateEnded(g))
}

// recordedOrLeft ends a review.
func (a *app) recordedOrLeft(id string, said *recordedAnswer, visit journal.Visit, owned bool) error {
	at := a.standingOf(visit.State(), owned)
	at.suspends = at.suspends && !a.interactive(driveFlags{}) // whoever sits here is asked
	if said == nil {
		if a.json && len(at.gates) > 0 {
			return a.showGates(visit, at.gates, owned)
		}
		a.hints(at.hints())
		if len(at.gates) > 0 {
			return exitCode(exitWaiting)
		}
		return nil
	}
	if a.json {
		return a.recorded(id, said, at)
	}
	if len(at.gates) > 0 {
		a.hints(at.hints())
	} else if !owned {
		a.next(at.resume())
	}
	return nil
}

// showGates shows what waits where nobody can be asked.
func (a *app) showGates(visit journal.Visit, gates []*journal.Gate, owned bool) error {
	st := visit.State()
	hints := a.standingOf(st, owned).afterShown()
	if a.json {
		if err := a.emit(struct {
			Format  int       `json:"format"`
			Run     string    `json:"run"`
			Title   string    `json:"title"`
			Exit    int       `json:"exit"`
			Waiting []gateRow `json:"waiting"`
			Next    []string  `json:"next"`
		}{jsonFormat, st.ID, st.Started.Title, exitWaiting, planRows(gates, a.moment(st, owned)), commands(hints)}); err != nil {
			return err
		}
		return exitCode(exitWaiting)
	}
	for i, g := range gates {
		review := reviewOf(planapprove.Present(st, g, i+1, len(gates)))
		review.Now = a.Now()
		if err := term.Show(a.Out, review, width(a.Out)); err != nil {
			return err
		}
		if why := lapsed(g, a.moment(st, owned)); why != "" {
			a.say("gate " + g.Asked.Gate + " takes no answer any more: " + lapsedText(why, st.ID))
		}
	}
	a.hints(hints)
	return exitCode(exitWaiting)
}
