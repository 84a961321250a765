package canonical

import "bytes"

// Is reports whether v is what [Append] would write for it, as far as one quick look
// tells: it says no to what is nested deeper than 8 levels, to strings with anything
// but printable ASCII or with escapes, to numbers with an exponent, and to fractions with
// more than 15 digits in all, below 0.00001 or beginning with -0. What it says yes to is
// valid JSON.
func Is(v []byte) bool { return canonicalValue(v, 0, mostLevels) == len(v) }

const mostLevels = 8

// no is what is returned in place of an end where nothing canonical begins.
const no = -1

// canonicalValue returns where the value ends that begins at v[i].
func canonicalValue(v []byte, i, levels int) int {
	if i >= len(v) || levels == 0 {
		return no
	}
	switch c := v[i]; c {
	case '"':
		return plainString(v, i)
	case '{':
		return sortedObject(v, i, levels-1)
	case '[':
		return canonicalArray(v, i, levels-1)
	case 't':
		return literal(v, i, "true")
	case 'f':
		return literal(v, i, "false")
	case 'n':
		return literal(v, i, "null")
	}
	return shortNumber(v, i)
}

func literal(v []byte, i int, text string) int {
	if end := i + len(text); end <= len(v) && string(v[i:end]) == text {
		return end
	}
	return no
}

// plainString returns where a string ends that needs no escapes.
func plainString(v []byte, i int) int {
	if i >= len(v) || v[i] != '"' {
		return no
	}
	for i++; i < len(v); i++ {
		switch c := v[i]; {
		case c == '"':
			return i + 1
		case c < ' ' || c > '~' || c == '\\':
			return no
		}
	}
	return no
}

func canonicalArray(v []byte, i, levels int) int {
	if i++; i < len(v) && v[i] == ']' {
		return i + 1
	}
	for {
		if i = canonicalValue(v, i, levels); i == no || i == len(v) {
			return no
		}
		switch v[i] {
		case ']':
			return i + 1
		case ',':
			i++
		default:
			return no
		}
	}
}

func sortedObject(v []byte, i, levels int) int {
	if i++; i < len(v) && v[i] == '}' {
		return i + 1
	}
	for last := []byte(nil); ; {
		end := plainString(v, i)
		if end == no || end == len(v) || v[end] != ':' {
			return no
		}
		name := v[i+1 : end-1]
		if last != nil && bytes.Compare(last, name) >= 0 {
			return no
		}
		if i = canonicalValue(v, end+1, levels); i == no || i == len(v) {
			return no
		}
		switch v[i] {
		case '}':
			return i + 1
		case ',':
			i, last = i+1, name
		default:
			return no
		}
	}
}

// shortNumber returns where an integer ends, or a number with a point and so few digits
// that no shorter one is the same double.
func shortNumber(v []byte, i int) int {
	if v[i] == '-' {
		i++
	}
	point := digits(v, i)
	if point == i || v[i] == '0' && (point > i+1 || i > 0 && v[i-1] == '-') {
		return no
	}
	if point == len(v) || v[point] != '.' {
		return endOfNumber(v, point)
	}
	end := digits(v, point+1)
	if end == point+1 || v[end-1] == '0' || end-i > 16 || bytes.HasPrefix(v[i:end], []byte("0.00000")) {
		return no
	}
	return endOfNumber(v, end)
}

// digits returns where the digits end that begin at v[i].
func digits(v []byte, i int) int {
	for i < len(v) && '0' <= v[i] && v[i] <= '9' {
		i++
	}
	return i
}

func endOfNumber(v []byte, i int) int {
	if i < len(v) && isNumber(v[i]) {
		return no
	}
	return i
}
