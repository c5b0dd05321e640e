package vm

import (
	"strconv"

	"github.com/dop251/goja"
)

// frame is a part of the script's structure that has its own keys: the root, a branch of a
// parallel, an item of a pipeline, a node of a dag, a workflow that was started.
type frame struct {
	path string // "" is the root
	// phase is the title in force, and phaseBudget what the work in it may use; a new frame inherits them once.
	phase       string
	phaseBudget string
	// throws says that a failed agent throws unless the call says otherwise, as in a dag's node.
	throws bool
	// within are the workflows that this one stands in, the outermost first.
	within []Nested
}

// inner makes a frame inside of f; nil is outside any.
func (f *frame) inner(path string) *frame {
	made := &frame{path: path}
	if f != nil {
		*made = *f
		made.path = path
	}
	return made
}

// strand is one line of execution within a frame. Its counters number what the code on it asks for.
type strand struct {
	frame  *frame
	path   string         // "", or one ~n for every fork on the way here
	counts map[string]int // next ordinal by name; made when first needed
	forks  int
	draws  uint64 // how many random values were drawn
}

// key takes the next ordinal of name.
func (s *strand) key(name string) string {
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	n := s.counts[name]
	s.counts[name] = n + 1
	return s.frame.path + s.path + "/" + name + "#" + strconv.Itoa(n)
}

// continuation is what goja keeps for us beside a promise reaction.
type continuation struct {
	strand *strand // known when the segment that made it ends; nil is outside any frame
}

// segment is code of one strand that runs without a break.
type segment struct {
	strand *strand
	grabs  []*continuation
}

// tracker follows frames and strands across await and then. At the end of a segment, its last
// continuation carries the strand on, and every other one starts a new strand: so straight code
// that awaits one thing after another stays on one strand, whatever finishes first.
//
// Which continuation is the last is known only when the segment ends, and that is early
// enough: goja runs no reaction before the code that registered it has returned.
type tracker struct {
	current *segment   // nil outside any frame
	stack   []*segment // segments that are suspended by enter
}

var _ goja.AsyncContextTracker = (*tracker)(nil)

func newStrand(f *frame, path string) *strand {
	return &strand{frame: f, path: path}
}

// Grab is called when a reaction is registered.
func (t *tracker) Grab() any {
	c := &continuation{}
	if t.current != nil {
		t.current.grabs = append(t.current.grabs, c)
	}
	return c
}

// Resumed is called before a reaction runs.
func (t *tracker) Resumed(trackingObject any) {
	t.current = nil
	if c := trackingObject.(*continuation); c.strand != nil {
		t.current = &segment{strand: c.strand}
	}
}

// Exited is called after a reaction has run.
func (t *tracker) Exited() {
	t.end()
	t.current = nil
}

// enter begins a segment in a frame of its own, on top of the current one.
func (t *tracker) enter(f *frame) {
	t.stack = append(t.stack, t.current)
	t.current = &segment{strand: newStrand(f, "")}
}

// detach begins a stretch outside any frame; reactions that it registers belong to none.
func (t *tracker) detach() {
	t.stack = append(t.stack, t.current)
	t.current = nil
}

// leave ends what enter or detach began.
func (t *tracker) leave() {
	t.end()
	last := len(t.stack) - 1
	t.current = t.stack[last]
	t.stack = t.stack[:last]
}

func (t *tracker) end() {
	if t.current == nil {
		return
	}
	s := t.current.strand
	for i, c := range t.current.grabs {
		if i == len(t.current.grabs)-1 {
			c.strand = s
			break
		}
		s.forks++
		c.strand = newStrand(s.frame, s.path+"~"+strconv.Itoa(s.forks))
	}
	t.current.grabs = nil
}

// frame gives the frame that is executing, or nil.
func (t *tracker) frame() *frame {
	if s := t.strand(); s != nil {
		return s.frame
	}
	return nil
}

// strand gives the strand that is executing, or nil.
func (t *tracker) strand() *strand {
	if t.current == nil {
		return nil
	}
	return t.current.strand
}
