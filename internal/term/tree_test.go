package term_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seed-8d4a6081/assent/internal/term"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func leaf(label string, s term.Stand) *term.Node { return &term.Node{Label: label, Stand: s} }

func TestTreeShowsAllThatFits(t *testing.T) {
	t.Parallel()
	tree := term.NewTree([]*term.Node{
		{Label: "look", Below: []*term.Node{{Label: "scout", Stand: term.StandDone, Took: 1200 * time.Millisecond, Detail: "950 tokens"}}},
		{Label: "work", Below: []*term.Node{
			{Label: "[0] one", Stand: term.StandAtWork, Began: noon.Add(-65 * time.Second)},
			{Label: "[1] two", Stand: term.StandFailed, Detail: "AGENT_FAILED: broken"},
			leaf("[2] three", term.StandCut),
		}},
		leaf("gate g1", term.StandWaiting),
	})
	room := term.TreeRoom{Width: 60, Rows: 7, Now: noon}
	require.Equal(t, []string{
		"✓ look  1 done",
		"  ✓ scout  1.2s  950 tokens",
		"· work  1 at work, 1 failed, 1 interrupted",
		"  · [0] one  1m 05s",
		"  ✗ [1] two  AGENT_FAILED: broken",
		"  ! [2] three",
		"? gate g1",
	}, tree.Rows(room))
	room.Color, room.Moving = true, true
	require.Contains(t, tree.Rows(room)[3], "\x1b[33m⠋\x1b[0m [0] one", "12:00:00.000 is the first of the frames")
	require.Equal(t, 1, tree.Count(term.StandFailed))
}

// Of a tree that is too tall, what waits, works or failed is shown before what is done, the latest
// of that first, and the rest is counted where it would stand.
func TestTreeOfManyBranches(t *testing.T) {
	t.Parallel()
	fan := &term.Node{Label: "parallel#0"}
	for i := range 4096 {
		s := term.StandDone
		switch i {
		case 7:
			s = term.StandFailed
		case 100, 101:
			s = term.StandAtWork
		case 4000:
			s = term.StandWaiting
		}
		fan.Below = append(fan.Below, leaf(fmt.Sprintf("[%d] w", i), s))
	}
	done := &term.Node{Label: "look", Below: []*term.Node{leaf("a", term.StandDone), leaf("b", term.StandDone)}}
	tree := term.NewTree([]*term.Node{done, {Label: "work", Below: []*term.Node{fan}}})
	require.Equal(t, []string{
		"✓ look  2 done",
		"? work  1 waiting, 2 at work, 1 failed, 4,092 done",
		"  ? parallel#0  1 waiting, 2 at work, 1 failed, 4,092 done",
		"    ✗ [7] w",
		"    · [100] w",
		"    · [101] w",
		"    ? [4000] w",
		"    … 4,092 done",
	}, tree.Rows(term.TreeRoom{Rows: 10, Now: noon}))
	require.Equal(t, []string{"? work  1 waiting,…", "… 2 done"}, tree.Rows(term.TreeRoom{Width: 19, Rows: 3, Now: noon}))
}

var counted = regexp.MustCompile(`([0-9,]+) (?:waiting|at work|failed|interrupted|done)`)

// Whatever the tree and the room: no row is too wide, there are not too many, nothing reaches the
// terminal that should not, and every leaf has a row or is counted.
func TestTreeKeepsToItsRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		leaves := 0
		var grow func(depth int) []*term.Node
		grow = func(depth int) []*term.Node {
			var nodes []*term.Node
			for range rapid.IntRange(1, 6).Draw(r, "nodes") {
				n := &term.Node{
					Label: rapid.StringN(0, 20, -1).Draw(r, "label"), Detail: rapid.SampledFrom([]string{"", "x\x1b[2Jy", "漢字漢字漢字"}).Draw(r, "detail"),
					Stand: term.Stand(rapid.IntRange(0, 4).Draw(r, "stand")), Began: noon, Took: time.Duration(rapid.IntRange(0, 9).Draw(r, "took")) * time.Second,
				}
				if depth < 4 && rapid.Bool().Draw(r, "fans") {
					n.Below = grow(depth + 1)
				} else {
					leaves++
				}
				nodes = append(nodes, n)
			}
			return nodes
		}
		tree := term.NewTree(grow(0))
		room := term.TreeRoom{Width: rapid.IntRange(8, 60).Draw(r, "width"), Rows: rapid.IntRange(1, 40).Draw(r, "rows"), Now: noon}
		rows := tree.Rows(room)
		if len(rows) > room.Rows {
			r.Fatalf("%d rows in a room of %d:\n%s", len(rows), room.Rows, strings.Join(rows, "\n"))
		}
		for _, row := range rows {
			if w := term.Width(row); w > room.Width {
				r.Fatalf("a row of %d in a width of %d: %q", w, room.Width, row)
			}
			if bad := dangerous(row); bad != "" {
				r.Fatalf("%s in %q", bad, row)
			}
		}
	})
}

// The counts of what is left out add up.
func TestTreeCountsWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		var nodes []*term.Node
		total := 0
		for i := range rapid.IntRange(1, 30).Draw(r, "fans") {
			fan := &term.Node{Label: fmt.Sprintf("fan %d", i)}
			for range rapid.IntRange(1, 30).Draw(r, "leaves") {
				fan.Below = append(fan.Below, leaf("leaf", term.Stand(rapid.IntRange(0, 4).Draw(r, "stand"))))
				total++
			}
			nodes = append(nodes, fan)
		}
		rows := term.NewTree(nodes).Rows(term.TreeRoom{Rows: rapid.IntRange(3, 200).Draw(r, "rows"), Now: noon})
		seen := 0
		for i, row := range rows {
			folded := strings.Contains(row, "fan ") && (i+1 == len(rows) || !strings.HasPrefix(rows[i+1], "  "))
			switch {
			case strings.Contains(row, "leaf"):
				seen++
			case folded, strings.Contains(row, "…"):
				for _, m := range counted.FindAllStringSubmatch(row, -1) {
					n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
					require.NoError(r, err)
					seen += n
				}
			}
		}
		if seen != total {
			r.Fatalf("%d of %d leaves are told of:\n%s", seen, total, strings.Join(rows, "\n"))
		}
	})
}

func TestBoard(t *testing.T) {
	t.Parallel()
	s := &screen{t: t}
	b := term.NewBoard(s)
	b.Show(nil, []string{"one", "two"})
	b.Show(term.Quoted("said\x1b[1A\nmore\n", false), []string{"three"})
	require.Equal(t, "│ said‹ESC›[1A\n│ more\nthree", s.see())
	b.Show([]string{"last"}, nil)
	require.Equal(t, "│ said‹ESC›[1A\n│ more\nlast", s.see())
	b.Show(nil, nil)
	require.Equal(t, "│ said‹ESC›[1A\n│ more\nlast", s.see())
}

func BenchmarkTreeOf4096(b *testing.B) {
	var branches []*term.Node
	for i := range 4096 {
		branches = append(branches, leaf(fmt.Sprintf("[%d] worker", i), term.Stand(i%5)))
	}
	for b.Loop() {
		tree := term.NewTree([]*term.Node{{Label: "parallel#0", Below: branches}})
		tree.Rows(term.TreeRoom{Width: 80, Rows: 20, Now: noon})
	}
}
