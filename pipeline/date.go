package pipeline

// isDate reports whether a text is a day or a moment (ISO 8601) and nothing else:
// under from and to may stand either a resource or a time.
func isDate(text []byte) bool {
	const date = len("2006-01-02")
	if len(text) < date || text[4] != '-' || text[7] != '-' || !isDateStart(text) {
		return false
	}
	for _, c := range text[date:] {
		switch {
		case c >= '0' && c <= '9', c == ':', c == '.', c == '+', c == '-', c == 'T', c == 'Z', c == ' ':
		default:
			return false
		}
	}
	return true
}
