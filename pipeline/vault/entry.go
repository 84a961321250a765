package vault

import "encoding/binary"

// maxValue is the longest value that gets a pseudonym, in bytes; maxName is the
// longest pseudonym.
const (
	maxValue = 4096
	maxName  = 256
)

// entry is one pseudonym and what it stands for. In the arena and in the store it
// is written as: last use (4 bytes, seconds since 1970, little endian), number of
// its key (1 byte), then as uvarints the numbers of entity and namespace and the
// lengths of value and name, then value and name.
type entry struct {
	seen          uint32
	key           uint8
	entity, space uint32
	value, name   []byte
	size          int // as written
}

const (
	seenSize    = 4
	minEntry    = seenSize + 1 + 4
	maxHeader   = seenSize + 1 + 4*binary.MaxVarintLen32
	maxEntry    = maxHeader + maxValue + maxName
	maxEntities = 1 << 16
)

func (e *entry) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, e.seen)
	dst = append(dst, e.key)
	for _, n := range [4]uint32{e.entity, e.space, uint32(len(e.value)), uint32(len(e.name))} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	dst = append(dst, e.value...)
	return append(dst, e.name...)
}

// readEntry reads an entry from the front of b. Value and name are parts of b. It
// is not ok if b holds none.
func readEntry(b []byte) (e entry, ok bool) {
	if len(b) < minEntry {
		return e, false
	}
	e.seen, e.key = binary.LittleEndian.Uint32(b), b[seenSize]
	var numbers [4]uint32
	at := seenSize + 1
	for i := range numbers {
		if at < len(b) && b[at] < 0x80 { // nearly always
			numbers[i] = uint32(b[at])
			at++
			continue
		}
		n, size := binary.Uvarint(b[at:])
		if size <= 0 || n > 1<<31 {
			return e, false
		}
		numbers[i] = uint32(n)
		at += size
	}
	e.entity, e.space = numbers[0], numbers[1]
	value, name := int(numbers[2]), int(numbers[3])
	if value > maxValue || name > maxName || name == 0 || value+name > len(b)-at {
		return e, false
	}
	e.value, e.name = b[at:at+value:at+value], b[at+value:at+value+name:at+value+name]
	e.size = at + value + name
	return e, true
}
