package everything

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
)

var errSeal = errors.New("the seal is broken")

// A seal signs the state that travels through the client between two rounds,
// so that a changed one is noticed. It is safe for concurrent use.
type seal struct{ key []byte }

func newSeal() *seal {
	key := make([]byte, sha256.Size)
	rand.Read(key) // never fails
	return &seal{key}
}

// close returns state with its signature, in characters safe in JSON and URLs.
func (s *seal) close(state string) string {
	return encode([]byte(state)) + "." + encode(s.sign(state))
}

// open returns the state inside sealed.
func (s *seal) open(sealed string) (string, error) {
	body, mark, _ := strings.Cut(sealed, ".")
	state, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return "", errSeal
	}
	sum, err := base64.RawURLEncoding.DecodeString(mark)
	if err != nil || !hmac.Equal(sum, s.sign(string(state))) {
		return "", errSeal
	}
	return string(state), nil
}

func (s *seal) sign(state string) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte(state))
	return h.Sum(nil)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
