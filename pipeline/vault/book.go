package vault

import (
	"bytes"
	"hash/maphash"
)

// book is what a vault remembers: entries, found by value and by name. It has no
// lock of its own.
type book struct {
	seed     maphash.Seed
	arena    arena
	byValue  table
	byName   table
	entities numbering
	spaces   numbering
	keys     []keyID // of the entries; new ones get keys[current]
	current  uint8
	capitals bool // there is a name with capitals
}

func newBook(key keyID) *book { return &book{seed: maphash.MakeSeed(), keys: []keyID{key}} }

// numbers returns the numbers of a namespace and an entity. It is not ok if there
// are too many: the words are kept for good.
func (b *book) numbers(space, entity string, maxSpaces int) (s, e uint32, ok bool) {
	if len(b.spaces.words) >= maxSpaces || len(b.entities.words) >= maxEntities {
		s, known := b.spaces.find(space)
		e, knownToo := b.entities.find(entity)
		return s, e, known && knownToo
	}
	return b.spaces.of(space), b.entities.of(entity), true
}

func (b *book) len() int { return b.byName.n }

// hash mixes the number of the namespace into the hash of a text.
func (b *book) hash(space uint32, text []byte) uint64 {
	return maphash.Bytes(b.seed, text) + uint64(space)*0x9E3779B97F4A7C15
}

// value finds the entry of a value that the current key issued.
func (b *book) value(space, entity uint32, value []byte) (offset uint32, e entry, ok bool) {
	p := newProbe(b.hash(space, value))
	for {
		offset, more := b.byValue.next(&p)
		if !more {
			return 0, e, false
		}
		if e := b.arena.at(offset); e.entity == entity && e.space == space && e.key == b.current && bytes.Equal(e.value, value) {
			return offset, e, true
		}
	}
}

// name finds the entry of a pseudonym.
func (b *book) name(space uint32, name []byte) (offset uint32, e entry, ok bool) {
	return b.hashedName(b.hash(space, name), space, name)
}

func (b *book) hashedName(hash uint64, space uint32, name []byte) (offset uint32, e entry, ok bool) {
	p := newProbe(hash)
	for {
		offset, more := b.byName.next(&p)
		if !more {
			return 0, e, false
		}
		if e := b.arena.at(offset); e.space == space && bytes.Equal(e.name, name) {
			return offset, e, true
		}
	}
}

// real reports whether a text with that hash is a value, of whatever entity, that
// has another pseudonym than itself.
func (b *book) real(hash uint64, space uint32, text []byte) bool {
	p := newProbe(hash)
	for {
		offset, more := b.byValue.next(&p)
		if !more {
			return false
		}
		if e := b.arena.at(offset); e.space == space && bytes.Equal(e.value, text) && !bytes.Equal(e.name, text) {
			return true
		}
	}
}

// resolve finds the entry of a pseudonym, and tells whether it is the real name of
// something too.
func (b *book) resolve(space uint32, name []byte) (e entry, known, ok bool) {
	hash := b.hash(space, name)
	if _, e, ok = b.hashedName(hash, space, name); ok {
		known = b.real(hash, space, name)
	}
	return e, known, ok
}

// add remembers an entry. It is not ok if there is no room.
func (b *book) add(e *entry) bool {
	if b.byName.full() {
		b.index(b.len() + 1)
	}
	offset, ok := b.arena.add(e)
	if ok {
		b.show(e, offset)
	}
	return ok
}

// show lets an entry be found.
func (b *book) show(e *entry, offset uint32) {
	b.byValue.add(b.hash(e.space, e.value), offset)
	b.byName.add(b.hash(e.space, e.name), offset)
	if !b.capitals {
		_, b.capitals = letters(e.name)
	}
}

// index builds the tables anew, with room for n entries.
func (b *book) index(n int) {
	b.byValue.reset(n)
	b.byName.reset(n)
	for offset, e := range b.arena.all() {
		b.show(&e, offset)
	}
}

// forget drops the entries last used before a time.
func (b *book) forget(before uint32) {
	old := b.arena
	b.arena = arena{}
	kept := 0
	for _, e := range old.all() {
		if e.seen >= before {
			b.arena.add(&e)
			kept++
		}
	}
	b.index(kept)
}

func (b *book) size() int { return b.arena.size() + b.byValue.size() + b.byName.size() }
