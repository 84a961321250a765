// Package automaton finds many words in one pass over a text.
package automaton

import (
	"math/bits"
	"slices"
)

// Table is an automaton of Aho and Corasick over classes of bytes or characters. A
// state is the offset of its row in Next, so that Next[state|class] is the state that
// follows; the first state is 0. It must not be changed and is safe for concurrent
// use.
type Table struct {
	Next []uint32
	// Final is the least of the states that end a word.
	Final uint32
	shift int // of a state to the number of its row
	found [][]int
	// shallow[d] is the least state in which more than d characters of a word have
	// been seen, of the states that end none.
	shallow [maxDepth + 1]uint32
}

// maxDepth is how far [Table.Depth] counts.
const maxDepth = 2

// NewTable compiles words, each a sequence of classes below width, which is a power
// of two; an empty one is never found. A class that is skip may stand between the characters of a word; none may
// where skip is negative.
func NewTable(words [][]byte, width, skip int) *Table {
	t := &tree{width: width, rows: make([]int32, width), ends: [][]int{nil}}
	for id, word := range words {
		t.add(word, id)
	}
	t.link(skip)
	return t.table()
}

// Found returns the words that end in a final state, the longest first.
func (t *Table) Found(state uint32) []int { return t.found[(state-t.Final)>>t.shift] }

// Depth returns how many characters of words a state that ends none has seen: 0, 1, 2
// or, for more, 3. It holds for tables that skip nothing.
func (t *Table) Depth(state uint32) int {
	for d, least := range t.shallow {
		if state < least {
			return d
		}
	}
	return maxDepth + 1
}

// Deep reports whether a state has seen more than two characters of a word, or ends
// one.
func (t *Table) Deep(state uint32) bool { return state >= t.shallow[maxDepth] }

// tree holds the words by their beginnings; a node is a row.
type tree struct {
	width int
	rows  []int32 // by node and class; 0: none
	ends  [][]int // the words that end in a node
	order []int   // the nodes, those with the shorter beginning first
	depth []int   // by node
}

func (t *tree) add(word []byte, id int) {
	if len(word) == 0 {
		return
	}
	at := 0
	for _, class := range word {
		to := &t.rows[at*t.width+int(class)]
		if *to == 0 {
			*to = int32(len(t.ends))
			t.rows = append(t.rows, make([]int32, t.width)...)
			t.ends = append(t.ends, nil)
			at = len(t.ends) - 1
			continue
		}
		at = int(*to)
	}
	t.ends[at] = append(t.ends[at], id)
}

// link turns the tree into an automaton: where a word does not go on, the longest
// other one that has begun does.
func (t *tree) link(skip int) {
	fail := make([]int, len(t.ends))
	t.depth = make([]int, len(t.ends))
	t.order = append(t.order, 0)
	for head := 0; head < len(t.order); head++ {
		at := t.order[head]
		row := t.rows[at*t.width:][:t.width]
		for class, next := range row {
			switch to := int(next); {
			case to != 0:
				if at != 0 {
					fail[to] = int(t.rows[fail[at]*t.width+class])
				}
				t.depth[to] = t.depth[at] + 1
				t.ends[to] = append(t.ends[to], t.ends[fail[to]]...)
				t.order = append(t.order, to)
			case class == skip:
				row[class] = int32(at)
			case at != 0:
				row[class] = t.rows[fail[at]*t.width+class]
			}
		}
	}
}

// table numbers the nodes: the shallow ones first, those that end a word last.
func (t *tree) table() *Table {
	slices.SortStableFunc(t.order, func(x, y int) int { return min(len(t.ends[x]), 1) - min(len(t.ends[y]), 1) })
	place := make([]int, len(t.ends))
	for i, at := range t.order {
		place[at] = i * t.width
	}
	a := &Table{shift: bits.TrailingZeros(uint(t.width)), Next: make([]uint32, len(t.rows)), Final: uint32(len(t.rows))}
	for i, at := range t.order {
		for class, to := range t.rows[at*t.width:][:t.width] {
			a.Next[i*t.width+class] = uint32(place[to])
		}
		if len(t.ends[at]) > 0 {
			a.Final = min(a.Final, uint32(i*t.width))
			a.found = append(a.found, t.ends[at])
			continue
		}
		for d := t.depth[at]; d <= maxDepth; d++ {
			a.shallow[d] = uint32((i + 1) * t.width)
		}
	}
	return a
}
