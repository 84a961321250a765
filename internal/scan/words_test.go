package scan_test

import (
	"testing"

	"github.com/cloudg/mcplayer/internal/scan"
)

func TestSkipWords(t *testing.T) {
	for _, c := range []struct {
		text string
		from int
		want int
	}{
		{"", 0, 0},
		{"seven bi", 0, 6}, // a block whose last word goes on
		{"seven b", 0, 0},  // no block
		{"one two three eight five six seven", 0, 29},                  // all but the last, which goes on
		{"One TWO three eight five six sevens", 0, 29},                 // in any case
		{"one two three eight five, six seven", 0, 20},                 // the block with the comma is not taken
		{"one two three 4our five six seven", 0, 8},                    // digits
		{"one two three f\u00fcnf five six seven", 0, 8},               // beyond ASCII
		{"one two three\neight five six seven", 0, 8},                  // other white space
		{"order of the day is this one now", 0, 0},                     // may announce credentials
		{"it is a bearer of bad news this morning", 0, 8},              // in the second block
		{"a number ofa thing", 0, 2},                                   // a word that ends with a block
		{"the word abcdefghijklmnopqrst is long", 0, 9},                // twenty letters
		{"the word abcdefghijklmnopqrs is one less", 0, 36},            // nineteen
		{"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", 0, 0}, // no word ends
		{"10.0.0.1 is the address of this machine", 9, 32},             // from the middle
		{"and [some] more @ text ` that is { of letters", 0, 0},        // what is beside letters
	} {
		if got := scan.SkipWords([]byte(c.text), c.from); got != c.want {
			t.Errorf("%q from %d: got %d (%q), want %d", c.text, c.from, got, c.text[got:], c.want)
		}
	}
}

// TestOpeningsAreNotLetters: skipWords and single leave out words of letters.
func TestOpeningsAreNotLetters(t *testing.T) {
	for k := range scan.Kinds {
		if scan.OpensInLetters(scan.Kind(k)) {
			t.Errorf("%s starts in words of letters", scan.Detectors()[k].Name)
		}
	}
}
