package vault

// numbering gives words numbers in the order they come.
type numbering struct {
	byWord map[string]uint32
	words  []string
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
