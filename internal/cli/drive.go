package cli

import (
	"context"
	"sync/atomic"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// session is one attempt at a run, as the command line drives it.
type session struct {
	a      *app
	store  *journal.Store
	flags  driveFlags
	config config
	// screen is the terminal at which a person is asked, nil if nobody is.
	screen *term.Terminal
	// asker is the program through which a person is asked where there is no screen; nil if none is.
	asker *askerProgram
	// notices tells that questions wait; waited are those that did before this attempt.
	notices *notifier
	waited  []string
	live    *term.Live
	// interrupt is what the first Ctrl-C does.
	interrupt context.CancelFunc
	// toldID is set when the parent of a detached run knows the run's id.
	toldID atomic.Bool
	// announced are the gates that the talk has named; the engine's goroutine's, then drive's.
	announced map[string]bool
	// title is the run's name, for the last line.
	title string
	// phase is the one that the last line of the script named, "" if it named none; the engine's goroutine's.
	phase string
	// script is its file as it is typed here, "" if that is not known.
	script string
	// agents counts the agents that answered, reported says that one of them said what it used.
	agents   int
	reported bool
	// listed are the calls that the live list has, shown the failures that it has told, by call;
	// guarded as announced is.
	listed map[string]bool
	shown  map[string]string
	// delivery is what a delivery came to, once the attempt has ended; nil of any other run.
	delivery *delivered
	// used is what the run used; nil until the attempt has ended.
	used *usageRow
	// program and calls are what the journal has of the script and its calls, once the attempt has ended.
	program journal.Program
	calls   map[string]*journal.CallState
	// refused says, for people, that this person's own answer ended the run; "" if it did not.
	refused string
	// said is an answer that the command recorded before it resumed the run.
	said *recordedAnswer
	// unproven says that no answer would count: questions wait, unasked.
	unproven bool
}

// interactive reports whether a person can be asked here: standard input and standard error
// are terminals, nothing says otherwise, and this is no agent's terminal.
func (a *app) interactive(f driveFlags) bool {
	if f.headless || f.detach || f.report > 0 || terminal(a.In) == nil || terminal(a.Err) == nil {
		return false
	}
	_, under := process.UnderAgent()
	return !under
}

// attached reports whether questions go to the configured asker program where there is no
// terminal. Below an agent it is as little asked as a terminal would be: whoever starts a run
// chooses the configuration too.
func (a *app) attached(f driveFlags, c config) bool {
	if c.asker == nil || f.headless || f.simulated {
		return false
	}
	_, under := process.UnderAgent()
	return !under
}

// people finds the programs that the user's configuration names, before anything starts: one that
// is missing is not first noticed at the first gate.
func (s *session) people(f driveFlags, workspace string) (command *process.Program, err error) {
	if p := s.config.notify.command; p != nil {
		if command, err = p.find(s.a, workspace); err != nil {
			return nil, err
		}
	}
	if !s.a.attached(f, s.config) {
		return command, nil
	}
	program, err := s.config.asker.find(s.a, workspace)
	if err == nil && !s.unproven && !s.a.interactive(f) {
		s.asker = &askerProgram{program, s.config.askerLimit, workspace}
	}
	return command, err
}

// halfTerminal says why a person who seems to be here cannot be asked.
func (a *app) halfTerminal(f driveFlags) string {
	in, out := terminal(a.In) != nil, terminal(a.Err) != nil
	switch {
	case f.headless || f.detach || f.report > 0 || in == out:
		return ""
	case in:
		return "standard error is no terminal"
	default:
		return "standard input is no terminal"
	}
}

// openTerminal gives the terminal of a person, nil if there is none.
func (a *app) openTerminal() *term.Terminal {
	t, err := term.Open(terminal(a.In), terminal(a.Err), term.Options{Color: a.color(), Dumb: a.dumb()})
	if err != nil {
		return nil
	}
	return t
}

// attempt is what a session drives: a start or a resume.
type attempt func(ctx context.Context, o engine.Options) (*engine.Result, error)

// drive drives one attempt and reports how it ended.
func (a *app) drive(ctx context.Context, store *journal.Store, f driveFlags, o engine.Options, s *session, do attempt) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a.stamp(&o.Settings)
	s.a, s.store, s.flags, s.interrupt = a, store, f, cancel
	s.announced, s.listed, s.shown = map[string]bool{}, map[string]bool{}, map[string]string{}
	command, err := s.people(f, o.Workspace)
	if err != nil {
		return err
	}
	if a.interactive(f) {
		s.screen = a.openTerminal()
	} else if why := a.halfTerminal(f); why != "" && s.asker != nil {
		a.say("questions go to the asker: " + why)
	} else if why != "" {
		a.say("headless: " + why)
	}
	s.notices = s.newNotifier(ctx, command, o.Workspace)
	animate := terminal(a.Err) != nil && !a.dumb() && f.report == 0
	s.live = term.NewLive(term.LiveOptions{
		Out: a.Err, Animate: animate && !f.quiet, Color: a.color(), Now: a.Now,
		Size: func() (int, int) { return term.Size(terminal(a.Err)) },
	})
	defer s.live.Close()
	s.introduces(o.Agent, o.Agents)
	stop := a.onSignals(s.firstSignal, s.secondSignal)
	defer stop()
	defer s.closeReport()
	defer s.notices.close()

	o.Store, o.OnGate, o.Observe, o.Told, o.Now, o.Environ = store, f.rule(), s.observe, s.told, a.Now, a.Env
	switch {
	case s.screen != nil:
		o.Asker, o.Recover = s, s.askRepeat
	case s.asker != nil:
		o.Asker = s.asker
	}
	result, err := do(ctx, o)
	s.live.Close()
	if err != nil {
		return err
	}
	s.tellID(result.Run)
	s.notices.ended(result)
	return s.report(context.WithoutCancel(ctx), result)
}

// firstSignal asks the engine to end in good order.
func (s *session) firstSignal() {
	s.interrupt()
	s.live.Say("assent: interrupted: ending the agents and writing the journal; once more leaves at once")
}

// secondSignal leaves. Agents that are left over are ended by whoever resumes the run.
func (s *session) secondSignal() {
	if s.screen != nil {
		s.screen.Restore()
	}
	s.notices.title.Clear()
	s.a.Exit(exitAtOnce)
}
