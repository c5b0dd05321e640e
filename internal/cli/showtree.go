package cli

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-8d4a6081/assent/internal/term"
	"github.com/seed-8d4a6081/assent/journal"
)

// leaf is a call or a question, as a tree of phases and frames shows it.
type leaf struct {
	key, phase    string
	label, detail string
	stand         term.Stand
	began         time.Time
	took          time.Duration
}

// twig is a part of the tree while it grows: a phase, a fan-out, a branch of one, or a leaf.
type twig struct {
	label string
	index int // of a branch
	fan   bool
	leaf  *leaf
	below []*twig
}

// treeOf puts leaves, in the order in which they came, where their phases and keys say. A key
// names the frames that the call stands in (docs/explanation/determinism.md).
func treeOf(leaves []leaf) *term.Tree {
	top := &twig{}
	known := map[string]*twig{}
	under := func(up *twig, path, label string, index int) *twig {
		t := known[path]
		if t == nil {
			t = &twig{label: label, index: index}
			known[path] = t
			up.below = append(up.below, t)
		}
		return t
	}
	for i := range leaves {
		l := &leaves[i]
		at, within := top, l.phase+"\x00"
		if l.phase != "" {
			at = under(at, within, l.phase, 0)
		}
		for _, f := range framesOf(l.key) {
			at = under(at, within+f.fan, f.name, 0)
			at.fan = true
			at = under(at, within+f.branch, "["+strconv.Itoa(f.index)+"]", f.index)
		}
		at.below = append(at.below, &twig{leaf: l})
	}
	return term.NewTree(top.nodes())
}

// frame is one fan-out on the way to a call, and the branch of it.
type frame struct {
	fan, name, branch string
	index             int
}

// framesOf takes a key apart: /parallel#0[3]/agent#1 stands in the branch 3 of parallel#0. What is
// no key of that form stands in no frame.
func framesOf(key string) []frame {
	var frames []frame
	for from := 0; ; {
		open := strings.IndexByte(key[from:], '[')
		if open < 0 {
			return frames
		}
		open += from
		length := strings.IndexByte(key[open:], ']')
		if length < 0 {
			return frames
		}
		from = open + length + 1
		index, err := strconv.Atoi(key[open+1 : from-1])
		if err != nil {
			return frames
		}
		fan := key[:open]
		frames = append(frames, frame{fan, fan[strings.LastIndexByte(fan, '/')+1:], key[:from], index})
	}
}

// nodes are what is below a twig. A branch with one call is that call's row.
func (t *twig) nodes() []*term.Node {
	if t.fan {
		slices.SortStableFunc(t.below, func(a, b *twig) int { return cmp.Compare(a.index, b.index) })
	}
	nodes := make([]*term.Node, 0, len(t.below))
	for _, b := range t.below {
		switch {
		case b.leaf != nil:
			nodes = append(nodes, b.leaf.node(""))
		case t.fan && len(b.below) == 1 && b.below[0].leaf != nil:
			nodes = append(nodes, b.below[0].leaf.node(b.label+" "))
		default:
			nodes = append(nodes, &term.Node{Label: b.label, Below: b.nodes()})
		}
	}
	return nodes
}

func (l *leaf) node(before string) *term.Node {
	return &term.Node{Label: before + l.label, Detail: l.detail, Stand: l.stand, Began: l.began, Took: l.took}
}

// standOf is a call's state as a tree draws it.
func standOf(state string) term.Stand {
	switch state {
	case "at work":
		return term.StandAtWork
	case "failed":
		return term.StandFailed
	case "interrupted":
		return term.StandCut
	}
	return term.StandDone
}

// inFrames says that calls stand in more than one frame.
func inFrames(calls []*journal.CallState) bool {
	return slices.ContainsFunc(calls, func(c *journal.CallState) bool { return len(framesOf(c.Key)) > 0 })
}

// callRows are the calls of a run as a tree, in the rows that a list of them may have.
func callRows(calls []*journal.CallState, owned bool) []string {
	leaves := make([]leaf, 0, len(calls))
	for _, c := range calls {
		state := callState(c, owned)
		l := leaf{key: c.Key, phase: c.Call.Phase, label: labelled(c.Call.Label, c.Call.Name+" "+c.Key), stand: standOf(state)}
		if state != "done" {
			l.detail = state
		}
		if f := c.Finish; f != nil && !c.Unfinished() {
			l.took = time.Duration(f.DurationMs) * time.Millisecond
			if f.Failure != nil {
				l.detail += ": " + f.Failure.Code + ": " + firstLine(f.Failure.Message)
			} else {
				l.detail = strings.Trim(usageText(f.Usage)+", "+f.Note, ", ")
			}
		}
		leaves = append(leaves, l)
	}
	return treeOf(leaves).Rows(term.TreeRoom{Rows: mostCalls})
}
