package vault

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
)

// keyID tells keys apart without telling anything about them.
type keyID [8]byte

func (id keyID) String() string { return hex.EncodeToString(id[:]) }

// keyRing holds the sub-keys of one key, a purpose each.
type keyRing struct {
	id     keyID
	master []byte
	names  []byte // of pseudonyms
	seals  []byte // of the store
}

// newKeyRing derives the sub-keys (HKDF with SHA-256, RFC 5869).
func newKeyRing(master []byte) (*keyRing, error) {
	k := &keyRing{master: master}
	id, err := k.derive("key id")
	if err != nil {
		return nil, err
	}
	copy(k.id[:], id)
	if k.names, err = k.derive("pseudonyms"); err != nil {
		return nil, err
	}
	k.seals, err = k.derive("store")
	return k, err
}

func (k *keyRing) derive(purpose string) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, k.master, nil, "cloudg vault 1: "+purpose, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("vault: derive the key of %s: %w", purpose, err)
	}
	return key, nil
}

// masterKey returns the key that the options say. Only a vault in memory may
// have a random one: what it wrote could never be read again.
func (o *Options) masterKey() ([]byte, error) {
	if o.Key != nil {
		return o.Key, nil
	}
	if value := os.Getenv(o.KeyEnv); len(value) >= minKey {
		return []byte(value), nil
	} else if value != "" {
		return nil, fmt.Errorf("vault: the environment variable %s has %d bytes, not %d or more", o.KeyEnv, len(value), minKey)
	}
	if o.kept() {
		return nil, fmt.Errorf("vault: File or Store is set, but neither Key nor the environment variable %s", o.KeyEnv)
	}
	o.Logger.Warn("vault: no key is set; pseudonyms come from a random one and end with this process")
	key := make([]byte, sha256.Size)
	_, err := rand.Read(key)
	return key, err
}

// keyRings returns the ring of the key, then those of the previous ones.
func (o *Options) keyRings() ([]*keyRing, error) {
	master, err := o.masterKey()
	if err != nil {
		return nil, err
	}
	var rings []*keyRing
	for _, key := range append([][]byte{master}, o.PreviousKeys...) {
		ring, err := newKeyRing(key)
		if err != nil {
			return nil, err
		}
		rings = append(rings, ring)
	}
	return rings, nil
}
