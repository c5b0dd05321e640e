package runners

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// values says what follows an argument.
type values int

// What may follow.
const (
	noValue   values = iota
	oneValue         // in the same word behind "=", or the next word
	nextValue        // the next word
	someValues
)

// known are the arguments of a program that a configuration may give a call that only reads: those that
// are known to change nothing of what the call may do. All others are refused, since a program has
// more arguments than its help names, and the next version has others.
type known struct {
	kind string
	// takes are the arguments by name.
	takes map[string]values
	// glued are those of one letter whose value may stand in the same word.
	glued []string
	// allows looks at the value of an argument; nil allows any.
	allows func(name, value string) bool
}

// given is an argument with its value.
type given struct{ name, value string }

// check reads the arguments of a configuration, for a call that only reads if readOnly. The error is
// AGENT_UNABLE.
func (k known) check(o Options, readOnly bool) ([]given, error) {
	args, own := o.Args, programName(o.Program)
	started := own != "" && own != k.kind // by another program, such as npx, which has words of its own first
	if end := slices.Index(args, "--"); end >= 0 && (readOnly || !started || end+1 == len(args) || !plain(args[end+1])) {
		return nil, k.refused("--") // all that follows, the fence too, would be words of a prompt
	}
	if !readOnly {
		return nil, nil
	}
	for started && len(args) > 0 && plain(args[0]) {
		args = args[1:]
	}
	var all []given
	for len(args) > 0 {
		g, rest, ok := k.next(args)
		if !ok || k.allows != nil && !k.allows(g.name, g.value) {
			return nil, k.refused(args[0])
		}
		all, args = append(all, g), rest
	}
	return all, nil
}

// plain says whether a word is no argument with a name.
func plain(word string) bool { return word != "" && word[0] != '-' }

// next takes the first argument, and what follows it.
func (k known) next(args []string) (g given, rest []string, ok bool) {
	word, rest := args[0], args[1:]
	name, value, inWord := strings.Cut(word, "=")
	if len(word) > 2 && slices.Contains(k.glued, word[:2]) {
		name, value, inWord = word[:2], strings.TrimPrefix(word[2:], "="), true
	}
	takes, isKnown := k.takes[name]
	follows := func() bool { return len(rest) > 0 && plain(rest[0]) }
	switch {
	case !isKnown || inWord && (takes == noValue || takes == nextValue):
		return g, rest, false
	case inWord && takes == oneValue, takes == noValue:
		return given{name, value}, rest, true
	case takes == someValues:
		for follows() {
			rest = rest[1:]
		}
		return given{name, value}, rest, true
	case !follows():
		return g, rest, false // it would take the next argument, or the runner's first, for its value
	}
	return given{name, rest[0]}, rest[1:], true
}

// problem is what a Probe has to say of arguments with which the program would not even tell its version.
func (k known) problem(o Options) (what, next string) {
	_, err := k.check(o, false)
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e.What, e.Next
	}
	return "", ""
}

func (k known) refused(arg string) error {
	return fault.New(fault.AgentUnable, fmt.Sprintf("%s is not known to be kept within the call's fence with the argument %q", k.kind, arg),
		"take it out of the agent's args in the configuration, or give the call another agent")
}

// programName is a program's name without its folder and its extension.
func programName(program string) string {
	name := filepath.Base(filepath.ToSlash(program))
	if program == "" {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(name, filepath.Ext(name)))
}
