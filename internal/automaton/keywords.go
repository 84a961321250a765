package automaton

import "slices"

// Keywords finds words in a text whatever the case of their ASCII letters. Words of
// less than three bytes make it slower. It must not be copied and is safe for
// concurrent use.
type Keywords struct {
	table *Table
	sizes []int
	class [256]byte
	start starts
}

// NewKeywords compiles words; an empty one is never found.
func NewKeywords(words []string) *Keywords {
	k := &Keywords{sizes: make([]int, len(words))}
	width := k.classify(words)
	list := make([][]byte, len(words))
	for i, word := range words {
		k.sizes[i] = len(word)
		for _, c := range []byte(word) {
			list[i] = append(list[i], k.class[c])
		}
	}
	k.table = NewTable(list, width, -1)
	if slices.ContainsFunc(words, func(w string) bool { return w != "" && len(w) < startSize }) {
		k.table.shallow = [maxDepth + 1]uint32{} // no state may be left for a look at starts
		return k
	}
	k.start.fill(words)
	return k
}

// classify gives each byte that occurs in a word a class of its own, both cases of a
// letter the same; it returns the least power of two above the classes.
func (k *Keywords) classify(words []string) (width int) {
	n := 0
	for _, word := range words {
		for _, c := range []byte(word) {
			if k.class[c] == 0 {
				n++
				setBothCases(&k.class, c, byte(n))
			}
		}
	}
	for width = 1; width <= n; width *= 2 {
	}
	return width
}

func setBothCases(class *[256]byte, c, n byte) {
	class[c] = n
	if lower := c | 0x20; lower >= 'a' && lower <= 'z' {
		class[lower], class[lower-0x20] = n, n
	}
}

// Size returns the length of a word in bytes.
func (k *Keywords) Size(word int) int { return k.sizes[word] }

// Next returns the words that end next behind i and where they end, with the state to
// go on from, which is 0 at the beginning of a text. At the end of the text it returns
// no words.
func (k *Keywords) Next(text []byte, i int, state uint32) (words []int, end int, next uint32) {
	t := k.table
	for i < len(text) {
		from := i - startSize
		if !t.Deep(state) {
			from, state = k.start.next(text, i-t.Depth(state)), 0
			i = from
		}
		// What has begun goes on for as long as more has been seen than a start tells.
		for i < len(text) && (i < from+startSize || t.Deep(state)) {
			state = t.Next[state|uint32(k.class[text[i]])]
			i++
			if state >= t.Final {
				return t.Found(state), i, state
			}
		}
	}
	return nil, i, state
}
