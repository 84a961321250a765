package automaton

const (
	startSize  = 3 // characters
	startBits  = 5 // of each
	startMask  = 1<<startBits - 1
	startCount = 1 << (startSize * startBits)
)

// starts tells where words may begin by their first three characters. In most texts
// few places qualify, and unlike the steps of an automaton the looks do not wait for
// each other.
type starts struct {
	class [256]byte        // 0: in no start
	seen  [startCount]bool // by three classes
}

func (s *starts) fill(words []string) {
	n := byte(0)
	for _, word := range words {
		for _, c := range []byte(word[:min(len(word), startSize)]) {
			if s.class[c] == 0 {
				// Beyond 31 classes some share one: that costs time, and misses nothing.
				setBothCases(&s.class, c, 1+n%startMask)
				n++
			}
		}
	}
	for _, word := range words {
		if word != "" {
			s.seen[s.gram([]byte(word))] = true
		}
	}
}

func (s *starts) gram(word []byte) uint32 {
	return uint32(s.class[word[0]])<<(2*startBits) | uint32(s.class[word[1]])<<startBits | uint32(s.class[word[2]])
}

// next returns where, at or after i, a word may begin; the last characters of a text,
// too few to tell, are such a place.
func (s *starts) next(text []byte, i int) int {
	if len(text)-i < startSize {
		return i
	}
	g := uint32(s.class[text[i]])<<startBits | uint32(s.class[text[i+1]])
	j := i + startSize - 1
	// Two at a time, since most looks fail.
	for ; j+1 < len(text); j += 2 {
		first := g<<startBits | uint32(s.class[text[j]])
		g = first<<startBits | uint32(s.class[text[j+1]])
		if s.seen[first%startCount] || s.seen[g%startCount] {
			break
		}
	}
	for ; j < len(text); j++ {
		if s.seen[s.gram(text[j-startSize+1:])] {
			break
		}
	}
	return j - startSize + 1
}
