//go:build unix

package cli_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The codes that a drawing has: colours; up, and clear below; and what a terminal makes of a
// newline.
var (
	colours = regexp.MustCompile("\x1b\\[[0-9]*m")
	moves   = regexp.MustCompile("\r\x1b\\[[0-9]+A\x1b\\[J|\r\n")
	// standing is the last drawing of a run that waits.
	standing = regexp.MustCompile(`(?s)\n[^\n]*  waiting[^\n]*\n(.*)\nassent: run`)
)

const fanScript = `export const meta = { name: "fan", description: "x" };
phase("look\u001b[2J");
log("starting\r\u001b[1A");
await parallel([1, 2, 3, 4, 5, 6, 7, 8].map((n) => () => agent("work " + n, { label: "w" + n })));
return await checkpoint("Go\u001b]0;x\u0007?");
`

// In a terminal the run is a tree that is drawn anew; nothing that a script wrote reaches the
// terminal as a code, and no row is wider than the screen, on a narrow one either.
func TestWatchDrawsATree(t *testing.T) {
	t.Parallel()
	for _, columns := range []uint16{100, 30} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			t.Parallel()
			u := newUser(t, "fan.js", fanScript, "answers.toml", "[[answer]]\nlabel = \"w8\"\nrun = \"until test -e go; do sleep 0.02; done\"\ntext = \"x\"\n[[answer]]\nlabel = \"*\"\ntext = \"x\"\n")
			run := strings.TrimSpace(u.wants(0, "run", "fan.js", "--agent", "script:answers.toml", "--detach").out)
			s := u.terminalOf(columns, "watch", run)
			s.sees("parallel#0")
			s.sees("[7] w8")
			u.write("go", "")
			require.Equal(t, 4, s.ends(), s.shown())
			bare := moves.ReplaceAllString(colours.ReplaceAllString(s.shown(), ""), "\n")
			require.NotRegexp(t, "[\x00-\x09\x0b-\x1f\x7f]", bare)
			last := standing.FindStringSubmatch(bare)
			require.Len(t, last, 2, bare)
			tree := last[1] + "\n"
			if columns == 100 {
				require.Contains(t, bare, "│ starting‹CR›‹ESC›[1A\n")
				require.Contains(t, tree, "? look‹ESC›[2J  1 waiting, 8 done\n")
				require.Contains(t, tree, "\n    ✓ [7] w8  ")
				require.Contains(t, tree, "? gate ")
				return
			}
			for row := range strings.Lines(tree) {
				require.Less(t, len([]rune(strings.TrimSuffix(row, "\n"))), 31, row)
			}
		})
	}
}

// A terminal that cannot move its cursor gets lines, and without colours there are none.
func TestWatchOnPlainTerminals(t *testing.T) {
	t.Parallel()
	u := newUser(t, "fan.js", fanScript, "answers.toml", answers)
	u.wants(4, "run", "fan.js", "--agent", "script:answers.toml", "--on-gate", "suspend", "--quiet")
	run := runID.FindString(u.wants(0, "ls").out)
	u.env = append(u.env, "TERM=dumb")
	s := u.terminal("watch", run)
	require.Equal(t, 4, s.ends())
	require.NotContains(t, s.shown(), "\x1b")
	require.Contains(t, s.shown(), `"w3" (agent /parallel#0[2]/agent#0) done`)
	u.env = append(u.env, "TERM=xterm", "NO_COLOR=1")
	s = u.terminal("watch", run)
	require.Equal(t, 4, s.ends())
	require.NotRegexp(t, "\x1b\\[[0-9]*m", s.shown())
	require.Contains(t, s.shown(), "✓ [2] w3")
}
