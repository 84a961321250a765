package scan

// maxARN is how long an ARN may be (AWS IAM User Guide, "IAM and AWS STS quotas").
const maxARN = 2048

// arn: arn:partition:service:region:account:resource (AWS IAM User Guide, "Identify AWS
// resources with Amazon Resource Names"). The partition is aws, or starts with aws-, as
// aws-cn and aws-us-gov do.
func (l *lexer) arn(t token, w word) {
	if !l.runs[AWSARN] || w.start < l.until[longARN] || !hasPrefix(l.text, w.start, "arn:aws") {
		return
	}
	limit := min(t.end, w.start+maxARN)
	end := l.arnHead(w.start+len("arn:"), limit)
	if end == 0 {
		return
	}
	start := end
	for end < limit && !isBehindARN(l.text[end]) {
		end++
	}
	l.work += end - w.start
	for end > start && isTail(l.text[end-1]) {
		end--
	}
	if end > start {
		l.until[longARN] = end
		l.add(AWSARN, ARNEntity, w.start, end)
	}
}

// arnHead returns where the resource starts in an ARN whose partition is at i, 0 if it is
// none.
func (l *lexer) arnHead(i, limit int) int {
	for field := range 4 {
		start := i
		for i < limit && (classes[l.text[i]]&(classSmall|classDigit) != 0 || l.text[i] == '-') {
			i++
		}
		if i == limit || l.text[i] != ':' || !l.arnField(field, l.text[start:i]) {
			return 0
		}
		i++
	}
	return i
}

func (l *lexer) arnField(field int, s []byte) bool {
	switch field {
	case 0:
		return len(s) == 3 || hasPrefix(s, 3, "-")
	case 1:
		return len(s) > 0
	case 3:
		return len(s) == 0 || string(s) == "aws" || len(s) == 12 && all(s, classDigit)
	}
	return true
}

// isBehindARN reports whether a byte inside a token ends an ARN.
func isBehindARN(c byte) bool {
	return classes[c] == classInner && (c == '?' || c == '&' || c == '#' || c == '~')
}

// isTail reports whether a byte at the end of a name belongs to the sentence around it.
func isTail(c byte) bool {
	return c == '.' || c == ':' || c == '!' || c == '=' || c == '/' || c == '$' || c == '%'
}
