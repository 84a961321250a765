package untrusted

import "slices"

// The classes of the automaton: the letters a to z are 0 to 25.
const (
	classOther  = 26 + iota // ends every trigger
	classSkip               // may stand between the letters of a trigger
	classAngle              // <
	classSquare             // [
	classHash               // #
	classes     = 32        // a power of two, so that states are offsets
)

// classOf returns the class of what [fold] returns.
func classOf(c byte) byte {
	switch {
	case c >= 'a' && c <= 'z':
		return c - 'a'
	case c == '<':
		return classAngle
	case c == '[':
		return classSquare
	case c == '#':
		return classHash
	case c == letter, c == '2', c == '6', c == '8', c == '9':
		return classOther
	}
	if l := leet(c); l != 0 {
		return l - 'a'
	}
	return classSkip
}

// classTable holds classOf.
var classTable = func() (t [256]byte) {
	for c := range t {
		t[c] = classOf(byte(c))
	}
	return t
}()

var asciiClass = func() (t [128]byte) {
	for c := range t {
		t[c] = classOf(foldASCII[c])
	}
	return t
}()

// automaton finds triggers in one pass (Aho and Corasick, as a table): words of
// letters a to z that may begin with < [ or #. Letters are seen through case and
// look-alikes, and between two of them may stand any number of characters that
// are neither letter nor digit.
type automaton struct {
	next  []uint32 // by state and class; a state is the offset of its row
	final uint32   // states from here on end a trigger
	found [][]int  // the triggers of each final state, the longest first
	sizes []int    // of each trigger, in characters
}

// newAutomaton compiles the triggers.
func newAutomaton(triggers []string) *automaton {
	rows := [][classes]int32{{}}
	ends := [][]int{nil}
	a := &automaton{sizes: make([]int, len(triggers))}
	for id, word := range triggers {
		at := 0
		for _, c := range []byte(word) {
			k := classOf(c)
			if rows[at][k] == 0 {
				rows[at][k] = int32(len(rows))
				rows, ends = append(rows, [classes]int32{}), append(ends, nil)
			}
			at = int(rows[at][k])
		}
		ends[at] = append(ends[at], id)
		a.sizes[id] = len(word)
	}
	link(rows, ends)
	a.number(rows, ends)
	return a
}

// link turns the tree of rows into an automaton: where a trigger does not go on,
// the longest other one that has begun does.
func link(rows [][classes]int32, ends [][]int) {
	fail := make([]int, len(rows))
	queue := []int{0}
	for head := 0; head < len(queue); head++ {
		at := queue[head]
		for k := range classes {
			switch to := int(rows[at][k]); {
			case to != 0:
				if at != 0 {
					fail[to] = int(rows[fail[at]][k])
				}
				ends[to] = append(ends[to], ends[fail[to]]...)
				queue = append(queue, to)
			case k == classSkip:
				rows[at][k] = int32(at)
			case at != 0:
				rows[at][k] = rows[fail[at]][k]
			}
		}
	}
}

// number writes the table, the states that end a trigger last.
func (a *automaton) number(rows [][classes]int32, ends [][]int) {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return min(len(ends[x]), 1) - min(len(ends[y]), 1) })
	place := make([]int, len(rows))
	for i, at := range order {
		place[at] = i
	}
	a.next = make([]uint32, len(rows)*classes)
	a.final = uint32(len(a.next))
	for i, at := range order {
		for k, to := range rows[at] {
			a.next[i*classes+k] = uint32(place[to] * classes)
		}
		if len(ends[at]) > 0 {
			a.final = min(a.final, uint32(i*classes))
			a.found = append(a.found, ends[at])
		}
	}
}

// scan returns the triggers that end next at or after i and where they end, with
// the state to go on from; at the end of s it returns no triggers.
func scan[T text](a *automaton, s T, i int, state uint32) (triggers []int, end int, next uint32) {
	for i < len(s) {
		var class uint32
		if c := s[i]; c < 0x80 {
			class = uint32(asciiClass[c])
			i++
		} else {
			r, n := runeAt(s, i)
			class = uint32(classTable[fold(r)])
			i += n
		}
		state = a.next[state|class]
		if state >= a.final && class != classSkip {
			return a.found[(state-a.final)/classes], i, state
		}
	}
	return nil, i, state
}
