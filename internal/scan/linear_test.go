package scan_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/scan"
)

// hostile texts repeat what detectors start at.
var hostile = []string{
	"token=", "token=\"", "token=\"token='", `token=\"`, `token="\`, "token=***", "token={", "token=a(", "token=,", "password: ", "--password ", "<password>", "<password", "pwd=", "pwd=;", "AccountKey=",
	"sig=", "://", "a://", "a://b:c@", "x://@", "@", "a@", "a@b.cc", "a@b.cc@", "a.", "a-", ".", "-", "_", "=", ":", "::", "1:", "1::", "a:b:", "/", "/subscriptions/", "projects/",
	"projects/aaaaaa/zones/a", "/subscriptions/3f2b8c1e-9d4a-4e6b-8f70-1a2b3c4d5e6f/x", "organizations/1", "arn:", "arn:aws:", "arn:aws:s3:::", "eyJ", "eyJ-", "eyJ.", "eyJaaaaaaaa.", "eyJaaaaaaaaa.eyJaaaaaaaaa.",
	"-----BEGIN", "-----BEGIN PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----x-----END ", "Bearer ", "Bearer", "Bearer/", "basic a1", "ghp_", "github_pat_", "gh", "xoxb-", "xoxb-1", "AIza", "sk_live_", "whsec_", "whsec_/",
	"AKIA", "AKIAQ3EGRTYU7IOPASD2", "0", "1 ", "1-", "1.", "1.1.1.1", "1.1.1.1/", "4111 ", "4111-", "4111111111111111 ", "phone 1 ", "phone 555-1234 ", "+1", "+1 ", "ssn 1", "ssn 123-45-6789 ", "DE89", "DE89 ", "00:", "00-", "0000.",
	"2026-", "2026-01-01T", "20260101T000000Z", "example.com", "a.com ", "www.", "cloudg://assets/", "Aa1", "Aa1/", "aA1=", "\\", `\n`, `\u0041`, "é", "é@", "o'", "'", "\"", "[", "(", "[redacted", "${", "{{", "<", ">", "*", "secret aws ",
	"password: |\n ", "password: |", "password: |\n\n", " |\n", "secret: x: ", "\"token: \" + ", "token=\"\"\"", "token=]", "token=<a", "token=a'bcde", "</token>", "<token a='b'>", "token=\\\"\\\\", "x.token=a.", "b'",
	"subscription:", "version ", "\xff", "\x00",
}

// TestWorkGrowsWithTheText: twice the text is about twice the work, and there is a bound
// for a byte.
func TestWorkGrowsWithTheText(t *testing.T) {
	const size, bound = 16 << 10, 64
	engine := everything()
	texts := append([]string{}, hostile...)
	for _, a := range hostile[:10] {
		for _, b := range hostile {
			texts = append(texts, a+b)
		}
	}
	for _, piece := range texts {
		text := []byte(strings.Repeat(piece, 2*size/len(piece)+1))
		once, twice := engine.Work(text[:size]), engine.Work(text[:2*size])
		if once > bound*size || twice > once*21/10+2*4096 {
			t.Errorf("%q: work of %d for %d bytes, %d for twice as much", piece, once, size, twice)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	for name, engine := range map[string]*scan.Engine{"secrets": secretsOnly(), "usual": scan.New(nil), "everything": everything()} {
		texts := [][]byte{}
		for _, kind := range []string{"prose", "hints"} {
			list, _ := stringsOf(t, documents(32 << 10)[kind])
			texts = append(texts, list...)
		}
		for _, list := range cases {
			for _, marked := range list {
				if text := []byte(plainText(marked)); len(engine.Append(nil, text)) == 0 {
					texts = append(texts, text)
				}
			}
		}
		n := testing.AllocsPerRun(3, func() {
			for _, text := range texts {
				engine.Append(nil, text)
			}
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestNoAllocationsForFindings: a slice with room is enough.
func TestNoAllocationsForFindings(t *testing.T) {
	engine, dst := everything(), make([]scan.Match, 0, 64)
	list, _ := stringsOf(t, documents(32 << 10)["assets"])
	n := testing.AllocsPerRun(3, func() {
		for _, text := range list {
			dst = engine.Append(dst[:0], text)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
