package canonical

import "bytes"

// mostFlat is how many members an object may have that appendFlat sorts.
const mostFlat = 16

// span is a member of an object: its name, and all of it.
type span struct{ name, all []byte }

// appendFlat is Append for the usual arguments of a call: an object that is canonical
// but for the order of its few members. It reports false, and leaves dst as it is, if v
// is another value or may be one.
func appendFlat(dst, v []byte) ([]byte, bool) {
	var few [mostFlat]span
	members, ok := membersOf(v, few[:0])
	if !ok {
		return dst, false
	}
	for i := 1; i < len(members); i++ { // sorts by insertion
		for j := i; j > 0; j-- {
			order := bytes.Compare(members[j-1].name, members[j].name)
			if order == 0 {
				return dst, false
			}
			if order < 0 {
				break
			}
			members[j-1], members[j] = members[j], members[j-1]
		}
	}
	for i, m := range members {
		separator := byte(',')
		if i == 0 {
			separator = '{'
		}
		dst = append(append(dst, separator), m.all...)
	}
	return append(dst, '}'), true
}

// membersOf appends the members of an object to dst, which has the room for them.
func membersOf(v []byte, dst []span) ([]span, bool) {
	if len(v) == 0 || v[0] != '{' {
		return nil, false
	}
	for i := 1; len(dst) < cap(dst); i++ {
		end := plainString(v, i)
		if end == no || end == len(v) || v[end] != ':' {
			return nil, false
		}
		after := canonicalValue(v, end+1, mostLevels)
		if after == no || after == len(v) {
			return nil, false
		}
		dst = append(dst, span{v[i+1 : end-1], v[i:after]})
		if i = after; v[i] == '}' && i == len(v)-1 {
			return dst, true
		}
		if v[i] != ',' {
			return nil, false
		}
	}
	return nil, false
}
