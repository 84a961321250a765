package vault

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"net/netip"
)

// job is the work on one value. Jobs are used again, so that known values cost no
// allocation.
type job struct {
	v     *Vault
	space string // name of the namespace
	issue bool   // may issue what is not known
	full  bool   // the vault had no room

	mac     hash.Hash
	message []byte
	sum     [sha256.Size]byte
	attempt int
	fixed   bool   // the name just formed has no alternative but by an accident
	domain  []byte // name of the domain or the address in the value at hand
	folded  []byte
	net     netip.Prefix // at hand, an address with its full length
	mapped  bool         // it was written as an IPv6 address
	prefix  [16]byte     // of the permutation
	bits    [16]byte
}

// maxAttempts bounds the names tried for a value. Only shapes with little room,
// short digits or addresses in a small network, come near it.
const maxAttempts = 64

// format appends the name of a value in its shape, made of the sum, to dst. It
// returns nil if there is none with this attempt. A nil format is the shape of
// anything else.
type format func(j *job, dst, value []byte) []byte

func newJob(v *Vault) *job {
	return &job{v: v, mac: hmac.New(sha256.New, v.rings[0].names)}
}

// begin returns a job for an owner; end gives it back.
func (v *Vault) begin(owner string, issue bool) *job {
	j := v.jobs.Get().(*job)
	j.space, j.issue, j.full = v.spaceOf(owner), issue, false
	return j
}

func (v *Vault) end(j *job) {
	if cap(j.message) > 2*maxValue {
		j.message = nil
	}
	j.space = ""
	v.jobs.Put(j)
}

// derive computes the sum of a value for an attempt. Every field has its length
// before it, so that no two values have one message.
func (j *job) derive(entity string, value []byte, attempt int) {
	m := j.message[:0]
	m = append(m, j.v.options.Namespace[0])
	m = binary.AppendUvarint(m, uint64(len(j.space)))
	m = append(m, j.space...)
	m = binary.AppendUvarint(m, uint64(len(entity)))
	m = append(m, entity...)
	m = binary.AppendUvarint(m, uint64(attempt))
	m = append(m, value...)
	j.message, j.attempt, j.fixed = m, attempt, false
	j.mac.Reset()
	j.mac.Write(m)
	j.mac.Sum(j.sum[:0])
}

// name appends the pseudonym of a value to dst: the known one, or a new one in the
// shape that format gives. It is not ok, and dst as it was, if there is none to be
// had.
func (j *job) name(dst []byte, entity string, value []byte, f format) (out []byte, ok bool) {
	if out, ok := j.known(dst, entity, value); ok || !j.issue {
		return out, ok
	}
	return j.create(dst, entity, value, value, f)
}

// known appends the pseudonym that a value already has.
func (j *job) known(dst []byte, entity string, value []byte) (out []byte, ok bool) {
	v := j.v
	space, ok := v.number(&v.book.spaces, j.space)
	if !ok {
		return dst, false
	}
	number, ok := v.number(&v.book.entities, entity)
	if !ok {
		return dst, false
	}
	v.lockToRead()
	_, e, ok := v.book.value(space, number, value)
	if !ok {
		v.unlockRead()
		return dst, false
	}
	length := len(dst)
	dst = append(dst, e.name...)
	stale, expired := v.stale(&e), v.expired(&e)
	v.unlockRead()
	if expired && !j.issue {
		return dst[:length], false
	}
	if stale && j.issue {
		v.use(space, dst[length:])
	}
	return dst, true
}

// create derives names from a seed, the value or a normal form of it, until one is
// free. A value that is a name already stays: what was transformed once is transformed
// again where a handler passes on what another tool answered.
func (j *job) create(dst []byte, entity string, value, seed []byte, f format) (out []byte, ok bool) {
	if len(value) > maxValue {
		return dst, false
	}
	if j.issued(value) {
		return append(dst, value...), true
	}
	for attempt := range maxAttempts {
		j.derive(entity, seed, attempt)
		out := j.form(dst, entity, value, f)
		if out == nil || len(out)-len(dst) > maxName {
			continue
		}
		switch j.v.register(j, entity, value, out[len(dst):]) {
		case registered:
			return out, true
		case noRoom:
			j.full = true
			return dst, false
		case taken:
			j.v.collisions.Add(1)
		}
	}
	return dst, false
}

// issued reports whether a value is a name that was issued in the namespace, and nothing
// else: what has little room, private addresses and short digits, may be real too.
func (j *job) issued(value []byte) bool {
	v := j.v
	space, ok := v.number(&v.book.spaces, j.space)
	if !ok {
		return false
	}
	v.lockToRead()
	_, e, ok := v.book.name(space, value)
	stale := ok && v.stale(&e)
	v.unlockRead()
	if !ok || isCommon(value) {
		return false
	}
	if stale {
		v.use(space, value)
	}
	return true
}

// isCommon reports whether a name may well be that of something real.
func isCommon(name []byte) bool {
	if len(name) < 10 && isDigits(name) {
		return true
	}
	net, ok := parseNet(name)
	return ok && kindOf(net.Addr().Unmap(), net.Bits()) == private
}

func (j *job) form(dst []byte, entity string, value []byte, f format) []byte {
	if f == nil {
		return j.hex(appendEntity(dst, entity), 10)
	}
	return f(j, dst, value)
}

type outcome int

const (
	registered outcome = iota
	taken
	noRoom
)

// register remembers a name for a value if it is free.
func (v *Vault) register(j *job, entity string, value, name []byte) outcome {
	e := entry{seen: uint32(now()), key: v.book.current, value: value, name: name}
	return v.enter(j, entity, &e, v.book.textHash(name), v.book.textHash(value))
}

// enter is the part of register that others wait for.
func (v *Vault) enter(j *job, entity string, e *entry, nameHash, valueHash uint64) (done outcome) {
	v.mu.Lock()
	defer v.mu.Unlock()
	var ok bool
	if e.space, e.entity, ok = v.book.numbers(j.space, entity, v.options.MaxEntries); !ok {
		return noRoom
	}
	hash := inSpace(nameHash, e.space)
	if offset, old, ok := v.book.hashedName(hash, e.space, e.name); ok {
		if !bytes.Equal(old.value, e.value) {
			return taken
		}
		// Somebody else was faster, or another entity has it.
		if v.forgets() {
			v.book.arena.touch(offset, e.seen)
			v.journal.touched()
		}
		return registered
	}
	known := v.book.real(hash, e.space, e.name)
	if known && !j.fixed {
		return taken
	}
	if !v.room() || !v.book.add(e, hash, inSpace(valueHash, e.space), known) {
		return noRoom
	}
	v.nets.learn(e.space, e.value, e.name)
	return registered
}

// room reports whether one more entry may be remembered. A full vault forgets what
// expired, and looks for that at most once a second.
func (v *Vault) room() bool {
	if v.book.len() < v.options.MaxEntries {
		return true
	}
	at := now()
	if v.options.TTLSeconds == 0 || at == v.swept {
		return false
	}
	v.swept = at
	v.book.forget(uint32(at - int64(v.options.TTLSeconds)))
	v.nets = nets{}
	for _, e := range v.book.arena.all() {
		v.nets.learn(e.space, e.value, e.name)
	}
	v.journal.moved()
	return v.book.len() < v.options.MaxEntries
}
