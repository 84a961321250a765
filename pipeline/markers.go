package pipeline

import (
	"bytes"

	"github.com/cloudg/mcplayer/internal/scan"
)

// markers are the texts that outcomes put in the place of something, but those that
// any redaction knows. They are not replaced again.
type markers struct {
	fixed map[string]bool
	open  []*marker
	all   []*marker // those that the outcomes really make
}

// add adds the markers of an outcome.
func (m *markers) add(o *outcome) {
	switch o.action {
	case doRedact, doGeneralize:
		m.all = append(m.all, &o.placed)
	case doHash, doPseudonymize:
		m.all = append(m.all, &o.hashed)
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
	for _, own := range m.all {
		if !own.hex || len(own.parts) == 1 {
			continue
		}
		for _, from := range [...]int{start - len(own.parts[0]), start} {
			if from >= 0 && hasPart(text[from:], own.parts[0]) && from+own.start(text[from:]) >= end {
				return true
			}
		}
	}
	return false
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
