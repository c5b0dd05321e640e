package cli

import (
	"os"
	"os/signal"
	"sync"
)

// onSignals calls once for the first signal that asks the process to end, and again for the
// second. What the process was told to ignore, as nohup does, stays ignored. stop ends it.
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
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			case <-signals:
			}
			if n == 0 {
				once()
			} else {
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
