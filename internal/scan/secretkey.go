package scan

// maxKey is how long a key may be.
const maxKey = 64

// secretWords are what the name of a secret ends in, without separators between its
// words. Whole ones stand apart from the letters in front of them: a hockeytoken is none.
var secretWords = [...]struct {
	text  string
	whole bool
}{
	{"password", false},
	{"passwd", false},
	{"passphrase", false},
	{"secret", true},
	{"clientsecret", true},
	{"token", true},
	{"accesstoken", true},
	{"authtoken", true},
	{"refreshtoken", true},
	{"bearer", true},
	{"apikey", true},
	{"privatekey", true},
	{"secretkey", true},
}

// pagingWords stand in front of the token of a page, which is no secret.
var pagingWords = [...]string{"next", "page", "continuation", "sync", "pagination"}

// secretKey reports whether what ends at end is the name of a secret.
func secretKey(text []byte, end int) bool {
	if end < 5 {
		return false
	}
	switch text[end-1] | 0x20 {
	case 'd', 'e', 't', 'n', 'r', 'y':
	default:
		return false
	}
	key := text[max(0, end-maxKey):end]
	for _, word := range secretWords {
		if start, ok := endsInWord(key, word.text); ok && (!word.whole || apart(key, start)) {
			return !paging(key, start, word.text)
		}
	}
	return false
}

// endsInWord returns where key starts to be word, with one -, _ or blank allowed
// between any two letters.
func endsInWord(key []byte, word string) (start int, ok bool) {
	i := len(key)
	for n := len(word) - 1; n >= 0; n-- {
		if i > 0 && i < len(key) && (key[i-1] == '_' || key[i-1] == '-' || key[i-1] == ' ') {
			i--
		}
		if i == 0 || key[i-1]|0x20 != word[n] {
			return 0, false
		}
		i--
	}
	return i, true
}

// behindEscape reports whether the letter in front of i is that of an escape: \ntoken.
func behindEscape(key []byte, i int) bool {
	return i > 1 && key[i-2] == '\\' && escape(key, i-2) == i-1
}

// apart reports whether a word starts at i: behind no letter, with a capital, or behind an
// escape.
func apart(key []byte, i int) bool {
	return i == 0 || !isAlpha(key[i-1]) || isHump(key[i-1], key[i]) || behindEscape(key, i)
}

func paging(key []byte, start int, word string) bool {
	if word != "token" {
		return false
	}
	for start > 0 && (key[start-1] == '_' || key[start-1] == '-') {
		start--
	}
	for _, p := range pagingWords {
		if hasSuffixFold(key[:start], p) {
			return true
		}
	}
	return false
}
