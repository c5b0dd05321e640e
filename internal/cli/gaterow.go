package cli

import (
	"encoding/json"
	"time"

	"github.com/seed-8d4a6081/assent/journal"
)

// gateRow is a gate in JSON.
type gateRow struct {
	Gate      string          `json:"gate"`
	Key       string          `json:"key"`
	Kind      string          `json:"kind"`
	Prompt    string          `json:"prompt"`
	Choices   []string        `json:"choices,omitempty"`
	Default   json.RawMessage `json:"default,omitempty"`
	Checksum  string          `json:"checksum"`
	State     string          `json:"state"`
	Suspended bool            `json:"suspended"`
	Asked     time.Time       `json:"asked"`
	Deadline  *time.Time      `json:"deadline,omitempty"`
	Revises   string          `json:"revises,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	// Plan is the canonical text, where a gate is to be reviewed.
	Plan     string          `json:"plan,omitempty"`
	Decision json.RawMessage `json:"decision,omitempty"`
	// Unanswered is "headless" if the default stands because nobody was here.
	Unanswered string       `json:"unanswered,omitempty"`
	Who        *journal.Who `json:"who,omitempty"`
	Mode       string       `json:"mode,omitempty"`
	Ended      *time.Time   `json:"ended,omitempty"`
	// Unanswerable says why a pending gate takes no answer: expired, interrupted or unproven.
	Unanswerable string `json:"unanswerable,omitempty"`
}

func gateRowOf(g *journal.Gate, at moment) gateRow {
	row := gateRow{
		Gate: g.Asked.Gate, Key: g.Key, Kind: g.Asked.Kind, Prompt: g.Asked.Prompt, Choices: g.Asked.Choices,
		Default: g.Asked.Default, Checksum: g.Asked.Checksum, State: string(g.State), Suspended: g.Suspended,
		Asked: g.At, Revises: g.Asked.Revises, Reason: g.Asked.Reason,
		Unanswerable: lapsed(g, at),
	}
	if !g.Asked.Deadline.IsZero() {
		row.Deadline = &g.Asked.Deadline
	}
	if g.State != journal.Pending {
		row.Ended = &g.AnswerAt
	}
	if a := g.Answer; a != nil {
		row.Decision, row.Unanswered, row.Mode = a.Decision, a.Unanswered, a.Mode
		if a.Unanswered == "" {
			row.Who = &a.Who
		}
	}
	return row
}

func gateRows(gates []*journal.Gate, at moment) []gateRow {
	rows := make([]gateRow, 0, len(gates))
	for _, g := range gates {
		rows = append(rows, gateRowOf(g, at))
	}
	return rows
}

// planRows are gateRows with the plans.
func planRows(gates []*journal.Gate, at moment) []gateRow {
	rows := gateRows(gates, at)
	for i, g := range gates {
		rows[i].Plan = g.Asked.Plan
	}
	return rows
}
