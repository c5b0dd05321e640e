package checkpoint

import (
	"fmt"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// Rule says how a gate is settled when no person is there to answer it.
type Rule string

// The rules. A question's own rule wins over the run's.
const (
	// Default answers with the question's default, recorded as nobody's answer.
	Default Rule = "default"
	// Abort ends the run with HUMAN_INPUT_REQUIRED; the script cannot catch that.
	Abort Rule = "abort"
	// Suspend leaves the gate pending until another process answers it.
	Suspend Rule = "suspend"
)

// Rule gives the rule that settles q without a person, where run is the run's own ("" is
// Default). A question without a default, which [Default] would have to invent, is refused with
// CHECKPOINT_NEEDS_DEFAULT.
func (q Question) Rule(run Rule) (Rule, error) {
	rule := q.Headless
	if rule == "" {
		rule = run
	}
	if rule == "" {
		rule = Default
	}
	if rule == Default && q.Default == nil {
		return "", fault.New(fault.CheckpointNeedsDefault,
			fmt.Sprintf("no person is here to answer %q, and the checkpoint has no default", Excerpt(q.Prompt)),
			`add {default: …} or {headless: "abort"} or {headless: "suspend"} to the checkpoint, or run with --on-gate suspend`)
	}
	return rule, nil
}

// Suspends reports whether q, without a person, would be left for one to answer later.
func (q Question) Suspends(run Rule) bool {
	rule, err := q.Rule(run)
	return err == nil && rule == Suspend
}

// Reaches reports whether q, asked before as gate g, can be put to a person, now or later, under
// these circumstances. Where a deadline has passed, q's own rule to wait is not enough: it would be
// asked with ever new deadlines, and none would ever hold. Only an asker asks then, or a process
// that was told itself to leave questions open.
func (q Question) Reaches(g *journal.Gate, asker bool, run Rule, now time.Time) bool {
	over := g != nil && (g.State == journal.Expired || g.State == journal.Pending && Expired(g, now))
	return asker || q.Suspends(run) && (!over || run == Suspend)
}

// AbortError is the refusal that ends a run whose gate aborts it.
func (q Question) AbortError() error {
	return fault.New(fault.HumanInputRequired,
		fmt.Sprintf("human input is required for %q, and the run is headless", Excerpt(q.Prompt)),
		"run it in a terminal, or resume it with --on-gate suspend if the script's own rule allows")
}

// Excerpt shortens a prompt for a message.
func Excerpt(prompt string) string {
	const limit = 80
	runes := []rune(prompt)
	if len(runes) <= limit {
		return prompt
	}
	return string(runes[:limit]) + "…"
}
