package scan

// uniquePrefixes are those of the unique ids of AWS but keys (AWS IAM User Guide,
// "Understanding unique ID prefixes").
var uniquePrefixes = [...]string{"ABIA", "ACCA", "AGPA", "AIDA", "AIPA", "ANPA", "ANVA", "APKA", "AROA", "ASCA"}

// uniqueID: one of the prefixes and 16 or 17 capital letters and digits.
func (l *lexer) uniqueID(w word) {
	if n := w.len(); n != accessKeyLen && n != accessKeyLen+1 {
		return
	}
	for _, p := range uniquePrefixes {
		if hasPrefix(l.text, w.start, p) {
			l.add(AWSUniqueID, AWSUniqueEntity, w.start, w.end)
		}
	}
}
