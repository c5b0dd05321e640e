package journal

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// head is the compare-and-swap register: the last entry's seq and hash.
//
// It is stored with an authenticator. A seal covers prev, and so all entries before it; an
// entry behind the last seal is covered by nothing else. The chain is no help there: anybody
// can compute it.
type head struct {
	seq  uint64
	hash string
}

// headSize is that of a stored head: seq, hash, authenticator.
const headSize = 8 + sha256.Size + sha256.Size

// headKey is the key of the authenticators. A MAC will do: only who has the seal key reads
// them, and it costs a hundredth of a signature, for it comes with every commit.
func headKey(key ed25519.PrivateKey) []byte { return macOf(key.Seed(), headKeyDomain) }

func macOf(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// headRecord is what is stored for h.
func (s *Store) headRecord(run string, h head) []byte {
	sum, err := hex.DecodeString(h.hash)
	if err != nil {
		panic(err) // hashes are made by hashOf
	}
	return append(append(binary.BigEndian.AppendUint64(nil, h.seq), sum...), s.headMAC(run, h)...)
}

func (s *Store) headMAC(run string, h head) []byte {
	return macOf(s.headKey, fmt.Sprintf("%s%s\n%d\n%s", headDomain, run, h.seq, h.hash))
}

// readHead checks that the file is this run's journal, in a format that is known, and returns
// its head. authentic says that this user's assent wrote the head. It is for the caller to
// refuse what is not: Verify shows the rest of the journal all the same.
func (s *Store) readHead(in buckets, run string) (h head, authentic bool, err error) {
	info, entries := in.Bucket(bucketInfo), in.Bucket(bucketEntries)
	if info == nil || entries == nil {
		return h, false, notAJournal("the file of run "+run, "a bbolt file of another program")
	}
	if err := checkFormat(run, string(info.Get(keyFormat))); err != nil {
		return h, false, err
	}
	if name := string(info.Get(keyRun)); name != run {
		return h, false, forged(run, fmt.Sprintf("the file is the journal of run %.40q", name))
	}
	stored := info.Get(keyHead)
	const bare = headSize - sha256.Size
	if len(stored) < bare {
		return h, false, damaged(run, "the head is missing")
	}
	h = head{binary.BigEndian.Uint64(stored), hex.EncodeToString(stored[8:bare])}
	return h, hmac.Equal(stored[bare:], s.headMAC(run, h)), nil
}

// unwritten is the refusal of entries that nobody with the user's key wrote. last is the last
// one that is known to be genuine, 0 if none is.
func unwritten(run string, last, end uint64) error {
	switch {
	case last == 0:
		return forged(run, "its entries were not written by this user's assent")
	case last >= end:
		return forged(run, "the record of its last entry was not written by this user's assent")
	}
	return &atEntry{forged(run, fmt.Sprintf("the entries after %d were not written by this user's assent", last)), last + 1}
}
