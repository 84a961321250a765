package scan

// cloudg: the reference inside cloudg://assets/REF and cloudg://datasets/NAME, up to the
// next segment.
func (l *lexer) cloudg(t token, w word) {
	if !l.runs[CloudgURI] || string(l.text[w.start:w.end]) != "cloudg" {
		return
	}
	i, entity := w.end, ResourceName
	switch {
	case hasPrefix(l.text, i, "://assets/"):
		i += len("://assets/")
	case hasPrefix(l.text, i, "://datasets/"):
		i, entity = i+len("://datasets/"), DatasetName
	default:
		return
	}
	end := i
	for end < t.end && l.text[end] != '/' && l.text[end] != '?' && l.text[end] != '#' {
		end++
	}
	for end > i && isTail(l.text[end-1]) {
		end--
	}
	if end > i {
		l.add(CloudgURI, entity, i, end)
	}
}
