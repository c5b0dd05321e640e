package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// after are the hints after an attempt. What they depend on stands in the journal: whether a
// person said no or nobody was here to say anything, and what was cut off.
func (s *session) after(ctx context.Context, r *engine.Result) ([]hint, moment) {
	visit, err := s.store.Visit(ctx, r.Run)
	if err != nil {
		return []hint{{"assent show " + r.Run, ""}}, moment{now: s.a.Now()}
	}
	defer visit.Close()
	st := visit.State()
	used := usageOfRun(st)
	s.used = &used
	s.warnOfBudget(st)
	s.program, s.calls = st.Program, st.Calls
	at := s.a.standingAfter(r, st)
	if s.script != "" {
		at.script = s.script
	}
	at.suspends = at.suspends || s.flags.rule() == checkpoint.Suspend
	s.refused, s.delivery = ownRefusal(at.stoppedBy), at.delivery
	return at.hints(), at.moment
}

// ownRefusal says what this person answered to the plan for whose want of an approval a run ended;
// "" if it was not they.
func ownRefusal(g *journal.Gate) string {
	if g == nil || g.Answer == nil || g.Answer.Unanswered != "" {
		return ""
	}
	if me := who(""); g.Answer.Who.User != me.User || g.Answer.Who.Host != me.Host {
		return ""
	}
	switch g.State {
	case journal.Rejected:
		return "You rejected the plan"
	case journal.ChangesRequested:
		return "You asked for changes, and the script asked about no other plan"
	}
	return ""
}

// warnOfBudget says that a budget cannot hold agents that do not say what they use.
func (s *session) warnOfBudget(st *journal.State) {
	if s.agents > 0 && !s.reported && st.Settings.Budget != (journal.Usage{}) && st.UsageAt(st.Head) == (journal.Usage{}) {
		s.a.say("warning: the agent reports no usage, so --budget cannot hold it")
	}
}

// failures says which calls failed. What stands in a line of this attempt already is not said
// again: the error that ended the run, and a failure that was just shown.
func (s *session) failures(r *engine.Result) {
	for _, f := range r.Failures {
		if s.delivery != nil && s.delivery.failure == f.Failure.Message {
			continue // it says why the delivery stopped, and that was told
		}
		line := fmt.Sprintf("failed: %s %s: %s", f.Name, labelled(f.Label, f.Key), f.Failure.Code)
		if s.shown[f.Key] == "" && !sameFailure(r.Err, f.Failure) {
			line += ": " + f.Failure.Message
		}
		s.a.say(line)
		for _, tried := range attemptLines(f.Attempts) {
			s.a.say("  " + tried)
		}
	}
}

// branches names the branches that the calls of the run left work on.
func (s *session) branches(run string) string {
	var names []string
	for _, key := range slices.Sorted(maps.Keys(s.calls)) {
		if c := s.calls[key]; c.Finish != nil && c.Finish.Worktree != nil && c.Finish.Worktree.Commit != c.Finish.Worktree.Base {
			names = append(names, c.Finish.Worktree.Branch)
		}
	}
	if len(names) == 0 {
		return ""
	}
	if more := len(names) - mostFollowing; more > 0 {
		names = append(names[:mostFollowing], fmt.Sprintf("and %d more", more))
	}
	return "branches: " + strings.Join(names, ", ") + "; assent worktrees " + tail(run) + " says what to do with them"
}

// usageOf is what the whole run used.
func (s *session) usageOf(r *engine.Result) usageRow {
	if s.used != nil {
		return *s.used
	}
	return usageOf(r.Usage, true, true) // the journal cannot be read any more
}

// sameFailure says that an error tells of that failure.
func sameFailure(err error, f journal.Failure) bool {
	if err == nil {
		return false
	}
	p := problemOf(err)
	return p.Code == f.Code && strings.HasSuffix(p.What, f.Message)
}

// ended is a call's failure as the live list shows it. A call that failed before it began is not
// in the list.
func (s *session) ended(e engine.Event) string {
	if e.Failure == nil {
		return ""
	}
	if strings.HasPrefix(e.Name, "delivery.") {
		return e.Failure.Code // the delivery itself says at its end what that means
	}
	if s.listed[e.Key] {
		s.shown[e.Key] = e.Failure.Message
	}
	return e.Failure.Code + ": " + strings.ReplaceAll(e.Failure.Message, "\n", " ") // the list has one line for each
}

// trouble says why the run did not complete. The text of a call that was just shown to fail is not
// repeated.
func (s *session) trouble(r *engine.Result) {
	p := problemOf(r.Err)
	if s.refused != "" && p.Code == string(fault.PlanNotApproved) {
		s.a.say(s.refused + " (" + p.Code + ")")
		return
	}
	if key := s.saidBy(p); key != "" {
		p.What = "the call " + key + " failed, as said above"
	}
	if line := sourceLine(p, s.program); line != "" {
		p.What = strings.TrimRight(p.What, "\n") + "\n" + line
	}
	s.a.trouble(p)
}
