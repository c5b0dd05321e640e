package cli

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// carried is a question as an asker program gets it: all that the review at a terminal shows. The
// contract stands in docs/reference/config.md, and is one as --json is.
type carried struct {
	Format    int             `json:"format"`
	Event     string          `json:"event"`
	Run       string          `json:"run"`
	Short     string          `json:"short"`
	Title     string          `json:"title"`
	Workspace string          `json:"workspace"`
	Gate      string          `json:"gate"`
	Key       string          `json:"key"`
	Kind      string          `json:"kind"`
	Prompt    string          `json:"prompt"`
	Choices   []string        `json:"choices,omitempty"`
	Default   json.RawMessage `json:"default,omitempty"`
	Checksum  string          `json:"checksum"`
	Nonce     string          `json:"nonce"`
	// Plan is the plan as a value, PlanText the canonical text that Checksum is of.
	Plan     json.RawMessage `json:"plan,omitempty"`
	PlanText string          `json:"planText,omitempty"`
	// Modes are the permission modes that an approval may name.
	Modes    []string   `json:"modes,omitempty"`
	Deadline *time.Time `json:"deadline,omitempty"`
	Position int        `json:"position"`
	Waiting  int        `json:"waiting"`
	Revises  string     `json:"revises,omitempty"`
	Reason   string     `json:"reason,omitempty"`
	// Remarks are what the review at a terminal says beside the question, such as what the person
	// asked to change before, and how the script has changed since they approved this very plan.
	Remarks []string `json:"remarks,omitempty"`
	// Previous is the plan that was approved last, and Diff how this one differs, in lines.
	Previous   *carriedPlan        `json:"previous,omitempty"`
	Diff       []string            `json:"diff,omitempty"`
	Artifact   *journal.Artifact   `json:"artifact,omitempty"`
	Validation *journal.Validation `json:"validation,omitempty"`
}

// carriedPlan is a plan that was approved before.
type carriedPlan struct {
	Gate     string    `json:"gate"`
	Checksum string    `json:"checksum"`
	At       time.Time `json:"at"`
	PlanText string    `json:"planText"`
}

// questionOf is the question as one line of JSON.
func questionOf(asked checkpoint.Asked, workspace string) ([]byte, error) {
	g, shown := asked.Gate, reviewOf(asked)
	q := carried{
		Format: jsonFormat, Event: "question", Run: asked.Run, Short: tail(asked.Run), Title: asked.Title, Workspace: workspace,
		Gate: g.Gate, Key: asked.Key, Kind: g.Kind, Prompt: g.Prompt, Choices: g.Choices, Default: g.Default,
		Checksum: g.Checksum, Nonce: g.Nonce, PlanText: g.Plan, Position: asked.Position, Waiting: asked.Waiting,
		Revises: g.Revises, Reason: g.Reason, Remarks: shown.Notes, Artifact: g.Artifact, Validation: g.Validation,
	}
	if g.Kind == string(checkpoint.KindPlan) {
		q.Plan, q.Modes, q.Default = json.RawMessage(g.Plan), checkpoint.Modes, nil // its default is always no
	}
	if !g.Deadline.IsZero() {
		q.Deadline = &g.Deadline
	}
	if p := asked.Previous; p != nil {
		q.Previous = &carriedPlan{p.Asked.Gate, p.Asked.Checksum, p.AnswerAt, p.Asked.Plan}
		q.Diff = strings.Split(strings.TrimSuffix(shown.Diff, "\n"), "\n")
	}
	return jsonLine(q)
}
