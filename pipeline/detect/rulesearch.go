package detect

import (
	"bytes"
	"unicode/utf8"

	"github.com/cloudg/mcplayer/internal/scan"
)

// search appends what the rule finds in a region of text. The pattern also sees the
// characters next to the region, so that \b and ^ mean what they do in the whole text.
// Each match holds a hint and lies in the region of that hint; what is found outside
// belongs to another region.
func (r *rule) search(dst []Finding, text []byte, at region) []Finding {
	from, to := runeBefore(text, at.start), runeBehind(text, at.end)
	for _, match := range r.re.FindAllSubmatchIndex(text[from:to], -1) {
		whole := region{from + match[0], from + match[1]}
		start, end := r.value(match)
		if start < 0 || start == end || whole.start < at.start || whole.end > at.end {
			continue
		}
		value := region{from + start, from + end}
		if r.holds(text, value, whole) {
			dst = append(dst, Finding{Start: value.start, End: value.end, Entity: r.detector.Entity, Detector: r.detector})
		}
	}
	return dst
}

// runeBefore returns where the character before i begins.
func runeBefore(text []byte, i int) int {
	least := max(0, i-utf8.UTFMax)
	for i--; i > least && !utf8.RuneStart(text[i]); i-- {
	}
	return max(i, 0)
}

// runeBehind returns where the character at i ends.
func runeBehind(text []byte, i int) int {
	most := min(len(text), i+utf8.UTFMax)
	for i++; i < most && !utf8.RuneStart(text[i]); i++ {
	}
	return min(i, len(text))
}

// value returns the part of a match that is the finding; -1 where there is none.
func (r *rule) value(match []int) (start, end int) {
	if !r.firstGroup {
		return match[2*r.group], match[2*r.group+1]
	}
	for i := 2; i < len(match); i += 2 {
		if match[i] < match[i+1] {
			return match[i], match[i+1]
		}
	}
	return match[0], match[1]
}

// holds checks the conditions for a finding.
func (r *rule) holds(text []byte, value, match region) bool {
	found := text[value.start:value.end]
	if len(found) < r.minLength || r.valid != nil && !r.valid(found) || r.entropy > 0 && scan.Entropy(found) <= r.entropy {
		return false
	}
	for i := range r.allow {
		if r.allow[i].applies(text, value, match) {
			return false
		}
	}
	return true
}

// applies reports whether a finding is harmless.
func (a *allow) applies(text []byte, value, match region) bool {
	target := value
	switch a.target {
	case targetMatch:
		target = match
	case targetLine:
		target = linesOf(text, match)
	}
	regex, word := a.regexMatches(text[target.start:target.end]), a.holdsStopWord(text[value.start:value.end])
	if a.all {
		return (regex || len(a.regexes) == 0) && (word || a.stopWords == nil)
	}
	return regex || word
}

// linesOf returns the lines that a region is in.
func linesOf(text []byte, at region) region {
	at.start = bytes.LastIndexByte(text[:at.start], '\n') + 1
	if n := bytes.IndexByte(text[at.end:], '\n'); n >= 0 {
		at.end += n
	} else {
		at.end = len(text)
	}
	return at
}
