package scan_test

import (
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var mixtures = flag.Int("mixtures", 400, "how many mixtures of cases are compared")

var seed = flag.Uint64("seed", 1, "of the mixtures")

// joints stand between the pieces of a mixture.
var joints = []string{
	"", "", "", "", " ", ",", ";", ":", "=", "/", "@", ".", "-", "_", "+", "\n", "\"", "'", "\\", `\n`, `\"`, "(", ")", "[", "]", "{", "}", "<", ">", "&", "?", "#", "%", "é", "の",
	"token=", "password: ", "://", "::", "*", "ssn ", "card ", "phone ", "1", "a", "Z",
}

// TestSlowAgreesOnMixtures compares on pieces of the cases in any order.
func TestSlowAgreesOnMixtures(t *testing.T) {
	engines := compared()
	r := rand.New(rand.NewPCG(*seed, 0))
	names := slices.Sorted(maps.Keys(cases))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	for range *mixtures {
		var text strings.Builder
		for range 1 + r.IntN(4) {
			s := plainText(pick(cases[pick(names)]))
			from := r.IntN(len(s))
			if r.IntN(2) == 0 {
				from = 0
			}
			to := from + r.IntN(len(s)-from+1)
			if r.IntN(2) == 0 {
				to = len(s)
			}
			text.WriteString(s[from:to] + pick(joints))
		}
		if err := compare(engines, text.String()); err != nil {
			t.Error(err)
		}
	}
}
