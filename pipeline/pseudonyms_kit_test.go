package pipeline_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"sync"
)

// namesInMemory issues pseudonyms of one shape for everything: ps-10hex.
type namesInMemory struct {
	mu     sync.Mutex
	back   map[string]string // by owner and pseudonym
	full   bool
	refuse error
}

var issued = regexp.MustCompile(`ps-[0-9a-f]{10}`)

func (n *namesInMemory) AppendPseudonym(dst []byte, owner, entity string, value []byte) ([]byte, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.full {
		return dst, false
	}
	if n.back[owner+"\x00"+string(value)] != "" {
		return append(dst, value...), true // issued before: it stays
	}
	sum := sha256.Sum256([]byte(entity + "\x00" + string(value)))
	name := "ps-" + hex.EncodeToString(sum[:5])
	if n.back == nil {
		n.back = map[string]string{}
	}
	n.back[owner+"\x00"+name] = string(value)
	return append(dst, name...), true
}

func (n *namesInMemory) AppendOriginals(dst []byte, owner string, text []byte) ([]byte, int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.refuse != nil && issued.Match(text) {
		return dst, 0, n.refuse
	}
	count := 0
	out := issued.ReplaceAllFunc(bytes.Clone(text), func(name []byte) []byte {
		if value, ok := n.back[owner+"\x00"+string(name)]; ok {
			count++
			return []byte(value)
		}
		return name
	})
	return append(dst, out...), count, nil
}
