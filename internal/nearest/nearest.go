// Package nearest guesses which known name a misspelt one was meant to be.
package nearest

import (
	"strings"
	"unicode/utf8"
)

// Name returns the known name that name was probably meant to be, or "". Case,
// underscores and hyphens do not count; beyond them one letter in three may differ,
// at most two.
func Name(name string, known []string) string {
	best, least := "", 1+min(2, max(1, utf8.RuneCountInString(name)/3))
	if utf8.RuneCountInString(name) > 64 {
		return ""
	}
	folded := fold(name)
	for _, k := range known {
		f := fold(k)
		if f == folded {
			return k
		}
		if d := Distance([]rune(folded), []rune(f)); d < least && d < utf8.RuneCountInString(f) {
			best, least = k, d
		}
	}
	return best
}

// fold removes what naming conventions differ in.
func fold(s string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(s))
}

// Distance is the optimal string alignment distance: insertions, deletions, changes and swapped neighbours.
func Distance(a, b []rune) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, prev, cur := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], older[j-2]+1)
			}
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}
