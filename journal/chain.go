package journal

import (
	"crypto/ed25519"
	"fmt"
)

// chain checks stored entries one after the other: encoding, place, link, seal. Opening,
// syncing, Verify and VerifyExport all read through it.
type chain struct {
	run string
	key ed25519.PublicKey
	// origins say whose seals the entries have that were imported.
	origins []origin
	// head, prev and hash are the last entry's.
	head uint64
	prev string
	hash string
}

// notThisUsers is what is said of a seal of another key.
const notThisUsers = "is not this user's"

func newChain(run string, key ed25519.PublicKey) *chain {
	return &chain{run: run, key: key, hash: firstPrev(run)}
}

// next checks one entry and moves on to it.
func (c *chain) next(stored []byte) (Entry, error) {
	e, err := parseEntry(stored)
	if err != nil {
		return e, damaged(c.run, fmt.Sprintf("entry %d: %v", c.head+1, err))
	}
	if e.Seq != c.head+1 {
		return e, damaged(c.run, fmt.Sprintf("entry %d says that it is entry %d", c.head+1, e.Seq))
	}
	if e.Prev != c.hash {
		if e.Seq == 1 {
			return e, forged(c.run, "the first entry is another run's")
		}
		return e, damaged(c.run, fmt.Sprintf("entry %d does not follow from entry %d", e.Seq, c.head))
	}
	key := c.keyOf(e.Seq)
	switch {
	case e.Kind == KindRunImported && !c.imported(e.Seq):
		return e, forged(c.run, fmt.Sprintf("entry %d says that the run was imported, without the key of the entries before it", e.Seq))
	case sealed(e.Kind) && !sealHolds(key, c.run, e) && !key.Equal(c.key):
		return e, forged(c.run, fmt.Sprintf("the seal of entry %d (%s) is not of the key that it was imported with", e.Seq, e.Kind))
	case sealed(e.Kind) && !sealHolds(key, c.run, e):
		return e, forged(c.run, fmt.Sprintf("the seal of entry %d (%s) "+notThisUsers, e.Seq, e.Kind))
	case !sealed(e.Kind) && e.Seal != "":
		return e, damaged(c.run, fmt.Sprintf("entry %d (%s) has a seal, and entries of its kind have none", e.Seq, e.Kind))
	}
	c.head, c.prev, c.hash = e.Seq, e.Prev, hashOf(e.Prev, stored)
	return e, nil
}

// skip moves on to an entry that did not hold, for a reader that wants to see the rest.
func (c *chain) skip(e Entry, stored []byte) {
	c.head, c.prev, c.hash = c.head+1, e.Prev, hashOf(e.Prev, stored)
}
