package cli

import (
	"slices"
	"strings"

	"github.com/seed-8d4a6081/assent/internal/term"
)

// named is the command line that was typed, with the run in it: the rest of it stays, so that
// the command means what it meant. run is "" if the line has one.
func (a *app) named(run string) string {
	words := []string{"assent"}
	verb := slices.IndexFunc(a.Args, func(word string) bool { return !strings.HasPrefix(word, "-") })
	for i, word := range a.Args {
		words = append(words, pastable(word))
		if i == verb && run != "" {
			words = append(words, run)
		}
	}
	return strings.Join(words, " ")
}

// pastable is a word as a shell takes it. One that a screen cannot show as it is, such as one of
// several lines, is to be filled in.
func pastable(word string) string {
	if term.Escape(word) == word {
		return quoteCommand([]string{word})
	}
	if flag, _, ok := strings.Cut(word, "="); ok && strings.HasPrefix(flag, "--") && term.Escape(flag) == flag {
		return quoteCommand([]string{flag}) + "=TEXT"
	}
	return "TEXT"
}
