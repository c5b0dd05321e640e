package cli

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// witnessOf chooses how a run is shown: as objects, as a tree that moves, or in lines.
func (a *app) witnessOf(w *watcher) witness {
	switch {
	case a.json:
		return &objects{a: a, w: w}
	case terminal(a.Out) != nil && !a.dumb():
		return &screenView{
			a: a, w: w, board: term.NewBoard(a.Out), color: a.env("NO_COLOR") == "", tick: time.NewTicker(term.Frame),
		}
	}
	return &lines{a: a, w: w, doing: map[string]doingLine{}}
}

// lines tells of every event in a line of its own, but of what an agent does only now and then.
type lines struct {
	a     *app
	w     *watcher
	doing map[string]doingLine
}

// doingLine is what an agent told last, by the key of its call, and when a line told of it before.
type doingLine struct {
	ev      event
	waits   bool
	printed time.Time
}

// doingApart is the time between two lines that tell what one agent does.
const doingApart = time.Second

var _ witness = (*lines)(nil)

func (l *lines) saw(ev event, _ bool) error {
	if ev.again {
		return nil
	}
	if ev.Type == string(journal.KindCallFinished) {
		delete(l.doing, ev.Call.Key)
	}
	line := fmt.Sprintf("%s  %8s  %s", ev.At.Local().Format(time.TimeOnly), "+"+ev.offset(), term.Escape(ev.text()))
	if command := l.w.answers(ev); command != "" {
		line += "   " + command
	}
	return l.a.print(line + "\n")
}

// working tells of read-only calls that have begun; the others have an entry that tells of them.
func (l *lines) working(before, now []journal.Work) error {
	for _, ev := range l.w.begun(before, now) {
		if err := l.saw(ev, false); err != nil {
			return err
		}
	}
	return nil
}

// told prints the last of what each agent does, at most once in a while.
func (l *lines) told(news []newTold) error {
	for _, n := range news {
		for _, row := range slices.Backward(n.rows) {
			if row.doing() != "" {
				d := l.doing[n.work.Key]
				d.ev, d.waits = l.w.toldEvent(n.work, row), true
				l.doing[n.work.Key] = d
				break
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(l.doing)) {
		d := l.doing[key]
		if !d.waits || l.a.Now().Sub(d.printed) < doingApart {
			continue
		}
		if err := l.saw(d.ev, false); err != nil {
			return err
		}
		d.waits, d.printed = false, l.a.Now()
		l.doing[key] = d
	}
	return nil
}

func (l *lines) drawn() error { return nil }

func (l *lines) frames() <-chan time.Time { return nil }

func (l *lines) ended(standing, int) error { return nil }

func (ev event) offset() string { return term.Duration(time.Duration(ev.OffsetMs) * time.Millisecond) }

// answers is the command that answers the question of an event, if it still waits.
func (w *watcher) answers(ev event) string {
	if ev.Gate == nil {
		return ""
	}
	st := w.visit.State()
	g := st.Gates[ev.Gate.Gate]
	if ev.Type != string(journal.KindGateAsked) || g == nil || lapsed(g, w.a.moment(st, w.owned)) != "" || g.State != journal.Pending {
		return ""
	}
	return "assent review " + st.ID
}

// typeWorking is the type of an event that is no entry: a read-only call, which has none before it
// has ended, is at work. It has no seq.
const typeWorking = "call.working"

// typeRetried is the type of another one that is no entry: an attempt at a call failed, and the next
// is at work. What became of each stands in the entry with the answer.
const typeRetried = "call.retried"

// begun are the events of read-only calls that are at work now and were not before, and of further
// attempts at any call.
func (w *watcher) begun(before, now []journal.Work) []event {
	known := map[string]journal.Work{}
	for _, work := range before {
		known[work.Key] = work
	}
	var events []event
	add := func(kind string, at time.Time, work journal.Work) {
		c := &called{Key: work.Key, Name: work.Name, Label: work.Label, Phase: work.Phase, ReadOnly: work.ReadOnly, prompt: work.Prompt}
		if kind == typeRetried {
			c.Trying = work.Trying
		}
		events = append(events, event{At: at, OffsetMs: at.Sub(w.visit.State().StartedAt).Milliseconds(), Type: kind, Call: c})
	}
	for _, work := range now {
		was, ok := known[work.Key]
		same := ok && was.Since.Equal(work.Since)
		if work.ReadOnly && !same {
			add(typeWorking, work.Since, work)
		}
		if work.Trying != "" && (!same || was.Trying != work.Trying) {
			add(typeRetried, w.a.Now(), work)
		}
	}
	return events
}

// objects writes every event as a line of JSON.
type objects struct {
	a *app
	w *watcher
}

var _ witness = (*objects)(nil)

func (o *objects) saw(ev event, _ bool) error {
	return o.a.emit(struct {
		Format int    `json:"format"`
		Run    string `json:"run"`
		event
	}{jsonFormat, o.w.visit.ID(), ev})
}

func (o *objects) working(before, now []journal.Work) error {
	for _, ev := range o.w.begun(before, now) {
		if err := o.saw(ev, false); err != nil {
			return err
		}
	}
	return nil
}

// told writes all that agents tell; what they were asked is known from their calls.
func (o *objects) told(news []newTold) error {
	for _, n := range news {
		for _, row := range n.rows {
			if row.Type == typePrompt {
				continue
			}
			if err := o.saw(o.w.toldEvent(n.work, row), false); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *objects) drawn() error { return nil }

func (o *objects) frames() <-chan time.Time { return nil }

func (o *objects) ended(at standing, code int) error {
	st := o.w.visit.State()
	return o.a.emit(struct {
		Format  int       `json:"format"`
		Run     string    `json:"run"`
		Type    string    `json:"type"`
		Title   string    `json:"title"`
		State   string    `json:"state"`
		Exit    int       `json:"exit"`
		Entries uint64    `json:"entries"`
		Usage   usageRow  `json:"usage"`
		Waiting []gateRow `json:"waiting"`
		Next    []string  `json:"next"`
	}{
		jsonFormat, st.ID, "end", st.Started.Title, at.state, code, st.Head, usageOfRun(st),
		gateRows(st.Pending(), at.moment), commands(at.hints()),
	})
}
