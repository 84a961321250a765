package jsondoc

import (
	"bytes"
	"encoding/binary"
)

// maxKeys bounds how many different names a run tells apart.
const maxKeys = 512

// keyTable numbers the names of members as they are written.
type keyTable struct {
	slots [2 * maxKeys]uint16 // number plus one, by hash
	names [][]byte
	first [48][]byte // where names begins
}

func (r *Run) keyTable() *keyTable {
	if r.keys == nil {
		r.keys = &keyTable{}
		r.keys.names = r.keys.first[:0]
	}
	return r.keys
}

// id returns the number of a name, -1 when there are too many. Name is kept
// unless it is volatile.
func (t *keyTable) id(name []byte, volatile bool) int {
	for at := hash(name); ; at++ {
		slot := &t.slots[at%uint32(len(t.slots))]
		if *slot == 0 {
			if len(t.names) == maxKeys {
				return -1
			}
			if volatile {
				name = bytes.Clone(name)
			}
			t.names = append(t.names, name)
			*slot = uint16(len(t.names))
			return len(t.names) - 1
		}
		if bytes.Equal(t.names[*slot-1], name) {
			return int(*slot - 1)
		}
	}
}

// hash looks at the ends of a name and its length: names of one document rarely
// agree in all of these, and comparing decides.
func hash(name []byte) uint32 {
	var h uint64
	n := len(name)
	switch {
	case n >= 8:
		h = binary.LittleEndian.Uint64(name) ^ binary.LittleEndian.Uint64(name[n-8:])*31
	case n >= 4:
		h = uint64(binary.LittleEndian.Uint32(name)) ^ uint64(binary.LittleEndian.Uint32(name[n-4:]))<<32
	default:
		for _, c := range name {
			h = h<<8 | uint64(c)
		}
	}
	h = (h ^ uint64(n)) * 0x9E3779B97F4A7C15
	return uint32(h >> 40)
}
