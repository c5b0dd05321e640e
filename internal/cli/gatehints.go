package cli

import (
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// Why a gate that is pending in the journal takes no answer any more. Of the first
// two, whoever goes on with the run records it.
const (
	lapsedExpired     = "expired"     // its deadline has passed
	lapsedInterrupted = "interrupted" // it was being shown, and that process has ended
	lapsedUnproven    = "unproven"    // no answer in its journal would count
)

// moment is what it depends on, besides the gate, whether a gate takes an answer.
type moment struct {
	owned, unproven bool
	now             time.Time
}

// lapsed says why a gate takes no answer; "" if it is not pending, or takes one.
func lapsed(g *journal.Gate, at moment) string {
	switch {
	case g.State != journal.Pending:
		return ""
	case at.unproven:
		return lapsedUnproven
	case checkpoint.Expired(g, at.now):
		return lapsedExpired
	case !g.Suspended && !at.owned:
		return lapsedInterrupted
	}
	return ""
}

// lapsedText says for people what became of a gate that takes no answer.
func lapsedText(why, run string) string {
	switch why {
	case lapsedExpired:
		return "its deadline has passed; assent resume " + run + " goes on without an answer"
	case lapsedInterrupted:
		return "it was being shown when its process ended; assent resume " + run + " asks again"
	case lapsedUnproven:
		return "the journal is not proven, so no answer would count; assent verify " + run + " says more"
	}
	return ""
}

// open are the gates that take an answer.
func (s standing) open() []*journal.Gate {
	var open []*journal.Gate
	for _, g := range s.gates {
		if lapsed(g, s.moment) == "" {
			open = append(open, g)
		}
	}
	return open
}

// lapsed is for a run that has questions, none of which takes an answer.
func (s standing) lapsed(resume string) []hint {
	if s.unproven {
		return []hint{{"assent verify " + s.run, "says what is missing"}, {"assent run " + s.script, "starts the work again"}}
	}
	if past := s.past(); past != nil {
		return past
	}
	for _, g := range s.gates {
		if lapsed(g, s.moment) == lapsedInterrupted {
			return []hint{
				{resume, "in a terminal, asks again"},
				{resume + suspended, "asks again, and leaves the question open for another terminal"},
			}
		}
	}
	return []hint{{s.resume(), "goes on; the deadline has passed"}}
}

// answers are the commands for gates that wait, behind those for what else stands in the way.
// Where the plan itself was not shown, reading it comes first.
func (s standing) answers(shown bool) []hint {
	var hints []hint
	plans := false
	for _, g := range s.open() {
		isPlan := g.Asked.Kind == string(checkpoint.KindPlan)
		plans = plans || isPlan
		why := answerWhy(g)
		if isPlan && !shown {
			why = "once you have read the plan"
			if c := g.Asked.Artifact; c != nil {
				// In zsh, at a prompt, # begins no comment.
				why += ", also at " + quoteCommand([]string{c.Path})
			}
		}
		hints = append(hints, hint{answerCommand(s.run, g), why})
		if isPlan && shown {
			hints = append(hints, hint{quoteCommand([]string{"assent", "reject", s.run, "--gate", g.Asked.Gate}), "or with --changes TEXT"})
		}
	}
	if !shown {
		why := "takes your answer"
		if plans {
			why = "shows the plan, and takes your answer"
		}
		hints = append([]hint{{"assent review " + s.run, why}}, hints...)
	}
	past := s.past()
	if !s.owned && past == nil {
		hints = append(hints, hint{s.resume(), "after the answer"})
	}
	return append(past, hints...)
}

// afterShown are the hints where the gates themselves were shown, plans and all.
func (s standing) afterShown() []hint {
	if len(s.open()) == 0 {
		return s.hints()
	}
	return s.answers(true)
}

// answerCommand answers one gate in a script.
func answerCommand(run string, g *journal.Gate) string {
	command := func(verb string, words ...string) string {
		return quoteCommand(append([]string{"assent", verb, run, "--gate", g.Asked.Gate}, words...))
	}
	switch checkpoint.Kind(g.Asked.Kind) {
	case checkpoint.KindPlan:
		return command("approve", "--checksum", g.Asked.Checksum)
	case checkpoint.KindSelect:
		return command("answer", "CHOICE")
	case checkpoint.KindConfirm:
		return command("answer", "ANSWER")
	default:
		return command("answer", "TEXT")
	}
}

// answerWhy says what is to be filled in where the word itself does not.
func answerWhy(g *journal.Gate) string {
	switch checkpoint.Kind(g.Asked.Kind) {
	case checkpoint.KindConfirm:
		return "ANSWER is yes or no"
	case checkpoint.KindSelect:
		choices := make([]string, len(g.Asked.Choices))
		for i, choice := range g.Asked.Choices {
			choices[i] = quoteCommand([]string{strings.Join(strings.Fields(choice), " ")})
		}
		return "CHOICE is one of " + strings.Join(choices, ", ")
	default:
		return ""
	}
}
