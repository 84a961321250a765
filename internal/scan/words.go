package scan

import (
	"encoding/binary"
	"math/bits"
)

// Eight bytes of text at once.
const (
	ones    = 0x0101010101010101
	tops    = 0x80 * ones
	lowers  = 0x20 * ones
	blanks  = ' ' * ones
	upToA   = (0x80 - 'a') * ones // sets the top bit of what is not below a
	beyondZ = (0x7f - 'z') * ones // sets the top bit of what is above z
)

// skipWords returns the start of the first token from i on, which is the start of one,
// that is more than a short word: all before it are letters of ASCII with blanks between
// them, fewer than long, and announce no credentials.
func skipWords(text []byte, i int) int {
	start, ends := i, uint64(0)
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		small := w | lowers
		letters := (small + upToA) &^ (small + beyondZ)
		blank := equalBytes(w, blanks)
		if w&tops != 0 || (letters|blank)&tops != tops {
			break
		}
		final := equalBytes(small, 'r'*ones) | equalBytes(small, 'c'*ones) // of bearer, of basic
		if (final<<8|ends)&blank != 0 {
			break
		}
		ends = final >> 56
		if blank == 0 {
			if i+8-start >= long {
				break
			}
			continue
		}
		if i+bits.TrailingZeros64(blank)/8-start >= long {
			break
		}
		start = i + 8 - bits.LeadingZeros64(blank)/8
	}
	return start
}

// equalBytes sets the top bit of each byte in which two words of ASCII are the same.
func equalBytes(a, b uint64) uint64 {
	return ^((a ^ b) + 0x7f*ones) & tops
}
