package engine

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/seed-8d4a6081/assent/journal"
)

// Result is how an attempt at a run ended.
type Result struct {
	Run string `json:"run"`
	// State is completed, stopped, waiting, interrupted, paused, failed or cancelled.
	State string `json:"state"`
	// Value is what the script returned; JSON, absent if it did not return.
	Value json.RawMessage `json:"result,omitempty"`
	// Code and Err say why a run did not complete.
	Code string `json:"code,omitempty"`
	Err  error  `json:"-"`
	// Failures are the calls that failed for good, by key.
	Failures []CallFailure `json:"failures,omitempty"`
	// Outstanding are calls that were cancelled because the script ended without them.
	Outstanding []string `json:"outstanding,omitempty"`
	// Waiting are the gates that wait for an answer.
	Waiting []*journal.Gate `json:"-"`
	// Recovery is set if the run stopped because calls need a person's leave to run again.
	Recovery *Recovery `json:"recovery,omitempty"`
	// Replayed and Live count the calls answered from the journal, and those that ran.
	Replayed int `json:"replayed"`
	Live     int `json:"live"`
	// Usage is that of the whole run.
	Usage journal.Usage `json:"usage,omitzero"`
}

func (a *attempt) result(end *ending) *Result {
	r := &Result{
		Run: a.st.ID, State: end.state, Value: end.result, Err: end.err, Outstanding: end.outstanding, Recovery: end.recovery,
		Replayed: a.replayed, Live: a.live, Usage: a.st.UsageAt(a.st.Head), Waiting: a.st.Pending(),
	}
	if end.err != nil {
		r.Code = codeOf(end.err)
	}
	for _, key := range slices.Sorted(maps.Keys(a.failures)) {
		r.Failures = append(r.Failures, a.failures[key])
	}
	return r
}
