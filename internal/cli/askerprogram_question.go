package cli

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// toldOf is what every program of the user's is told of a gate.
type toldOf struct {
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
}

func toldOfGate(event, run, title, workspace, key string, g journal.GateAsked) toldOf {
	t := toldOf{
		Format: jsonFormat, Event: event, Run: run, Short: tail(run), Title: title, Workspace: workspace,
		Gate: g.Gate, Key: key, Kind: g.Kind, Prompt: g.Prompt, Choices: g.Choices, Default: g.Default, Checksum: g.Checksum,
	}
	if g.Kind == string(checkpoint.KindPlan) {
		t.Default = nil // a plan's is always no
	}
	return t
}

// carried is a question as an asker program gets it: all that the review at a terminal shows. The
// contract stands in docs/reference/config.md, and is one as --json is.
type carried struct {
	toldOf
	Nonce string `json:"nonce"`
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
	// Used is what the run's agents used until now, as far as it is known.
	Used carriedUse `json:"used"`
	// Remarks are what the review at a terminal says beside the question, such as what the person
	// asked to change before, and how the script has changed since they approved this very plan.
	Remarks []string `json:"remarks,omitempty"`
	// Previous is the plan that was approved last, and Diff how this one differs, in lines.
	Previous   *carriedPlan        `json:"previous,omitempty"`
	Diff       []string            `json:"diff,omitempty"`
	Artifact   *journal.Artifact   `json:"artifact,omitempty"`
	Validation *journal.Validation `json:"validation,omitempty"`
}

// carriedUse is what so many agents used.
type carriedUse struct {
	Agents int `json:"agents"`
	usageRow
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
		toldOf: toldOfGate("question", asked.Run, asked.Title, workspace, asked.Key, g), Nonce: g.Nonce, PlanText: g.Plan, Position: asked.Position, Waiting: asked.Waiting,
		Revises: g.Revises, Reason: g.Reason, Remarks: shown.Notes, Artifact: g.Artifact, Validation: g.Validation,
		Used: carriedUse{asked.Used.Agents, usageOfTotal(asked.Used)},
	}
	if g.Kind == string(checkpoint.KindPlan) {
		q.Plan, q.Modes = json.RawMessage(g.Plan), checkpoint.Modes
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
