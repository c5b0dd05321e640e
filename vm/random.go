package vm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// draw gives the next 32 random bytes of a strand. They depend on the run's seed, on where in the
// script's structure the strand stands, and on how many were drawn there before, so branches
// that run beside each other do not disturb each other.
func (s *strand) draw(seed string) [sha256.Size]byte {
	h := sha256.New()
	for _, part := range []string{"assent/random/1\n", seed, "\n", s.frame.path, s.path, "\n"} {
		h.Write([]byte(part))
	}
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], s.draws)
	s.draws++
	h.Write(n[:])
	return [sha256.Size]byte(h.Sum(nil))
}

// random gives a number in [0, 1) with 53 random bits.
func (s *strand) random(seed string) float64 {
	bytes := s.draw(seed)
	return float64(binary.BigEndian.Uint64(bytes[:8])>>11) / (1 << 53)
}

// uuid gives a UUID of version 4 (RFC 9562, 5.4).
func (s *strand) uuid(seed string) string {
	bytes := s.draw(seed)
	bytes[6] = bytes[6]&0x0F | 0x40
	bytes[8] = bytes[8]&0x3F | 0x80
	text := hex.EncodeToString(bytes[:16])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}
