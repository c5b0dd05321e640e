package cli

import (
	"os"
	"os/signal"
	"sync"
	"time"
)

// stroke is how long signals count as one: a wrapper that hands Ctrl-C on to its child, as npm
// does, makes two of one key.
const stroke = 250 * time.Millisecond

// onSignals calls once for the first signal that asks the process to end, and again for one that
// comes later than a stroke of the key. What the process was told to ignore, as nohup does, stays ignored. stop ends it.
func (a *app) onSignals(once, again func()) (stop func()) {
	signals := make(chan os.Signal, 4)
	for _, s := range endings {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	done := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		var first time.Time
		for {
			select {
			case <-done:
				return
			case <-signals:
			}
			switch {
			case first.IsZero():
				first = time.Now()
				once()
			case time.Since(first) > stroke:
				again()
			}
		}
	})
	return sync.OnceFunc(func() {
		signal.Stop(signals)
		close(done)
		running.Wait()
	})
}
