package cli

import (
	"context"
	"strconv"
	"time"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// timelineReport is what happened in a run, as show --timeline --json prints it.
type timelineReport struct {
	Format  int        `json:"format"`
	Run     string     `json:"run"`
	Title   string     `json:"title"`
	State   string     `json:"state"`
	Started time.Time  `json:"started"`
	Events  []event    `json:"events"`
	Totals  []totalRow `json:"totals"`
}

// showTimeline prints one line for everything that happened, in the order of the journal.
func (a *app) showTimeline(ctx context.Context, store *journal.Store, visit journal.Visit, owned bool) error {
	st := visit.State()
	entries, err := journal.Entries(ctx, store, st.ID)
	if err != nil {
		return err
	}
	o := timelineReport{jsonFormat, st.ID, st.Started.Title, st.StatusWith(owned), st.StartedAt, []event{}, nil}
	tell := newTeller()
	for _, e := range entries {
		if e.Seq > st.Head {
			break // it came while this was read
		}
		ev, err := tell.tell(e, st)
		if err != nil {
			return err
		}
		o.Events = append(o.Events, ev)
	}
	o.Totals = totalRows(st)
	if a.json {
		return a.emit(o)
	}
	return a.print(timelineText(o) + phasesText(st))
}

// timelineText is the timeline as a table. Times are those of the local zone, which the heading
// names.
func timelineText(o timelineReport) string {
	zone := o.Started.Local().Format("MST")
	table := term.Table{Right: []bool{false, true, true}}
	table.Head("TIME ("+zone+")", "OFFSET", "SEQ", "WHAT")
	for _, ev := range o.Events {
		if ev.again {
			continue
		}
		table.Row(ev.At.Local().Format(time.DateTime), "+"+ev.offset(), strconv.FormatUint(ev.Seq, 10), ev.text())
	}
	return table.String()
}
