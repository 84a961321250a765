package detect_test

import (
	"math"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// listed writes findings as entity=text, with blanks between them.
func listed(s *detect.Scanner, text string) (list string) {
	for i, f := range s.Append(nil, []byte(text)) {
		if i > 0 {
			list += " "
		}
		list += f.Entity + "=" + text[f.Start:f.End]
	}
	return list
}

func scanner(t *testing.T, o *detect.Options) *detect.Scanner {
	t.Helper()
	s, err := detect.NewScanner(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const mixed = `ada@example.com 10.0.0.1 "password": "hunter22" 4111 1111 1111 1111 Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga`

func TestScanner(t *testing.T) {
	tests := []struct {
		name string
		o    *detect.Options
		want string
	}{
		{"defaults", nil, "email=ada@example.com private_ip=10.0.0.1 secret_value=hunter22 high_entropy_secret=Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga"},
		{"enabled", &detect.Options{Enabled: []string{"credit_card"}, MinConfidence: 0.9}, "email=ada@example.com private_ip=10.0.0.1 credit_card=4111 1111 1111 1111"},
		{"disabled", &detect.Options{Disabled: []string{"email", "ipv4", "high_entropy_secret"}}, "secret_value=hunter22"},
		{"disabled beats enabled", &detect.Options{Enabled: []string{"iban"}, Disabled: []string{"iban"}, MinConfidence: 0.95}, "email=ada@example.com"},
		{"sure", &detect.Options{MinConfidence: 0.8}, "email=ada@example.com private_ip=10.0.0.1 secret_value=hunter22"},
		{
			"one category", &detect.Options{Want: func(d *detect.Detector, _ string) bool { return d.Category == "network" }},
			"private_ip=10.0.0.1",
		},
		{"no entity", &detect.Options{Want: func(*detect.Detector, string) bool { return false }}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := listed(scanner(t, tt.o), mixed); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestScannerMistakes(t *testing.T) {
	tests := []struct {
		name string
		o    detect.Options
		want []string
	}{
		{"enabled", detect.Options{Enabled: []string{"email", "emial"}}, []string{`Enabled[1]: "emial" is not the name of a built-in detector`}},
		{"disabled", detect.Options{Disabled: []string{""}}, []string{`Disabled[0]: "" is not the name of a detector`}},
		{"confidence", detect.Options{MinConfidence: 1.5}, []string{"MinConfidence: 1.5, allowed is 0 to 1"}},
		{"negative", detect.Options{MinConfidence: -1}, []string{"MinConfidence: -1, allowed is 0 to 1"}},
		{"no number", detect.Options{MinConfidence: math.NaN()}, []string{"MinConfidence: NaN, allowed is 0 to 1"}},
		{"all", detect.Options{Enabled: []string{"a"}, Disabled: []string{"b"}, MinConfidence: 2}, []string{"Enabled[0]", "Disabled[0]", "MinConfidence"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := detect.NewScanner(&tt.o)
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
		})
	}
}

// TestWantIsAskedOnce: for each pair of a detector that may run.
func TestWantIsAskedOnce(t *testing.T) {
	asked := map[string]int{}
	s := scanner(t, &detect.Options{Want: func(d *detect.Detector, entity string) bool {
		asked[d.Name+" "+entity]++
		return entity == "special_ip"
	}})
	for pair, n := range asked {
		if n != 1 {
			t.Errorf("%s: asked %d times", pair, n)
		}
	}
	if asked["ipv4 special_ip"] != 1 || asked["azure_subscription_ref azure_tenant_id"] != 1 || asked["iban iban"] != 0 {
		t.Errorf("asked %v", asked)
	}
	if got := listed(s, "10.0.0.1 127.0.0.1 52.0.0.1 ada@example.com"); got != "special_ip=127.0.0.1" {
		t.Errorf("got %s", got)
	}
}

func TestScannerAppends(t *testing.T) {
	dst := []detect.Finding{{Start: 7}}
	dst = scanner(t, nil).Append(dst, []byte("a 10.0.0.1"))
	if len(dst) != 2 || dst[0].Start != 7 || dst[1].Start != 2 || dst[1].Detector.Name != "ipv4" || dst[1].Detector.Entity != "ip_address" {
		t.Errorf("got %v", dst)
	}
}

// TestRulesBesideBuiltIns: a secret of a rule beats what is none, a built-in detector is
// listed before rules, and only high_entropy_secret behind them.
func TestRulesBesideBuiltIns(t *testing.T) {
	random := "Vt8Lq2Zx5Rm9Kd3Wb7Hn4Pc6Js1Yf0Ga"
	rule := func(name, pattern, category string) detect.Rule {
		return detect.Rule{Name: name, Entity: name, Category: category, Pattern: pattern}
	}
	tests := []struct {
		name string
		rule detect.Rule
		text string
		want string
	}{
		{"alone", rule("order", `ORD-\d+`, "identifier"), "ORD-17 of ada@example.com", "order=ORD-17 email=ada@example.com"},
		{"at the place of a built-in one", rule("mail", `ada@\S+`, "pii"), "ada@example.com", "email=ada@example.com"},
		{"further left", rule("mail", `to ada@\S+`, "pii"), "to ada@example.com", "mail=to ada@example.com"},
		{"a secret inside", rule("pin", `example`, "secret"), "ada@example.com", "pin=example"},
		{"inside a secret", rule("pin", `ter2`, "pii"), "password=hunter22", "secret_value=hunter22"},
		{"random text", rule("pin", `Vt8\w+`, "secret"), random, "pin=" + random},
		{"disabled", rule("pin", `example`, "secret"), "ada@example.com", "email=ada@example.com"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := &detect.Options{Custom: []detect.Rule{tt.rule}}
			if tt.name == "disabled" {
				o.Disabled = []string{tt.rule.Name}
			}
			if got := listed(scanner(t, o), tt.text); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
