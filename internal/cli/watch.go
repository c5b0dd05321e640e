package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

func newWatchCommand(a *app) *cobra.Command {
	var wait bool
	cmd := &cobra.Command{
		Use:        "watch [RUN]",
		SuggestFor: []string{"follow", "tail", "attach", "top"},
		Short:      "Watch a run while another process executes it",
		Long: "Shows the phases, branches, calls and questions of a run as they come, whichever process executes\n" +
			"it. It only looks: Ctrl-C, or its end, leaves the run alone. When the run ends, or stands still\n" +
			"because nothing executes it, watch says how it stands and ends with the exit code of that.",
		Example: "  assent watch\n  assent watch 01JD --wait\n  assent watch 01JD --json | jq 'select(.gate)'",
		Args:    atMostOne,
		RunE:    func(cmd *cobra.Command, args []string) error { return a.watch(cmd.Context(), first(args), wait) },
	}
	cmd.Flags().BoolVar(&wait, "wait", false, "go on watching while nothing executes the run, until it has ended")
	return cmd
}

// watcher follows one run. All of it belongs to one goroutine.
type watcher struct {
	a     *app
	store *journal.Store
	visit journal.Visit
	wait  bool
	tell  *teller
	far   *progress
	view  witness
	// owned says that a living process executes the run; gone is when none was seen first.
	owned bool
	gone  time.Time
	// watched says that the run was executed while it was watched.
	watched bool
	// work is what is at work, as the run's process told of it beside the journal.
	work []journal.Work
	// followed are the transcripts of those, by their names.
	followed map[string]*follower
}

// witness shows what is watched.
type witness interface {
	// saw gets every event, from the run's first on; past says that it was there when the
	// watching began.
	saw(ev event, past bool) error
	// working is called when another set of calls is at work, by the word of the run's process.
	working(before, now []journal.Work) error
	// told gets what the agents at work said and did since it was called before, perhaps nothing. It is
	// called often while any transcript grows.
	told(news []newTold) error
	// drawn is called after news, and in between as often as frames ticks.
	drawn() error
	// frames ticks when a moving drawing is due; nil if nothing moves.
	frames() <-chan time.Time
	// ended gets the last word.
	ended(at standing, code int) error
}

func (a *app) watch(ctx context.Context, named string, wait bool) error {
	store, err := a.existing()
	if err != nil {
		return err
	}
	id, err := a.pick(ctx, store, named, "watch", func(s journal.Summary) bool {
		return s.Owned || wait && !over(s.State)
	})
	if err != nil {
		return err
	}
	visit, err := store.Visit(ctx, id)
	if err != nil {
		return err
	}
	defer visit.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	restore := func() {}
	if in := terminal(a.In); in != nil && terminal(a.Out) != nil && !a.json {
		restore = term.Quiet(in) // an Enter would move the drawing off its place
	}
	defer restore()
	stop := a.onSignals(cancel, func() {
		restore()
		a.Exit(exitAtOnce)
	})
	defer stop()
	w := &watcher{a: a, store: store, visit: visit, wait: wait, tell: newTeller(), far: newProgress()}
	w.view = a.witnessOf(w)
	defer w.leaveTold()
	return w.run(ctx)
}

func (w *watcher) run(ctx context.Context) error {
	changes := w.visit.Changes()
	// The visit stands at some entry; what comes behind it, Sync gives.
	entries, err := journal.Entries(ctx, w.store, w.visit.ID())
	if err != nil {
		return w.left(ctx, err)
	}
	head := w.visit.State().Head
	_, w.owned = w.visit.Owner()
	for _, e := range entries {
		if e.Seq > head {
			break
		}
		if err := w.saw(e, true); err != nil {
			return err
		}
	}
	for {
		if err := w.look(ctx); err != nil {
			return w.left(ctx, err)
		}
		if w.over() {
			return w.end()
		}
		if err := w.view.drawn(); err != nil {
			return err
		}
		if err := w.pause(ctx, changes); err != nil {
			return w.left(ctx, err)
		}
	}
}

func (w *watcher) saw(e journal.Entry, past bool) error {
	ev, err := w.tell.tell(e, w.visit.State())
	if err != nil {
		return err
	}
	w.far.add(ev)
	return w.view.saw(ev, past)
}

// look takes up what is new. A journal that others have open just now is looked at later.
func (w *watcher) look(ctx context.Context) error {
	news, err := w.visit.Sync(ctx)
	if err != nil && !fault.Is(err, fault.RunBusy) {
		return err
	}
	_, w.owned = w.visit.Owner()
	w.watched = w.watched || w.owned
	if len(news) > 0 {
		// What an agent told before its answer comes before it.
		if err := w.lookAtTold(); err != nil {
			return err
		}
	}
	for _, e := range news {
		if err := w.saw(e, false); err != nil {
			return err
		}
	}
	if err := w.lookAtWork(); err != nil {
		return err
	}
	return w.lookAtTold()
}

// lookAtWork takes up what is at work. What had begun before it was told of has no entry, and is
// told of here.
func (w *watcher) lookAtWork() error {
	before := w.work
	w.work = w.visit.Work()
	if slices.EqualFunc(before, w.work, func(x, y journal.Work) bool {
		return x.Key == y.Key && x.Since.Equal(y.Since) && x.Trying == y.Trying && x.Transcript == y.Transcript
	}) {
		return nil
	}
	return w.view.working(before, w.work)
}

// over says that there is nothing more to watch. A process that died while it was watched may have
// been followed by another one at once, so that the next look decides.
func (w *watcher) over() bool {
	st := w.visit.State()
	switch {
	case st.Finished != nil:
		return true
	case w.owned:
		w.gone = time.Time{}
		return false
	case w.wait:
		return false
	case !w.watched || st.Paused != nil:
		return true
	case w.gone.IsZero():
		w.gone = time.Now()
		return false
	}
	return time.Since(w.gone) >= ownerPoll
}

// looksApart is the shortest time between two looks into a busy journal: whoever reads it keeps
// its owner from writing, for moments that should be few.
const looksApart = 150 * time.Millisecond

// pause waits for news, or until it is time to see whether the run's process is alive: one that
// dies changes no journal.
func (w *watcher) pause(ctx context.Context, changes <-chan struct{}) error {
	rest, alive := time.NewTimer(looksApart), time.NewTimer(ownerPoll)
	defer rest.Stop()
	defer alive.Stop()
	var told <-chan time.Time
	if len(w.followed) > 0 {
		poll := time.NewTicker(toldPoll)
		defer poll.Stop()
		told = poll.C
	}
	rested, changed := false, false
	for !rested || !changed {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-rest.C:
			rested = true
			if w.visit.State().Paused != nil && w.owned {
				return nil // its process is about to leave
			}
		case <-changes:
			changed = true
		case <-alive.C:
			return nil
		case <-told:
			if err := w.lookAtTold(); err != nil {
				return err
			}
		case <-w.view.frames():
			if err := w.view.drawn(); err != nil {
				return err
			}
		}
	}
	return nil
}

// left ends the watching by Ctrl-C, or by an error.
func (w *watcher) left(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	if err := w.view.drawn(); err != nil {
		return err
	}
	w.a.say("no longer watching run " + w.visit.ID() + "; it was left alone")
	return exitCode(exitAtOnce)
}

// end says how the run stands.
func (w *watcher) end() error {
	st := w.visit.State()
	at := w.a.standingOf(st, w.owned)
	code := codeOfState(at.state, st)
	if err := w.view.ended(at, code); err != nil {
		return err
	}
	line := fmt.Sprintf("run %s (%s): %s, %s", st.ID, st.Started.Title, at.state, term.Plural(int64(w.far.calls), "call", "calls"))
	if used := usageText(st.UsageAt(st.Head)); used != "" {
		line += ", " + used
	}
	w.a.say(line)
	if why := whyEnded(st); why != "" {
		w.a.say(why)
	}
	w.a.hints(at.hints())
	return ends(code)
}

// codeOfState is the exit code of a run that nothing executes, or that has ended.
func codeOfState(state string, st *journal.State) int {
	failed := 0
	if st.Finished != nil {
		failed = st.Finished.FailedCalls
	}
	return codeOf(state, failed)
}
