package vault

import (
	"bytes"
	"hash/maphash"
	"sync/atomic"
)

// book is what a vault remembers: entries, found by value and by name. It has no lock of
// its own. Value, name and resolve may be called while an entry is added, but not while
// the book forgets or is read from a store.
type book struct {
	seed     maphash.Seed
	arena    arena
	byValue  table
	byName   table
	entities numbering
	spaces   numbering
	keys     []keyID // of the entries; new ones get keys[current]
	current  uint8
	capitals atomic.Bool // there is a name with capitals
	mixed    filter      // of names that are values, too
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
	return inSpace(b.textHash(text), space)
}

func (b *book) textHash(text []byte) uint64 { return maphash.Bytes(b.seed, text) }

func inSpace(textHash uint64, space uint32) uint64 {
	return textHash + uint64(space)*0x9E3779B97F4A7C15
}

// value finds the entry of a value that the current key issued.
func (b *book) value(space, entity uint32, value []byte) (offset uint32, e entry, ok bool) {
	p := b.byValue.probe(b.hash(space, value))
	for {
		offset, more := p.next()
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
	p := b.byName.probe(hash)
	for {
		offset, more := p.next()
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
	p := b.byValue.probe(hash)
	for {
		offset, more := p.next()
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
	if _, e, ok = b.hashedName(hash, space, name); ok && b.mixed.has(hash) {
		known = b.real(hash, space, name)
	}
	return e, known, ok
}

// add remembers an entry under the hashes of its name and of its value. It is not ok if
// there is no room. Compared before it is shown, it is never found without what there is
// to know of it.
// Known tells whether the name is a value, see real.
func (b *book) add(e *entry, name, value uint64, known bool) bool {
	offset, ok := b.arena.add(e)
	if ok {
		b.compare(e, name, value, known)
		b.show(e, offset, name, value)
	}
	return ok
}

// show lets an entry be found, by its name first: who finds its value may pass the name on.
func (b *book) show(e *entry, offset uint32, name, value uint64) {
	if _, upper := letters(e.name); upper && !b.capitals.Load() {
		b.capitals.Store(true)
	}
	b.byName.add(name, offset)
	b.byValue.add(value, offset)
}

// compare notes whether the value of an entry is the name of another one that is shown, or
// its name a value, with their hashes.
func (b *book) compare(e *entry, name, value uint64, known bool) {
	if bytes.Equal(e.value, e.name) {
		return
	}
	if _, _, ok := b.hashedName(value, e.space, e.value); ok {
		b.mixed.add(value)
	}
	if known {
		b.mixed.add(name)
	}
}

// filter is a set of hashes that has a few others, too.
type filter [1 << 10]atomic.Uint64

func (f *filter) add(hash uint64) { f[hash>>6%uint64(len(f))].Or(1 << (hash & 63)) }

func (f *filter) has(hash uint64) bool { return f[hash>>6%uint64(len(f))].Load()>>(hash&63)&1 != 0 }

// index builds the tables anew, with room for n entries.
func (b *book) index(n int) {
	for i := range b.mixed {
		b.mixed[i].Store(0)
	}
	b.byValue.reset(n)
	b.byName.reset(n)
	for offset, e := range b.arena.all() {
		name, value := b.hash(e.space, e.name), b.hash(e.space, e.value)
		b.compare(&e, name, value, b.real(name, e.space, e.name))
		b.show(&e, offset, name, value)
	}
}

// forget drops the entries last used before a time.
func (b *book) forget(before uint32) {
	old := b.arena.blocks
	b.arena.clear()
	kept := 0
	for _, e := range entries(old) {
		if e.seen >= before {
			b.arena.add(&e)
			kept++
		}
	}
	b.index(kept)
}

func (b *book) size() int { return b.arena.size() + b.byValue.size() + b.byName.size() }
