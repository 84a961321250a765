package jsondoc

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
)

// MaxKeys bounds how many names are told apart by number.
const MaxKeys = 512

// guessDepths is how many depths are told apart where names are guessed.
const guessDepths = 4

// maxKeyLen is the length up to which a name gets a number.
const maxKeyLen = 128

// Keys numbers the names of members as they are written. It is safe for concurrent
// use and may serve many runs, which then agree in their numbers. The zero Keys is
// ready.
type Keys struct {
	slots [2 * MaxKeys]atomic.Uint32 // number plus one, by hash
	// next is, for a name and a depth, the number plus one of the name that followed first.
	next  [MaxKeys][guessDepths]atomic.Uint32
	names [MaxKeys]string // written before the slot that leads to it
	mu    sync.Mutex      // held while a name is added
	n     int             // guarded by mu
	full  atomic.Bool
}

// Full reports whether new names get no number any more.
func (k *Keys) Full() bool { return k.full.Load() }

// id returns the number of a name, -1 if it has none.
func (k *Keys) id(name []byte) int {
	for at := hash(name); ; at++ {
		slot := k.slots[at%uint32(len(k.slots))].Load()
		if slot == 0 {
			return k.add(name)
		}
		if k.names[slot-1] == string(name) {
			return int(slot - 1)
		}
	}
}

// add gives a name a number, if there is one left.
func (k *Keys) add(name []byte) int {
	if len(name) > maxKeyLen || k.full.Load() {
		return -1
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for at := hash(name); ; at++ {
		slot := &k.slots[at%uint32(len(k.slots))]
		switch s := slot.Load(); {
		case s != 0 && k.names[s-1] == string(name):
			return int(s - 1) // somebody else was faster
		case s != 0:
			continue
		case k.n == MaxKeys:
			return -1
		}
		k.names[k.n] = string(name)
		k.n++
		k.full.Store(k.n == MaxKeys)
		slot.Store(uint32(k.n))
		return k.n - 1
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
