package journal

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
)

// sealed says which kinds carry a seal: those that decide something.
func sealed(kind Kind) bool {
	switch kind {
	case KindGateAnswered, KindGateClosed, KindGateRevoked, KindRunFinished, KindRunImported:
		return true
	}
	return false
}

// sealText is what a seal signs. The run's id, seq and prev tie the entry to its place; the
// data repeats which question it answers.
func sealText(run string, e Entry) []byte {
	sum := sha256.Sum256(e.unsealed())
	text := append([]byte(sealDomain), run...)
	text = append(text, '\n')
	text = strconv.AppendUint(text, e.Seq, 10)
	text = append(append(text, '\n'), e.Prev...)
	text = append(append(text, '\n'), hex.EncodeToString(sum[:])...)
	return text
}

func seal(key ed25519.PrivateKey, run string, e Entry) string {
	return base64.RawStdEncoding.EncodeToString(ed25519.Sign(key, sealText(run, e)))
}

func sealHolds(key ed25519.PublicKey, run string, e Entry) bool {
	signature, err := base64.RawStdEncoding.Strict().DecodeString(e.Seal)
	return err == nil && ed25519.Verify(key, sealText(run, e), signature)
}
