package pipeline

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// nameSet finds names that are pseudonymised in a result where they stand as whole
// tokens in its texts. It looks up the first word of a name, so that its work does
// not grow with the number of names.
type nameSet struct {
	byWord map[string][]int // names by their first word, the longest first
	names  []heldName
	index  map[string]int // of each name
	filter [1 << 10]uint64
}

type heldName struct {
	text []byte
	to   *outcome
	key  bool // it is unlike the name of a member
}

// minName is the length of the shortest name that is looked for: shorter ones are
// words of everything.
const minName = 3

// add notes a name.
func (s *nameSet) add(text []byte, to *outcome) {
	_, known := s.index[string(text)]
	if known || len(text) < minName || len(text) < minIdentifier && isNumber(text) {
		return
	}
	if s.index == nil {
		s.index, s.byWord = map[string]int{}, map[string][]int{}
	}
	word := firstWord(text)
	if len(word) == 0 {
		return
	}
	n := len(s.names)
	s.index[string(text)] = n
	s.names = append(s.names, heldName{bytes.Clone(text), to, bytes.ContainsAny(text, "0123456789-. ")})
	list := append(s.byWord[string(word)], n)
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(len(s.names[b].text), len(s.names[a].text)) })
	s.byWord[string(word)] = list
	h := wordHash(word)
	s.filter[h>>6] |= 1 << (h & 63)
}

// join adds the names of another set.
func (s *nameSet) join(o *nameSet) {
	for _, n := range o.names {
		s.add(n.text, n.to)
	}
}

// wordHash looks at the ends of a word and its length; the result fits the filter.
func wordHash(word []byte) uint32 {
	n := len(word)
	h := uint32(word[0]) | uint32(word[n/2])<<8 | uint32(word[n-1])<<16 | uint32(n)<<24
	return (h * 0x9E3779B1) >> 16
}

// isWordByte tells the bytes of words, those beyond ASCII included: whether they are
// letters is looked at only where a name was found.
func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c >= utf8.RuneSelf
}

// firstWord returns the word that a text starts with; of one that starts with
// something else the something.
func firstWord(text []byte) []byte {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	return text[:n]
}

// append adds the names in a text to what was found there, where nothing else was
// found, and leaves all in the order of the text.
func (s *nameSet) append(found []detect.Finding, text []byte) []detect.Finding {
	others := len(found)
	for i := 0; i < len(text); {
		word := firstWord(text[i:])
		if len(word) == 0 {
			i++
			continue
		}
		n := s.match(text, i, word)
		if n < 0 {
			i += len(word)
			continue
		}
		f := detect.Finding{Start: i, End: i + len(s.names[n].text), Entity: s.names[n].to.entity}
		if !overlaps(found[:others], f) {
			found = append(found, f)
		}
		i = f.End
	}
	if len(found) > others && others > 0 {
		slices.SortFunc(found, func(a, b detect.Finding) int { return cmp.Compare(a.Start, b.Start) })
	}
	return found
}

// match returns the name that starts with a word at text[i]; -1 if none does.
func (s *nameSet) match(text []byte, i int, word []byte) int {
	if h := wordHash(word); s.filter[h>>6]>>(h&63)&1 == 0 {
		return -1
	}
	for _, n := range s.byWord[string(word)] {
		name := s.names[n].text
		if bytes.HasPrefix(text[i:], name) && isToken(text, i, i+len(name)) {
			return n
		}
	}
	return -1
}

func overlaps(found []detect.Finding, f detect.Finding) bool {
	i, _ := slices.BinarySearchFunc(found, f.Start, func(o detect.Finding, start int) int { return cmp.Compare(o.End, start+1) })
	return i < len(found) && found[i].Start < f.End
}

// outcome returns what becomes of a name that append found.
func (s *nameSet) outcome(f *detect.Finding, text []byte) *outcome {
	return s.names[s.index[string(text[f.Start:f.End])]].to
}

func isNumber(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}
