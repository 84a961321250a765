package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"sync"
)

// scopes holds the permutation of addresses of each namespace. It is bounded by
// forgetting all: they are derived again.
type scopes struct {
	key     []byte
	mu      sync.RWMutex
	ciphers map[string]cipher.Block
}

const maxScopes = 10_000

// cipher returns the block cipher of a namespace, AES-128.
func (s *scopes) cipher(space string) cipher.Block {
	s.mu.RLock()
	block := s.ciphers[space]
	s.mu.RUnlock()
	if block != nil {
		return block
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ciphers == nil || len(s.ciphers) >= maxScopes {
		s.ciphers = map[string]cipher.Block{}
	}
	block = s.derive(space)
	s.ciphers[space] = block
	return block
}

func (s *scopes) derive(space string) cipher.Block {
	key, err := hkdf.Key(sha256.New, s.key, nil, "addresses: "+space, aes.BlockSize)
	if err != nil {
		panic("vault: 16 bytes are more than HKDF gives: " + err.Error())
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		panic("vault: 16 bytes are no AES key: " + err.Error())
	}
	return block
}
