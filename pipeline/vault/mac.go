package vault

import "encoding/hex"

// isMAC tells an EUI-48 in one of the forms of [net.ParseMAC], or twelve digits
// without separators.
func isMAC(value []byte) bool {
	switch len(value) {
	case 17:
		return (value[2] == ':' || value[2] == '-') && hexGroups(value, 2)
	case 14:
		return value[4] == '.' && hexGroups(value, 4)
	case 12:
		return each(value, isHex)
	}
	return false
}

// hexGroups tells groups of n hexadecimal digits with one separator.
func hexGroups(value []byte, n int) bool {
	for i, c := range value {
		if (i+1)%(n+1) == 0 {
			if c != value[n] {
				return false
			}
		} else if !isHex(c) {
			return false
		}
	}
	return true
}

func (j *job) mac48(dst []byte, entity string, value []byte) (out []byte, ok bool) {
	if out, ok := j.known(dst, entity, value); ok || !j.issue {
		return out, ok
	}
	if !isMAC(value) {
		return j.plain(dst, entity, value)
	}
	return j.create(dst, entity, value, j.oneCase(value), formatMAC)
}

// formatMAC makes a locally administered unicast address (IEEE 802, section 8.4)
// with the separators and the case of the value.
func formatMAC(j *job, dst, value []byte) []byte {
	j.sum[0] = j.sum[0]&^1 | 2
	var digits [12]byte
	hex.Encode(digits[:], j.sum[:6])
	n, at := len(dst), 0
	for _, c := range value {
		if isHex(c) {
			c = digits[at]
			at++
		}
		dst = append(dst, c)
	}
	sameCase(dst[n:], value)
	return dst
}
