package vault

import (
	"maps"
	"sync/atomic"
)

// numbering gives words numbers in the order they come, for good. Known may be called
// while another goroutine adds a word, find by many while nobody does; of and all else that
// adds by one at a time.
type numbering struct {
	byWord map[string]uint32
	words  []string

	shown  atomic.Pointer[map[string]uint32] // byWord as it was
	missed int                               // words that were not in shown since
}

// of returns the number of a word, which it gets if it has none.
func (n *numbering) of(word string) uint32 {
	number, ok := n.byWord[word]
	if !ok {
		number = n.add(word)
	}
	return number
}

func (n *numbering) add(word string) uint32 {
	if n.byWord == nil {
		n.byWord = map[string]uint32{}
	}
	number := uint32(len(n.words))
	n.byWord[word] = number
	n.words = append(n.words, word)
	return number
}

func (n *numbering) find(word string) (uint32, bool) {
	number, ok := n.byWord[word]
	return number, ok
}

// known returns the number of a word that was found a while ago.
func (n *numbering) known(word string) (number uint32, ok bool) {
	if shown := n.shown.Load(); shown != nil {
		number, ok = (*shown)[word]
	}
	return number, ok
}

// show lets words be known. It copies them when as many were missed as there are, so that
// each costs little.
func (n *numbering) show() {
	if n.missed++; n.missed >= len(n.byWord) {
		copied := maps.Clone(n.byWord)
		n.shown.Store(&copied)
		n.missed = 0
	}
}

// number returns the number of a word of a namespace or of an entity. It is not ok if
// nothing was issued under it.
func (v *Vault) number(n *numbering, word string) (number uint32, ok bool) {
	if number, ok = n.known(word); ok {
		return number, true
	}
	v.mu.RLock()
	number, ok = n.find(word)
	v.mu.RUnlock()
	if ok {
		v.mu.Lock()
		n.show()
		v.mu.Unlock()
	}
	return number, ok
}
