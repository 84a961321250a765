package vault

// table finds offsets by hash: open addressing with linear probing, five bytes for
// a slot. A tag of the hash tells nearly all slots apart without a look at the
// arena. Nothing is ever removed; a table that shrinks is built anew.
type table struct {
	tags    []uint8 // 0: free
	offsets []uint32
	n       int
}

const minSlots = 16

// probe goes through the slots that may hold a hash.
type probe struct {
	at  uint64
	tag uint8
}

func newProbe(hash uint64) probe { return probe{hash >> 8, max(1, uint8(hash))} }

// next returns the next offset whose hash may be that of the probe.
func (t *table) next(p *probe) (offset uint32, ok bool) {
	if len(t.tags) == 0 {
		return 0, false
	}
	mask := uint64(len(t.tags) - 1)
	for {
		at := p.at & mask
		switch t.tags[at] {
		case 0:
			return 0, false
		case p.tag:
			p.at = at + 1
			return t.offsets[at], true
		}
		p.at = at + 1
	}
}

// full reports whether the table must grow before the next add: one slot in
// eight stays free.
func (t *table) full() bool { return 8*(t.n+1) > 7*len(t.tags) }

// reset makes the table empty, with twice the slots of before or more if n
// entries need them.
func (t *table) reset(n int) {
	slots := minSlots
	for 7*slots < 8*(n+1) {
		slots *= 2
	}
	*t = table{tags: make([]uint8, slots), offsets: make([]uint32, slots)}
}

func (t *table) add(hash uint64, offset uint32) {
	mask := uint64(len(t.tags) - 1)
	p := newProbe(hash)
	for t.tags[p.at&mask] != 0 {
		p.at++
	}
	t.tags[p.at&mask], t.offsets[p.at&mask] = p.tag, offset
	t.n++
}

func (t *table) size() int { return 5 * len(t.tags) }
