package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	exact "github.com/go-json-experiment/json"
)

// Entry is one record of a run's journal. It is never changed; later entries supersede it.
type Entry struct {
	// Seq counts from 1 without a gap.
	Seq uint64
	// Prev is the hash of the entry before; of the first entry it is derived from the run's id.
	Prev string
	// At is when the entry was written, in UTC, to the millisecond. It is advisory: no rule of
	// the journal compares two clocks.
	At   time.Time
	Kind Kind
	// Key is the call's key, Identity its identity; both are empty where there is no call.
	Key, Identity string
	// Data is the record of Kind, as JSON text.
	Data json.RawMessage
	// Seal is the signature of a decision; empty for other kinds.
	Seal string
}

// Draft is an entry that is not written yet: the journal adds seq, prev, time and seal.
type Draft struct {
	Kind          Kind
	Key, Identity string
	// Data is the record of Kind: one of the structs of this package.
	Data any
}

// Hash is what the next entry's Prev repeats: the hex SHA-256 of a prefix, Prev, and Bytes.
func (e Entry) Hash() string { return hashOf(e.Prev, e.Bytes()) }

// Decode reads e's data as a T. Names of members count to the letter, and none may stand twice:
// there must be one reading of what was signed.
func Decode[T any](e Entry) (T, error) {
	var record T
	if err := exact.Unmarshal(e.Data, &record); err != nil {
		return record, fmt.Errorf("entry %d (%s): %w", e.Seq, e.Kind, err)
	}
	return record, nil
}

// The prefixes keep a digest of one purpose from being taken for that of another.
const (
	runDomain    = "assent/run/1\n"
	entryDomain  = "assent/entry/1\n"
	sealDomain   = "assent/seal/1\n"
	anchorDomain = "assent/anchor/1\n"
	headDomain   = "assent/head/1\n"
	importDomain = "assent/import/1\n"
	// headKeyDomain makes the key of heads out of the user's.
	headKeyDomain = "assent/head-key/1"
)

// firstPrev is Prev of a run's first entry; it binds the whole chain to the run's id.
func firstPrev(run string) string {
	sum := sha256.Sum256([]byte(runDomain + run))
	return hex.EncodeToString(sum[:])
}

func hashOf(prev string, stored []byte) string {
	h := sha256.New()
	h.Write([]byte(entryDomain))
	h.Write([]byte(prev))
	h.Write(stored)
	return hex.EncodeToString(h.Sum(nil))
}
