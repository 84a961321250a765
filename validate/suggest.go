package validate

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// closest returns the known name that name was probably meant to be, or "".
func closest(name string, known []string) string {
	best, least := "", 1+min(2, max(1, utf8.RuneCountInString(name)/3))
	if utf8.RuneCountInString(name) > 64 {
		return ""
	}
	folded := fold(name)
	for _, k := range known {
		f := fold(k)
		if f == folded {
			return k
		}
		if d := distance([]rune(folded), []rune(f)); d < least && d < utf8.RuneCountInString(f) {
			best, least = k, d
		}
	}
	return best
}

// fold removes what naming conventions differ in.
func fold(s string) string {
	return separators.Replace(strings.ToLower(s))
}

var separators = strings.NewReplacer("_", "", "-", "")

// distance is the optimal string alignment distance: insertions, deletions, changes and swapped neighbours.
func distance(a, b []rune) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, prev, cur := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], older[j-2]+1)
			}
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}

// maxListed bounds the list of known names in a message.
const maxListed = 30

func unknownMessage(name string, known []string) string {
	if c := closest(name, known); c != "" {
		return "unknown argument (did you mean " + strconv.Quote(c) + "?)"
	}
	switch {
	case len(known) == 0:
		return "unknown argument (none are accepted here)"
	case len(known) > maxListed:
		return "unknown argument (known: " + strings.Join(known[:maxListed], ", ") + " and others)"
	}
	return "unknown argument (known: " + strings.Join(known, ", ") + ")"
}

// maxName bounds a name in a location; only a caller's own invention can be longer.
const maxName = 64

// appendName adds an object member to a location. Whatever could be mistaken for a path, or could move a
// cursor or hide in a log, is quoted.
func appendName(loc []byte, name string) []byte {
	if !plain(name) {
		if utf8.RuneCountInString(name) > maxName {
			name = string([]rune(name)[:maxName]) + "..."
		}
		return append(strconv.AppendQuote(append(loc, '['), name), ']')
	}
	if len(loc) > 0 {
		loc = append(loc, '.')
	}
	return append(loc, name...)
}

func plain(name string) bool {
	if name == "" || len(name) > maxName {
		return false
	}
	for _, r := range name {
		if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '$' {
			return false
		}
	}
	return true
}
