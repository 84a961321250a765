package pipeline

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// hashing is how a value is hashed.
type hashing struct {
	length int    // hexadecimal digits
	text   string // see marker
}

const defaultDigest = 12

func newHashing(o *Options, text string) hashing {
	h := hashing{length: o.Int("length", defaultDigest, 4), text: markerText(o, "template", text, "digest")}
	if h.length > hex.EncodedLen(sha256.Size) {
		o.Fail("length", "must be at most %d", hex.EncodedLen(sha256.Size))
	}
	return h
}

// hasher hashes values with HMAC-SHA256 (RFC 2104), those of each entity apart from
// those of others. It is used by one goroutine.
type hasher struct {
	key []byte
	mac hash.Hash
	sum [sha256.Size]byte
	hex [2 * sha256.Size]byte
}

// digest returns the first digits of the hash; they are valid until the next call.
func (h *hasher) digest(entity string, value []byte, length int) []byte {
	if h.mac == nil {
		h.mac = hmac.New(sha256.New, h.key)
	}
	h.mac.Reset()
	scratch := append(append(h.hex[:0], entity...), 0)
	h.mac.Write(scratch)
	h.mac.Write(value)
	hex.Encode(h.hex[:], h.mac.Sum(h.sum[:0]))
	return h.hex[:length]
}
