package vault

import (
	"errors"
	"fmt"
	"os"
)

// Inspection tells what the file of a vault holds, without values.
type Inspection struct {
	File       string         `json:"file"`
	Bytes      int64          `json:"bytes"`
	KeyID      string         `json:"key_id"` // of the key it is sealed with
	Entries    int            `json:"entries"`
	Entities   map[string]int `json:"entities"`   // how many entries by entity
	Keys       map[string]int `json:"keys"`       // how many entries by the id of the key that issued them
	Namespaces int            `json:"namespaces"` // one, or the number of principals
}

// Inspect opens the file of a vault with the key it was written with, or another
// one of keys, and changes nothing. It fails if a process has the file open.
func Inspect(path string, keys ...[]byte) (*Inspection, error) {
	v, err := openExisting(path, keys)
	if err != nil {
		return nil, err
	}
	i, err := v.inspect()
	return i, errors.Join(err, v.journal.store.Close())
}

func (v *Vault) inspect() (*Inspection, error) {
	info, err := os.Stat(v.options.File)
	if err != nil {
		return nil, fmt.Errorf("vault: inspect: %w", err)
	}
	id, err := headKey(v.journal.sealer.head)
	if err != nil {
		return nil, err
	}
	b := v.book
	i := &Inspection{
		File: v.options.File, Bytes: info.Size(), KeyID: id.String(), Entries: b.len(),
		Entities: map[string]int{}, Keys: map[string]int{}, Namespaces: len(b.spaces.words),
	}
	for _, e := range b.arena.all() {
		i.Entities[b.entities.words[e.entity]]++
		i.Keys[b.keys[e.key].String()]++
	}
	return i, nil
}

// Rotate writes the file of a vault anew under another key. What the previous keys
// issued still resolves; a vault with the new key issues new pseudonyms. An error
// leaves the file as it was.
func Rotate(path string, newKey []byte, previousKeys ...[]byte) error {
	v, err := openExisting(path, append([][]byte{newKey}, previousKeys...))
	if err != nil {
		return err
	}
	v.journal.rewrite = true
	return v.Close()
}

func openExisting(path string, keys [][]byte) (*Vault, error) {
	if len(keys) == 0 {
		return nil, errors.New("vault: no key is given")
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("vault: open: %w", err)
	}
	return open(&Options{File: path, Key: keys[0], PreviousKeys: keys[1:], FlushInterval: -1})
}
