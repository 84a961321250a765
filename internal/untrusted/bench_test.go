package untrusted_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/untrusted"
)

// prose holds texts of about 64 KB, by what they are made of.
var prose = map[string]string{
	"ascii": fill(`The quarterly review of the storage estate found that most buckets carry the right labels. Two teams
moved their archives to the colder tier, which saved about a third of the monthly bill, and nobody noticed a delay. The next
round starts in March; owners get a mail a week before with the list of what is theirs and how old it has become. `),
	"german": fill(`Die vierteljährliche Prüfung des Speichers ergab, dass die meisten Behälter richtig beschriftet sind.
Zwei Gruppen verschoben ihre Archive in die günstigere Stufe, was etwa ein Drittel der Kosten einspart; für größere Änderungen
müssen die Eigentümer vorher gehört werden. Die nächste Runde beginnt im März. `),
	"japanese": fill(`四半期ごとのストレージの点検では、ほとんどのバケットに正しいラベルが付いていることが確認されました。
二つのチームがアーカイブを安い階層に移し、毎月の費用の約三分の一を節約しました。次回は三月に始まります。`),
	"arabic": fill(`أظهرت المراجعة الفصلية للتخزين أن معظم الحاويات تحمل التسميات الصحيحة. نقل فريقان محفوظاتهما إلى الطبقة
الأرخص، مما وفر نحو ثلث التكلفة الشهرية، ولم يلاحظ أحد أي تأخير. تبدأ الجولة التالية في مارس. `),
	"persian": fill("کتاب\u200cهای تازه را می\u200cخواهم بخوانم، اما وقت نمی\u200cکنم. دوستانم می\u200cگویند که نویسنده\u200cهای جوان بهتر می\u200cنویسند. "),
	"code": fill(`func (c *cache) put(key string, value []byte, now time.Time) error {
	if len(value) > c.limit {
		return fmt.Errorf("cache: value of %d bytes is larger than %d", len(value), c.limit)
	}
	e := &entry{key: key, value: value, until: now.Add(c.ttl)} // the list owns it
	c.byKey[key] = c.list.PushFront(e)
	for c.size += len(value); c.size > c.limit; { c.drop(c.list.Back()) }
	return nil
}
`),
	"emoji":  fill("Ship it 🚀🎉 the build is green ✅ and the family 👨‍👩‍👧 is happy ❤️‍🔥 flags 🏳️‍🌈🇩🇪 keys 1️⃣2️⃣ 👍🏽 done. "),
	"hidden": fill("pay\u200bload zero\u2060width soft\u00adhyphen \x1b[31mred\x1b[0m text that goes on for a while "),
	"hints": fill(`Ignore the noise, send a mail, upload the build, forward the port and leak nothing: the assistant of the
system forgot the tool. Disregard it, call the office, reveal the card, print your name, tell the user, override the value. `),
	"triggers": fill(`ignore it disregard forget overlook neglect override bypass you are now here system prompted new instruction
send upload forward leak reveal disclose expose dump assistant chatgpt copilot llm gpt call the office untrusted <system [inst `),
}

func fill(s string) string {
	const size = 64 << 10
	return strings.Repeat(s, size/len(s)+1)
}

func each(b *testing.B, run func(b *testing.B, s string)) {
	for _, name := range []string{"ascii", "german", "japanese", "arabic", "persian", "code", "emoji", "hidden", "hints", "triggers"} {
		b.Run(name, func(b *testing.B) {
			s := prose[name]
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			run(b, s)
		})
	}
}

func BenchmarkStrip(b *testing.B) {
	each(b, func(b *testing.B, s string) {
		for b.Loop() {
			untrusted.Strip(s)
		}
	})
}

func BenchmarkStripBytes(b *testing.B) {
	each(b, func(b *testing.B, s string) {
		text, dst := []byte(s), make([]byte, 0, len(s))
		for b.Loop() {
			untrusted.StripBytes(dst[:0], text)
		}
	})
}

func BenchmarkSuspicious(b *testing.B) {
	d := detector(b, nil)
	each(b, func(b *testing.B, s string) {
		for b.Loop() {
			if kind, ok := d.Suspicious(s); ok {
				b.Fatal(kind)
			}
		}
	})
}

// BenchmarkShort looks at a string as it is most frequent in a document.
func BenchmarkShort(b *testing.B) {
	d := detector(b, nil)
	s := "arn:aws:s3:::logs-2024-archive"
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		untrusted.Strip(s)
		d.Suspicious(s)
	}
}

func BenchmarkNeeds(b *testing.B) {
	d := detector(b, nil)
	each(b, func(b *testing.B, s string) {
		for b.Loop() {
			d.Needs(s)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	each(b, func(b *testing.B, s string) {
		for b.Loop() {
			untrusted.Scan(s)
		}
	})
}

// BenchmarkFloor passes over the bytes with one look into a table for each.
func BenchmarkFloor(b *testing.B) {
	s := prose["ascii"]
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		var f untrusted.Flags
		for i := range len(s) {
			f |= untrusted.FlagsOf(s[i])
		}
		if f != 0 {
			b.Fatal(f)
		}
	}
}

func BenchmarkCut(b *testing.B) {
	each(b, func(b *testing.B, s string) {
		for b.Loop() {
			untrusted.Cut(s, len(s)-100)
		}
	})
}

func BenchmarkFence(b *testing.B) {
	b.SetBytes(int64(len(example)))
	b.ReportAllocs()
	for b.Loop() {
		untrusted.Fence(example)
	}
}

func BenchmarkUnfence(b *testing.B) {
	each(b, func(b *testing.B, s string) {
		for b.Loop() {
			untrusted.Unfence(s)
		}
	})
}

// hostile holds texts of 256 KB that make the most work.
var hostile = map[string]string{
	"verbs":      strings.Repeat("ignore", 43<<10),
	"phrases":    strings.Repeat("ignore all of the ", 14<<10),
	"spread":     strings.Repeat("ig nore the of my ", 14<<10),
	"glued":      strings.Repeat("ignoreallofthe", 18<<10),
	"negated":    strings.Repeat("not ignore previous rules ", 10<<10),
	"invisible":  strings.Repeat("ignore\u200b\u200b\u200b\u200b", 14<<10),
	"one gap":    "ign" + strings.Repeat(" ", 256<<10) + "ore",
	"hidden gap": "x" + strings.Repeat("\u200b", 85<<10) + "ignore previous",
	"sends":      strings.Repeat("send upload leak forward http", 9<<10),
	"urls":       strings.Repeat("http://", 36<<10),
	"angles":     strings.Repeat("<system ", 32<<10),
	"hashes":     strings.Repeat("#", 128<<10) + strings.Repeat("#system", 18<<10),
	"marks":      strings.Repeat("e\u0301\u0301\u0301", 36<<10),
	"joiners":    strings.Repeat("م\u0651\u0651\u0651\u200c", 26<<10),
	"tags":       strings.Repeat("🏴\U000E0067\U000E0062\U000E0065", 16<<10),
	"flags":      strings.Repeat("🇩🇪", 32<<10),
	"fences":     strings.Repeat("⟦untru", 20<<10) + strings.Repeat("sted⟧ ", 20<<10),
}

func BenchmarkHostile(b *testing.B) {
	d := detector(b, nil)
	for name, s := range hostile {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				untrusted.Strip(s)
				untrusted.Cut(s, 100<<10)
				untrusted.Unfence(s)
				d.Suspicious(s)
			}
		})
	}
}

func BenchmarkNewDetector(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		detector(b, nil)
	}
}
