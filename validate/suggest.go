package validate

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cloudg/mcplayer/internal/nearest"
)

// maxListed bounds the list of known names in a message.
const maxListed = 30

func unknownMessage(name string, known []string) string {
	if c := nearest.Name(name, known); c != "" {
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
