package pipeline

import "hash/maphash"

// wordTable is a hash table of texts that keeps them in one piece of memory: a
// result may have some hundred thousand names.
type wordTable struct {
	seed    maphash.Seed
	texts   []byte
	entries []wordEntry
	slots   []uint32 // number of an entry plus one, by hash; a power of two long
}

// wordEntry is a name, the first word of names, or both.
type wordEntry struct {
	start, end uint32
	longest    uint32   // length of the longest name that begins with the word
	to         *outcome // what becomes of the name; nil: it is only a first word
	key        bool     // the name is unlike that of a member
}

func (e *wordEntry) len() int { return int(e.end - e.start) }

func (t *wordTable) text(e *wordEntry) []byte { return t.texts[e.start:e.end] }

// get returns the entry of a text; nil if there is none. It is valid until the next
// put.
func (t *wordTable) get(text []byte) *wordEntry {
	if len(t.slots) == 0 {
		return nil
	}
	if slot := t.slots[t.find(text)]; slot != 0 {
		return &t.entries[slot-1]
	}
	return nil
}

// put returns the entry of a text, made if there was none.
func (t *wordTable) put(text []byte) *wordEntry {
	if 2*len(t.entries) >= len(t.slots) {
		t.grow()
	}
	at := t.find(text)
	if t.slots[at] == 0 {
		start := uint32(len(t.texts))
		t.texts = append(t.texts, text...)
		t.entries = append(t.entries, wordEntry{start: start, end: uint32(len(t.texts))})
		t.slots[at] = uint32(len(t.entries))
	}
	return &t.entries[t.slots[at]-1]
}

// find returns the slot of a text, or the empty one for it.
func (t *wordTable) find(text []byte) int {
	mask := len(t.slots) - 1
	for at := int(maphash.Bytes(t.seed, text)) & mask; ; at = (at + 1) & mask {
		slot := t.slots[at]
		if slot == 0 || string(t.text(&t.entries[slot-1])) == string(text) {
			return at
		}
	}
}

func (t *wordTable) grow() {
	if t.slots == nil {
		t.seed = maphash.MakeSeed()
	}
	t.slots = make([]uint32, max(64, 2*len(t.slots)))
	for i := range t.entries {
		t.slots[t.find(t.text(&t.entries[i]))] = uint32(i + 1)
	}
}
