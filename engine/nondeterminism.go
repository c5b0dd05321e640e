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

// outsideDiff says what differs in the parts of an identity that come from outside of the script, in one
// line.
func outsideDiff(old, now json.RawMessage) string {
	var was, is outside
	if json.Unmarshal(orEmpty(old), &was) != nil || json.Unmarshal(orEmpty(now), &is) != nil || was == is {
		return strings.Join(strings.Fields(string(orEmpty(old))+" is now "+string(orEmpty(now))), " ")
	}
	var all []string
	add := func(what string, was, is any) {
		before, after := oneLine(was), oneLine(is)
		if before != after {
			all = append(all, what+" was "+before+" and is "+after)
		}
	}
	switch w, i := was.AgentType, is.AgentType; {
	case w != nil && i != nil && w.Name == i.Name:
		if w.SHA256 != i.SHA256 {
			all = append(all, "the definition of the agent type "+i.Name+" was edited")
		}
	default:
		add("the agent type", w, i)
	}
	add("the tier", was.Tier, is.Tier)
	add("the policy of the approval", was.Policy, is.Policy)
	if len(all) == 0 {
		return string(orEmpty(old)) + " is now " + string(orEmpty(now))
	}
	return strings.Join(all, "; ")
}

func orEmpty(part json.RawMessage) json.RawMessage {
	if len(part) == 0 {
		return json.RawMessage("{}")
	}
	return part
}

// oneLine writes a part for people: its members without quotes.
func oneLine(part any) string {
	text, err := json.Marshal(part)
	if err != nil || string(text) == "null" {
		return "none"
	}
	return strings.NewReplacer(`"`, "", "{", "", "}", "", ":", " ", ",", ", ").Replace(string(text))
}
