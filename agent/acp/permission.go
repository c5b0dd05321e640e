package acp

import (
	"slices"

	sdk "github.com/coder/acp-go-sdk"
)

// command is what is known of a command that a tool would run.
type command int

const (
	noCommand command = iota
	readingCommand
	otherCommand
)

// use is the use of a tool that an agent wants leave for.
type use struct {
	// kind is "" for a missing or unknown one, and where the agent contradicts itself.
	kind    sdk.ToolKind
	places  []place
	command command
	// contradicts says that the agent told two things of the one use.
	contradicts bool
}

// leave is the answer to it.
type leave int

const (
	denied leave = iota
	allowed
	asked // a person decides
)

// rules are what decides over the uses of tools in one call.
type rules struct {
	readOnly bool
	// mode is the permission mode of the approval, or "".
	mode string
	// isolated says that the folder is a working tree of the call's own, person that there is somebody
	// to ask.
	isolated, person bool
}

// decide answers, and says why not. It looks at nothing but what it is given.
func (r rules) decide(u use) (leave, string) {
	switch {
	case u.writesReserved():
		return denied, "what belongs to git or to Assent is not written in any mode"
	case r.mode == "auto" && !r.readOnly:
		return allowed, ""
	case u.contradicts:
		return denied, "the agent says two different things of it"
	case r.readOnly && (u.reads() || u.changes(inScratch)):
		return allowed, ""
	case r.readOnly:
		return denied, "the call is read-only" + u.whyNot()
	case u.reads(), u.changes(inScratch):
		return allowed, ""
	case r.edits() && u.changes(inside, inScratch):
		return allowed, ""
	case r.person:
		return asked, ""
	}
	return denied, "it needs a person's leave, and nobody can be asked"
}

// recognises reports whether a command is allowed since it is one that is known to read only, and not
// by the mode or a person.
func (r rules) recognises(u use) bool {
	verdict, _ := r.decide(u)
	return verdict == allowed && (r.readOnly || r.mode != "auto")
}

// edits reports whether files inside the folder may be changed without a question: in the mode for
// it, in a working tree of the call's own, and in a call without any mode where nobody can be asked,
// which could do nothing else.
func (r rules) edits() bool {
	return r.mode == "accept-edits" || r.isolated || r.mode == "" && !r.person
}

// reads reports whether the use changes nothing: the known kinds of reading inside the call's
// folders, and commands that are recognised. A command in the scratch folder is not, as what lies
// there may tell it to run others.
func (u use) reads() bool {
	switch u.kind {
	case sdk.ToolKindRead, sdk.ToolKindSearch, sdk.ToolKindThink:
		return u.command != otherCommand && u.only(inside, inScratch, reserved)
	case sdk.ToolKindExecute:
		return u.command == readingCommand && u.only(inside)
	default:
		return false
	}
}

// changes reports whether the use changes files, and nothing but files at such places. It has to name
// them, both for a move.
func (u use) changes(at ...place) bool {
	if u.command != noCommand || !u.only(at...) {
		return false
	}
	switch u.kind {
	case sdk.ToolKindEdit, sdk.ToolKindDelete:
		return len(u.places) > 0
	case sdk.ToolKindMove:
		return len(u.places) > 1
	default:
		return false
	}
}

// writesReserved reports whether the use is to change what says what runs later.
func (u use) writesReserved() bool {
	writes := u.kind == sdk.ToolKindEdit || u.kind == sdk.ToolKindDelete || u.kind == sdk.ToolKindMove
	return writes && slices.Contains(u.places, reserved)
}

func (u use) only(at ...place) bool {
	return !slices.ContainsFunc(u.places, func(p place) bool { return !slices.Contains(at, p) })
}

// whyNot says more for a person where the reason is not in the kind.
func (u use) whyNot() string {
	switch {
	case u.kind == "":
		return ", and the agent does not say of what kind the tool is"
	case u.kind == sdk.ToolKindExecute && u.command == otherCommand:
		return ", and the command is not one that is known to read only"
	case u.kind == sdk.ToolKindExecute && u.command == noCommand:
		return ", and the agent does not say what it would run"
	case slices.Contains(u.places, outside):
		return ", and the place is outside its folder"
	}
	return ""
}

// optionFor chooses among the offered options the one that says it for this once; "" if there is none.
func optionFor(options []sdk.PermissionOption, allow bool) sdk.PermissionOptionId {
	want := sdk.PermissionOptionKindRejectOnce
	if allow {
		want = sdk.PermissionOptionKindAllowOnce
	}
	for _, o := range options {
		if o.Kind == want && o.OptionId != "" {
			return o.OptionId
		}
	}
	return ""
}
