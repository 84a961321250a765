package vault

import "sync/atomic"

// table finds offsets by hash: open addressing with linear probing, eight bytes for a
// slot. Half of a slot is the hash, which tells nearly all slots apart without a look at
// the arena. Nothing is ever removed; a table that shrinks is built anew.
//
// It may be read while an offset is added: what is not seen yet counts as not there.
type table struct {
	slots atomic.Pointer[[]atomic.Uint64] // hash, and the offset plus one; 0: free
	_     apart
	n     int // for those who add
	_     apart
}

// apart keeps what changes all the time out of the cache line of what others read.
type apart [64]byte

const minSlots = 16

// probe goes through the slots that may hold a hash.
type probe struct {
	slots []atomic.Uint64
	hash  uint32
	at    uint32
}

func (t *table) probe(hash uint64) probe {
	p := probe{hash: uint32(hash), at: uint32(hash)}
	if slots := t.slots.Load(); slots != nil {
		p.slots = *slots
	}
	return p
}

// next returns the next offset whose hash may be that of the probe.
func (p *probe) next() (offset uint32, ok bool) {
	if len(p.slots) == 0 {
		return 0, false
	}
	mask := uint32(len(p.slots) - 1)
	for {
		slot := p.slots[p.at&mask].Load()
		if slot == 0 {
			return 0, false
		}
		p.at++
		if slot>>32 == uint64(p.hash) {
			return uint32(slot) - 1, true
		}
	}
}

// reset makes the table empty, with room for n entries.
func (t *table) reset(n int) {
	size := minSlots
	for isFull(n, size) {
		size *= 2
	}
	slots := make([]atomic.Uint64, size)
	t.slots.Store(&slots)
	t.n = 0
}

// isFull reports whether n entries need more slots: one in eight stays free.
func isFull(n, slots int) bool { return 8*n > 7*slots }

// add adds an offset that is not there yet.
func (t *table) add(hash uint64, offset uint32) {
	if t.slots.Load() == nil {
		t.reset(1)
	}
	t.n++
	slots := *t.slots.Load()
	if isFull(t.n, len(slots)) {
		slots = t.grow(slots)
	}
	put(slots, hash<<32|uint64(offset+1))
}

// grow replaces the slots by twice as many; who reads the old ones goes on there.
func (t *table) grow(old []atomic.Uint64) []atomic.Uint64 {
	slots := make([]atomic.Uint64, 2*len(old))
	for i := range old {
		if slot := old[i].Load(); slot != 0 {
			put(slots, slot)
		}
	}
	t.slots.Store(&slots)
	return slots
}

func put(slots []atomic.Uint64, slot uint64) {
	mask := uint32(len(slots) - 1)
	at := uint32(slot >> 32)
	for slots[at&mask].Load() != 0 {
		at++
	}
	slots[at&mask].Store(slot)
}

func (t *table) size() int {
	if slots := t.slots.Load(); slots != nil {
		return 8 * len(*slots)
	}
	return 0
}
