package detect_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// TestMetInTheWild holds texts on which detectors are known to fail; « and » stand
// around what is to be found. Credentials are split.
func TestMetInTheWild(t *testing.T) {
	addresses := &detect.Options{Want: func(_ *detect.Detector, entity string) bool { return entity == "private_ip" || entity == "public_ip" }}
	secrets := &detect.Options{Want: func(d *detect.Detector, _ string) bool { return d.Category == "secret" || d.Category == "credential" }}
	cards := &detect.Options{Enabled: []string{"credit_card"}, Want: func(d *detect.Detector, _ string) bool { return d.Name == "credit_card" }}
	mails := &detect.Options{Want: func(d *detect.Detector, _ string) bool { return d.Name == "email" }}
	tests := []struct {
		name  string
		o     *detect.Options
		texts []string
	}{
		{"addresses", addresses, []string{
			"agent: BoxSync v3.2.1.204", `{"appVersion":"10.4.22.7","bytes":18830411}`, "Chrome/126.0.6478.127 Safari/537.36", "std::cout << a::b; cafe::",
			"listen 0.0.0.0:8080 and [::]:8080", "section 1.2.3.4 of the manual", "mac 00:1A:2B:3C:4D:5E at 12:34:56", "1.2.3 and 1.2.3.4.5 and 256.300.1.1",
			"client «198.51.100.23» connected", "peer «2001:db8:85a3::8a2e:370:7334» up", `[«198.51.100.23»]:443, («198.51.100.23»), "«198.51.100.23»"`,
		}},
		{"secrets", secrets, []string{
			`{"id":"3f2b8c1e-9d4a-4e6b-8f70-1a2b3c4d5e6f","title":"Fix login"}`, "commit 5d1f0c7ab2e94836c0d7e1a8f4b3925d6e7c8a90",
			`"integrity":"sha512-9NZ6mZ2Qv0Yx1m3b5cT7uJ8kL0pQ2rS4tU6vW8xY0zA1bC3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bCg=="`, "rowKey=T207-QX-ARRIVAL keyword=Zustand_K4",
			`SECRET_NAME = "ORDERS-DB-API-KEY"`, "libturkey:parm64-build=skip capitalkit:pix64-build=skip", "token_count: 1834, max_tokens: 4096",
			`public_key = "«Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga»"`, "traceparent 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "key=value&sort=asc&page=2",
			"token «gh" + "p_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6»", "AWS «AK" + "IAQ3EGRTYU7IOPASD2»",
		}},
		{"cards", cards, []string{
			"at_millis=1750000000009", `{"done_at":"1718123456705"}`, "44875749-1186-4252-a3d1-7c0fe2b9d864", "snowflake 1812345678901234567", "scale(1.02) shift(-0.5431672326865635%)",
			"order 4111111111111112", "card «4111111111111111»", "card «4111 1111 1111 1111»", "card «4111-1111-1111-1111»", "amex «3782 822463 10005»", "card:«6011111111111117»;next",
		}},
		{"values side by side", mails, []string{
			"«a.one@example.com» «b.two@example.org» «c.three@example.net»", "«a.one@example.com»,«b.two@example.org»;«c.three@example.net»",
			"«a.one@example.com»\n«b.two@example.org»\r\n«c.three@example.net»", "«a.one@example.com» «a.one@example.com»",
		}},
	}
	for _, tt := range tests {
		s := scanner(t, tt.o)
		for _, marked := range tt.texts {
			t.Run(tt.name+"/"+marked, func(t *testing.T) {
				text := strings.NewReplacer("«", "", "»", "").Replace(marked)
				if got := markFindings(text, s.Append(nil, []byte(text))); got != marked {
					t.Errorf("got %s", got)
				}
			})
		}
	}
}

func markFindings(text string, found []detect.Finding) string {
	var out strings.Builder
	from := 0
	for _, f := range found {
		out.WriteString(text[from:f.Start] + "«" + text[f.Start:f.End] + "»")
		from = f.End
	}
	return out.String() + text[from:]
}
