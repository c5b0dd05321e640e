package cli

import (
	"encoding/json"
	"time"

	"github.com/seed-8d4a6081/assent/journal"
)

// showReport is a run, as show --json prints it.
type showReport struct {
	Format    int              `json:"format"`
	Run       string           `json:"run"`
	Title     string           `json:"title"`
	State     string           `json:"state"`
	Owner     *ownerRow        `json:"owner,omitempty"`
	Script    string           `json:"script"`
	Program   string           `json:"program"`
	Args      json.RawMessage  `json:"args"`
	Workspace string           `json:"workspace"`
	Agent     string           `json:"agent,omitempty"`
	Started   time.Time        `json:"started"`
	Attempts  int              `json:"attempts"`
	Settings  journal.Settings `json:"settings"`
	Usage     usageRow         `json:"usage"`
	Phases    []totalRow       `json:"phases"`
	Entries   uint64           `json:"entries"`
	Head      string           `json:"head"`
	Proven    bool             `json:"proven"`
	Unproven  string           `json:"unproven,omitempty"`
	Imported  *importedRow     `json:"imported,omitempty"`
	Result    json.RawMessage  `json:"result,omitempty"`
	Error     *problem         `json:"error,omitempty"`
	Calls     []callRow        `json:"calls"`
	Gates     []gateRow        `json:"gates"`
	Next      []string         `json:"next"`
}

// callRow is a call in JSON.
type callRow struct {
	Key      string `json:"key"`
	Name     string `json:"name"`
	Label    string `json:"label,omitempty"`
	Phase    string `json:"phase,omitempty"`
	State    string `json:"state"`
	ReadOnly bool   `json:"readOnly"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Under    string `json:"under,omitempty"`
	// Isolated says that it works in a working tree of its own, Outside what its agent type, its tier
	// and its approval stood for.
	Isolated bool             `json:"isolated,omitempty"`
	Outside  json.RawMessage  `json:"outside,omitempty"`
	Value    json.RawMessage  `json:"value,omitempty"`
	Failure  *journal.Failure `json:"failure,omitempty"`
	Usage    usageRow         `json:"usage"`
	Note     string           `json:"note,omitempty"`
	// Attempts are those that the call took, if it took more than one.
	Attempts []journal.CallAttempt `json:"attempts,omitempty"`
	// Worktree is what it left in a working tree of its own; the others are files beside the journal.
	Worktree   *journal.Worktree `json:"worktree,omitempty"`
	Transcript *attachmentRow    `json:"transcript,omitempty"`
	Patch      *attachmentRow    `json:"patch,omitempty"`
}

func (a *app) showObject(st *journal.State, owner journal.Process, owned bool) showReport {
	o := showReport{
		Format: jsonFormat, Run: st.ID, Title: st.Started.Title, State: st.StatusWith(owned), Script: st.Program.Name,
		Program: st.Program.Hash, Args: st.Started.Args, Workspace: st.Workspace, Agent: st.Agent,
		Started: st.StartedAt, Attempts: len(st.Attempts), Settings: st.Settings, Usage: usageOfRun(st), Phases: totalRows(st),
		Entries: st.Head, Head: st.HeadHash, Proven: st.Proven, Unproven: st.Unproven,
		Imported: importedOf(st.Imported, st.ImportedSeq),
		Calls:    []callRow{}, Gates: []gateRow{}, Next: commands(a.standingOf(st, owned).hints()),
	}
	if owned {
		o.Owner = &ownerRow{owner.PID, owner.Host, owner.User}
	}
	switch {
	case st.Finished != nil:
		o.Result = st.Finished.Result
		if st.Finished.Code != "" || st.Finished.Error != "" {
			o.Error = &problem{Code: st.Finished.Code, What: st.Finished.Error}
		}
	case st.Paused != nil && st.Paused.What != "":
		o.Error = &problem{Code: st.Paused.Code, What: st.Paused.What}
	}
	for _, c := range orderedCalls(st) {
		o.Calls = append(o.Calls, callRowOf(c, owned))
	}
	for _, id := range st.GateOrder {
		row := gateRowOf(st.Gates[id], a.moment(st, owned))
		row.Plan = st.Gates[id].Asked.Plan
		o.Gates = append(o.Gates, row)
	}
	return o
}

func callRowOf(c *journal.CallState, owned bool) callRow {
	row := callRow{
		Key: c.Key, Name: c.Call.Name, Label: c.Call.Label, Phase: c.Call.Phase, State: callState(c, owned),
		ReadOnly: c.Call.ReadOnly, File: c.Call.File, Line: c.Call.Line, Under: c.Call.Under,
		Isolated: c.Call.Isolated, Outside: c.Call.Outside,
	}
	if f := c.Finish; f != nil && !c.Unfinished() {
		row.Value, row.Failure, row.Usage, row.Note = f.Value, f.Failure, usageOfCall(c.Call, f.Usage, f.Failure), f.Note
		row.Attempts, row.Worktree = f.Attempts, f.Worktree
		row.Transcript, row.Patch = attachmentRowOf(f.Transcript), attachmentRowOf(f.Patch)
	}
	return row
}
