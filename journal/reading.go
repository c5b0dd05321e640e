package journal

import (
	"crypto/ed25519"
	"fmt"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// strict is the judge of a journal that is to be used: the first thing wrong is one too many.
func strict(err error) error { return err }

// fold checks a whole journal and adds it up. visit, if not nil, gets every entry that holds.
// judge hears of everything that is wrong; where it gives no error, reading goes on behind it.
func (r *rawEntries) fold(id string, key ed25519.PublicKey, visit func(Entry), judge func(error) error) (*State, *chain, error) {
	state, chain := newState(id), newChain(id, key)
	for _, stored := range r.entries {
		e, err := chain.next(stored)
		if err != nil {
			if err := judge(&atEntry{err, chain.head + 1}); err != nil {
				return nil, nil, err
			}
			chain.skip(e, stored) // what does not hold counts for nothing
			continue
		}
		if err := readFault(id, e, state.apply(e, chain.hash)); err != nil {
			if err := judge(&atEntry{err, e.Seq}); err != nil {
				return nil, nil, err
			}
		}
		if e.Seq == r.anchor.seq && chain.hash != r.anchor.hash {
			err := forged(id, fmt.Sprintf("entry %d is not the one that was written", e.Seq))
			if err := judge(&atEntry{err, e.Seq}); err != nil {
				return nil, nil, err
			}
		}
		if visit != nil {
			visit(e)
		}
	}
	var err error
	switch {
	case len(r.entries) == 0:
		err = damaged(id, "there are no entries")
	case chain.head != r.head.seq || chain.hash != r.head.hash:
		err = damaged(id, fmt.Sprintf("the head is entry %d, the last entry is %d", r.head.seq, chain.head))
	case chain.head < r.anchor.seq:
		err = rolledBack(id, chain.head, r.anchor.seq)
	}
	if err != nil {
		err = judge(err)
	}
	state.Proven = r.anchor.seq > 0
	if !state.Proven {
		state.Unproven = "the run's anchor is missing: whether this is the newest state of the journal cannot be told"
	}
	return state, chain, err
}

// readFault says of a record that was read what apply says of one that is to be written: what
// may not be written cannot have been.
func readFault(id string, e Entry, err error) error {
	switch {
	case err == nil:
		return nil
	case fault.CodeOf(err) == "" || fault.Is(err, fault.TransitionAbsent):
		return fault.Wrap(err, fault.JournalDamaged, fmt.Sprintf("run %s: entry %d (%s)", id, e.Seq, e.Kind),
			"restore the file from a copy; nothing was written, and nothing in it is used")
	}
	return err
}
