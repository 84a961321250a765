package pipeline

import (
	"bytes"
	"slices"

	"github.com/cloudg/mcplayer/internal/scan"
)

// markers are the texts that outcomes put in the place of something, but those that
// any redaction knows. They are not replaced again.
type markers struct {
	fixed map[string]bool
	open  []*marker
	all   []*marker // those that the outcomes really make
	sums  []*marker // of them, those with a digest behind something else, each once
	last  [256]bool // bytes that stand before a digest
}

// add adds the markers of an outcome.
func (m *markers) add(o *outcome) {
	switch o.action {
	case doRedact, doGeneralize:
		m.all = append(m.all, &o.placed)
	case doHash, doPseudonymize:
		m.all = append(m.all, &o.hashed)
	}
	if o.hashed.hex && len(o.hashed.parts) > 1 && len(m.all) > 0 && m.all[len(m.all)-1] == &o.hashed {
		m.addSum(&o.hashed)
	}
	for _, own := range []*marker{&o.placed, &o.hashed} {
		sample := own.append(nil, []byte("0123456789ab")[:min(o.strategy.hash.length, defaultDigest)])
		switch {
		case scan.IsPlaceholder(sample):
		case len(own.parts) == 1:
			if m.fixed == nil {
				m.fixed = map[string]bool{}
			}
			m.fixed[own.parts[0]] = true
		default:
			m.open = append(m.open, own)
		}
	}
}

// addSum adds a marker that has a digest in it.
func (m *markers) addSum(own *marker) {
	first := own.parts[0]
	if slices.ContainsFunc(m.sums, func(o *marker) bool { return slices.Equal(o.parts, own.parts) }) {
		return
	}
	m.sums = append(m.sums, own)
	if first != "" {
		m.last[first[len(first)-1]] = true
	}
}

// has reports whether a text stands for something already.
func (m *markers) has(text []byte) bool {
	if scan.IsPlaceholder(text) || m.fixed[string(text)] {
		return true
	}
	for _, own := range m.open {
		if own.is(text) {
			return true
		}
	}
	return false
}

// without returns a name without markers in it: what they say is about a value that
// was there, not about what stands under the name.
func (m *markers) without(name []byte) []byte {
	for _, own := range m.all {
		first := own.parts[0]
		if first == "" || !bytes.Contains(name, []byte(first)) {
			continue
		}
		for i := bytes.Index(name, []byte(first)); i >= 0; {
			n := own.start(name[i:])
			if n == 0 {
				break
			}
			name = append(bytes.Clone(name[:i]), name[i+n:]...)
			i = bytes.Index(name, []byte(first))
		}
	}
	return name
}

// around reports whether a part of a text is the digest of a marker, or all of it: it
// may look like an account, or like the value of an assignment
// (password:0123456789ab).
func (m *markers) around(text []byte, start, end int) bool {
	behind := start > 0 && m.last[text[start-1]]
	for _, own := range m.sums {
		first := own.parts[0]
		if behind && start >= len(first) && own.spans(text, start-len(first), end) || own.spans(text, start, end) {
			return true
		}
	}
	return false
}

// spans reports whether a marker stands at text[from] and reaches end.
func (m *marker) spans(text []byte, from, end int) bool {
	return hasPart(text[from:], m.parts[0]) && from+m.start(text[from:]) >= end
}

func hasPart(text []byte, part string) bool {
	return len(text) >= len(part) && string(text[:len(part)]) == part
}

// withoutRedacted returns a name without the usual markers, [REDACTED:ENTITY].
func withoutRedacted(name []byte) []byte {
	for {
		i := bytes.Index(name, []byte("[REDACTED:"))
		if i < 0 {
			return name
		}
		n := bytes.IndexByte(name[i:], ']')
		if n < 0 {
			return name
		}
		name = append(bytes.Clone(name[:i]), name[i+n+1:]...)
	}
}
