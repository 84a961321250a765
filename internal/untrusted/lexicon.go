package untrusted

import "strings"

// wordHash stands for a word: its letters and digits, mixed (FNV-1a). Another
// word with the same one would only be taken for it.
type wordHash uint64

const noWord wordHash = 0xcbf29ce484222325

func (h wordHash) add(c byte) wordHash { return (h ^ wordHash(c)) * 0x100000001b3 }

// maxWord is the length of the longest word in a lexicon.
const maxWord = 24

// lexicon holds the roles of words in a table with open addressing, at most half
// of it in use.
type lexicon struct {
	words [1 << lexiconBits]wordHash
	roles [1 << lexiconBits]role
}

const lexiconBits = 11

func newLexicon(words map[role]string) *lexicon {
	l := &lexicon{}
	for r, list := range words {
		for word := range strings.FieldsSeq(list) {
			h := noWord
			for _, c := range []byte(word) {
				h = h.add(c)
			}
			i := l.slot(h)
			l.words[i] = h
			l.roles[i] |= r
		}
	}
	return l
}

// slot returns where h stands or would stand.
func (l *lexicon) slot(h wordHash) int {
	i := int(h^h>>32) & (len(l.words) - 1) // the low bits are the mixed ones
	for l.words[i] != h && l.words[i] != 0 {
		i = (i + 1) & (len(l.words) - 1)
	}
	return i
}

func (l *lexicon) role(h wordHash) role { return l.roles[l.slot(h)] }
