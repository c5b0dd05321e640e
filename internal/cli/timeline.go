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
	Totals  []phaseRow `json:"totals"`
}

// phaseRow is what the calls of a phase came to; work that was done again counts again.
type phaseRow struct {
	Phase  string `json:"phase"`
	Calls  int    `json:"calls"`
	Failed int    `json:"failed"`
	// DurationMs adds up how long the calls took, also where they ran at the same time.
	DurationMs int64    `json:"durationMs"`
	Usage      usageRow `json:"usage"`
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
	o.Totals = totals(o.Events)
	if a.json {
		return a.emit(o)
	}
	return a.print(timelineText(o) + totalsText(o.Totals))
}

// timelineText is the timeline as a table. Times are those of the local zone, which the heading
// names.
func timelineText(o timelineReport) string {
	zone := o.Started.Local().Format("MST")
	table := term.Table{Right: []bool{false, true, true}}
	table.Head("TIME ("+zone+")", "OFFSET", "SEQ", "WHAT")
	for _, ev := range o.Events {
		table.Row(ev.At.Local().Format(time.DateTime), "+"+ev.offset(), strconv.FormatUint(ev.Seq, 10), ev.text())
	}
	return table.String()
}

// totals adds up the calls that ended, by phase, in the order in which the phases came.
func totals(events []event) []phaseRow {
	rows := []phaseRow{}
	at := map[string]int{}
	for _, ev := range events {
		c := ev.Call
		if c == nil || ev.Type != string(journal.KindCallFinished) {
			continue
		}
		i, ok := at[c.Phase]
		if !ok {
			i = len(rows)
			at[c.Phase] = i
			rows = append(rows, phaseRow{Phase: c.Phase})
		}
		row := &rows[i]
		row.Calls++
		if c.Failure != nil {
			row.Failed++
		}
		row.DurationMs += c.DurationMs
		row.Usage.Input += c.Usage.Input
		row.Usage.Output += c.Usage.Output
		row.Usage.CostMicroUSD += c.Usage.CostMicroUSD
	}
	return rows
}

func totalsText(rows []phaseRow) string {
	if len(rows) == 0 {
		return ""
	}
	table := term.Table{Right: []bool{false, true, true, true, true, true}, Limit: []int{40}}
	table.Head("PHASE", "CALLS", "FAILED", "WORK", "TOKENS", "COST")
	for _, r := range rows {
		phase := r.Phase
		if phase == "" {
			phase = "-"
		}
		cost := ""
		if r.Usage.CostMicroUSD > 0 {
			cost = term.Money(r.Usage.CostMicroUSD)
		}
		table.Row(phase, strconv.Itoa(r.Calls), strconv.Itoa(r.Failed), term.Duration(time.Duration(r.DurationMs)*time.Millisecond),
			term.Tokens(r.Usage.Input+r.Usage.Output), cost)
	}
	return "\n" + table.String()
}
