package journal

import (
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// How often to look without having been told: where the system tells nothing, and where it
// does but may lose something (network folders).
const (
	pollAlone    = 200 * time.Millisecond
	pollNotified = time.Second
)

// hub watches the folder of locks for all handles of a store. Its goroutine lives while there
// is a subscription.
type hub struct {
	dir string
	// unwatched is for tests: as where folders cannot be watched.
	unwatched bool

	mu   sync.Mutex // guards the rest
	subs map[*subscription]bool
	stop chan struct{} // closed to end the goroutine
	done chan struct{} // closed by the goroutine
}

// subscription is one handle's wish to be told.
type subscription struct {
	h     *handle
	ticks chan struct{}
}

// tick tells that there may be news; several ticks become one.
func (s *subscription) tick() {
	select {
	case s.ticks <- struct{}{}:
	default:
	}
}

func (b *hub) subscribe(h *handle) *subscription {
	b.mu.Lock()
	defer b.mu.Unlock()
	sub := &subscription{h: h, ticks: make(chan struct{}, 1)}
	if b.subs == nil {
		b.subs = map[*subscription]bool{}
	}
	b.subs[sub] = true
	if b.stop == nil {
		b.stop, b.done = make(chan struct{}), make(chan struct{})
		go b.watch(b.stop, b.done, b.startWatcher())
	}
	sub.tick() // what happened before the watch began
	return sub
}

func (b *hub) unsubscribe(sub *subscription) {
	b.mu.Lock()
	delete(b.subs, sub)
	var done chan struct{}
	if len(b.subs) == 0 && b.stop != nil {
		close(b.stop)
		done = b.done
		b.stop, b.done = nil, nil
	}
	b.mu.Unlock()
	if done != nil {
		<-done
	}
}

// startWatcher gives nil where folders cannot be watched.
func (b *hub) startWatcher() *fsnotify.Watcher {
	if b.unwatched {
		return nil
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil
	}
	if watcher.Add(b.dir) != nil {
		_ = watcher.Close()
		return nil
	}
	return watcher
}

func (b *hub) watch(stop, done chan struct{}, watcher *fsnotify.Watcher) {
	defer close(done)
	var events chan fsnotify.Event
	var errs chan error
	poll := time.NewTicker(pollAlone)
	defer poll.Stop()
	if watcher != nil {
		defer watcher.Close()
		events, errs = watcher.Events, watcher.Errors
		poll.Reset(pollNotified)
	}
	for {
		select {
		case <-stop:
			return
		case event, ok := <-events:
			if !ok {
				events = nil
				poll.Reset(pollAlone)
				continue
			}
			name := filepath.Base(event.Name)
			if id, ok := strings.CutSuffix(name, ".work"); ok {
				b.tell(func(h *handle) bool { return h.id == id })
			}
			if id, ok := strings.CutSuffix(name, ".lock"); ok {
				b.look(func(h *handle) bool { return h.id == id || h.place.shared && id == sharedName })
			}
		case _, ok := <-errs: // events were lost
			if !ok {
				errs = nil
				continue
			}
			b.look(func(*handle) bool { return true })
		case <-poll.C:
			b.look(func(*handle) bool { return true })
		}
	}
}

// look ticks the handles that have something to read. Of the shared file, all have, or those that
// somebody here knows to be behind: reading it once for all is left to the first that syncs.
func (b *hub) look(which func(*handle) bool) {
	var news func() bool
	b.tell(func(h *handle) bool {
		switch {
		case !which(h):
			return false
		case !h.place.shared:
			return h.changed()
		case news == nil:
			news = sync.OnceValue(h.store.shared.news)
		}
		return news() || h.lags()
	})
}

// tell ticks handles.
func (b *hub) tell(which func(*handle) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for sub := range b.subs {
		if which(sub.h) {
			sub.tick()
		}
	}
}

// lags says that another handle of the shared file knows of an entry that h does not.
func (h *handle) lags() bool { return h.place.shared && h.store.shared.behind(h) }
