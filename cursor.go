package mcplayer

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"strconv"
)

// position is where a page of a list ended.
type position struct {
	own  bool
	name string
}

// cursorKey encrypts positions: a cursor names nothing to whoever holds it, and
// works only for the list and the caller it was made for. The key lives as long
// as the mount.
type cursorKey struct{ aead cipher.AEAD }

func newCursorKey() *cursorKey {
	var key [32]byte
	rand.Read(key[:]) // never fails
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // the key has the right length
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // AES has the right block size
	}
	return &cursorKey{aead}
}

// owner is what a cursor is bound to.
func owner(kind Kind, p *Principal) []byte {
	return []byte(kind.String() + " " + strconv.Quote(p.id))
}

func (k *cursorKey) seal(kind Kind, p *Principal, at position) string {
	plain := make([]byte, 1, 1+len(at.name))
	if at.own {
		plain[0] = 1
	}
	plain = append(plain, at.name...)
	return base64.RawURLEncoding.EncodeToString(k.aead.Seal(nil, nil, plain, owner(kind, p)))
}

func (k *cursorKey) open(kind Kind, p *Principal, cursor string) (position, bool) {
	sealed, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return position{}, false
	}
	plain, err := k.aead.Open(nil, nil, sealed, owner(kind, p))
	if err != nil || len(plain) == 0 {
		return position{}, false
	}
	return position{own: plain[0] == 1, name: string(plain[1:])}, true
}
