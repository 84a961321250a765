package vault

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
)

// attach fills the vault from its store, or begins an empty one.
func (v *Vault) attach() error {
	store := v.options.Store
	if v.options.File != "" {
		file, err := OpenFile(v.options.File)
		if err != nil {
			return err
		}
		store = file
	}
	if store == nil {
		return nil
	}
	v.journal = &journal{v: v, store: store}
	if err := v.load(); err != nil {
		return errors.Join(fmt.Errorf("vault: load %s: %w", store, err), store.Close())
	}
	return nil
}

// load reads the store. It writes nothing to a store that holds a vault.
func (v *Vault) load() error {
	l := loading{v: v, reader: reader{book: v.book, nets: &v.nets}}
	err := v.journal.store.Load(l.record)
	switch {
	case err == nil && l.sealer == nil:
		return v.journal.save()
	case errors.Is(err, ErrTorn) && l.ended:
		v.options.Logger.Warn("vault: the store ends within a record, as after a crash; what came last is lost",
			slog.String("store", v.journal.store.String()))
		v.journal.rewrite = true
	case err != nil:
		return err
	case !l.ended:
		return errors.New("its end is missing")
	}
	v.book.index(l.reader.entries)
	v.journal.sealer, v.journal.mark, v.journal.records = l.sealer, v.book.mark(), l.journal
	v.journal.rewrite = v.journal.rewrite || l.ring > 0 || len(v.book.keys) != len(l.reader.keys)
	return nil
}

// loading reads one store, record by record.
type loading struct {
	v       *Vault
	reader  reader
	sealer  *sealer
	ring    int
	ended   bool // the snapshot
	journal int  // records behind it
}

func (l *loading) record(record []byte) error {
	if l.sealer == nil {
		return l.head(record)
	}
	purpose, contents, err := l.sealer.open(record)
	switch {
	case err != nil:
		return err
	case purpose == forEnd && !l.ended:
		l.ended = true
		if len(contents) != 8 || binary.BigEndian.Uint64(contents) != uint64(l.reader.entries) {
			return errPiece
		}
		return nil
	case purpose == forJournal && l.ended:
		l.journal++
	case purpose != forSnapshot || l.ended:
		return errPiece
	}
	return l.reader.read(contents)
}

// head finds the key that the store was written with.
func (l *loading) head(record []byte) error {
	id, err := headKey(record)
	if err != nil {
		return err
	}
	for i, ring := range l.v.rings {
		if ring.id == id {
			l.ring = i
			l.sealer, err = newSealer(ring, record)
			return err
		}
	}
	return fmt.Errorf("it was written with the key %s, not with the key %s or a previous one", id, l.v.rings[0].id)
}
