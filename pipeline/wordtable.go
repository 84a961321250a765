package pipeline

import (
	"hash/maphash"
	"slices"
)

// wordTable is a hash table of texts that keeps them in one piece of memory, without
// pointers: a result may have some hundred thousand names.
type wordTable struct {
	seed     maphash.Seed
	texts    []byte
	entries  []wordEntry
	slots    []uint32 // number of an entry plus one, by hash; a power of two long
	outcomes []*outcome
}

// wordEntry is a name, the first word of names, or both.
type wordEntry struct {
	hash       uint32 // the lower half
	start, end uint32
	longest    uint32 // length of the longest name that begins with the word
	to         uint16 // what becomes of the name, plus one; 0: it is only a first word
	key        bool   // the name is unlike that of a member
}

func (e *wordEntry) isName() bool { return e.to != 0 }

func (t *wordTable) text(e *wordEntry) []byte { return t.texts[e.start:e.end] }

// outcomeOf returns what becomes of a name.
func (t *wordTable) outcomeOf(e *wordEntry) *outcome { return t.outcomes[e.to-1] }

// setName makes an entry that of a name. There are fewer outcomes than a policy has
// entities.
func (t *wordTable) setName(e *wordEntry, to *outcome, key bool) {
	at := slices.Index(t.outcomes, to)
	if at < 0 {
		at = len(t.outcomes)
		t.outcomes = append(t.outcomes, to)
	}
	e.to, e.key = uint16(at+1), key
}

// get returns the entry of a text; nil if there is none. It is valid until the next
// put.
func (t *wordTable) get(text []byte) *wordEntry {
	if len(t.slots) == 0 {
		return nil
	}
	at, _ := t.find(text)
	if slot := t.slots[at]; slot != 0 {
		return &t.entries[slot-1]
	}
	return nil
}

// put returns the entry of a text, made if there was none.
func (t *wordTable) put(text []byte) *wordEntry {
	if 2*len(t.entries) >= len(t.slots) {
		t.grow()
	}
	at, hash := t.find(text)
	if t.slots[at] == 0 {
		if len(t.texts)+len(text) > cap(t.texts) { // append grows large slices by little
			t.texts = slices.Grow(t.texts, len(t.texts)+len(text))
		}
		start := uint32(len(t.texts))
		t.texts = append(t.texts, text...)
		t.entries = append(t.entries, wordEntry{hash: hash, start: start, end: uint32(len(t.texts))})
		t.slots[at] = uint32(len(t.entries))
	}
	return &t.entries[t.slots[at]-1]
}

// find returns the slot of a text, or the empty one for it, and the hash.
func (t *wordTable) find(text []byte) (at int, hash uint32) {
	mask := len(t.slots) - 1
	hash = uint32(maphash.Bytes(t.seed, text))
	for at = int(hash) & mask; ; at = (at + 1) & mask {
		slot := t.slots[at]
		if slot == 0 {
			return at, hash
		}
		if e := &t.entries[slot-1]; e.hash == hash && string(t.text(e)) == string(text) {
			return at, hash
		}
	}
}

func (t *wordTable) grow() {
	if t.slots == nil {
		t.seed = maphash.MakeSeed()
	}
	t.slots = make([]uint32, max(64, 2*len(t.slots)))
	mask := len(t.slots) - 1
	for i := range t.entries {
		at := int(t.entries[i].hash) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(i + 1)
	}
	t.entries = slices.Grow(t.entries, len(t.slots)/2-len(t.entries))
}
