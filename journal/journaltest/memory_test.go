package journaltest_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/seed-8d4a6081/assent/internal/fault"
	"github.com/seed-8d4a6081/assent/journal"
	"github.com/seed-8d4a6081/assent/journal/journaltest"
)

// memory stands in for a journal: entries in lists, nothing on disk. It shows how little a store
// needs besides the rules of journal.State.
type memory struct {
	mu   sync.Mutex // guards all runs and all open handles
	runs map[string]*stored
}

// stored is what is kept of a run: its entries, who owns it, and who listens.
type stored struct {
	entries []journal.Entry
	owner   *opened
	work    []journal.Work
	files   map[string]*attachment
	open    map[*opened]bool
}

var (
	_ journaltest.Store     = (*memory)(nil)
	_ journaltest.Forgetful = (*memory)(nil)
)

func newMemory() *memory { return &memory{runs: map[string]*stored{}} }

// opened is a run or a visit.
type opened struct {
	m       *memory
	run     *stored
	st      *journal.State
	unseen  []journal.Entry
	ticks   chan struct{}
	attempt uint64 // 0 of a visit
	closed  bool
}

var (
	_ journal.Run   = (*opened)(nil)
	_ journal.Visit = (*opened)(nil)
)

func (m *memory) Create(_ context.Context, r journal.RunStarted) (journal.Run, error) {
	id := ulid.Make().String()
	r.Run, r.Version, r.Owner = id, cmp.Or(r.Version, "memory"), process()
	r.Seed = cmp.Or(r.Seed, strings.Repeat("5e", 32))
	if r.Args == nil {
		r.Args = json.RawMessage("null")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs[id] = &stored{open: map[*opened]bool{}, files: map[string]*attachment{}}
	o := m.openLocked(id)
	if _, err := o.write([]journal.Draft{{Kind: journal.KindRunStarted, Data: r}}); err != nil {
		return nil, err
	}
	o.run.owner, o.attempt = o, 1
	return o, nil
}

func (m *memory) Take(_ context.Context, id string, fn func(st *journal.State) (journal.RunResumed, error)) (journal.Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.openLocked(id)
	switch {
	case o == nil:
		return nil, fault.New(fault.RunUnknown, "there is no run "+id, "")
	case o.run.owner != nil:
		return nil, fault.New(fault.RunBusy, "run "+id+" is executed", "")
	}
	delete(o.run.open, o)
	if err := o.st.MayTake(); err != nil {
		return nil, err
	}
	r, err := fn(o.st)
	if err != nil {
		return nil, err
	}
	r.Owner = process()
	entries, err := o.write(append(o.st.Interruptions(), journal.Draft{Kind: journal.KindRunResumed, Data: r}))
	if err != nil {
		return nil, err
	}
	o.run.owner, o.run.open[o], o.attempt = o, true, entries[len(entries)-1].Seq
	return o, nil
}

func (m *memory) Visit(_ context.Context, id string) (journal.Visit, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o := m.openLocked(id); o != nil {
		return o, nil
	}
	return nil, fault.New(fault.RunUnknown, "there is no run "+id, "")
}

func (m *memory) ForgetOwner(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.runs[id].owner = nil
}

func (m *memory) openLocked(id string) *opened {
	run := m.runs[id]
	if run == nil {
		return nil
	}
	o := &opened{m: m, run: run, st: journal.NewState(id), ticks: make(chan struct{}, 1)}
	o.st.Proven = true // nobody else can write here
	o.catchUp()
	o.unseen = nil
	run.open[o] = true
	return o
}

func process() journal.Process { return journal.Process{PID: os.Getpid(), Started: 1, Host: "here"} }

// catchUp adds what others appended.
func (o *opened) catchUp() {
	for _, e := range o.run.entries[o.st.Head:] {
		if err := o.st.Apply(e); err != nil {
			panic(err) // it was applied before it was kept
		}
		o.unseen = append(o.unseen, e)
	}
}

// write keeps what drafts come to, all of it or nothing.
func (o *opened) write(drafts []journal.Draft) ([]journal.Entry, error) {
	entries, err := o.st.Write(drafts, time.Now())
	if err != nil {
		o.st = journal.NewState(o.st.ID)
		o.st.Proven = true
		unseen := o.unseen
		o.catchUp()
		o.unseen = unseen
		return nil, err
	}
	o.run.entries = append(o.run.entries, entries...)
	for other := range o.run.open {
		if other != o {
			select {
			case other.ticks <- struct{}{}:
			default:
			}
		}
	}
	return entries, nil
}

func (o *opened) ID() string { return o.st.ID }

func (o *opened) State() *journal.State { return o.st }

func (o *opened) Update(_ context.Context, fn func(st *journal.State) ([]journal.Draft, error)) ([]journal.Entry, error) {
	o.m.mu.Lock()
	defer o.m.mu.Unlock()
	if o.closed {
		return nil, errClosed
	}
	o.catchUp()
	if o.attempt > 0 {
		if err := o.st.MayOwn(o.attempt); err != nil {
			return nil, err
		}
	}
	drafts, err := fn(o.st)
	if err == nil && o.attempt == 0 {
		err = o.st.MayVisit(drafts)
	}
	if err != nil || len(drafts) == 0 {
		return nil, err
	}
	return o.write(drafts)
}

var errClosed = fmt.Errorf("memory: the run was closed")

func (o *opened) Sync(context.Context) ([]journal.Entry, error) {
	o.m.mu.Lock()
	defer o.m.mu.Unlock()
	if o.closed {
		return nil, errClosed
	}
	o.catchUp()
	news := o.unseen
	o.unseen = nil
	return news, nil
}

func (o *opened) Changes() <-chan struct{} { return o.ticks }

func (o *opened) TellWork(calls []journal.Work) error {
	o.m.mu.Lock()
	defer o.m.mu.Unlock()
	o.run.work = slices.Clone(calls)
	for other := range o.run.open {
		select {
		case other.ticks <- struct{}{}:
		default:
		}
	}
	return nil
}

// attachment is a file in memory.
type attachment struct {
	m    *memory
	text []byte
}

func (a *attachment) Write(p []byte) (int, error) {
	a.m.mu.Lock()
	defer a.m.mu.Unlock()
	a.text = append(a.text, p...)
	return len(p), nil
}

func (a *attachment) Close() error { return nil }

var named = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

func (o *opened) Attach(name string) (io.WriteCloser, error) {
	o.m.mu.Lock()
	defer o.m.mu.Unlock()
	switch {
	case o.closed:
		return nil, errClosed
	case !named.MatchString(name):
		return nil, fault.New(fault.TransitionAbsent, "that is no name", "")
	case o.run.files[name] != nil:
		return nil, fs.ErrExist
	}
	o.run.files[name] = &attachment{m: o.m}
	return o.run.files[name], nil
}

func (o *opened) Attachment(name string) (io.ReadCloser, error) {
	o.m.mu.Lock()
	defer o.m.mu.Unlock()
	file := o.run.files[name]
	switch {
	case !named.MatchString(name):
		return nil, fault.New(fault.TransitionAbsent, "that is no name", "")
	case file == nil:
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(slices.Clone(file.text))), nil
}

func (o *opened) Step(key string) *journal.Step { return journal.NewStep(o.st.ID, key, nil) }

func (o *opened) Work() []journal.Work {
	o.m.mu.Lock()
	defer o.m.mu.Unlock()
	if o.run.owner == nil {
		return nil
	}
	return o.run.work
}

func (o *opened) Owner() (journal.Process, bool) {
	o.m.mu.Lock()
	defer o.m.mu.Unlock()
	return process(), o.run.owner != nil
}

func (o *opened) Executing() bool { _, alive := o.Owner(); return alive }

func (o *opened) Close() error {
	o.m.mu.Lock()
	defer o.m.mu.Unlock()
	if o.run.owner == o {
		o.run.owner = nil
	}
	delete(o.run.open, o)
	o.closed = true
	return nil
}
