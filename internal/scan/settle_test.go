package scan_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cloudg/mcplayer/internal/scan"
)

func TestSettle(t *testing.T) {
	m := func(start, end, order int) scan.Match { return scan.Match{Start: start, End: end, Order: order} }
	s := func(start, end, order int) scan.Match {
		return scan.Match{Start: start, End: end, Order: order, Secret: true}
	}
	tests := []struct {
		name        string
		found, want []scan.Match
	}{
		{"none", nil, nil},
		{"apart", []scan.Match{m(5, 9, 1), m(0, 5, 2)}, []scan.Match{m(0, 5, 2), m(5, 9, 1)}},
		{"leftmost", []scan.Match{m(2, 9, 1), m(0, 5, 2)}, []scan.Match{m(0, 5, 2)}},
		{"listed first", []scan.Match{m(0, 9, 2), m(0, 5, 1)}, []scan.Match{m(0, 5, 1)}},
		{"a secret on the right", []scan.Match{m(0, 5, 1), s(4, 9, 2)}, []scan.Match{s(4, 9, 2)}},
		{"a secret on the left", []scan.Match{s(0, 5, 2), m(4, 9, 1)}, []scan.Match{s(0, 5, 2)}},
		{"a secret inside", []scan.Match{m(0, 9, 1), s(3, 5, 2)}, []scan.Match{s(3, 5, 2)}},
		{"a beaten one makes room", []scan.Match{m(0, 9, 1), m(0, 2, 3), s(3, 5, 2)}, []scan.Match{m(0, 2, 3), s(3, 5, 2)}},
		{"a beaten secret beats nothing", []scan.Match{s(0, 4, 1), s(3, 9, 2), m(5, 7, 3)}, []scan.Match{s(0, 4, 1), m(5, 7, 3)}},
		{"the rest of a secret", []scan.Match{s(0, 9, 1), s(3, 17, 2), m(12, 20, 3), s(4, 25, 3)}, []scan.Match{s(0, 9, 1), s(9, 17, 2), s(17, 25, 3)}},
		{"a short rest", []scan.Match{s(0, 9, 1), s(3, 16, 2)}, []scan.Match{s(0, 9, 1)}},
		{"a row", []scan.Match{m(0, 3, 1), m(2, 5, 1), m(4, 7, 1)}, []scan.Match{m(0, 3, 1), m(4, 7, 1)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := scan.Settle(tt.found, 0); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSettleKeepsWhatStandsInFront(t *testing.T) {
	found := []scan.Match{{Start: 9, End: 10}, {Start: 3, End: 5}, {Start: 0, End: 4}}
	want := []scan.Match{{Start: 9, End: 10}, {Start: 0, End: 4}}
	if got := scan.Settle(found, 1); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSettleAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var found []scan.Match
		for order := range r.IntN(12) {
			start := r.IntN(20)
			found = append(found, scan.Match{Start: start, End: start + 1 + r.IntN(16), Order: order, Secret: r.IntN(3) == 0})
		}
		want := settleSlowly(slices.Clone(found))
		if got := scan.Settle(slices.Clone(found), 0); !slices.Equal(got, want) {
			t.Fatalf("%v\ngot  %v\nwant %v", found, got, want)
		}
	}
}
