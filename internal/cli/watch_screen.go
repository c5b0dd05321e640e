package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// screenView draws a run as a tree at the bottom of a terminal; what the script says, and what
// becomes of questions, stands above it and stays.
type screenView struct {
	a     *app
	w     *watcher
	board *term.Board
	color bool
	tick  *time.Ticker

	above []string // lines not printed yet
	past  []string // the last lines of the script before the watching began
	tree  *term.Tree
	drew  bool // whether the tree was drawn as executed
}

var _ witness = (*screenView)(nil)

// mostPast is how many lines that the script had said before are shown.
const mostPast = 5

func (v *screenView) saw(ev event, past bool) error {
	v.tree = nil
	var said []string
	switch {
	case ev.again:
	case ev.Note != nil:
		said = term.Quoted(strings.TrimPrefix(ev.Note.text(), "│ "), v.color)
	case past:
	case ev.Gate != nil, ev.Attempt != nil:
		said = []string{term.Escape(ev.text())}
	}
	if past {
		v.past = append(v.past, said...)
		v.past = v.past[max(0, len(v.past)-mostPast):]
		return nil
	}
	v.above = append(v.above, said...)
	return nil
}

func (v *screenView) working([]journal.Work, []journal.Work) error {
	v.tree = nil
	return nil
}

func (v *screenView) told(news []newTold) error {
	if len(news) > 0 {
		v.tree = nil
	}
	return nil
}

func (v *screenView) frames() <-chan time.Time { return v.tick.C }

// drawn draws everything anew. When the watching was left, the drawing stays as it is.
func (v *screenView) drawn() error {
	v.show(false)
	return nil
}

func (v *screenView) show(last bool) {
	columns, height := term.Size(terminal(v.a.Out))
	room := term.TreeRoom{
		Width: max(8, columns-1), Rows: max(1, height-6), Color: v.color, Now: v.a.Now(),
	}
	room.Moving = !last
	if v.tree == nil || v.drew != v.w.owned {
		v.tree, v.drew = v.w.far.tree(v.w.owned, v.w.work, v.w.doing), v.w.owned
	}
	rows := append([]string{v.head(room)}, v.tree.Rows(room)...)
	if !last {
		rows = append(rows, v.foot(room)...)
	}
	above := slices.Concat(v.past, v.above)
	v.past, v.above = nil, nil
	if last {
		v.board.Show(append(above, rows...), nil)
		return
	}
	v.board.Show(above, rows[:min(len(rows), max(1, height-1))])
}

// head says which run it is and how it stands.
func (v *screenView) head(room term.TreeRoom) string {
	st := v.w.visit.State()
	state := st.StatusWith(v.w.owned)
	text := state
	if v.w.owned && state == journal.StatusRunning {
		text += " " + term.Duration(room.Now.Sub(v.w.far.began))
	}
	if used := usageText(st.UsageAt(st.Head)); used != "" {
		text += ", " + used
	}
	name := term.Escape(st.Started.Title)
	if full := st.ID + "  " + name + "  " + text; term.Width(full) <= room.Width {
		return full
	}
	return term.Truncate(tail(st.ID)+"  "+text+"  "+name, room.Width)
}

// foot says what waits for a person, and what cannot be seen.
func (v *screenView) foot(room term.TreeRoom) []string {
	st := v.w.visit.State()
	var rows []string
	now := v.w.a.moment(st, v.w.owned)
	open := func(g *journal.Gate) bool { return lapsed(g, now) == "" }
	if slices.ContainsFunc(st.Pending(), open) {
		command := "assent review " + st.ID
		if term.Width("next: "+command) > room.Width {
			command = "assent review " + tail(st.ID)
		}
		return append(rows, term.Truncate("next: "+command, room.Width))
	}
	if !v.w.owned && v.w.wait {
		rows = append(rows, "nothing executes it; waiting until something does")
	}
	for i := range rows {
		rows[i] = term.Truncate(rows[i], room.Width)
	}
	return rows
}

func (v *screenView) ended(standing, int) error {
	v.tick.Stop()
	v.show(true)
	return nil
}
