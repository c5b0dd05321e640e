package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/seed-8d4a6081/assent/agent/process"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// notifyLimit is how long the user's command may take to tell of one gate, and how long the end of
// an attempt waits for all that are left, unless the system says otherwise.
const notifyLimit = 10 * time.Second

// notifier tells the user that questions wait: by signs at the run's own terminal, and by a
// command of theirs where nobody is being asked there. It tells of a gate once, and never of one
// that waited before this attempt. Nothing that goes wrong here hurts the run.
type notifier struct {
	s           *session
	bell, title *term.Signs // nil gives no sign
	command     *process.Program
	workspace   string
	// limit is how long the command may take, and tooLong what it is ended with.
	limit   time.Duration
	tooLong error
	// open are the gates that wait, told those that are no news; the engine's goroutine's, then
	// drive's.
	open, told map[string]bool

	ctx    context.Context //nolint:containedctx // it spans the attempt, as the notifier does
	cancel context.CancelCauseFunc
	work   sync.WaitGroup
	mu     sync.Mutex
	queue  []news // guarded by mu
	busy   bool   // guarded by mu; deliver is at work
}

// newNotifier makes one for an attempt. ctx ends it with the attempt.
func (s *session) newNotifier(ctx context.Context, command *process.Program, workspace string) *notifier {
	limit := cmp.Or(s.a.NotifyLimit, notifyLimit)
	n := &notifier{limit: limit, tooLong: fmt.Errorf("it did not end within %s", limit), s: s, command: command, workspace: workspace, open: map[string]bool{}, told: map[string]bool{}}
	n.ctx, n.cancel = context.WithCancelCause(ctx)
	if file := terminal(s.a.Err); file != nil && !s.a.dumb() {
		signs := term.NewSigns(file)
		if s.config.notify.bell {
			n.bell = signs
		}
		if s.config.notify.title && s.a.env("TERM") != "linux" { // a console has no window
			n.title = signs
		}
	}
	for _, gate := range s.waited {
		n.told[gate] = true
	}
	return n
}

// observe is told what happens, on the engine's goroutine.
func (n *notifier) observe(e engine.Event) {
	switch e.Type {
	case engine.GateOpened:
		if e.Gate.State != journal.Pending || n.s.unproven {
			return
		}
		n.open[e.Gate.Asked.Gate] = true
		n.bell.Ring()
		n.entitle(e.Run)
		if n.s.screen == nil {
			n.tell(e.Run, e.Gate)
		}
	case engine.GateEnded:
		if !n.open[e.Gate.Asked.Gate] {
			return
		}
		delete(n.open, e.Gate.Asked.Gate)
		n.entitle(e.Run)
	default: // no question begins or ends to wait
	}
}

// entitle says in the title how many questions wait. All of it is ours.
func (n *notifier) entitle(run string) {
	if len(n.open) == 0 {
		n.title.Clear()
		return
	}
	verb := "waits"
	if len(n.open) > 1 {
		verb = "wait"
	}
	n.title.Title(fmt.Sprintf("assent %s: %s %s", tail(run), term.Plural(int64(len(n.open)), "question", "questions"), verb))
}

// ended tells of what an attempt left waiting that nobody was told of yet.
func (n *notifier) ended(r *engine.Result) {
	if r.State != journal.StatusWaiting || n.s.unproven {
		return
	}
	for _, g := range r.Waiting {
		n.open[g.Asked.Gate] = true
	}
	for _, g := range r.Waiting {
		n.tell(r.Run, g)
	}
}

// tell hands a gate to the user's command, once. It does not wait for it.
func (n *notifier) tell(run string, g *journal.Gate) {
	if n.command == nil || n.told[g.Asked.Gate] {
		return
	}
	n.told[g.Asked.Gate] = true
	item := n.newsOf(run, g)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.queue = append(n.queue, item)
	if !n.busy {
		n.busy = true
		n.work.Go(n.deliver)
	}
}

// deliver tells of one gate after the other, so that they arrive in order.
func (n *notifier) deliver() {
	for {
		n.mu.Lock()
		if len(n.queue) == 0 {
			n.busy = false
			n.mu.Unlock()
			return
		}
		item := n.queue[0]
		n.queue = n.queue[1:]
		n.mu.Unlock()
		if err := n.run(item); err != nil && !errors.Is(context.Cause(n.ctx), context.Canceled) {
			n.s.line(fmt.Sprintf("warning: notify.command did not tell of gate %s: %v", item.Gate, err))
		}
	}
}

func (n *notifier) run(item news) error {
	input, err := jsonLine(item)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(n.ctx, n.limit, n.tooLong)
	defer cancel()
	_, err = n.command.Run(ctx, item.Run, "notify/"+item.Gate, input)
	return err
}

// close waits for what is being told, for a while, and gives the title back.
func (n *notifier) close() {
	n.title.Clear()
	late := time.AfterFunc(n.limit, func() { n.cancel(n.tooLong) })
	n.work.Wait()
	late.Stop()
	n.cancel(nil)
}
