package vault

import "encoding/hex"

// isGUID tells 8-4-4-4-12 hexadecimal digits (RFC 9562, section 4).
func isGUID(value []byte) bool {
	if len(value) != 36 {
		return false
	}
	for i, c := range value {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !isHex(c) {
			return false
		}
	}
	return true
}

func (j *job) guid(dst []byte, entity string, value []byte) (out []byte, ok bool) {
	if out, ok := j.known(dst, entity, value); ok || !j.issue {
		return out, ok
	}
	return j.create(dst, entity, value, j.oneCase(value), formatGUID)
}

// formatGUID makes a UUID of version 8 (RFC 9562, section 5.8) in the case of the
// value.
func formatGUID(j *job, dst, value []byte) []byte {
	j.sum[6] = j.sum[6]&0x0f | 0x80
	j.sum[8] = j.sum[8]&0x3f | 0x80
	n := len(dst)
	from := 0
	for i, size := range [5]int{4, 2, 2, 2, 6} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, j.sum[from:from+size])
		from += size
	}
	sameCase(dst[n:], value)
	return dst
}
