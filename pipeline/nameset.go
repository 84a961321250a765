package pipeline

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// nameSet finds names that are pseudonymised in a result where they stand as whole
// tokens in its texts. It looks up words, and goes on from the first word of a name,
// so that its work does not grow with the number of names.
type nameSet struct {
	table  wordTable
	count  int
	filter *[1 << 10]uint64 // of first words, those of others too; nil: there are none
	others []*nameSet       // seen in other parts of the result, in its order
}

// maxOthers bounds how many sets are looked into one by one.
const maxOthers = 16

// minName is the length of the shortest name that is looked for: shorter ones are
// words of everything.
const minName = 3

// maxName is the length of the longest one: what is longer is no name.
const maxName = 256

// add notes a name.
func (s *nameSet) add(text []byte, to *outcome) {
	if len(text) < minName || len(text) > maxName || len(text) < minIdentifier && isNumber(text) {
		return
	}
	word := firstWord(text)
	if len(word) == 0 {
		return
	}
	name := s.table.put(text)
	if name.isName() {
		return
	}
	s.table.setName(name, to, slices.ContainsFunc(text, isUnlikeKey))
	s.count++
	first := name
	if len(word) < len(text) {
		first = s.table.put(word)
	}
	first.longest = max(first.longest, uint32(len(text)))
	if s.filter == nil {
		s.filter = &[1 << 10]uint64{}
	}
	h := wordHash(word)
	s.filter[h>>6] |= 1 << (h & 63)
}

// isUnlikeKey reports whether a byte is one that names of members rarely have.
func isUnlikeKey(c byte) bool { return c >= '0' && c <= '9' || c == '-' || c == '.' || c == ' ' }

// join adds the names of another set, which is not changed from now on.
func (s *nameSet) join(o *nameSet) {
	switch {
	case o.count == 0:
	case len(s.others) < maxOthers && len(o.others) == 0:
		if s.filter == nil {
			s.filter = &[1 << 10]uint64{}
		}
		for i, word := range o.filter {
			s.filter[i] |= word
		}
		s.others = append(s.others, o)
		s.count += o.count
	default:
		s.addAll(o)
	}
}

func (s *nameSet) addAll(o *nameSet) {
	for i := range o.table.entries {
		if e := &o.table.entries[i]; e.isName() {
			s.add(o.table.text(e), o.table.outcomeOf(e))
		}
	}
	for _, more := range o.others {
		s.addAll(more)
	}
}

// get returns what becomes of a name and whether it is unlike names of members; no
// outcome if it is no name.
func (s *nameSet) get(text []byte) (to *outcome, unlikeKeys bool) {
	if e := s.table.get(text); e != nil && e.isName() {
		return s.table.outcomeOf(e), e.key
	}
	for _, o := range s.others {
		if to, unlikeKeys = o.get(text); to != nil {
			return to, unlikeKeys
		}
	}
	return nil, false
}

// wordHash looks at the ends of a word and its length; the result fits the filter.
func wordHash(word []byte) uint32 {
	n := len(word)
	h := uint32(word[0]) | uint32(word[n/2])<<8 | uint32(word[n-1])<<16 | uint32(n)<<24
	return (h * 0x9E3779B1) >> 16
}

// isWordByte tells the bytes of words, those beyond ASCII included: whether they are
// letters is looked at only where a name was found.
func isWordByte(c byte) bool { return wordBytes[c] }

var wordBytes = func() (table [256]bool) {
	for i := range table {
		c := byte(i)
		table[i] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c >= utf8.RuneSelf
	}
	return table
}()

// firstWord returns the word that a text starts with.
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
		length, entity := s.match(text, i, word)
		if length == 0 {
			i += len(word)
			continue
		}
		f := detect.Finding{Start: i, End: i + length, Entity: entity}
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

// match returns the length and the entity of the longest name that starts with a word
// at text[i]; 0 if none does.
func (s *nameSet) match(text []byte, i int, word []byte) (length int, entity string) {
	if h := wordHash(word); s.filter[h>>6]>>(h&63)&1 == 0 {
		return 0, ""
	}
	length, entity = s.table.match(text, i, word)
	for _, o := range s.others {
		if n, its := o.table.match(text, i, word); n > length {
			length, entity = n, its
		}
	}
	return length, entity
}

// match does so for the names of one table.
func (t *wordTable) match(text []byte, i int, word []byte) (length int, entity string) {
	first := t.get(word)
	if first == nil {
		return 0, ""
	}
	for end := min(i+int(first.longest), len(text)); end > i+len(word); end-- {
		if !isWordByte(text[end-1]) || end == len(text) || !isWordByte(text[end]) {
			if name := t.get(text[i:end]); name != nil && name.isName() && isToken(text, i, end) {
				return end - i, t.outcomeOf(name).entity
			}
		}
	}
	if first.isName() && isToken(text, i, i+len(word)) {
		return len(word), t.outcomeOf(first).entity
	}
	return 0, ""
}

func overlaps(found []detect.Finding, f detect.Finding) bool {
	i, _ := slices.BinarySearchFunc(found, f.Start, func(o detect.Finding, start int) int { return cmp.Compare(o.End, start+1) })
	return i < len(found) && found[i].Start < f.End
}

func isNumber(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}
