package planapprove_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/planapprove"
)

// The script that a run goes on with is compared with the one that it began with, whatever the two
// are called; what they import is compared by its path.
func TestProgramDriftUnderAnotherName(t *testing.T) {
	program := func(hash, name, text string, imports ...string) journal.Program {
		p := journal.Program{Name: name, Hash: hash, Sources: []journal.Source{{Path: name, Text: text}}}
		for i := 0; i < len(imports); i += 2 {
			p.Sources = append(p.Sources, journal.Source{Path: imports[i], Text: imports[i+1]})
		}
		return p
	}
	old := program("old", "a.js", "one\ntwo\nthree\n", "lib.js", "x\n", "gone.js", "g\n")
	for name, c := range map[string]struct {
		now      journal.Program
		has, not []string
	}{
		"edited, and another name": {
			program("new", "b.js", "one\nzwei\nthree\n", "lib.js", "x\n", "gone.js", "g\n"),
			[]string{"--- approved/a.js\n+++ now/b.js\n", " one\n", "-two\n", "+zwei\n"},
			[]string{"/dev/null", "-one", "+one", "lib.js"},
		},
		"another name alone": {
			program("new", "b.js", "one\ntwo\nthree\n", "lib.js", "x\n", "gone.js", "g\n"),
			[]string{"the script a.js is now b.js, with the same text\n"},
			[]string{"---", "+++"},
		},
		"imports": {
			program("new", "b.js", "one\ntwo\nthree\n", "lib.js", "y\n", "made.js", "m\n"),
			[]string{"--- approved/lib.js\n+++ now/lib.js\n", "-x\n", "+y\n", "--- /dev/null\n+++ now/made.js\n", "--- approved/gone.js\n+++ /dev/null\n"},
			[]string{"-one", "+one"},
		},
		"the old script is imported now": {
			program("new", "b.js", "import\n", "a.js", "one\ntwo\nthree\n", "lib.js", "x\n", "gone.js", "g\n"),
			[]string{"--- approved/a.js\n+++ now/b.js\n", "--- /dev/null\n+++ now/a.js\n"},
			[]string{"lib.js"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			st := &journal.State{Started: journal.RunStarted{Program: old}, Attempts: []journal.Attempt{{}, {Program: &c.now}}}
			gate := func(program string) *journal.Gate { return &journal.Gate{Asked: journal.GateAsked{Program: program}} }
			diff := planapprove.ProgramDrift(st, gate("old"), gate("new"))
			for _, text := range c.has {
				require.Contains(t, diff, text)
			}
			for _, text := range c.not {
				require.NotContains(t, diff, text)
			}
			require.Empty(t, planapprove.ProgramDrift(st, gate("new"), gate("new")))
			require.False(t, strings.HasPrefix(diff, "\n"))
		})
	}
}
