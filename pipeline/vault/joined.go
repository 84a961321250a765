package vault

// maxJoined is the longest name of several words that is looked for: a mapped
// IPv6 network in full.
const maxJoined = 64

// joinedEnds returns where names of several words that start at the front of text
// may end, longest first; 0: none.
func joinedEnds(text []byte) (ends [4]int) {
	switch {
	case hasPrefixFold(text, userPrefix):
		return [4]int{endOf(text, len(userPrefix)+8+1+len(domainPrefix)+10+len(fakeSuffix))}
	case hasPrefixFold(text, domainPrefix):
		if end := endOf(text, len(domainPrefix)+10+len(fakeSuffix)); end > 0 {
			return [4]int{end}
		}
	case hasPrefixFold(text, hostPrefix):
		return [4]int{endOf(text, len(hostPrefix)+8+len(fakeSuffix))}
	}
	end := runOf(text, func(c byte) bool { return isHex(c) || c == '.' || c == ':' })
	if end > maxJoined {
		return ends
	}
	if end < len(text) && isAlnum(text[end]) {
		end = lastColon(text[:end]) // a port by name
	}
	for end > 0 && (text[end-1] == '.' || text[end-1] == ':' && !doubleColon(text[:end])) {
		end-- // the end of a sentence
	}
	return addressEnds(text, end)
}

// addressEnds returns the ends of a network and of the address in it, and, for an
// address with a port behind it, of the address alone.
func addressEnds(text []byte, end int) (ends [4]int) {
	if end+1 < len(text) && text[end] == '/' && isDigit(text[end+1]) {
		length := end + 1 + runOf(text[end+1:], isDigit)
		if length == len(text) || !isWord(text[length]) {
			ends[0] = length
		}
	}
	ends[1] = end
	if port := lastColon(text[:end]); port > 0 {
		ends[2] = port
	}
	return ends
}

func doubleColon(text []byte) bool {
	n := len(text)
	return n > 1 && text[n-1] == ':' && text[n-2] == ':'
}

func lastColon(text []byte) int {
	for i := len(text) - 1; i > 0; i-- {
		if text[i] == ':' {
			return i
		}
	}
	return 0
}

// endOf returns the end of a name of a known length if neither word nor host goes
// on there.
func endOf(text []byte, length int) int {
	if len(text) < length || len(text) > length && isWord(text[length]) {
		return 0
	}
	if len(text) > length+1 && text[length] == '.' && isAlnum(text[length+1]) {
		return 0
	}
	return length
}

func runOf(text []byte, class func(byte) bool) int {
	for i, c := range text {
		if !class(c) {
			return i
		}
	}
	return len(text)
}

func hasPrefixFold(text []byte, prefix string) bool {
	if len(text) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if c := text[i]; c != prefix[i] && (!isUpper(c) || c|0x20 != prefix[i]) {
			return false
		}
	}
	return true
}
