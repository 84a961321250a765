package scan

// accessKeyLen is the length of an AWS access key id and of the other unique ids.
const accessKeyLen = 20

// accessKey: AKIA or ASIA and 16 capital letters and digits (AWS IAM User Guide,
// "Understanding unique ID prefixes"); several may stand in a row.
func (l *lexer) accessKey(w word) {
	if w.len()%accessKeyLen != 0 {
		return
	}
	for i := w.start; i < w.end; i += accessKeyLen {
		if !hasPrefix(l.text, i, "AKIA") && !hasPrefix(l.text, i, "ASIA") {
			return
		}
		l.add(AWSAccessKeyID, AWSAccessKeyEntity, i, i+accessKeyLen)
	}
}
