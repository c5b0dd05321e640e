package engine

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/vm"
)

// A loop that has lost its way asks an agent the same thing over and over, each time after the answer
// to the last: while (!done) { await agent("Fix the tests") }. That is what the guard counts: calls of
// agent() with one identity, at one place of the script's structure, each in a turn of its own. Several
// in one turn are a fan-out, such as five reviewers with one prompt, and count once. Branches count each
// for itself, the rounds of a fan-out and the workflows of a loop together.
//
// The count is one of what the script asks, and not of what is done: a resume, which asks the same,
// comes to the same count, whatever of it is answered from the journal.

// What becomes of a loop: Settings.LoopGuard.
const (
	guardWarn = "warn"
	guardStop = "stop"
	guardOff  = "off"
)

// loopGuard is what an attempt counts.
type loopGuard map[loopPlace]*rounds

// loopPlace is what calls of one loop have in common.
type loopPlace struct{ path, identity string }

// rounds are the turns in which the same was asked at one place.
type rounds struct {
	turn uint64 // the last of them
	n    int
	told bool
}

// ordinals are the parts of a key that go up with each round of a loop, deeper the strands that a
// recursion adds to the one it began on. What begins on strands of its own, such as the items that
// Promise.all waits for, is several lines of work, and no loop.
var (
	ordinals = regexp.MustCompile(`#[0-9]+`)
	deeper   = regexp.MustCompile(`(~[0-9]+)(?:~[0-9]+)+`)
)

func loopPath(key string) string {
	return deeper.ReplaceAllString(ordinals.ReplaceAllString(key, ""), "$1")
}

// guardLoops counts the calls of a turn. It gives the notes that warn of loops, each loop once, or ends
// the attempt.
func (a *attempt) guardLoops(calls []vm.Call) []vm.Note {
	mode, most := a.st.Settings.LoopGuard, a.st.Settings.LoopGuardRepeats
	if most == 0 {
		most = defaultLoopRepeats
	}
	if mode == guardOff {
		return nil
	}
	var notes []vm.Note
	for _, c := range calls {
		if c.Name != agentName || c.For != "" {
			continue
		}
		p := a.checked[c.Key]
		r := a.guard.round(loopPlace{loopPath(c.Key), p.identity}, a.turn)
		if r.n < most || r.told {
			continue
		}
		r.told = true
		what := fmt.Sprintf("%s at %s:%d asks an agent the same for the %s time, each time after the answer to the last",
			(&call{Call: c, prepared: p}).String(), c.Pos.File, c.Pos.Line, nth(r.n))
		if mode != guardStop {
			notes = append(notes, vm.Note{Type: "log", Level: "warn", Text: "loop guard: " + what, Frame: c.Frame})
		} else if a.stop == nil && (a.run != nil || a.proving != nil) {
			// Calls at work end, and are kept: they are paid for.
			a.stop = &ending{state: journal.StatusFailed, err: fault.New(fault.LoopGuard, what+"; the loop guard stops it",
				"assent resume "+a.st.ID+" --script FILE   # with a loop that ends; --loop-guard warn goes on as it is")}
			if n := len(a.working); n > 0 {
				a.warn("loop guard: " + what + "; nothing more begins, and " + count(n, "call", "calls") + " at work may end")
			}
		}
	}
	return notes
}

// round counts a turn at place, once.
func (g loopGuard) round(place loopPlace, turn uint64) *rounds {
	r := g[place]
	if r == nil {
		r = &rounds{}
		g[place] = r
	}
	if r.turn != turn {
		r.turn = turn
		r.n++
	}
	return r
}

// nth writes a number of times.
func nth(n int) string {
	switch {
	case n%10 == 1 && n%100 != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// guarded refuses settings of the guards that say nothing.
func guarded(s journal.Settings) error {
	switch {
	case !slices.Contains([]string{"", guardWarn, guardStop, guardOff}, s.LoopGuard):
		return fault.New(fault.OptionInvalid, fmt.Sprintf("the loop guard cannot be %q", s.LoopGuard), "it is warn, stop or off")
	case s.LoopGuardRepeats < 0 || s.LoopGuardRepeats == 1:
		return fault.New(fault.OptionInvalid, fmt.Sprintf("the loop guard cannot count to %d", s.LoopGuardRepeats), "it counts to 2 or more: what is asked once is no loop")
	case s.ContextWarning < 0 || s.ContextWarning > 100:
		return fault.New(fault.OptionInvalid, fmt.Sprintf("the setting contextWarning cannot be %d", s.ContextWarning), "it is in hundredths of maxContextTokens, from 1 to 100")
	}
	return nil
}
