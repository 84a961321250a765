package scan

import "bytes"

const (
	beginMark = "-----BEGIN"
	endMark   = "-----END "
	fiveDash  = "-----"
)

// privateKey: a PEM block (RFC 7468), of OpenSSH or of OpenPGP (RFC 9580, section 6.2)
// whose label names a private key, to its end or that of the text. The token is what
// begins it.
func (l *lexer) privateKey(t token) {
	start := t.end - len(beginMark)
	if !l.runs[PrivateKey] || start < l.until[longKey] || !hasPrefix(l.text, start, beginMark) {
		return
	}
	label := l.text[t.end:min(len(l.text), t.end+64)]
	head := bytes.Index(label, []byte(fiveDash))
	if head < 0 || !bytes.Contains(label[:head], []byte(" PRIVATE KEY")) || !isLabel(label[:head]) {
		return
	}
	end := l.blockEnd(t.end + head + len(fiveDash))
	l.until[longKey] = end
	l.work += end - start
	l.add(PrivateKey, PrivateKeyEntity, start, end)
}

func isLabel(s []byte) bool {
	for _, c := range s {
		if classes[c]&(classLarge|classDigit) == 0 && c != ' ' {
			return false
		}
	}
	return true
}

func (l *lexer) blockEnd(i int) int {
	foot := bytes.Index(l.text[i:], []byte(endMark))
	if foot < 0 {
		return len(l.text)
	}
	i += foot + len(endMark)
	tail := l.text[i:min(len(l.text), i+64)]
	if dashes := bytes.Index(tail, []byte(fiveDash)); dashes >= 0 {
		return i + dashes + len(fiveDash)
	}
	return i + len(tail)
}
