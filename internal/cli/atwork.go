package cli

import (
	"encoding/json"
	"maps"

	"github.com/seed-8d4a6081/assent/journal"
)

// withWork is a run's state with the calls that are at work and have no entry yet, because they
// are read-only: as its process told of them.
func withWork(st *journal.State, work []journal.Work) *journal.State {
	if len(work) == 0 {
		return st
	}
	seen := *st
	seen.Calls = maps.Clone(st.Calls)
	for _, w := range work {
		if c := st.Calls[w.Key]; c != nil && c.Unfinished() {
			continue
		}
		c := journal.CallState{Key: w.Key, StartSeq: st.Head + 1, Call: journal.Call{
			Name: w.Name, Label: w.Label, Phase: w.Phase, ReadOnly: w.ReadOnly,
		}}
		if w.Prompt != "" {
			c.Call.Args = []json.RawMessage{jsonText(w.Prompt)}
		}
		if old := st.Calls[w.Key]; old != nil {
			c.Finish = old.Finish
		}
		seen.Calls[w.Key] = &c
	}
	return &seen
}
