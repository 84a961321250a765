package untrusted

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Cut shortens s to limit code points and the ending "… [+N chars]", where N is
// the number of code points it cut; with nothing to cut, or a limit of 0 or
// less, it returns s itself. The limit does not count the ending. Characters made
// of several code points stay whole, so somewhat less than limit may stay.
//
// What Cut, [Datamark] and [Fence] made of a text that Cut had shortened stays as
// it is: an ending is no part of the text, and a fence is cut inside.
func Cut(s string, limit int) (out string, cut int) {
	return CutOutside(s, limit, func(at int) int { return at })
}

// CutOutside is [Cut] at a place of the caller's choice: back returns for a place in
// s, in bytes, the same or one before it, so that nothing whole is cut through.
func CutOutside(s string, limit int, back func(at int) int) (out string, cut int) {
	if limit <= 0 || len(s) <= limit || s == RedactedInjection {
		return s, 0
	}
	body, fenced := unwrap(s)
	at, more := offset(body, limit)
	if !more || at >= endingAt(body) {
		return s, 0
	}
	before := 0
	if fenced {
		before = len(fenceOpen) + len(" ")
	}
	at = boundary(body, max(back(before+at)-before, 0))
	cut = utf8.RuneCountInString(body[at:])
	out = body[:at] + "… [+" + strconv.Itoa(cut) + " chars]"
	if fenced {
		out = wrap(out)
	}
	return out, cut
}

// offset returns where the first n code points of s end, in bytes, and whether
// there are more.
func offset(s string, n int) (at int, more bool) {
	for i := range s {
		if n == 0 {
			return i, true
		}
		n--
	}
	return len(s), false
}

// endingAt returns where the ending of a cut begins in s, as it is or after
// [Datamark], or a place behind s.
func endingAt(s string) int {
	const none = int(^uint(0) >> 1)
	body, ok := strings.CutSuffix(s, "chars]")
	if !ok || body == "" {
		return none
	}
	space := body[len(body)-1:]
	body = body[:len(body)-1]
	digits := body[len(strings.TrimRight(body, "0123456789")):]
	body, ok = strings.CutSuffix(strings.TrimSuffix(body, digits), "…"+space+"[+")
	if !ok || space != " " && space != "^" || digits == "" || digits[0] == '0' || len(digits) > len("9223372036854775807") {
		return none
	}
	return len(body)
}
