package scan

const (
	minSignature = 43 // 32 bytes in base64, padded or not
	maxSignature = 132
)

// sas: the signature in a shared access signature, sig= and 32 bytes in base64, usually
// with percent-encoding (Azure Storage, "Create a service SAS"). The = is at sep.
func (l *lexer) sas(t token, sep int) {
	if !l.runs[AzureSAS] || sep-t.start < 3 || !equalFold(l.text[sep-3:sep], "sig") || isWord(l.before(t, sep-3)) {
		return
	}
	start := sep + 1
	end := start
	for end < len(l.text) && end-start < maxSignature && isSignature(l.text[end]) {
		end++
	}
	if end-start >= minSignature {
		l.add(AzureSAS, AzureSASEntity, start, end)
	}
}

func isSignature(c byte) bool {
	return classes[c]&(classAlnum|classDash|classPlus|classSlash|classEqual) != 0 || c == '%'
}
