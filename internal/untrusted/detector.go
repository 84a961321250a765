package untrusted

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// maxPatterns bounds the patterns of a caller.
const maxPatterns = 100

// ownTriggers are the automaton and triggers of a detector without patterns.
var ownTriggers = sync.OnceValues(func() (*triggerTable, []trigger) {
	words, list := compileTriggers()
	return newTriggerTable(words), list
})

// DefaultMinLength is the length below which a text is too short to instruct.
const DefaultMinLength = 12

// DetectorOptions configure a [Detector].
type DetectorOptions struct {
	// Patterns are further signs of an attack, in the syntax of RE2. They see a
	// text as it is and, where that differs, without invisible characters and with
	// look-alike letters as what they look like.
	Patterns []string
	// MinLength is the length in code points that a text must have to be looked at.
	// Zero means [DefaultMinLength]; 1 looks at every text.
	MinLength int
}

// Detector finds texts that speak to the model. It is safe for concurrent use.
type Detector struct {
	minLength int
	automaton *triggerTable
	triggers  []trigger
	patterns  []pattern
	always    []int // the patterns without a word to wait for
}

type pattern struct {
	re   *regexp.Regexp
	kind string
}

// NewDetector returns a detector; nil means the defaults. Its errors name the
// option and the pattern.
func NewDetector(o *DetectorOptions) (*Detector, error) {
	if o == nil {
		o = &DetectorOptions{}
	}
	if o.MinLength < 0 {
		return nil, fmt.Errorf("min_length %d is negative", o.MinLength)
	}
	d := &Detector{minLength: o.MinLength}
	if d.minLength == 0 {
		d.minLength = DefaultMinLength
	}
	if len(o.Patterns) == 0 {
		d.automaton, d.triggers = ownTriggers()
		return d, nil
	}
	if len(o.Patterns) > maxPatterns {
		return nil, fmt.Errorf("extra_patterns: %d of them, at most %d", len(o.Patterns), maxPatterns)
	}
	words, list := compileTriggers()
	for i, text := range o.Patterns {
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("extra_patterns %q: %w", text, err)
		}
		if re.MatchString("") {
			return nil, fmt.Errorf("extra_patterns %q: it matches every text", text)
		}
		d.patterns = append(d.patterns, pattern{re, kinds[ruleExtra] + ":" + text})
		needed := requiredWords(text)
		if len(needed) == 0 {
			d.always = append(d.always, i)
		}
		for _, word := range needed {
			words, list = append(words, word), append(list, trigger{rule: ruleExtra, words: 1, extra: i})
		}
	}
	d.automaton, d.triggers = newTriggerTable(words), list
	return d, nil
}

// Suspicious reports whether s speaks to the model, and in which way: the kind is
// one of a small number of names, or extra_pattern: and the pattern. A
// well-formed fence counts as the text inside.
func (d *Detector) Suspicious(s string) (kind string, ok bool) {
	s, _ = unwrap(s)
	return suspicious(d, s)
}

// SuspiciousBytes is [Detector.Suspicious] for bytes.
func (d *Detector) SuspiciousBytes(s []byte) (kind string, ok bool) {
	if len(s) > len(fenceOpen) && string(s[:len(fenceOpen)]) == fenceOpen {
		return d.Suspicious(string(s))
	}
	return suspicious(d, s)
}

// Needs returns all flags of s: [Hint] where a trigger word occurs, so that
// Suspicious may find something.
func (d *Detector) Needs(s string) Flags {
	f := Scan(s)
	if len(d.always) > 0 {
		return f | Hint
	}
	if found, _, _ := scan(d.automaton, s, 0, 0); found != nil {
		f |= Hint
	}
	return f
}

func suspicious[T text](d *Detector, s T) (kind string, ok bool) {
	if tooShort(s, d.minLength) {
		return "", false
	}
	// Most texts end here.
	if found, _, _ := scan(d.automaton, s, 0, 0); found != nil {
		kind = look(d, s)
	}
	for _, i := range d.always {
		if kind == "" && d.matches(i, string(s)) {
			kind = d.patterns[i].kind
		}
	}
	return kind, kind != ""
}

// look returns the kind of the first rule that holds in s, a text with a trigger.
// Phrases are read without what does not show anyway; markup is looked at once as
// it is, once without.
func look[T text](d *Detector, s T) (kind string) {
	if kind = find(d, s); kind != "" || Scan(s) == 0 {
		return kind
	}
	i := firstHidden(s, 0)
	if i >= len(s) {
		return ""
	}
	clean, _ := strip(make([]byte, 0, len(s)), s, i)
	return find(d, clean)
}

// find returns the kind of the first rule that holds in s.
func find[T text](d *Detector, s T) (kind string) {
	var sends sending[T]
	var tried [maxPatterns]bool
	for i, state := 0, uint32(0); ; {
		found, end, next := scan(d.automaton, s, i, state)
		if found == nil {
			break
		}
		i, state = end, next
		for _, id := range found {
			t := d.triggers[id]
			if t.rule == ruleExtra {
				if !tried[t.extra] && d.matches(t.extra, string(s)) {
					return d.patterns[t.extra].kind
				}
				tried[t.extra] = true
				continue
			}
			if holds(t, s, d.automaton.sizes[id], end, &sends) {
				return kinds[t.rule]
			}
		}
	}
	return ""
}

// tooShort reports whether s has fewer than n code points.
func tooShort[T text](s T, n int) bool {
	if len(s) >= n*utf8.UTFMax {
		return false
	}
	for i := 0; i < len(s) && n > 0; i++ {
		if s[i]&0xC0 != 0x80 { // not inside a character
			n--
		}
	}
	return n > 0
}

func (d *Detector) matches(i int, s string) bool {
	re := d.patterns[i].re
	if re.MatchString(s) {
		return true
	}
	seen := visible(s)
	return seen != s && re.MatchString(seen)
}

// visible returns s as a reader sees it: without what does not show, odd spaces
// as spaces, look-alike letters as the letters of ASCII, in their case.
func visible(s string) string {
	if Scan(s) == 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		c := fold(r)
		switch {
		case c == nothing:
			return -1
		case r < 0x80 || c == letter:
			return r
		case c >= 'a' && c <= 'z' && unicode.IsUpper(r):
			return rune(c) - 'a' + 'A'
		case c == ' ' && !unicode.IsSpace(r):
			return r
		}
		return rune(c)
	}, s)
}
