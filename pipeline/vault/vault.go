package vault

import (
	"sync"
	"sync/atomic"
	"time"
)

// Vault issues pseudonyms and turns them back. It is safe for concurrent use.
type Vault struct {
	options Options
	rings   []*keyRing // the first issues
	scopes  scopes
	jobs    sync.Pool // of *job

	book *book
	_    apart
	mu   briefLock // guards book, nets, swept; see lockToRead
	_    apart
	nets nets
	// swept is when the vault last looked for expired entries to drop.
	swept int64

	collisions, refused atomic.Uint64
	journal             *journal // nil: in memory
	closing             sync.Once
	closed              error // of the first Close
}

// New returns a vault; nil options mean the defaults. With a store it holds what
// the store does; an error leaves the store as it was. All mistakes of the options
// come in one error.
func New(o *Options) (*Vault, error) {
	v, err := open(o)
	if err != nil {
		return nil, err
	}
	v.journal.start(v.options.FlushInterval)
	return v, nil
}

// open returns a vault that does not write on its own.
func open(o *Options) (*Vault, error) {
	c, err := o.complete()
	if err != nil {
		return nil, err
	}
	v := &Vault{options: c}
	if v.rings, err = c.keyRings(); err != nil {
		return nil, err
	}
	v.book = newBook(v.rings[0].id)
	v.scopes.key = v.rings[0].names
	v.jobs.New = func() any { return newJob(v) }
	if err := v.attach(); err != nil {
		return nil, err
	}
	return v, nil
}

// Stats are figures of a vault.
type Stats struct {
	Entries    int    // remembered pseudonyms, parts counted alone
	Bytes      int    // what they take in memory
	Collisions uint64 // names that were taken, so that another was derived
	Refused    uint64 // values that got no pseudonym because the vault was full
}

// Stats returns the figures of now.
func (v *Vault) Stats() Stats {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return Stats{v.book.len(), v.book.size(), v.collisions.Load(), v.refused.Load()}
}

// KeyID tells which key issues: 16 hexadecimal digits that tell nothing about it.
func (v *Vault) KeyID() string { return v.rings[0].id.String() }

// lockToRead locks the book for those who look for a value or a name. A book that forgets
// nothing they may read while others add to it.
func (v *Vault) lockToRead() {
	if v.forgets() {
		v.mu.RLock()
	}
}

func (v *Vault) unlockRead() {
	if v.forgets() {
		v.mu.RUnlock()
	}
}

func (v *Vault) forgets() bool { return v.options.TTLSeconds > 0 }

// spaceOf returns the name of the namespace of an owner.
func (v *Vault) spaceOf(owner string) string {
	if v.options.Namespace == Global {
		return ""
	}
	return owner
}

// now returns the seconds since 1970.
func now() int64 { return time.Now().Unix() }

// expired reports whether an entry was not used for too long.
func (v *Vault) expired(e *entry) bool {
	return v.forgets() && now()-int64(e.seen) > int64(v.options.TTLSeconds)
}

// stale reports whether the last use of an entry must be noted.
func (v *Vault) stale(e *entry) bool {
	return v.forgets() && int64(e.seen) < now()
}

// use notes that a name is in use. The entry may have moved, so it is looked up
// again.
func (v *Vault) use(space uint32, name []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if offset, _, ok := v.book.name(space, name); ok {
		v.book.arena.touch(offset, uint32(now()))
		v.journal.touched()
	}
}
