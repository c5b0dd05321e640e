package acp

import (
	sdk "github.com/coder/acp-go-sdk"
)

// What the tests see of the inside.
type (
	Use   = use
	Place = place
	Rules = rules
)

const (
	Outside, Inside, InScratch, Reserved      = outside, inside, inScratch, reserved
	Allowed, Denied, Asked                    = allowed, denied, asked
	NoCommand, ReadingCommand, OtherCommand   = noCommand, readingCommand, otherCommand
	MaxEvents, MaxLine, MaxOpen, MaxTerminals = maxEvents, maxLine, maxOpen, maxTerminals
)

var (
	ShellWords = shellWords
	OptionFor  = optionFor
	TokensOf   = tokensOf
	ResetIn    = resetIn
	WellGiven  = wellGiven
)

func NewUse(kind sdk.ToolKind, c command, places ...place) use {
	return use{kind: kind, places: places, command: c}
}

// ReadsIn reports whether a command line or words are recognised in a folder of a call's, with git there.
func ReadsIn(dir, scratch, cwd string, command any) bool {
	f, err := openFolder(dir, scratch)
	return err == nil && looker{f, cwd, func(string) bool { return true }}.judge(command) == readingCommand
}

// Contradicting is a use of which the agent said two things.
func Contradicting(u use) use {
	u.contradicts = true
	return u
}

func NewRules(readOnly bool, mode string, isolated, person bool) rules {
	return rules{readOnly: readOnly, mode: mode, isolated: isolated, person: person}
}

func (r rules) Decide(u use) leave {
	verdict, _ := r.decide(u)
	return verdict
}

// LocateIn says where a path leads for a call in dir with a scratch folder.
func LocateIn(dir, scratch, path string) (place, error) {
	f, err := openFolder(dir, scratch)
	if err != nil {
		return outside, err
	}
	at, _, _ := f.locate(path)
	return at, nil
}

// Lines is how many lines a text has for an agent.
func Lines(text string, from, limit *int) string { return lines(text, from, limit) }
