package untrusted_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cloudg/mcplayer/internal/untrusted"
)

// delicate are the characters whose fate depends on their neighbours, and such
// neighbours.
var delicate = []rune("\u200c\u200d\ufe0e\ufe0f\u20e3\u200b\u3164\u17b4\u034f\U000E0067\U000E0062\U000E0061\U000E007F\U000E0100" +
	"مرُ\u0651خकक्षায়അ്ක්ကខ្aé1#*\u0301 \n\r😀👩🚒🏴❤✔🏽🇩🇪🏳🌈©\u1100\u1161\u11a8가⟦⟧…")

// TestRandom tries short texts of delicate characters: what Strip and Cut let
// stay must be what they let stay the second time.
func TestRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		text := make([]rune, 1+random.IntN(9))
		for i := range text {
			text[i] = delicate[random.IntN(len(delicate))]
		}
		s := string(text)
		out, _ := untrusted.Strip(s)
		if again, n := untrusted.Strip(out); n != 0 {
			t.Fatalf("Strip(%+q) = %+q, then %+q", s, out, again)
		}
		limit := 1 + random.IntN(8)
		short, _ := untrusted.Cut(out, limit)
		if again, n := untrusted.Cut(short, limit); n != 0 {
			t.Fatalf("Cut(%+q, %d) = %+q, then %+q", out, limit, short, again)
		}
		if again, n := untrusted.Strip(short); n != 0 {
			t.Fatalf("Cut(%+q, %d) = %+q, stripped to %+q", out, limit, short, again)
		}
		for name, mark := range map[string]func(string) string{"Fence": untrusted.Fence, "Datamark": untrusted.Datamark} {
			if again, n := untrusted.Strip(mark(short)); n != 0 {
				t.Fatalf("%s(%+q) = %+q, stripped to %+q", name, short, mark(short), again)
			}
		}
	}
}
