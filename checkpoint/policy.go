package checkpoint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
)

// ModeAsk is the permission mode of an approval that names none: ask before each change.
const ModeAsk = "ask"

// Modes are the permission modes an approval can be given with.
var Modes = []string{ModeAsk, "accept-edits", "auto"}

// Policy is how the work under an approval is to be done. It is part of the approval: a person
// chooses it with the yes, and it holds for the calls made under that yes alone.
type Policy struct {
	// Mode is the permission mode, one of [Modes]; "" is ask.
	Mode string
	// Model and Effort are names that only the agent understands; "" leaves them to the script.
	Model, Effort string
}

// PolicyOf gives the policy that a gate was approved with.
func PolicyOf(g *journal.Gate) Policy {
	if g.Answer == nil {
		return Policy{Mode: ModeAsk}
	}
	return Policy{Mode: cmp.Or(g.Answer.Mode, ModeAsk), Model: g.Answer.Model, Effort: g.Answer.Effort}
}

// IsDefault reports whether p is what a yes that says no more gives.
func (p Policy) IsDefault() bool { return p == Policy{Mode: ModeAsk} || p == Policy{} }

// String names the policy for people.
func (p Policy) String() string {
	text := "mode " + cmp.Or(p.Mode, ModeAsk)
	if p.Model != "" {
		text += ", model " + p.Model
	}
	if p.Effort != "" {
		text += ", effort " + p.Effort
	}
	return text
}

// check refuses a policy that means nothing. A name is held to what it is: it goes to a program
// as it stands, and no other one takes its place.
func (p Policy) check() error {
	if p.Mode != "" && !slices.Contains(Modes, p.Mode) {
		return fault.New(fault.AnswerInvalid, fmt.Sprintf("there is no permission mode %q", p.Mode), "the modes are "+strings.Join(Modes, ", "))
	}
	for _, named := range []struct{ what, name string }{{"model", p.Model}, {"effort", p.Effort}} {
		if named.name == "" {
			continue
		}
		if err := CheckName(named.what, named.name); err != nil {
			return err
		}
	}
	return nil
}

// CheckName refuses what is no name of a model or an effort: an empty one, white space around
// it, what cannot be shown, and more than [MaxName] bytes.
func CheckName(what, name string) error {
	var why string
	switch {
	case strings.TrimSpace(name) == "":
		why = "is empty"
	case len(name) > MaxName:
		why = fmt.Sprintf("has %d bytes; %d is the most", len(name), MaxName)
	case strings.TrimSpace(name) != name:
		why = fmt.Sprintf("has white space around it: %q", name)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		why = fmt.Sprintf("has characters that cannot be shown: %q", name)
	default:
		return nil
	}
	return fault.New(fault.AnswerInvalid, "the name of the "+what+" "+why, "name the "+what+" as the agent knows it, or leave it out")
}
