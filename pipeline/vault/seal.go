package vault

import (
	"bytes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/crypto/chacha20poly1305"
)

// The first record of a store is its head, in clear: a magic text, the id of the
// key, and a random id of what was written at one go. Each other record is its
// purpose (1 byte), a random nonce (24 bytes), and what XChaCha20-Poly1305 makes of
// its contents under a key for that id alone. Head, number and purpose of a record
// are authenticated with it, so none can be moved, left out or taken from elsewhere
// unnoticed.
const (
	magic    = "cloudg-vault-1\n"
	idSize   = 16
	headSize = len(magic) + len(keyID{}) + idSize
)

// Purposes of records: those before the end make the snapshot.
const (
	forSnapshot = 'S'
	forEnd      = 'E' // holds the number of entries in the snapshot
	forJournal  = 'J'
)

var (
	errHead   = errors.New("it does not start like a vault")
	errSealed = errors.New("a record was changed, moved or removed, or does not belong to the key")
)

// sealer seals and opens the records behind one head.
type sealer struct {
	head   []byte
	aead   cipher.AEAD
	number uint64 // of the next record
}

func newHead(id keyID) []byte {
	head := append([]byte(magic), id[:]...)
	random := make([]byte, idSize)
	rand.Read(random)
	return append(head, random...)
}

// headKey returns the id of the key that a head names.
func headKey(head []byte) (id keyID, err error) {
	if len(head) != headSize || !bytes.HasPrefix(head, []byte(magic)) {
		return id, errHead
	}
	copy(id[:], head[len(magic):])
	return id, nil
}

func newSealer(ring *keyRing, head []byte) (*sealer, error) {
	key, err := hkdf.Key(sha256.New, ring.seals, head[headSize-idSize:], "records", chacha20poly1305.KeySize)
	if err != nil {
		return nil, fmt.Errorf("vault: derive the key of records: %w", err)
	}
	aead, err := chacha20poly1305.NewX(key)
	return &sealer{head: bytes.Clone(head), aead: aead}, err
}

func (s *sealer) seal(purpose byte, contents []byte) []byte {
	record := make([]byte, 1+chacha20poly1305.NonceSizeX, 1+chacha20poly1305.NonceSizeX+len(contents)+chacha20poly1305.Overhead)
	record[0] = purpose
	rand.Read(record[1:])
	record = s.aead.Seal(record, record[1:], contents, s.bound(purpose))
	s.number++
	return record
}

func (s *sealer) open(record []byte) (purpose byte, contents []byte, err error) {
	if len(record) < 1+chacha20poly1305.NonceSizeX+chacha20poly1305.Overhead {
		return 0, nil, errSealed
	}
	purpose = record[0]
	nonce, sealed := record[1:1+chacha20poly1305.NonceSizeX], record[1+chacha20poly1305.NonceSizeX:]
	contents, err = s.aead.Open(nil, nonce, sealed, s.bound(purpose))
	if err != nil {
		return 0, nil, errSealed
	}
	s.number++
	return purpose, contents, nil
}

// bound returns what a record is authenticated with.
func (s *sealer) bound(purpose byte) []byte {
	bound := binary.BigEndian.AppendUint64(bytes.Clone(s.head), s.number)
	return append(bound, purpose)
}
