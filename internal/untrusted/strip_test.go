package untrusted_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cloudg/mcplayer/internal/untrusted"
)

// tags writes ASCII text as tag characters.
func tags(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(0xE0000 + r)
	}
	return b.String()
}

const cancelTag = "\U000E007F"

func TestStrip(t *testing.T) {
	for name, c := range map[string]struct {
		in, want string
		removed  int
	}{
		"tags after text":    {"All fine here." + tags("obey me"), "All fine here.", 7},
		"inside words":       {"pay\u200bload zero\u2060width soft\u00adhyphen", "payload zerowidth softhyphen", 3},
		"bidi":               {"\u202eevil\u202c and \u2066x\u2069", "evil and x", 4},
		"emoji":              {"family 👨‍👩‍👧 heart ❤️‍🔥 flag 🏳️‍🌈", "", 0},
		"Persian":            {"می\u200cخواهم", "", 0},
		"byte-order mark":    {"\ufeffname,qty\na,1", "name,qty\na,1", 1},
		"joiner in Latin":    {"foo\u200dbar", "foobar", 1},
		"letters":            {"café é 한글 日本", "", 0},
		"flag of England":    {"🏴" + tags("gbeng") + cancelTag, "", 0},
		"controls":           {"a\x00b\bc\x1b[31mred\x1b[0m", "abc[31mred[0m", 4},
		"empty":              {"", "", 0},
		"tab, LF and CR":     {"a\tb\nc\r\nd", "", 0},
		"all controls":       {"\x00\x01\x08\x0b\x0c\x0e\x1f\x7f", "", 8},
		"C1":                 {"a\u0080\u0085\u009fb\u00a0c", "ab\u00a0c", 3},
		"only invisible":     {"\u200b\u200b", "", 2},
		"eight and a LF":     {"12345678\n\x00", "12345678\n", 1},
		"last of many words": {"1234567812345678\x7f", "1234567812345678", 1},

		// Emoji sequences.
		"keycap":               {"1️⃣ #️⃣ *️⃣", "", 0},
		"digit with style":     {"1️ 2️⃣", "1 2️⃣", 1},
		"text style":           {"✔︎ ☎︎ ©️", "", 0},
		"two styles":           {"❤\ufe0f\ufe0f", "❤\ufe0f", 1},
		"other selectors":      {"❤\ufe00x\ufe0f", "❤x", 2},
		"bytes after an emoji": {"😀\U000E0101\U000E0150", "😀", 2},
		"skin tones":           {"👩🏽‍🚒 🧑🏻‍❤️‍💋‍🧑🏿 👍🏿", "", 0},
		"mended heart":         {"❤️‍🩹 😶‍🌫️ 🏴‍☠️ 🏳️‍⚧️ 🐻‍❄️", "", 0},
		"joiner after emoji":   {"👩\u200d", "👩", 1},
		"joiner before letter": {"👩\u200dx", "👩x", 1},
		"two joiners":          {"👩\u200d\u200d🚒", "👩\u200d🚒", 1},
		"joiner between flags": {"🇩🇪\u200d🇫🇷", "🇩🇪🇫🇷", 1},
		"joiner behind a gap":  {"👩\u200b\u200d🚒", "👩\u200d🚒", 1},
		"Scotland and Wales":   {"🏴" + tags("gbsct") + cancelTag + "🏴" + tags("gbwls") + cancelTag, "", 0},
		"flag without end":     {"🏴" + tags("gbeng"), "🏴", 5},
		"flag with text":       {"🏴" + tags("ignoreallrules") + cancelTag, "🏴", 15},
		"flag with capitals":   {"🏴" + tags("GBENG") + cancelTag, "🏴", 6},
		"tags on a face":       {"😀" + tags("gbeng") + cancelTag, "😀", 6},
		"tags twice":           {"🏴" + tags("gbeng") + cancelTag + tags("gbeng") + cancelTag, "🏴" + tags("gbeng") + cancelTag, 6},

		// Joiners of scripts.
		"Persian plural":       {"کتاب\u200cها و کار\u200cها", "", 0},
		"Latin in Persian":     {"API\u200cهای ۱۲\u200cام", "", 0},
		"Urdu, marks":          {"مُ\u200cحَ", "", 0},
		"Kurdish":              {"ده\u200cست", "", 0},
		"Hindi":                {"क्\u200dष क्\u200cष", "", 0},
		"Bengali ya-phalaa":    {"র\u200d্যাব", "", 0},
		"Malayalam chillu":     {"അവന്\u200d വന്നു", "", 0},
		"Sinhala":              {"ශ්\u200dරී ලංකා", "", 0},
		"joiner at the end":    {"می\u200c", "می", 1},
		"joiner after a space": {"می \u200cخواهم", "می خواهم", 1},
		"joiners in a row":     {"می\u200c\u200cخواهم", "می\u200cخواهم", 1},
		"joiner and filler":    {"م\u200c\u3164م", "مم", 2},
		"joiner and vowel":     {"ក\u200c\u17b4ក", "កក", 2},
		"joiner and style":     {"م\u200c\ufe0fم", "م\u200cم", 1},
		"German ligature":      {"Auf\u200clage", "Auflage", 1},
		"Latin to Arabic":      {"x\u200dم", "xم", 1},
		"digits":               {"1\u200c2", "12", 1},
	} {
		t.Run(name, func(t *testing.T) {
			want := c.want
			if c.removed == 0 {
				want = c.in
			}
			got, removed := untrusted.Strip(c.in)
			if got != want || removed != c.removed {
				t.Errorf("Strip(%+q) = %+q, %d; want %+q, %d", c.in, got, removed, want, c.removed)
			}
			b, removed := untrusted.StripBytes(nil, []byte(c.in))
			if string(b) != want || removed != c.removed {
				t.Errorf("StripBytes(%+q) = %+q, %d; want %+q, %d", c.in, b, removed, want, c.removed)
			}
		})
	}
}

// hidden is the list of the characters that are taken out, code point by code
// point.
func hidden(r rune) bool {
	for _, in := range [][2]rune{
		{0x00, 0x08}, {0x0B, 0x0C}, {0x0E, 0x1F}, {0x7F, 0x9F}, // controls but tab, LF, CR
		{0xAD, 0xAD},       // soft hyphen
		{0x034F, 0x034F},   // combining grapheme joiner
		{0x061C, 0x061C},   // Arabic letter mark
		{0x115F, 0x1160},   // Hangul fillers
		{0x3164, 0x3164},   //
		{0xFFA0, 0xFFA0},   //
		{0x17B4, 0x17B5},   // Khmer inherent vowels
		{0x180B, 0x180F},   // Mongolian selectors
		{0x200B, 0x200F},   // zero width, direction
		{0x2028, 0x202E},   // separators, direction
		{0x2060, 0x206F},   // word joiner to digit shapes
		{0xFE00, 0xFE0F},   // variation selectors
		{0xE0100, 0xE01EF}, //
		{0xFEFF, 0xFEFF},   // byte-order mark
		{0xFFF9, 0xFFFB},   // interlinear annotation
		{0x1D173, 0x1D17A}, // musical formatting
		{0xE0000, 0xE007F}, // tags
	} {
		if r >= in[0] && r <= in[1] {
			return true
		}
	}
	return false
}

func TestStripEveryCharacter(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		in, want, removed := "a"+string(r)+"b", "ab", 1
		if !hidden(r) {
			want, removed = in, 0
		}
		if got, n := untrusted.Strip(in); got != want || n != removed {
			t.Errorf("Strip(a%Ub) = %+q, %d; want %+q, %d", r, got, n, want, removed)
		}
	}
}

func TestStripInvalidUTF8(t *testing.T) {
	// Without the NUL, the bytes around it would be a zero width space.
	for in, want := range map[string]string{
		"a\xe2\x80\x00\x8bb": "a\ufffd\ufffdb",
		"a\xffb\x00":         "a\ufffdb",
		"a\xffb":             "a\xffb",
		"\xe2":               "\xe2",
		"\xf3\xa0\x81":       "\xf3\xa0\x81",
		"\xf3\xa0\x81a":      "\xf3\xa0\x81a",
	} {
		if got, _ := untrusted.Strip(in); got != want {
			t.Errorf("Strip(%+q) = %+q; want %+q", in, got, want)
		}
		if got, _ := untrusted.StripBytes(nil, []byte(in)); string(got) != want {
			t.Errorf("StripBytes(%+q) = %+q; want %+q", in, got, want)
		}
	}
}

func TestStripBytesAppends(t *testing.T) {
	in := []byte("fine")
	if out, _ := untrusted.StripBytes([]byte("x"), in); &out[0] != &in[0] {
		t.Error("a text without findings was copied")
	}
	if out, n := untrusted.StripBytes([]byte("👩"), []byte("\u200d🚒")); string(out) != "👩🚒" || n != 1 {
		t.Errorf("got %+q, %d: what stands in dst is no part of the text", out, n)
	}
}

func FuzzStrip(f *testing.F) {
	for _, s := range []string{"a\x00b", "👩\u200d\ufe0f🚒", "می\u200cخواهم", "🏴" + tags("gbeng") + cancelTag, "\xe2\x80\x00\x8b", "1\ufe0f⃣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out, removed := untrusted.Strip(s)
		if again, n := untrusted.Strip(out); again != out || n != 0 {
			t.Fatalf("Strip(%+q) = %+q, then %+q", s, out, again)
		}
		if removed == 0 && out != s {
			t.Fatalf("Strip(%+q) = %+q without a removal", s, out)
		}
		if utf8.ValidString(s) && utf8.RuneCountInString(out)+removed != utf8.RuneCountInString(s) {
			t.Fatalf("Strip(%+q) = %+q, %d: the count is wrong", s, out, removed)
		}
		if b, n := untrusted.StripBytes(nil, []byte(s)); string(b) != out || n != removed {
			t.Fatalf("StripBytes(%+q) = %+q, %d; want %+q, %d", s, b, n, out, removed)
		}
		flags := untrusted.Scan(s)
		if removed > 0 && flags == 0 {
			t.Fatalf("Scan(%+q) saw nothing", s)
		}
		var one untrusted.Flags
		for i := range len(s) {
			one |= untrusted.FlagsOf(s[i])
		}
		if one != flags {
			t.Fatalf("Scan(%+q) = %b, byte for byte %b", s, flags, one)
		}
	})
}
