package vault

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// maxJournal is how many records the journal may have before the store is written
// anew.
const maxJournal = 1024

// journal writes what comes to a vault to its store. A nil journal does nothing.
type journal struct {
	v     *Vault
	store Store
	stop  chan struct{}
	work  sync.WaitGroup

	// used: times of last use changed. shifted: the book forgot entries.
	used, shifted atomic.Bool

	mu      sync.Mutex // guards the rest, and the store
	sealer  *sealer
	mark    mark
	records int
	rewrite bool // the store must be written anew
	closed  bool
}

func (j *journal) touched() {
	if j != nil {
		j.used.Store(true)
	}
}

func (j *journal) moved() {
	if j != nil {
		j.shifted.Store(true)
	}
}

// start writes every interval until close.
func (j *journal) start(interval time.Duration) {
	if j == nil || interval < 0 {
		return
	}
	j.stop = make(chan struct{})
	j.work.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			select {
			case <-j.stop:
				return
			case <-ticker.C:
				j.tick()
			}
		}
	})
}

func (j *journal) tick() {
	if err := j.flush(); err != nil {
		j.v.options.Logger.Error("vault: new pseudonyms are not kept", slog.Any("error", err))
	}
}

// flush appends what is new to the store.
func (j *journal) flush() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return nil
	}
	j.v.mu.RLock()
	anew := j.rewrite || j.shifted.Load() || j.records >= maxJournal
	var pieces [][]byte
	next := j.v.book.mark()
	if !anew {
		pieces = j.v.book.pieces(j.mark)
	}
	j.v.mu.RUnlock()
	if anew {
		return j.save()
	}
	if len(pieces) == 0 {
		return nil
	}
	for i, piece := range pieces {
		pieces[i] = j.sealer.seal(forJournal, piece)
	}
	if err := j.store.Append(pieces); err != nil {
		j.rewrite = true // nobody knows how much of it was written
		return fmt.Errorf("vault: append to %s: %w", j.store, err)
	}
	j.mark, j.records = next, j.records+len(pieces)
	return nil
}

// save writes the store anew; the caller holds the lock.
func (j *journal) save() error {
	ring := j.v.rings[0]
	sealer, err := newSealer(ring, newHead(ring.id))
	if err != nil {
		return err
	}
	records := [][]byte{sealer.head}
	j.used.Store(false)
	j.v.mu.RLock()
	j.shifted.Store(false)
	for _, piece := range j.v.book.pieces(mark{}) {
		records = append(records, sealer.seal(forSnapshot, piece))
	}
	next, entries := j.v.book.mark(), j.v.book.len()
	j.v.mu.RUnlock()
	records = append(records, sealer.seal(forEnd, binary.BigEndian.AppendUint64(nil, uint64(entries))))
	if err := j.store.Replace(records); err != nil {
		j.rewrite = true
		return fmt.Errorf("vault: save %s: %w", j.store, err)
	}
	j.sealer, j.mark, j.records, j.rewrite = sealer, next, 0, false
	return nil
}

// close saves what the store does not have as a snapshot, and closes it.
func (j *journal) close() error {
	if j == nil {
		return nil
	}
	if j.stop != nil {
		close(j.stop)
		j.work.Wait()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.v.mu.RLock()
	same := j.mark == j.v.book.mark() && j.records == 0 && !j.rewrite && !j.used.Load() && !j.shifted.Load()
	j.v.mu.RUnlock()
	var err error
	if !same {
		err = j.save()
	}
	j.closed = true
	return errors.Join(err, j.store.Close())
}

// Flush appends new pseudonyms to the store now.
func (v *Vault) Flush() error {
	if v.journal == nil {
		return nil
	}
	return v.journal.flush()
}

// Save writes the store anew: all that the vault remembers, times of last use too.
func (v *Vault) Save() error {
	if v.journal == nil {
		return nil
	}
	v.journal.mu.Lock()
	defer v.journal.mu.Unlock()
	if v.journal.closed {
		return nil
	}
	return v.journal.save()
}

// Close saves the vault and closes its store. The vault still works afterwards, but
// nothing new is kept. Calls after the first do nothing.
func (v *Vault) Close() error {
	v.closing.Do(func() { v.closed = v.journal.close() })
	return v.closed
}
