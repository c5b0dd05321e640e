package journal

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"sort"
)

// origin says that the entries up to one have the seals of another key than this user's. An
// imported run has one for each import: the importer's own seal on run.imported vouches for the
// entries before it and names their key.
type origin struct {
	upTo uint64
	key  ed25519.PublicKey
	hash string
}

// beforeKey is more than what stands before an entry's key: seq, prev, at and kind.
const beforeKey = 200

// origins are told by the entries themselves, so that each can be checked with its key when it
// is read. They prove nothing: what they say holds only if the seals of the run.imported entries
// do, the last of which has to be of the key that is trusted.
func origins(entries [][]byte) []origin {
	var found []origin
	for i, stored := range entries {
		if !bytes.Contains(stored[:min(len(stored), beforeKey)], []byte(`"kind":"run.imported"`)) {
			continue
		}
		e, err := parseEntry(stored)
		if err != nil || e.Kind != KindRunImported || e.Seq != uint64(i+1) || i == 0 {
			continue
		}
		r, err := Decode[RunImported](e)
		if err != nil {
			continue
		}
		if key, err := hex.DecodeString(r.Key); err == nil && len(key) == ed25519.PublicKeySize {
			found = append(found, origin{upTo: e.Seq - 1, key: key, hash: e.Prev})
		}
	}
	return found
}

// keyOf is the key whose seal entry seq has to have.
func (c *chain) keyOf(seq uint64) ed25519.PublicKey {
	if i := sort.Search(len(c.origins), func(i int) bool { return seq <= c.origins[i].upTo }); i < len(c.origins) {
		return c.origins[i].key
	}
	return c.key
}

// imported says that entry seq is known to be a run.imported.
func (c *chain) imported(seq uint64) bool {
	i := sort.Search(len(c.origins), func(i int) bool { return seq <= c.origins[i].upTo+1 })
	return i < len(c.origins) && seq == c.origins[i].upTo+1
}

// importNote is what stands beside the head of an imported run: the last entry that was imported
// and whose seals it and those before it have, with a MAC, so that it is the user's own assent
// that says which stranger's seals are taken.
type importNote struct {
	// state says whether there is one.
	state noteState
	at    origin
}

type noteState int

const (
	noNote     noteState = iota
	exportNote           // an export never has one
	goodNote
	badNote
)

// importSize is that of a stored note: seq, hash, key, authenticator.
const importSize = 8 + sha256.Size + ed25519.PublicKeySize + sha256.Size

// importRecord is what is stored for o.
func (s *Store) importRecord(run string, o origin) []byte {
	sum, err := hex.DecodeString(o.hash)
	if err != nil {
		panic(err) // hashes are made by hashOf
	}
	text := append(append(binary.BigEndian.AppendUint64(nil, o.upTo), sum...), o.key...)
	return append(text, s.importMAC(run, o)...)
}

func (s *Store) importMAC(run string, o origin) []byte {
	return macOf(s.headKey, fmt.Sprintf("%s%s\n%d\n%s\n%x", importDomain, run, o.upTo, o.hash, []byte(o.key)))
}

func (s *Store) readImport(in buckets, run string) (importNote, error) {
	stored := in.Bucket(bucketInfo).Get(keyImport)
	switch {
	case stored == nil:
		return importNote{}, nil
	case len(stored) != importSize:
		return importNote{}, damaged(run, "the note of its import has another length")
	}
	at := origin{
		upTo: binary.BigEndian.Uint64(stored),
		hash: hex.EncodeToString(stored[8 : 8+sha256.Size]),
		key:  bytes.Clone(stored[8+sha256.Size : importSize-sha256.Size]),
	}
	if !hmac.Equal(stored[importSize-sha256.Size:], s.importMAC(run, at)) {
		return importNote{state: badNote}, nil
	}
	return importNote{state: goodNote, at: at}, nil
}

// agrees holds the note against the entries: a run.imported without its note, a note without its
// entry, and two that differ are all somebody else's work.
func (n importNote) agrees(run string, found []origin) error {
	if n.state == exportNote {
		return nil
	}
	if n.state == badNote {
		return forged(run, "the note of its import was not written by this user's assent")
	}
	var last origin
	if len(found) > 0 {
		last = found[len(found)-1]
	}
	switch {
	case n.state == noNote && len(found) == 0:
		return nil
	case n.state == noNote:
		return forged(run, fmt.Sprintf("entry %d says that the run was imported, and the file has no note of it", last.upTo+1))
	case len(found) == 0:
		return forged(run, "the file has the note of an import, and no entry says so")
	case n.at.upTo != last.upTo || n.at.hash != last.hash || !n.at.key.Equal(last.key):
		return forged(run, fmt.Sprintf("entry %d and the note of the import in the file differ", last.upTo+1))
	}
	return nil
}
