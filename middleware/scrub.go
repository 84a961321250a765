package middleware

import "github.com/cloudg/mcplayer/internal/scan"

// shortestSecret is shorter than every secret of letters alone, in bytes.
const shortestSecret = 20

// scrub takes secrets out of a name that goes into an audit line. Most names are a few
// words, which need no detector.
func scrub(s string) string {
	if isWords(s) {
		return s
	}
	return scan.Scrub(s)
}

func isWords(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_' {
			return false
		}
	}
	return len(s) < shortestSecret
}
