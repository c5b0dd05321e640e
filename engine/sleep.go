package engine

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// parseSleep reads the arguments of sleep(ms). Value is the time.Duration.
func parseSleep(args []json.RawMessage) (Request, error) {
	ms := math.NaN()
	if len(args) == 1 {
		if json.Unmarshal(args[0], &ms) != nil {
			ms = math.NaN()
		}
	}
	if !(ms >= 0 && ms <= float64(maxSleep.Milliseconds())) {
		return Request{}, fault.New(fault.OptionInvalid, "sleep: the time must be a number of milliseconds from 0 to a year", "write sleep(1000) for a second")
	}
	return Request{Identity: args[0], ReadOnly: true, Value: time.Duration(ms * float64(time.Millisecond))}, nil
}

// fallAsleep lets a call of sleep wait. Its end counts from the journaled time of the turn that
// made the call, so a restart does not restart it.
func (a *attempt) fallAsleep(c *call) {
	a.sleeping[c.Key] = sleep{call: c, until: c.at.Add(c.request.Value.(time.Duration))}
}

// wake journals the end of sleeps whose time has come.
func (a *attempt) wake(ctx context.Context) error {
	now := a.o.Now()
	var over []completion
	for _, key := range slices.Sorted(maps.Keys(a.sleeping)) {
		if s := a.sleeping[key]; !now.Before(s.until) {
			delete(a.sleeping, key)
			over = append(over, completion{call: s.call, answer: answer{value: json.RawMessage("null")}})
		}
	}
	return a.record(ctx, over)
}
