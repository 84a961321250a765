package detect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

const companyRules = `
title = "rules of a company"
minVersion = "v8.25.0"

[[rules]]
id = "acme-key"
description = "a key of ACME"
regex = '''\bacme_([a-z0-9]{8})\b'''
keywords = ["ACME_"]
entropy = 2.0
tags = ["key"]

[[rules]]
id = "acme.pin"
regex = '''(user|admin) pin (\d{4})'''
secretGroup = 2
path = '''\.txt$'''
[[rules.allowlists]]
condition = "AND"
regexes = ['''^user''']
regexTarget = "match"
stopwords = ["0000"]
[[rules.allowlists]]
regexes = ['''# test''']
regexTarget = "line"

[[rules]]
id = "plain"
regex = '''ZZ\d{3}'''
[rules.allowlist]
paths = ['''vendor/''']
regexes = ['''ZZ1''']

[[rules]]
id = "key-file"
path = '''\.p12$'''

[[rules]]
id = "helper"
regex = '''[a-z]+'''
skipReport = true

[[allowlists]]
stopwords = ["example"]
[[allowlists]]
targetRules = ["plain"]
regexes = ['''999''']
[[allowlists]]
condition = "and"
paths = ['''x''']
regexes = ['''.''']
`

func TestGitleaksRules(t *testing.T) {
	rules, err := detect.LoadGitleaks(strings.NewReader(companyRules))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"the first group", "acme_a1b2c3d4", "acme-key:a1b2c3d4"},
		{"a keyword in another case", "x ACME_ acme_a1b2c3d4", "acme-key:a1b2c3d4"},
		{"the named group", "admin pin 1234", "acme.pin:1234"},
		{"the path does not limit", "user pin 1234", "acme.pin:1234"},
		{"only the stop word of both", "admin pin 0000", "acme.pin:0000"},
		{"the whole match", "ZZ234", "plain:ZZ234"},
		{"several rules", "ZZ234 acme_a1b2c3d4", "plain:ZZ234 acme-key:a1b2c3d4"},
		{"another line is allowed", "# test\nadmin pin 1234", "acme.pin:1234"},
		{"one allowed, one not", "ZZ123 ZZ234", "plain:ZZ234"},
		{"a list for another rule", "admin pin 9990", "acme.pin:9990"},
		{"all need not be", "acme_zz99zz98", ""},
		{"a list with paths allows nothing", "ZZ777", "plain:ZZ777"},
		{"in a document", `{"k":"acme_a1b2c3d4"}`, "acme-key:a1b2c3d4"},
		{"low entropy", "acme_aaaabbbb", ""},
		{"too short", "acme_a1b2c3d", ""},
		{"no keyword", "acm_a1b2c3d4", ""},
		{"allowed by both", "user pin 0000", ""},
		{"allowed by the line", "admin pin 1234 # test", ""},
		{"allowed by a regex", "ZZ123", ""},
		{"allowed by the global stop word", "acme_example1", ""},
		{"allowed for the rule", "ZZ999", ""},
		{"a rule of paths", "cert.p12", ""},
		{"a rule that is not reported", "letters", ""},
		{"inside a word", "xacme_a1b2c3d4", ""},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := found(t, rules, tt.text); got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestGitleaksRulesAreSecrets(t *testing.T) {
	rules, err := detect.LoadGitleaks(strings.NewReader(companyRules))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rules {
		got = append(got, fmt.Sprint(r.Name, " ", r.Entity, " ", r.Category, " ", r.Confidence))
	}
	want := "acme-key acme_key secret 0.85, acme.pin acme_pin secret 0.85, plain plain secret 0.85"
	if strings.Join(got, ", ") != want {
		t.Errorf("rules %q", got)
	}
}

func TestGitleaksMistakes(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no TOML", "title = \"x\"\n[[rules]\n", "line 2, column 8: toml: expected ']]' to close array table name"},
		{"a wrong type", "\n[[rules]]\nid = 3\n", "line 3, column 6: toml: cannot decode TOML integer into struct field detect.gitleaksRule.ID of type string"},
		{
			"unknown fields", "[[rules]]\nid = 'x'\nregexp = 'x'\n[alowlist]\nstopwords = ['x']\n",
			"line 3: rules.regexp is unknown\nline 4: alowlist is unknown",
		},
		{"extend", "[extend]\nuseDefault = true\n", "extend: is not supported: put the rules into one file"},
		{
			"rules", "[[rules]]\nregex = 'x'\n[[rules]]\nid = 'a'\nregex = 'x'\n[[rules.required]]\nid = 'b'\n[[allowlists]]\ntargetRules = ['c']\nregexes = ['x']\n",
			"allowlists[0].targetRules: there is no rule \"c\"\nrules[0]: id: must be set\nrule \"a\": required: is not supported",
		},
		{
			"allowlists", "[[rules]]\nid = 'a'\nregex = 'x'\n[rules.allowlist]\ncondition = 'xor'\n[[allowlists]]\n",
			"allowlists[0]: must list regexes, stopwords, paths or commits\nrule \"a\": allowlists[0].condition: \"xor\": must be OR or AND",
		},
		{
			"patterns", "[[rules]]\nid = 'a'\nregex = '('\n[[rules]]\nid = 'b'\nregex = 'x'\nsecretGroup = 1\n[[rules]]\nid = 'b'\nregex = 'y'\nentropy = -1\n",
			"rule \"a\": pattern: error parsing regexp: missing closing ): `(`\nrule \"b\": group: 1: the pattern has 0\n" +
				"rule \"b\": entropy: -1: must be between 0 and 8 bits\nrule \"b\": name: another rule has it",
		},
		{"no regex", "[[rules]]\nid = 'a'\n", `rule "a": pattern: must be set`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rules, err := detect.LoadGitleaks(strings.NewReader(tt.text))
			if got := fmt.Sprint(err); got != "gitleaks rules: "+tt.want || rules != nil {
				t.Errorf("error %q, rules %v", got, rules)
			}
		})
	}
}

func FuzzLoadGitleaks(f *testing.F) {
	f.Add(companyRules, "acme_a1b2c3d4 admin pin 1234")
	f.Add("[extend]\nuseDefault = true", "")
	f.Add("[[rules]]\nid = 'x'\nregex = '(?i)(a|b)?c$'\nsecretGroup = 1\n[rules.allowlist]\nregexes = ['.']\n", "abc")
	f.Fuzz(func(t *testing.T, file, text string) {
		if rules, err := detect.LoadGitleaks(strings.NewReader(file)); err == nil {
			found(t, rules, text)
		}
	})
}
