package cli

import (
	"encoding/json"
	"time"

	"github.com/seed-8d4a6081/assent/checkpoint"
	"github.com/seed-8d4a6081/assent/journal"
)

// news is what the user's command is told of a gate that waits. The contract stands in
// docs/reference/config.md. It holds no nonce and no plan: whoever reads it can find the gate and
// cannot answer it by that.
type news struct {
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
	Asked     time.Time       `json:"asked"`
	// Age is how long it has waited, in whole seconds.
	Age      int64      `json:"age"`
	Deadline *time.Time `json:"deadline,omitempty"`
	// Waiting is how many questions of the run wait.
	Waiting int `json:"waiting"`
	// Asker says that an asker program is asked.
	Asker bool `json:"asker"`
	// Next are commands that show and answer it, and then go on with the run.
	Next []string `json:"next"`
}

func (n *notifier) newsOf(run string, g *journal.Gate) news {
	item := news{
		Format: jsonFormat, Event: "waiting", Run: run, Short: tail(run), Title: n.s.title, Workspace: n.workspace,
		Gate: g.Asked.Gate, Key: g.Key, Kind: g.Asked.Kind, Prompt: g.Asked.Prompt, Choices: g.Asked.Choices, Default: g.Asked.Default,
		Checksum: g.Asked.Checksum, Asked: g.At, Age: max(0, int64(n.s.a.Now().Sub(g.At).Seconds())),
		Waiting: len(n.open), Asker: n.s.asker != nil && !g.Suspended,
		Next: []string{"assent review " + run + " --resume", answerCommand(run, g) + " --resume"},
	}
	if g.Asked.Kind == string(checkpoint.KindPlan) {
		item.Default = nil // a plan's is always no
	}
	if !g.Asked.Deadline.IsZero() {
		item.Deadline = &g.Asked.Deadline
	}
	return item
}
