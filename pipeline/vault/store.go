package vault

import (
	"errors"
	"slices"
	"sync"
)

// Store keeps the records of one vault. Records are sealed: a store can neither
// read nor change them without the vault noticing. A vault calls it from one
// goroutine at a time.
type Store interface {
	// Load passes each record to visit, in the order they were written. An error of
	// visit ends it and is returned. Behind the last whole record it returns ErrTorn if
	// there is the beginning of another one, as a crash leaves it.
	Load(visit func(record []byte) error) error
	// Append adds records. They are safe when it returns.
	Append(records [][]byte) error
	// Replace puts records in the place of all; after a crash it happened or it did not.
	Replace(records [][]byte) error
	// String names the store in errors.
	String() string
	Close() error
}

// ErrTorn tells that a store ends within a record.
var ErrTorn = errors.New("the last record is not whole")

// Memory is a store that ends with its process. It is safe for concurrent use.
type Memory struct {
	mu      sync.Mutex
	records [][]byte // guarded by mu
}

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{} }

// Load passes each record to visit.
func (m *Memory) Load(visit func(record []byte) error) error {
	m.mu.Lock()
	records := slices.Clone(m.records)
	m.mu.Unlock()
	for _, record := range records {
		if err := visit(record); err != nil {
			return err
		}
	}
	return nil
}

// Append adds records.
func (m *Memory) Append(records [][]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records = append(m.records, records...)
	return nil
}

// Replace puts records in the place of all.
func (m *Memory) Replace(records [][]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records = slices.Clone(records)
	return nil
}

func (m *Memory) String() string { return "memory" }

// Close does nothing: a vault may be made of the store again.
func (m *Memory) Close() error { return nil }
