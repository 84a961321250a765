package vault

import "encoding/binary"

const (
	wordDigits = 16 // decimal digits taken from eight bytes of the sum
	maxDigits  = 4 * wordDigits
)

// formatDigits keeps the number of digits; the first is not zero.
func formatDigits(j *job, dst, value []byte) []byte {
	if len(value) > maxDigits {
		return nil
	}
	var word uint64
	for i := range value {
		if i%wordDigits == 0 {
			word = binary.BigEndian.Uint64(j.sum[i/wordDigits*8:])
		}
		base := uint64(10)
		if i == 0 {
			base = 9
		}
		digit := word % base
		word /= base
		dst = append(dst, '0'+byte(digit+10-base))
	}
	return dst
}
