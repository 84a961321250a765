package untrusted

import "math/bits"

// Flags say what a text may need: without a flag it needs nothing.
type Flags uint8

const (
	// Control is a byte of C0 but tab, LF and CR, or DEL: Strip has work.
	Control Flags = 1 << iota
	// NonASCII is a byte above 0x7F: Strip may have work.
	NonASCII
	// Hint is a trigger word of the detector: Suspicious may find something.
	// Only [Detector.Needs] sees it.
	Hint
)

var byteFlags = func() (f [256]Flags) {
	for c := range f {
		switch {
		case c >= 0x80:
			f[c] = NonASCII
		case c < 0x20 && c != '\t' && c != '\n' && c != '\r', c == 0x7F:
			f[c] = Control
		}
	}
	return f
}()

// FlagsOf returns the flags of one byte, by one look into a table: a lexer that
// passes over a text anyway joins them with |.
func FlagsOf(c byte) Flags { return byteFlags[c] }

// Scan returns the flags of a text but [Hint].
func Scan[T text](s T) (f Flags) {
	i := plain(s, 0)
	if i < len(s) && s[i] < 0x80 {
		f = Control
		for ; i < len(s) && s[i] < 0x80; i++ {
		}
	}
	for ; i < len(s) && f != Control|NonASCII; i++ {
		f |= byteFlags[s[i]]
	}
	return f
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain returns the index of the first byte at or after i that is neither
// printable ASCII nor tab, LF or CR.
func plain[T text](s T, i int) int {
	for i+8 <= len(s) {
		w := eight(s, i)
		// A high bit in m stands for a byte above 0x7F, below 0x20, or 0x7F. Only
		// the lowest is exact.
		del := w ^ 0x7F*ones
		m := (w | (w-0x20*ones)&^w | (del-ones)&^del) & highs
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) / 8
		if byteFlags[s[i]] != 0 {
			return i
		}
		i++
	}
	for i < len(s) && byteFlags[s[i]] == 0 {
		i++
	}
	return i
}
