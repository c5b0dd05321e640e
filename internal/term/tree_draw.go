package term

import (
	"strings"
	"time"
)

// TreeRoom is where a tree is drawn.
type TreeRoom struct {
	// Width is the most columns of a row, Rows the most rows; 0 is no limit.
	Width, Rows int
	Color       bool
	// Now is the time from which elapsed times are told.
	Now time.Time
	// Moving draws what is at work with a mark that moves with Now; else it stands still.
	Moving bool
}

const (
	// deepest is how far rows are indented: a deeper nesting shifts no further.
	deepest = 12
	// narrow is the room that a label has at least.
	narrow = 12
)

// Rows draws the tree: no row is wider, and there are no more of them, than the room has.
func (t *Tree) Rows(room TreeRoom) []string {
	var pick chosen
	if room.Rows > 0 {
		pick = t.choose(room.Rows)
	}
	d := &drawing{room: room, st: style{room.Color}, pick: pick}
	d.below(&t.top, 0)
	if room.Rows > 0 && len(d.rows) > room.Rows {
		d.rows = d.rows[:room.Rows] // a room of no row at all
	}
	return d.rows
}

// drawing is one drawing of a tree.
type drawing struct {
	room TreeRoom
	st   style
	pick chosen
	rows []string
}

func (d *drawing) shows(n *Node) bool { return d.pick == nil || d.pick[n] }

// below draws what is below n, and one row for all of it that gets none.
func (d *drawing) below(n *Node, depth int) {
	var hidden [stands]int
	some, shown := false, false
	for _, b := range n.Below {
		if !d.shows(b) {
			some = true
			for s, many := range b.counts {
				hidden[s] += many
			}
			continue
		}
		shown = true
		d.rows = append(d.rows, d.row(b, depth))
		d.below(b, depth+1)
	}
	if some && (shown || n.up == nil) { // of a node that is folded up its own row tells
		d.rows = append(d.rows, d.st.paint(dim, d.fit(indent(depth)+"… "+tally(hidden))))
	}
}

func indent(depth int) string { return strings.Repeat("  ", min(depth, deepest)) }

func (d *drawing) fit(row string) string {
	if d.room.Width <= 0 {
		return row
	}
	return Truncate(row, d.room.Width)
}

// row is a node on one line: how it stands, its label, the time, and the rest as far as it fits.
func (d *drawing) row(n *Node, depth int) string {
	label, when, detail := Escape(n.Label), d.elapsed(n), Escape(n.Detail)
	if len(n.Below) > 0 {
		detail = strings.TrimSuffix(tally(n.counts)+"  "+detail, "  ")
	}
	head := indent(depth)
	if d.room.Width > 0 {
		head = head[:min(len(head), max(0, d.room.Width-narrow)/2*2)]
		left := d.room.Width - len(head) - 2
		label = Truncate(label, max(1, left-widthWithGap(when)))
		left -= Width(label)
		if widthWithGap(when) > left {
			when = ""
		}
		left -= widthWithGap(when)
		if left < 10 {
			detail = ""
		} else if detail != "" {
			detail = Truncate(detail, left-2)
		}
	}
	row := head + d.mark(n) + " " + d.st.marks(label)
	if when != "" {
		row += "  " + d.st.paint(dim, when)
	}
	if detail != "" {
		row += "  " + d.st.paint(dim, detail)
	}
	return row
}

func widthWithGap(text string) int {
	if text == "" {
		return 0
	}
	return Width(text) + 2
}

func (d *drawing) elapsed(n *Node) string {
	switch {
	case len(n.Below) > 0:
		return ""
	case n.Stand == StandAtWork && !n.Began.IsZero():
		return Duration(d.room.Now.Sub(n.Began))
	case n.Took > 0:
		return Duration(n.Took)
	}
	return ""
}

func (d *drawing) mark(n *Node) string {
	switch n.stand() {
	case StandWaiting:
		return d.st.paint(yellow, "?")
	case StandAtWork:
		if d.room.Moving {
			frame := d.room.Now.UnixMilli() / frameTime.Milliseconds()
			return d.st.paint(yellow, spinner[frame%int64(len(spinner))])
		}
		return d.st.paint(yellow, "·")
	case StandFailed:
		return d.st.paint(red, "✗")
	case StandCut:
		return d.st.paint(yellow, "!")
	default:
		return d.st.paint(green, "✓")
	}
}
