package term

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

const (
	// frameTime is how often the list is drawn while something runs.
	frameTime = 125 * time.Millisecond
	// maxHeld is how many lines are kept while the list is paused for a question.
	maxHeld = 1000
	// liveRows is the most rows that the list takes, its line of counts included.
	liveRows = 12
)

var spinner = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// LiveOptions say where and how a live list is drawn.
type LiveOptions struct {
	// Out is where the list goes; on a terminal nothing else may write there while the list
	// is shown, except through Log and Say.
	Out io.Writer
	// Animate draws the list at the bottom and redraws it. Without it every event is one
	// appended line: for pipes, files and dumb terminals.
	Animate bool
	Color   bool
	// Size gives the terminal's columns and rows; nil is 80 by 24.
	Size func() (columns, rows int)
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Live is the list of what is at work: phase, label, elapsed time. All labels and texts may
// be hostile. Its methods may be called from several goroutines.
type Live struct {
	o    LiveOptions
	st   style
	stop chan struct{} // closed by Close
	idle sync.WaitGroup

	mu     sync.Mutex // guards all below
	jobs   []*job     // in order of their start
	bottom            // the list, as far as it is on the screen
	frame  int
	paused int
	held   []string // lines that came while paused
	lost   int      // lines that no longer fitted in held
	closed bool
}

type job struct {
	id, phase, label, text string
	started                time.Time
}

// NewLive starts a list. Close ends it.
func NewLive(o LiveOptions) *Live {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Size == nil {
		o.Size = func() (int, int) { return 80, 24 }
	}
	l := &Live{o: o, st: style{o.Color}, stop: make(chan struct{})}
	if o.Animate {
		l.idle.Go(l.tick)
	}
	return l
}

// tick redraws the list until Close.
func (l *Live) tick() {
	ticker := time.NewTicker(frameTime)
	defer ticker.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-ticker.C:
			l.mu.Lock()
			if len(l.jobs) > 0 {
				l.frame++
				l.print("")
			}
			l.mu.Unlock()
		}
	}
}

// Start adds something that is at work now. A second Start of an id begins it anew.
func (l *Live) Start(id, phase, label string) { l.add(id, phase, label, false) }

// StartShort is Start for what mostly ends at once: without a list on the screen, only its end is a line.
func (l *Live) StartShort(id, phase, label string) { l.add(id, phase, label, true) }

func (l *Live) add(id, phase, label string, short bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.remove(id)
	j := &job{id: id, phase: phase, label: label, started: l.o.Now()}
	l.jobs = append(l.jobs, j)
	line := ""
	if !l.o.Animate && !short {
		line = "· " + j.name() + ": started"
	}
	l.print(line)
}

// Update says what it is doing; shown in the list only.
func (l *Live) Update(id, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, j := range l.jobs {
		if j.id == id {
			j.text = text
		}
	}
	l.print("")
}

// Done ends it, with a line that stays: "✓ scout 1.2s", and what went wrong if failed is not
// empty. An unknown id is ignored.
func (l *Live) Done(id, failed string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	j := l.remove(id)
	if j == nil {
		return
	}
	line := l.st.paint(green, "✓") + " " + l.st.marks(j.name()) + " " + l.st.paint(dim, Duration(l.o.Now().Sub(j.started)))
	if failed != "" {
		line = l.st.paint(red, "✗") + " " + l.st.marks(j.name()) + " " +
			l.st.paint(dim, Duration(l.o.Now().Sub(j.started))) + ": " + l.st.marks(Escape(failed))
	}
	l.print(line)
}

// Drop takes it out of the list without a line.
func (l *Live) Drop(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remove(id)
	l.print("")
}

func (l *Live) remove(id string) *job {
	for i, j := range l.jobs {
		if j.id == id {
			l.jobs = append(l.jobs[:i:i], l.jobs[i+1:]...)
			return j
		}
	}
	return nil
}

// name is the label, with its phase before it, on one line.
func (j *job) name() string {
	label := j.label
	if label == "" {
		label = j.id
	}
	if j.phase == "" {
		return Escape(label)
	}
	return Escape(j.phase) + " / " + Escape(label)
}

// Log adds untrusted text above the list; of several lines, each stands behind the gutter.
func (l *Live) Log(text string) {
	l.Say(strings.Join(Quoted(text, l.o.Color), "\n"))
}

// Say adds a line of ours, which is printed as it is.
func (l *Live) Say(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.print(line)
}

// Pause takes the list off the screen, for a question. Lines that come meanwhile are kept
// until Resume. Pauses nest.
func (l *Live) Pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.paused == 0 {
		_, _ = io.WriteString(l.o.Out, l.erase())
	}
	l.paused++
}

// Resume ends a Pause, prints what was kept, and draws the list again.
func (l *Live) Resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.paused == 0 {
		return
	}
	l.paused--
	if l.paused == 0 {
		l.release()
	}
}

// release prints the lines that were kept.
func (l *Live) release() {
	if l.lost > 0 {
		l.held = append(l.held, fmt.Sprintf("· %s not shown", Plural(int64(l.lost), "more line was", "more lines were")))
	}
	lines := strings.Join(l.held, "\n")
	l.held, l.lost = nil, 0
	l.print(lines)
}

// Close takes the list off the screen, prints what was kept, and ends the drawing. Nothing
// is drawn after it; Log and Say still print.
func (l *Live) Close() {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return
	}
	l.closed, l.paused, l.jobs = true, 0, nil
	l.release()
	close(l.stop)
	l.mu.Unlock()
	l.idle.Wait()
}
