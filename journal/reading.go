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
	chain.origins = origins(r.entries)
	sound := true
	wrong := func(err error) error { sound = false; return judge(err) }
	if err := r.imported.agrees(id, chain.origins); err != nil {
		if err := wrong(err); err != nil {
			return nil, nil, err
		}
	}
	var genuine uint64 // the last entry that a seal, the anchor or the head vouches for
	for _, stored := range r.entries {
		e, err := chain.next(stored)
		if err != nil {
			if err := wrong(&atEntry{err, chain.head + 1}); err != nil {
				return nil, nil, err
			}
			chain.skip(e, stored) // what does not hold counts for nothing
			continue
		}
		if err := readFault(id, e, state.apply(e, chain.hash)); err != nil {
			if err := wrong(&atEntry{err, e.Seq}); err != nil {
				return nil, nil, err
			}
		}
		if e.Seq == r.anchor.seq && chain.hash != r.anchor.hash {
			err := forged(id, fmt.Sprintf("entry %d is not the one that was written", e.Seq))
			if err := wrong(&atEntry{err, e.Seq}); err != nil {
				return nil, nil, err
			}
		}
		if sound && (sealed(e.Kind) || e.Seq == r.anchor.seq || r.authentic && r.head == head{e.Seq, chain.hash}) {
			genuine = e.Seq
		}
		if visit != nil {
			visit(e)
		}
	}
	err := r.ends(chain, genuine)
	if err != nil {
		err = wrong(err)
	}
	switch {
	case r.anchor.seq == 0:
		state.Unproven = "the run's anchor is missing: whether this is the newest state of the journal cannot be told"
	case !sound:
		state.Unproven = "something in the journal does not hold"
	default:
		state.Proven = true
	}
	return state, chain, err
}

// ends says what is wrong with where a journal ends. genuine is the last entry that somebody
// vouches for.
func (r *rawEntries) ends(c *chain, genuine uint64) error {
	switch {
	case len(r.entries) == 0:
		return damaged(c.run, "there are no entries")
	case !r.authentic, r.head.seq < c.head:
		return unwritten(c.run, genuine, c.head)
	case c.head != r.head.seq || c.hash != r.head.hash:
		return damaged(c.run, fmt.Sprintf("the head is entry %d, the last entry is %d", r.head.seq, c.head))
	case c.head < r.anchor.seq:
		return rolledBack(c.run, c.head, r.anchor.seq)
	}
	return nil
}

// readFault says of a record that was read what apply says of one that is to be written: what
// may not be written cannot have been.
func readFault(id string, e Entry, err error) error {
	switch {
	case err == nil:
		return nil
	case fault.CodeOf(err) == "" || fault.Is(err, fault.TransitionAbsent):
		return fault.Wrap(err, fault.JournalDamaged, fmt.Sprintf("run %s: entry %d (%s)", id, e.Seq, e.Kind), mend(id))
	}
	return err
}
