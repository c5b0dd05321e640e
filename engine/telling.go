package engine

import (
	"cmp"
	"slices"
	"time"

	"github.com/seed-8d4a6081/assent/journal"
)

// A read-only call has no entry before it has ended. So that others see it while it works, calls
// that take a while are told of beside the journal. Quick ones are not: telling costs a file.
const (
	tellAfter = 200 * time.Millisecond // of work, for a person to look at
	tellApart = 250 * time.Millisecond // at least, between two tellings
)

// telling is what others were told last: keys, each with its transcript and what the call is trying.
type telling struct {
	keys []string
	at   time.Time
}

// workToTell are the calls that have been at work for long enough, the longest first, and when
// that changes by itself.
func (a *attempt) workToTell(now time.Time) (work []journal.Work, next time.Duration) {
	next = time.Hour
	for _, c := range a.working {
		if age := now.Sub(c.launched); age < tellAfter {
			next = min(next, tellAfter-age)
			continue
		}
		w := journal.Work{Key: c.Key, Name: c.Name, Label: c.request.Label, Phase: c.Phase, ReadOnly: c.request.ReadOnly, Since: c.begun.UTC()}
		if c.trying != nil {
			w.Trying = c.trying.String()
		}
		w.Transcript = c.told.Name()
		if asked, ok := c.request.Value.(resolved); ok {
			w.Prompt = asked.Prompt
		}
		work = append(work, w)
	}
	slices.SortFunc(work, func(x, y journal.Work) int { return cmp.Or(x.Since.Compare(y.Since), cmp.Compare(x.Key, y.Key)) })
	return work, next
}

// tellWork tells others what is at work, if that is news, and gives the time until there may be
// more to tell.
func (a *attempt) tellWork() time.Duration {
	now := time.Now()
	work, next := a.workToTell(now)
	keys := make([]string, len(work))
	for i, w := range work {
		keys[i] = w.Key + " " + w.Transcript + " " + w.Trying
	}
	if slices.Equal(keys, a.told.keys) {
		return next
	}
	if rest := tellApart - now.Sub(a.told.at); rest > 0 {
		return min(next, rest)
	}
	a.told = telling{keys, now}
	if err := a.run.TellWork(work); err != nil {
		a.o.Logger.Warn("others cannot be told what is at work", "run", a.st.ID, "cause", err)
	}
	return next
}

// tellNothing takes back what was told, when the attempt ends.
func (a *attempt) tellNothing() {
	if len(a.told.keys) == 0 {
		return
	}
	a.told = telling{}
	if err := a.run.TellWork(nil); err != nil {
		a.o.Logger.Warn("what was at work is still told", "run", a.st.ID, "cause", err)
	}
}
