package pipeline

import (
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/internal/untrusted"
)

// openText reads a text. If the first step takes out what nobody sees, and the text is
// JSON without it, that is what is read: a byte order mark must not hide a document from
// the steps behind.
func (p *Pass) openText(text []byte) (*jsondoc.Document, error) {
	d, err := jsondoc.OpenText(text)
	if err != nil || !d.Bare() || !p.strips() {
		return d, err
	}
	visible, n := untrusted.StripBytes(nil, text)
	if n == 0 {
		return d, nil
	}
	stripped, err := jsondoc.OpenText(visible)
	if err != nil || stripped.Bare() {
		if err == nil {
			stripped.Close()
		}
		return d, nil // text like any other
	}
	d.Close()
	p.Count(untrustedKey, "stripped_chars", n)
	p.Count(untrustedKey, "sanitized_fields", 1)
	return stripped, nil
}

// strips reports whether the first step takes out what nobody sees.
func (p *Pass) strips() bool {
	s, ok := p.pipeline.steps[0].transform.(*sanitize)
	return ok && s.strip
}
