package term

import (
	"strings"
	"time"
)

// Stand is how a leaf of a tree stands.
type Stand int

// The stands, those that a person wants to see first coming first: where a tree does not fit,
// leaves are left out from the end of this list.
const (
	StandWaiting Stand = iota // for a person
	StandAtWork
	StandFailed
	StandCut // interrupted, and not begun again
	StandDone
	stands int = iota
)

// standWords are the stands as a row counts them.
var standWords = [stands]string{"waiting", "at work", "failed", "interrupted", "done"}

// Node is a row of a tree, and what is below it. Label and Detail may be hostile.
type Node struct {
	Label, Detail string
	// Stand is that of a node with nothing below it; of others it follows from their leaves.
	Stand Stand
	// Began is since when a leaf is at work; zero if that is not known.
	Began time.Time
	// Took is how long it was; 0 if that is not known.
	Took  time.Duration
	Below []*Node

	counts [stands]int // of the leaves
	rows   int         // of the whole subtree
	up     *Node
}

// Tree is a tree of what happens, drawn in a given room: whatever does not fit is counted.
type Tree struct {
	top    Node
	leaves [stands][]*Node // in the order of the tree
}

// NewTree takes the nodes at the top. They belong to the tree from then on.
func NewTree(nodes []*Node) *Tree {
	t := &Tree{}
	t.top.Below = nodes
	t.add(&t.top)
	return t
}

func (t *Tree) add(n *Node) {
	n.counts, n.rows = [stands]int{}, 1
	if len(n.Below) == 0 && n != &t.top {
		n.counts[n.Stand]++
		t.leaves[n.Stand] = append(t.leaves[n.Stand], n)
	}
	for _, b := range n.Below {
		b.up = n
		t.add(b)
		n.rows += b.rows
		for s, many := range b.counts {
			n.counts[s] += many
		}
	}
}

// Count is how many leaves stand so.
func (t *Tree) Count(s Stand) int { return t.top.counts[s] }

// stand is the first of the stands that any leaf below has.
func (n *Node) stand() Stand {
	for s, many := range n.counts {
		if many > 0 {
			return Stand(s)
		}
	}
	return StandDone
}

// tally counts leaves in words: "90 at work, 4,000 done".
func tally(counts [stands]int) string {
	var parts []string
	for s, many := range counts {
		if many > 0 {
			parts = append(parts, Count(int64(many))+" "+standWords[s])
		}
	}
	return strings.Join(parts, ", ")
}

// chosen are the nodes that get a row; nil means all of them.
type chosen map[*Node]bool

// choose picks the nodes for a room of so many rows: the top ones as far as half of the room
// holds them, then leaf by leaf, in the order of the stands, each with all that is above it. What
// is done comes last, and of that the latest first. A node of which something is left out needs
// one row more, which counts it.
func (t *Tree) choose(room int) chosen {
	if t.top.rows-1 <= room {
		return nil
	}
	pick, left := chosen{&t.top: true}, room-1 // one row counts what is left out at the top
	for s := range stands {
		for _, n := range t.top.Below {
			if n.stand() == Stand(s) && len(pick) <= room/2 {
				pick[n] = true
				left--
			}
		}
	}
	expanded := map[*Node]bool{&t.top: true}
	for s := range t.leaves {
		leaves := t.leaves[s]
		for i := range leaves {
			if left <= 0 {
				return pick
			}
			leaf := leaves[i]
			if Stand(s) == StandDone {
				leaf = leaves[len(leaves)-1-i]
			}
			left -= t.take(leaf, pick, expanded, left)
		}
	}
	return pick
}

// take picks a leaf and what is above it, if left is enough, and gives the rows that it took.
func (t *Tree) take(leaf *Node, pick, expanded chosen, left int) int {
	cost := 0
	for n := leaf; n != &t.top; n = n.up {
		if !pick[n] {
			cost++
		}
		if !expanded[n.up] {
			cost++
		}
	}
	if cost > left {
		return 0
	}
	for n := leaf; n != &t.top; n = n.up {
		pick[n], expanded[n.up] = true, true
	}
	return cost
}
