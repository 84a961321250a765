package vault

import (
	"encoding/binary"
	"iter"
	"sync/atomic"
)

const (
	blockBits = 18
	blockSize = 1 << blockBits
)

// arena keeps entries one behind the other in blocks of 256 KiB. None lies across
// two blocks. An offset has the block in its upper 14 bits and the place in the lower
// 18, so an arena holds 4 GiB.
//
// An entry may be read while others are added, if its offset was handed on in a way that
// orders memory, as a table does.
type arena struct {
	shown  atomic.Pointer[[][]byte] // the blocks at their full size, for those who read
	_      apart
	blocks [][]byte
	_      apart
}

// add writes an entry and returns its offset. It is not ok if the arena is full.
func (a *arena) add(e *entry) (offset uint32, ok bool) {
	last := len(a.blocks) - 1
	if last < 0 || len(a.blocks[last])+maxHeader+len(e.value)+len(e.name) > blockSize {
		if last+1 == 1<<(32-blockBits) {
			return 0, false
		}
		a.blocks = append(a.blocks, a.newBlock())
		last++
	}
	at, size := len(a.blocks[last]), cap(a.blocks[last])
	a.blocks[last] = e.append(a.blocks[last])
	if at == 0 || cap(a.blocks[last]) != size {
		a.show()
	}
	return uint32(last)<<blockBits | uint32(at), true
}

// show lets the blocks be read as they are now.
func (a *arena) show() {
	shown := make([][]byte, len(a.blocks))
	for i, block := range a.blocks {
		shown[i] = block[:cap(block)]
	}
	a.shown.Store(&shown)
}

// newBlock has its full size unless it is the first: a small vault stays small.
func (a *arena) newBlock() []byte {
	if len(a.blocks) == 0 {
		return nil
	}
	return make([]byte, 0, blockSize)
}

func (a *arena) bytes(offset uint32) []byte {
	return (*a.shown.Load())[offset>>blockBits][offset&(blockSize-1):]
}

// at returns the entry at an offset that add returned.
func (a *arena) at(offset uint32) entry {
	e, _ := readEntry(a.bytes(offset))
	return e
}

func (a *arena) touch(offset, seen uint32) {
	binary.LittleEndian.PutUint32(a.bytes(offset), seen)
}

// place is a place between entries; the zero place is the start.
type place struct{ block, at int }

func (a *arena) end() place {
	if len(a.blocks) == 0 {
		return place{}
	}
	last := len(a.blocks) - 1
	return place{last, len(a.blocks[last])}
}

// since returns the runs of whole entries from a place on.
func (a *arena) since(p place) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := p.block; i < len(a.blocks); i++ {
			run := a.blocks[i]
			if i == p.block {
				run = run[p.at:]
			}
			if len(run) > 0 && !yield(run) {
				return
			}
		}
	}
}

func (a *arena) clear() {
	a.blocks = nil
	a.shown.Store(nil)
}

// all returns the entries and their offsets in the order they came.
func (a *arena) all() iter.Seq2[uint32, entry] { return entries(a.blocks) }

func entries(blocks [][]byte) iter.Seq2[uint32, entry] {
	return func(yield func(uint32, entry) bool) {
		for i, block := range blocks {
			for at := 0; at < len(block); {
				e, _ := readEntry(block[at:])
				if !yield(uint32(i)<<blockBits|uint32(at), e) {
					return
				}
				at += e.size
			}
		}
	}
}

func (a *arena) size() (n int) {
	for _, block := range a.blocks {
		n += cap(block)
	}
	return n
}
