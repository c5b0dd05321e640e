package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/journal"
)

// event is one thing that happened in a run, as watch and show --timeline tell it. Its type is the
// kind of the entry in the journal; which of the objects it has depends on that.
type event struct {
	Seq uint64    `json:"seq"`
	At  time.Time `json:"at"`
	// OffsetMs is how long after the run's start it was.
	OffsetMs int64       `json:"offsetMs"`
	Type     string      `json:"type"`
	Attempt  *attempted  `json:"attempt,omitempty"`
	Call     *called     `json:"call,omitempty"`
	Gate     *gateRow    `json:"gate,omitempty"`
	Note     *noted      `json:"note,omitempty"`
	End      *attemptEnd `json:"end,omitempty"`
	Told     *toldPart   `json:"told,omitempty"`

	phase string // of Gate
	// again says that it is a note of a failure that the event before told of.
	again bool
}

// attempted is the beginning of an attempt, or an import.
type attempted struct {
	Number int      `json:"number"`
	Owner  ownerRow `json:"owner"`
	Script string   `json:"script"`
	// Edited says that the script is another one than before.
	Edited bool `json:"edited,omitempty"`
	// Settings says which settings it changed, and to what.
	Settings []string `json:"settings,omitempty"`
}

// called is a call that began or ended.
type called struct {
	Key      string `json:"key"`
	Name     string `json:"name"`
	Label    string `json:"label,omitempty"`
	Phase    string `json:"phase,omitempty"`
	ReadOnly bool   `json:"readOnly"`
	// Repeats says why work is done again: interrupted, changed or failed.
	Repeats string `json:"repeats,omitempty"`
	// The rest is of a call that ended.
	Failure    *journal.Failure `json:"failure,omitempty"`
	DurationMs int64            `json:"durationMs,omitempty"`
	Usage      *usageRow        `json:"usage,omitempty"`
	Note       string           `json:"note,omitempty"`
	// Attempts are those that the call took, if it took more than one.
	Attempts []journal.CallAttempt `json:"attempts,omitempty"`
	// Trying is of a call at work: which further attempt it is, and why.
	Trying string `json:"trying,omitempty"`

	prompt string
}

// noted is a line of the script.
type noted struct {
	Type  string          `json:"type"`
	Level string          `json:"level,omitempty"`
	Text  string          `json:"text"`
	Data  json.RawMessage `json:"data,omitempty"`
	Frame string          `json:"frame,omitempty"`
}

// attemptEnd is how an attempt ended.
type attemptEnd struct {
	State       string       `json:"state"`
	Code        string       `json:"code,omitempty"`
	What        string       `json:"what,omitempty"`
	FailedCalls int          `json:"failedCalls,omitempty"`
	Outstanding []string     `json:"outstanding,omitempty"`
	Who         *journal.Who `json:"who,omitempty"`
}

// teller makes events of entries, which it has to get from the first on.
type teller struct {
	started  time.Time
	attempts int
	script   string
	settings journal.Settings
	calls    map[string]*called // as their latest entry has them
	gates    map[string]*journal.Gate
}

func newTeller() *teller {
	return &teller{calls: map[string]*called{}, gates: map[string]*journal.Gate{}}
}

// tell makes the event of the next entry. st is the run as it was then or later.
func (t *teller) tell(e journal.Entry, st *journal.State) (event, error) {
	if e.Seq == 1 {
		t.started = e.At
	}
	ev := event{Seq: e.Seq, At: e.At, OffsetMs: e.At.Sub(t.started).Milliseconds(), Type: string(e.Kind)}
	var err error
	switch e.Kind {
	case journal.KindRunStarted:
		err = told(e, func(r journal.RunStarted) {
			ev.Attempt = t.attempt(r.Owner, &r.Program)
			ev.Attempt.Edited, t.settings = false, r.Settings
		})
	case journal.KindRunResumed:
		err = told(e, func(r journal.RunResumed) {
			ev.Attempt = t.attempt(r.Owner, r.Program)
			ev.Attempt.Settings, t.settings = changedSettings(t.settings, r.Settings), r.Settings
		})
	case journal.KindRunImported:
		err = told(e, func(r journal.RunImported) {
			ev.Attempt = &attempted{Number: t.attempts, Owner: ownerRowOf(r.Owner), Script: t.script}
		})
	case journal.KindCallStarted:
		err = told(e, func(r journal.CallStarted) { ev.Call = t.call(e.Key, r.Call); ev.Call.Repeats = r.Repeats })
	case journal.KindCallFinished:
		err = told(e, func(r journal.CallFinished) { ev.Call = t.finished(e.Key, r) })
	case journal.KindNote:
		err = told(e, func(n journal.Note) {
			ev.Note = &noted{n.Type, n.Level, n.Text, n.Data, n.Frame}
			ev.again = repeats(n.Level, n.Text, func(key string) bool { return t.calls[key] != nil })
		})
	case journal.KindRunPaused:
		err = told(e, func(p journal.RunPaused) { ev.End = &attemptEnd{State: p.State, Code: p.Code, What: p.What} })
	case journal.KindRunFinished:
		err = told(e, func(f journal.RunFinished) {
			ev.End = &attemptEnd{f.State, f.Code, f.Error, f.FailedCalls, f.Outstanding, f.Who}
		})
	default:
		err = t.gate(e, st, &ev)
	}
	return ev, err
}

// told decodes an entry's record.
func told[T any](e journal.Entry, use func(T)) error {
	record, err := journal.Decode[T](e)
	if err == nil {
		use(record)
	}
	return err
}

func ownerRowOf(p journal.Process) ownerRow { return ownerRow{p.PID, p.Host, p.User} }

func (t *teller) attempt(owner journal.Process, p *journal.Program) *attempted {
	t.attempts++
	if p != nil {
		t.script = p.Name
	}
	return &attempted{Number: t.attempts, Owner: ownerRowOf(owner), Script: t.script, Edited: p != nil}
}

func (t *teller) call(key string, c journal.Call) *called {
	now := &called{Key: key, Name: c.Name, Label: c.Label, Phase: c.Phase, ReadOnly: c.ReadOnly}
	if len(c.Args) > 0 {
		_ = json.Unmarshal(c.Args[0], &now.prompt) // anything but a text is no prompt
	}
	t.calls[key] = now
	begun := *now
	return &begun
}

func (t *teller) finished(key string, f journal.CallFinished) *called {
	if f.Call != nil {
		t.call(key, *f.Call)
	}
	now := called{Key: key}
	if c := t.calls[key]; c != nil {
		now = *c
	}
	used := usageOfCall(journal.Call{Name: now.Name}, f.Usage, f.Failure)
	now.Failure, now.DurationMs, now.Usage, now.Note, now.Attempts = f.Failure, f.DurationMs, &used, f.Note, f.Attempts
	return &now
}

// gate tells of an entry about a question, with the question as it was then.
func (t *teller) gate(e journal.Entry, st *journal.State, ev *event) error {
	id := ""
	var err error
	then := func(set func(g *journal.Gate)) {
		if g := t.gates[id]; g != nil {
			set(g)
		}
	}
	switch e.Kind {
	case journal.KindGateAsked:
		err = told(e, func(r journal.GateAsked) {
			id = r.Gate
			t.gates[id] = &journal.Gate{Asked: r, Key: e.Key, Identity: e.Identity, Seq: e.Seq, At: e.At, State: journal.Pending, Suspended: r.Suspended}
		})
	case journal.KindGateSuspended:
		err = told(e, func(r journal.GateSuspended) { id = r.Gate; then(func(g *journal.Gate) { g.Suspended = true }) })
	case journal.KindGateAnswered:
		err = told(e, func(r journal.GateAnswered) {
			id = r.Gate
			then(func(g *journal.Gate) {
				g.Answer, g.AnswerSeq, g.AnswerAt, g.State = &r, e.Seq, e.At, answeredAs(st, id)
			})
		})
	case journal.KindGateClosed:
		err = told(e, func(r journal.GateClosed) {
			id = r.Gate
			then(func(g *journal.Gate) {
				g.Closed, g.AnswerSeq, g.AnswerAt, g.State = &r, e.Seq, e.At, journal.GateState(r.State)
			})
		})
	case journal.KindGateRevoked:
		err = told(e, func(r journal.GateRevoked) {
			id = r.Gate
			then(func(g *journal.Gate) {
				g.State, g.Revocation, g.RevokedSeq, g.RevokedAt = journal.Revoked, &r, e.Seq, e.At
			})
		})
	default:
		return fmt.Errorf("entry %d has the kind %q", e.Seq, e.Kind)
	}
	if g := t.gates[id]; g != nil {
		row := gateRowOf(g, moment{owned: true, now: e.At}) // whether it takes an answer now is for show
		ev.Gate, ev.phase = &row, g.Asked.Phase
	}
	return err
}

// answeredAs is what an answer made of its gate: what the gate is, unless the approval is no more.
func answeredAs(st *journal.State, gate string) journal.GateState {
	g := st.Gates[gate]
	if g == nil || g.State == journal.Revoked || g.State == journal.Lapsed {
		return journal.Approved
	}
	return g.State
}

// title names a call for people: its label, or what an agent is asked.
func (c *called) title() string {
	if c.Label != "" {
		return c.Label
	}
	if said := strings.Join(strings.Fields(c.prompt), " "); said != "" {
		return fmt.Sprintf("%s %q", c.Name, short(said))
	}
	return c.Name
}
