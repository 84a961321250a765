package scan

import (
	"bytes"
	"math"
)

const base64Any = classAlnum | classDash | classPlus | classSlash

// randoms looks at the runs of a token that are base64 of some alphabet.
func (l *lexer) randoms(t token) {
	for i := t.start; i < t.end; i++ {
		start, seen := i, class(0)
		for ; i < t.end; i++ {
			c := classes[l.text[i]]
			if c&base64Any == 0 {
				break
			}
			seen |= c
		}
		if i-start < minRandom {
			continue
		}
		end := i
		for i < t.end && i-end < 2 && l.text[i] == '=' {
			i++
		}
		l.random(start, end, i, seen)
		if i > end {
			i-- // what follows the padding may be a run too
		}
	}
}

// random looks at one run; pad is where its padding ends.
func (l *lexer) random(start, end, pad int, seen class) {
	if seen&classDigit == 0 || seen&classLarge == 0 || seen&classSmall == 0 || l.isHash(start) {
		return
	}
	s := l.text[start:end]
	if len(s) == 40 && pad == end && seen&classDash == 0 && l.runs[AWSSecretKey] && !all(s, classHex) && l.awsLabel(start) {
		l.add(AWSSecretKey, AWSSecretKeyEntity, start, end)
	}
	if len(s) == 86 && pad == end+2 && seen&classDash == 0 && l.at(pad) != '=' {
		l.add(AzureStorageKey, AzureStorageEntity, start, pad)
	}
	if l.runs[HighEntropy] && !all(s, classHex|classDash) && !l.isMedia(start) && wordRuns(s) < 3 && Entropy(s) >= minEntropy {
		l.add(HighEntropy, HighEntropyEntity, start, pad)
	}
}

// hashNames stand in front of a hash in base64: in an attribute of subresource integrity
// (W3C, "Subresource Integrity", section 3.1), the lock file of a package manager, a
// fingerprint of OpenSSH.
var hashNames = [...]string{"sha1", "sha256", "sha384", "sha512", "md5", "h1"}

// isHash reports whether a run is a hash, since its name stands at its start, as
// sha512- does, or in front of it, as SHA256: does.
func (l *lexer) isHash(start int) bool {
	rest := l.text[start:min(len(l.text), start+8)]
	before := l.text[max(0, start-8):start]
	for _, name := range hashNames {
		if hasPrefixFold(rest, name) && len(rest) > len(name) && rest[len(name)] == '-' {
			return true
		}
		n := len(before) - 1
		if n > 0 && (before[n] == ':' || before[n] == '=') && hasSuffixFold(before[:n], name) {
			return true
		}
	}
	return false
}

// maxMediaType is how long "data:", a type of media and ";base64," may be together.
const maxMediaType = 64

// isMedia reports whether a run is the data of an image, a sound or a font in a URI of
// the scheme data (RFC 2397).
func (l *lexer) isMedia(start int) bool {
	before := l.text[max(0, start-maxMediaType):start]
	before, ok := bytes.CutSuffix(before, []byte(";base64,"))
	if !ok {
		return false
	}
	scheme := bytes.LastIndex(before, []byte("data:"))
	if scheme < 0 {
		return false
	}
	media := before[scheme+len("data:"):]
	for _, name := range []string{"image/", "audio/", "video/", "font/"} {
		if bytes.HasPrefix(media, []byte(name)) {
			return true
		}
	}
	return false
}

// maxNear is how far in front of a secret key of AWS its label may stand.
const maxNear = 64

// awsLabel reports whether the name of such a key stands in front of i.
func (l *lexer) awsLabel(i int) bool {
	var near [maxNear]byte
	n := copy(near[:], l.text[max(0, i-maxNear):i])
	for j, c := range near[:n] {
		if c-'A' < 26 {
			near[j] = c | 0x20
		}
	}
	label := near[:n]
	if !bytes.Contains(label, []byte("secret")) {
		return false
	}
	for _, word := range awsWords {
		if bytes.Contains(label, []byte(word)) {
			return true
		}
	}
	return false
}

var awsWords = [...]string{"aws", "amazon", "s3", "accesskey", "access_key", "access-key", "access key"}

const (
	minRandom  = 32
	minEntropy = 4 // bits for each byte
	minWordRun = 4
)

// wordRuns counts the runs of four or more small letters, and those of capitals that a
// dash or the end is on both sides of: they are rare in what is random and frequent in
// names and paths.
func wordRuns(s []byte) (n int) {
	for i := 0; i < len(s); {
		start, of := i, classes[s[i]]
		switch {
		case of&classSmall != 0:
			of = classSmall
		case of&classLarge != 0:
			of = classLarge
		}
		for i++; i < len(s) && classes[s[i]]&of != 0; {
			i++
		}
		if i-start < minWordRun {
			continue
		}
		if of == classSmall || of == classLarge && isDashOrEnd(s, start-1) && isDashOrEnd(s, i) {
			n++
		}
	}
	return n
}

func isDashOrEnd(s []byte, i int) bool {
	return i < 0 || i == len(s) || classes[s[i]]&classDash != 0
}

// Entropy returns Shannon's entropy of the bytes of s, in bits for each.
func Entropy(s []byte) float64 {
	var count [256]int
	for _, c := range s {
		count[c]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 1 {
			sum += float64(n) * math.Log2(float64(n))
		}
	}
	return math.Log2(float64(len(s))) - sum/float64(len(s))
}
