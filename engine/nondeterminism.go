package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// nondeterministic is the refusal of a call that asks for something else although the script
// and everything it has seen are the same as when entry seq was written. It gives nil where
// that cannot be said: another program, other settings, or an answer in force that this
// attempt has not delivered.
func (a *attempt) nondeterministic(c *call, oldIdentity string, oldArgs []json.RawMessage, seq uint64) error {
	if oldIdentity == c.identity || a.programAt(seq) != a.program.Hash() || !a.order.completeTo(a.turn) {
		return nil
	}
	if a.st.SettingsAt(seq) != a.st.Settings {
		return nil
	}
	for _, r := range a.st.Replaced {
		if r.Seq <= a.turn && r.By > seq {
			return nil // the old request may rest on an answer that was replaced since
		}
	}
	what := fmt.Sprintf("%s:%d:%d: the script asks for something else at %s than it did before, although everything it has seen is the same",
		c.Pos.File, c.Pos.Line, c.Pos.Column, c.Key)
	if diff := argsDiff(oldArgs, c.Args); diff != "" {
		what += "\n" + diff
	}
	return fault.New(fault.NondeterministicScript, what,
		"assent resume "+a.st.ID+" --script FILE   # after mending what differs between two executions, such as state kept outside the script")
}

// programAt is the hash of the program that was in force when entry seq was written.
func (a *attempt) programAt(seq uint64) string {
	hash := a.st.Started.Program.Hash
	for _, t := range a.st.Attempts {
		if t.Seq > seq {
			break
		}
		if t.Program != nil {
			hash = t.Program.Hash
		}
	}
	return hash
}

// argsDiff shows two lists of arguments as a difference, "" if the old one is unknown.
func argsDiff(old, now []json.RawMessage) string {
	if old == nil {
		return ""
	}
	return udiff.Unified("expected (journal)", "actual (script)", pretty(old), pretty(now))
}

func pretty(args []json.RawMessage) string {
	var b bytes.Buffer
	for _, arg := range args {
		if json.Indent(&b, arg, "", "  ") != nil {
			b.Write(arg)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// outsideDiff shows how a configuration changed.
func outsideDiff(old, now json.RawMessage) string {
	for _, part := range []*json.RawMessage{&old, &now} {
		if len(*part) == 0 {
			*part = json.RawMessage("{}")
		}
	}
	return strings.TrimSpace(udiff.Unified("before", "now", pretty([]json.RawMessage{old}), pretty([]json.RawMessage{now})))
}
