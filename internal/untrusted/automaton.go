package untrusted

import "github.com/cloudg/mcplayer/internal/automaton"

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

// triggerTable finds triggers in one pass: words of letters a to z that may begin
// with < [ or #. Letters are seen through case and look-alikes, and between two of
// them may stand any number of characters that are neither letter nor digit.
type triggerTable struct {
	*automaton.Table
	sizes []int // of each trigger, in characters
}

// newTriggerTable compiles the triggers.
func newTriggerTable(triggers []string) *triggerTable {
	a := &triggerTable{sizes: make([]int, len(triggers))}
	words := make([][]byte, len(triggers))
	for id, word := range triggers {
		for _, c := range []byte(word) {
			words[id] = append(words[id], classOf(c))
		}
		a.sizes[id] = len(word)
	}
	a.Table = automaton.NewTable(words, classes, classSkip)
	return a
}

// scan returns the triggers that end next at or after i and where they end, with
// the state to go on from; at the end of s it returns no triggers.
func scan[T text](a *triggerTable, s T, i int, state uint32) (triggers []int, end int, next uint32) {
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
		state = a.Next[state|class]
		if state >= a.Final && class != classSkip {
			return a.Found(state), i, state
		}
	}
	return nil, i, state
}
