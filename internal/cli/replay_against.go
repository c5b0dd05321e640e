package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/seed-8d4a6081/assent/engine"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// againstReport is what an edited script would make of runs, as --json prints it.
type againstReport struct {
	Format int          `json:"format"`
	Exit   int          `json:"exit"`
	Script string       `json:"script"`
	Runs   []againstRow `json:"runs"`
	Left   []leftOut    `json:"left"`
}

type againstRow struct {
	Run      string       `json:"run"`
	Title    string       `json:"title"`
	State    string       `json:"state"`
	Diverges bool         `json:"diverges"`
	First    *placeRow    `json:"first,omitempty"`
	Replayed int          `json:"replayed"`
	Again    []changedRow `json:"again"`
	New      []changedRow `json:"new"`
	Asked    []askedRow   `json:"asked"`
	Anyway   []repeatRow  `json:"anyway"`
	Behind   []behindRow  `json:"behind"`
	Gone     []behindRow  `json:"gone"`
	// Same says that the edited script ends as the run's own does by its journal, or that neither
	// ends; Ending and Before are how they do.
	Same   bool       `json:"same"`
	Ending *endingRow `json:"ending,omitempty"`
	Before *endingRow `json:"before,omitempty"`
	// Error is why the run could not be compared.
	Error *problem `json:"error,omitempty"`
}

type placeRow struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type changedRow struct {
	repeatRow
	placeRow
	Diff    string `json:"diff,omitempty"`
	Was     string `json:"was,omitempty"`
	Repeats bool   `json:"repeats"`
}

type askedRow struct {
	repeatRow
	placeRow
	Assumed  bool `json:"assumed"`
	Question bool `json:"question"`
}

type behindRow struct {
	Key      string `json:"key"`
	Name     string `json:"name"`
	Label    string `json:"label,omitempty"`
	ReadOnly bool   `json:"readOnly"`
}

type endingRow struct {
	State  string          `json:"state"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *problem        `json:"error,omitempty"`
}

// against compares an edited script with the one that runs have.
func (a *app) against(ctx context.Context, named []string, f replayFlags) error {
	store, err := a.existing()
	if err != nil {
		return err
	}
	workspace, err := a.workspace()
	if err != nil {
		return err
	}
	program, path, err := a.compile(f.against, workspace)
	if err != nil {
		return err
	}
	options, err := a.comparing(store, workspace)
	if err != nil {
		return err
	}
	o := againstReport{Format: jsonFormat, Script: path, Runs: []againstRow{}}
	var runs []string
	if f.all {
		runs, o.Left, err = a.allRuns(ctx, store, notComparable(program))
	} else {
		runs, err = findAll(ctx, store, named)
		o.Left = []leftOut{}
	}
	if err != nil {
		return err
	}
	for _, id := range runs {
		row, err := compared(ctx, id, program, options, f.strict)
		if err != nil {
			p := problemOf(err)
			row.Error, row.Diverges = &p, true
			o.Exit = worse(o.Exit, err)
		} else if row.Diverges && o.Exit == exitOK {
			o.Exit = exitFailed
		}
		o.Runs = append(o.Runs, row)
	}
	if a.json {
		if err := a.emit(o); err != nil {
			return err
		}
		return ends(o.Exit)
	}
	if err := a.print(a.againstText(o, f.strict)); err != nil {
		return err
	}
	a.none(len(o.Runs), "assent ls")
	return ends(o.Exit)
}

// notComparable says why --all leaves a run out: it is of another script, at work, or over for good.
func notComparable(program *vm.Program) func(context.Context, *journal.Store, journal.Summary) string {
	return func(ctx context.Context, store *journal.Store, s journal.Summary) string {
		visit, err := store.Visit(ctx, s.ID)
		if err != nil {
			return "" // it fails by itself
		}
		defer visit.Close()
		st := visit.State()
		switch {
		case st.Started.Title != program.Meta().Name && st.Program.Name != program.Name():
			return fmt.Sprintf("it runs another script, %s (%q)", st.Program.Name, short(st.Started.Title))
		case s.Owned:
			return fmt.Sprintf("process %d executes it", s.Owner.PID)
		case s.State == journal.StatusCancelled:
			return "it was cancelled, and cannot be resumed"
		}
		return ""
	}
}

// comparing are the options of an execution that does nothing: a script may name agents, their models and
// agent types in it as in a run.
func (a *app) comparing(store *journal.Store, workspace string) (engine.Options, error) {
	c, err := a.config(workspace)
	if err != nil {
		return engine.Options{}, err
	}
	return a.equipped(engine.Options{Store: store, Now: a.Now, Workflows: library{a, workspace}}, c, workspace)
}

func compared(ctx context.Context, id string, program *vm.Program, o engine.Options, strict bool) (againstRow, error) {
	row := againstRow{
		Run: id, Again: []changedRow{}, New: []changedRow{}, Asked: []askedRow{}, Anyway: []repeatRow{}, Behind: []behindRow{}, Gone: []behindRow{},
	}
	c, err := engine.Against(ctx, id, program, o)
	if err != nil {
		return row, err
	}
	row.Title, row.State, row.Replayed, row.Diverges, row.Same = c.Title, c.State, c.Replayed, c.Diverges(strict), c.SameEnding
	row.Again, row.New = changedRows(c.Again), changedRows(c.New)
	for _, g := range c.Asked {
		row.Asked = append(row.Asked, askedRow{rowOf(g.RepeatedCall), placeOf(g.Call), g.Assumed, g.Question})
	}
	row.Anyway = repeatRows(c.Anyway)
	row.Behind, row.Gone = behindRows(c.Behind), behindRows(c.Gone)
	row.Ending, row.Before = endingRowOf(c.Ending), endingRowOf(c.Before)
	if c.First != nil {
		row.First = &placeRow{c.First.File, c.First.Line, c.First.Column}
	}
	return row, nil
}

func rowOf(c engine.RepeatedCall) repeatRow { return repeatRow{c.Key, c.Name, c.Label, c.Reason} }

func placeOf(c journal.Call) placeRow { return placeRow{c.File, c.Line, c.Column} }

func changedRows(calls []engine.ChangedCall) []changedRow {
	rows := []changedRow{}
	for _, c := range calls {
		rows = append(rows, changedRow{rowOf(c.RepeatedCall), placeOf(c.Call), c.Diff, c.Was, c.Repeats})
	}
	return rows
}

func behindRows(calls []engine.RepeatedCall) []behindRow {
	rows := []behindRow{}
	for _, c := range calls {
		rows = append(rows, behindRow{c.Key, c.Name, c.Label, c.Call.ReadOnly || isGate(c.Name)})
	}
	return rows
}

func endingRowOf(e *engine.Ending) *endingRow {
	if e == nil {
		return nil
	}
	row := &endingRow{State: e.State, Result: e.Result}
	if e.Err != nil {
		p := problemOf(e.Err)
		row.Error = &p
	}
	return row
}
