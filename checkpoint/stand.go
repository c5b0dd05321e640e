package checkpoint

import "github.com/seed-8d4a6081/assent/journal"

// Standing is what the record of an earlier asking is worth now.
type Standing int

const (
	// AskAgain: the question has to be asked, as a new gate.
	AskAgain Standing = iota
	// TakeUp: the gate still waits; it is taken up with its id, nonce and deadline.
	TakeUp
	// Replay: the gate's end is the answer.
	Replay
)

// Circumstances are what a standing depends on besides the record.
type Circumstances struct {
	// Program is the hash of the program that asks now; an answer about a plan holds only for
	// the program it was given under.
	Program string
	// Person says that the question can be put to a person, now or later.
	Person bool
	// Proven says that the journal's seals and anchor hold (journal.State.Proven).
	Proven bool
}

// asks reports whether the gate's own words make the question with identity. The identity in
// the record is not trusted: what a person saw are the words.
func asks(g *journal.Gate, identity string) bool {
	made, err := QuestionOf(g).Identity()
	return err == nil && made == identity && g.Identity == identity
}

// Stand says what gate g, asked before at the same call, is worth for a question with identity
// now, and if it has to be asked again, why ("" if it never was). Whether g is stale because
// something before it ran again is for the caller to know.
func Stand(g *journal.Gate, identity string, c Circumstances) (Standing, string) {
	plan := g != nil && g.Asked.Kind == string(KindPlan)
	switch {
	case g == nil:
		return AskAgain, ""
	case !asks(g, identity) && plan:
		return AskAgain, "drift"
	case !asks(g, identity):
		return AskAgain, "question changed"
	case plan && g.Asked.Program != c.Program:
		return AskAgain, "script changed"
	}
	switch g.State {
	case journal.Pending:
		return TakeUp, ""
	case journal.Approved, journal.Rejected, journal.ChangesRequested, journal.Answered:
		if !c.Proven {
			return AskAgain, "unproven"
		}
		return Replay, ""
	case journal.Defaulted, journal.Expired:
		if c.Person {
			return AskAgain, string(g.State)
		}
		return Replay, ""
	default: // interrupted, cancelled, superseded, revoked, lapsed
		return AskAgain, string(g.State)
	}
}
