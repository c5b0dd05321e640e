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
	Plan string `json:"plan,omitempty"`
	// Artifact is the plan's copy in the workspace.
	Artifact *journal.Artifact `json:"artifact,omitempty"`
	// Validation is what another model says of the plan; it decides nothing.
	Validation *journal.Validation `json:"validation,omitempty"`
	Decision   json.RawMessage     `json:"decision,omitempty"`
	// Unanswered is "headless" if the default stands because nobody was here.
	Unanswered string       `json:"unanswered,omitempty"`
	Who        *journal.Who `json:"who,omitempty"`
	// Mode, Model and Effort are the policy of an approval.
	Mode   string     `json:"mode,omitempty"`
	Model  string     `json:"model,omitempty"`
	Effort string     `json:"effort,omitempty"`
	Ended  *time.Time `json:"ended,omitempty"`
	// Revoked says who took the approval back, and when.
	Revoked *revokedRow `json:"revoked,omitempty"`
	// Unanswerable says why a pending gate takes no answer: expired, interrupted or unproven.
	Unanswerable string `json:"unanswerable,omitempty"`
}

// revokedRow is what took an approval back, in JSON.
type revokedRow struct {
	Who    journal.Who `json:"who"`
	At     time.Time   `json:"at"`
	Reason string      `json:"reason,omitempty"`
}

func gateRowOf(g *journal.Gate, at moment) gateRow {
	row := gateRow{
		Gate: g.Asked.Gate, Key: g.Key, Kind: g.Asked.Kind, Prompt: g.Asked.Prompt, Choices: g.Asked.Choices,
		Default: g.Asked.Default, Checksum: g.Asked.Checksum, State: string(g.State), Suspended: g.Suspended,
		Asked: g.At, Revises: g.Asked.Revises, Reason: g.Asked.Reason, Artifact: g.Asked.Artifact, Validation: g.Asked.Validation,
		Unanswerable: lapsed(g, at),
	}
	if !g.Asked.Deadline.IsZero() {
		row.Deadline = &g.Asked.Deadline
	}
	if g.State != journal.Pending {
		row.Ended = &g.AnswerAt
	}
	if a := g.Answer; a != nil {
		row.Decision, row.Unanswered, row.Mode, row.Model, row.Effort = a.Decision, a.Unanswered, a.Mode, a.Model, a.Effort
		if a.Unanswered == "" {
			row.Who = &a.Who
		}
	}
	if r := g.Revocation; r != nil {
		row.Revoked = &revokedRow{r.Who, g.RevokedAt, r.Reason}
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
