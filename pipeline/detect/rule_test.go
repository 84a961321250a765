package detect_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// found returns what rules find in text, as detector:value.
func found(t testing.TB, rules []detect.Rule, text string) string {
	t.Helper()
	s, err := detect.NewRuleSet(rules, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return values(s.Append(nil, []byte(text)), text)
}

func values(findings []detect.Finding, text string) string {
	var list []string
	for _, f := range findings {
		list = append(list, f.Detector.Name+":"+text[f.Start:f.End])
	}
	return strings.Join(list, " ")
}

func TestRuleFinds(t *testing.T) {
	long := strings.Repeat("lorem ipsum ", 500)
	for _, tt := range []struct {
		name string
		rule detect.Rule
		text string
		want string
	}{
		{"the pattern alone", detect.Rule{Pattern: `EMP-\d{4}`}, "by EMP-0042.", "x:EMP-0042"},
		{"several", detect.Rule{Pattern: `EMP-\d{4}`}, "EMP-0001,EMP-0002 EMP-0003", "x:EMP-0001 x:EMP-0002 x:EMP-0003"},
		{"far apart", detect.Rule{Pattern: `EMP-\d{4}`}, "EMP-0001" + long + "EMP-0002" + long, "x:EMP-0001 x:EMP-0002"},
		{"without hints", detect.Rule{Pattern: `\b\d{4}-\d{4}\b`}, "1234-5678", "x:1234-5678"},
		{"a group", detect.Rule{Pattern: `pin=(\d+)`, Group: 1}, "pin=1234", "x:1234"},
		{"the first group", detect.Rule{Pattern: `pin=(?:"(\d+)"|(\d+))`, FirstGroup: true}, `pin="12" pin=34`, "x:12 x:34"},
		{"no group, so all", detect.Rule{Pattern: `pin=\d+`, FirstGroup: true}, "pin=1234", "x:pin=1234"},
		{"a hint in the match", detect.Rule{Pattern: `(?:order|ORDER) no \d+`, Hints: []string{"order"}}, "ORDER no 7", "x:ORDER no 7"},
		{"a hint elsewhere", detect.Rule{Pattern: `\b\d{6}\b`, Hints: []string{"badge"}}, "123456 is the Badge", "x:123456"},
		{"one of two hints", detect.Rule{Pattern: `\b\d{6}\b`, Hints: []string{"badge", "door"}}, "the door is 123456", "x:123456"},
		{"a hint beyond ASCII", detect.Rule{Pattern: `\b\d{6}\b`, Hints: []string{"schlüssel"}}, "Schlüssel 123456", "x:123456"},
		{"case ignored", detect.Rule{Pattern: `emp-\d+`, Flags: "i"}, "EMP-1", "x:EMP-1"},
		{"letters that fold beyond ASCII", detect.Rule{Pattern: `key=\d+`, Flags: "i"}, "\u212aey=1", "x:\u212aey=1"},
		{"at lines", detect.Rule{Pattern: `^id: \d+$`, Flags: "m"}, "a\nid: 1\nb", "x:id: 1"},
		{"across lines", detect.Rule{Pattern: `begin.{1,9}end`, Flags: "s"}, "begin\n\nend", "x:begin\n\nend"},
		{"at the start of the text", detect.Rule{Pattern: `^token \w{1,9}`}, "token abc", "x:token abc"},
		{"at the end of the text", detect.Rule{Pattern: `token \w{1,9}$`}, long + "token abc", "x:token abc"},
		{"an unbounded pattern", detect.Rule{Pattern: `sig=[a-z]+`}, "sig=" + strings.Repeat("a", 30000), "x:sig=" + strings.Repeat("a", 30000)},
		{"behind other scripts", detect.Rule{Pattern: `\btok-\d{4}`}, "キーtok-1234です", "x:tok-1234"},
		{"in invalid UTF-8", detect.Rule{Pattern: `tok-\d{4}`}, "\xff\x80tok-1234\xe3", "x:tok-1234"},
		{"an IPv4 address", detect.Rule{Pattern: `ip=(\S+)`, Group: 1, Validator: "ip"}, "ip=10.0.0.1", "x:10.0.0.1"},
		{"a CIDR", detect.Rule{Pattern: `ip=(\S+)`, Group: 1, Validator: "ip"}, "ip=fd00::/8", "x:fd00::/8"},
		{"a secret", detect.Rule{Pattern: `pw=(\S+)`, Group: 1, Validator: "secret"}, "pw=hunter2", "x:hunter2"},
		{"no placeholder", detect.Rule{Pattern: `pw=(\S+)`, Group: 1, Validator: "not_placeholder"}, "pw=a", "x:a"},
		{"entropy", detect.Rule{Pattern: `pw=(\S+)`, Group: 1, Validator: "entropy"}, "pw=abcdefgh", "x:abcdefgh"},
		{"entropy of two bits", detect.Rule{Pattern: `pw=(\S+)`, Group: 1, Validator: "entropy:2"}, "pw=abcd", "x:abcd"},
		{"high entropy", detect.Rule{Pattern: `pw=(\S+)`, Group: 1, Validator: "high_entropy"}, "pw=h7Kq2Zx9Lw4Bn8Tv", "x:h7Kq2Zx9Lw4Bn8Tv"},
		{"entropy above", detect.Rule{Pattern: `pw=(\S+)`, Group: 1, Entropy: 1.9}, "pw=abcd", "x:abcd"},
		{"long enough", detect.Rule{Pattern: `pw=(\S+)`, Group: 1, MinLength: 4}, "pw=abcd", "x:abcd"},
		{"not allowed", detect.Rule{Pattern: `pw=(\S+)`, Group: 1, Allow: []detect.Allow{{Regexes: []string{"^test"}}}}, "pw=mytest", "x:mytest"},
		{"only a regex of both", detect.Rule{
			Pattern: `pw=(\S+)`, Group: 1,
			Allow: []detect.Allow{{Regexes: []string{"^test"}, StopWords: []string{"demo"}, All: true}},
		}, "pw=test1", "x:test1"},
		{"another line allowed", detect.Rule{
			Pattern: `pw=(\S+)`, Group: 1, Allow: []detect.Allow{{Regexes: []string{"harmless"}, Target: "line"}},
		}, "harmless\npw=abc\nharmless", "x:abc"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.rule.Name = "x"
			if got := found(t, []detect.Rule{tt.rule}, tt.text); got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRuleFindsNothing(t *testing.T) {
	pw := detect.Rule{Pattern: `pw=(\S*)`, Group: 1}
	with := func(change func(*detect.Rule)) detect.Rule { r := pw; change(&r); return r }
	valid := func(name string) detect.Rule { return with(func(r *detect.Rule) { r.Validator = name }) }
	allow := func(a detect.Allow) detect.Rule { return with(func(r *detect.Rule) { r.Allow = []detect.Allow{a} }) }
	for _, tt := range []struct {
		name string
		rule detect.Rule
		text string
	}{
		{"empty text", pw, ""},
		{"part of a hint", pw, "pw"},
		{"an empty group", pw, "pw= "},
		{"a group without part in the match", detect.Rule{Pattern: `pw=(?:(a)|b)`, Group: 1}, "pw=b"},
		{"no hint", detect.Rule{Pattern: `\b\d{6}\b`, Hints: []string{"badge"}}, "123456"},
		{"the wrong case", detect.Rule{Pattern: `EMP-\d`}, "emp-1"},
		{"inside a word", detect.Rule{Pattern: `\btok-\d{4}\b`}, "xtok-1234 tok-12345"},
		{"inside a word, far in", detect.Rule{Pattern: `\b[a-z]{3}tok-\d{4}\b`}, strings.Repeat("y", 100) + "xxxtok-1234"},
		{"not at the start of the text", detect.Rule{Pattern: `^tok-\d`}, "a tok-1"},
		{"not at the end of the text", detect.Rule{Pattern: `tok-\d$`}, "tok-1 "},
		{"not across lines", detect.Rule{Pattern: `begin.{1,9}end`}, "begin\nend"},
		{"no address", valid("ip"), "pw=10.0.0.256"},
		{"no CIDR", valid("ip"), "pw=10.0.0.0/33"},
		{"a short secret", valid("secret"), "pw=abcde"},
		{"a placeholder for a secret", valid("secret"), "pw=${PASSWORD}"},
		{"a word for nothing", valid("not_placeholder"), "pw=Undefined"},
		{"a filling", valid("not_placeholder"), "pw=*****"},
		{"a template", valid("not_placeholder"), "pw={{password}}"},
		{"a tag", valid("not_placeholder"), "pw=<password>"},
		{"a mask", valid("not_placeholder"), "pw=[REDACTED:password]"},
		{"low entropy", valid("entropy"), "pw=abcdefg"},
		{"hexadecimal", valid("high_entropy:1"), "pw=0123aBcDeF456789"},
		{"words", valid("high_entropy:1"), "pw=someThingLikeWords1"},
		{"one case", valid("high_entropy:1"), "pw=h7kq2zx9lw4bn8tv"},
		{"entropy not above", with(func(r *detect.Rule) { r.Entropy = 2 }), "pw=abcd"},
		{"too short", with(func(r *detect.Rule) { r.MinLength = 5 }), "pw=abcd"},
		{"allowed by a regex", allow(detect.Allow{Regexes: []string{"^zzz", "^test"}}), "pw=test1"},
		{"allowed by a stop word", allow(detect.Allow{StopWords: []string{"example"}}), "pw=myEXAMPLEkey"},
		{"allowed by the match", allow(detect.Allow{Regexes: []string{"^pw="}, Target: "match"}), "pw=abcd"},
		{"allowed by the line", allow(detect.Allow{Regexes: []string{"# ok$"}, Target: "line"}), "a\nx pw=abcd # ok\nb"},
		{"allowed by both", allow(detect.Allow{Regexes: []string{"^a"}, StopWords: []string{"d"}, All: true}), "pw=abcd"},
		{"allowed by all there is", allow(detect.Allow{StopWords: []string{"d"}, All: true}), "pw=abcd"},
		{"disabled", with(func(r *detect.Rule) { r.Enabled = new(false) }), "pw=abcd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.rule.Name = "x"
			if got := found(t, []detect.Rule{tt.rule}, tt.text); got != "" {
				t.Errorf("found %q", got)
			}
		})
	}
}

func TestRulesInOrder(t *testing.T) {
	rules := []detect.Rule{
		{Name: "late", Pattern: `cc`},
		{Name: "wide", Pattern: `abc-\d+`},
		{Name: "same", Pattern: `abc-\d`, Hints: []string{"BC-"}},
		{Name: "first", Pattern: `\b\w`},
	}
	if got := found(t, rules, "abc-12 cc"); got != "wide:abc-12 same:abc-1 first:a first:1 late:cc first:c" {
		t.Errorf("found %q", got)
	}
}

func TestRuleDetector(t *testing.T) {
	s, err := detect.NewRuleSet([]detect.Rule{
		{Name: "x", Pattern: "aaa"}, {Name: "y", Pattern: "aaa", Entity: "api_token", Category: "secret", Confidence: 1},
	}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := s.Append(nil, []byte("aaa"))
	want := []detect.Detector{
		{Name: "x", Entity: "x", Category: "custom", Confidence: 0.8}, {Name: "y", Entity: "api_token", Category: "secret", Confidence: 1},
	}
	for i, f := range got {
		if !reflect.DeepEqual(*f.Detector, want[i]) || f.Entity != want[i].Entity {
			t.Errorf("%+v of %s, want %+v", *f.Detector, f.Entity, want[i])
		}
	}
}

func TestRulesThatDoNotMatter(t *testing.T) {
	rules := []detect.Rule{{Name: "sure", Pattern: "aaa", Confidence: 0.9}, {Name: "unsure", Pattern: "aaa", Confidence: 0.5}, {Name: "kept", Pattern: "aaa"}}
	var asked []string
	s, err := detect.NewRuleSet(rules, func(d *detect.Detector, entity string) bool {
		asked = append(asked, entity)
		return d.Name != "kept"
	}, 0.6)
	if err != nil {
		t.Fatal(err)
	}
	if got := values(s.Append(nil, []byte("aaa")), "aaa"); got != "sure:aaa" || !slices.Equal(asked, []string{"sure", "kept"}) {
		t.Errorf("found %q, asked for %q", got, asked)
	}
}

func TestNoRules(t *testing.T) {
	var none *detect.RuleSet
	if got := none.Append(nil, []byte("text")); got != nil {
		t.Errorf("found %v", got)
	}
	if got := found(t, nil, "text"); got != "" {
		t.Errorf("found %q", got)
	}
}

func TestRuleMistakes(t *testing.T) {
	_, err := detect.NewRuleSet([]detect.Rule{
		{Pattern: "aaa"},
		{Name: "a", Pattern: "(", Flags: "i"},
		{Name: "b", Pattern: "aaa", Flags: "ix"},
		{Name: "c", Entity: "a b"},
		{Name: "d", Pattern: "a*", Confidence: 1.5, MinLength: -1, Entropy: 9, Group: 1, Validator: "luhn"},
		{Name: "e", Pattern: "(aaa)", FirstGroup: true, Group: 1, Validator: "entropy:x", Hints: []string{"ok", " "}, Enabled: new(false)},
		{Name: "f", Pattern: "aaa", Group: -1, Validator: "ip:4", Allow: []detect.Allow{{}, {Target: "file", Regexes: []string{"["}, StopWords: []string{""}}}},
		{Name: "a", Pattern: "aaa"},
	}, nil, 0)
	want := `rule[0]: name: must be set
rule "a": pattern: error parsing regexp: missing closing ): ` + "`(?i)(`" + `
rule "b": flags: "ix": must be any of i, m and s
rule "c": entity: "a b": must be letters, digits and _ - . only; it is the name where it is empty
rule "c": pattern: must be set
rule "d": confidence: 1.5: must be above 0 and at most 1, or 0 for the default
rule "d": min_length: -1: must be 0 or more
rule "d": entropy: 9: must be between 0 and 8 bits
rule "d": pattern: must not match the empty text
rule "d": group: 1: the pattern has 0
rule "d": validator: "luhn": must be ip, secret, not_placeholder, entropy[:BITS] or high_entropy[:BITS]
rule "e": hints[1]: must not be empty
rule "e": group: 1: must be 0 where first_group is set
rule "e": validator: "entropy:x": the bits must be above 0 and at most 8
rule "f": group: -1: must be 0 or more
rule "f": validator: "ip:4": must be ip, secret, not_placeholder, entropy[:BITS] or high_entropy[:BITS]
rule "f": allow[0]: must list regexes or stop_words
rule "f": allow[1].target: "file": must be secret, match or line
rule "f": allow[1].regexes[0]: error parsing regexp: missing closing ]: ` + "`[`" + `
rule "f": allow[1].stop_words[0]: must not be empty
rule "a": name: another rule has it`
	if got := fmt.Sprint(err); got != want {
		t.Errorf("error:\n%s\nwant:\n%s", got, want)
	}
}

func TestHintsOfPatterns(t *testing.T) {
	for _, tt := range []struct {
		name, pattern, flags, want string
	}{
		{"a literal", `glpat-\w{20}`, "", "glpat-"},
		{"alternatives", `gl(?:pat|rt)-\d`, "", "glpat- glrt-"},
		{"a class", `do[opr]_v1_`, "", "doo_v1_ dop_v1_ dor_v1_"},
		{"the longer of two", `abc\d+defgh`, "", "defgh"},
		{"the one with a known place", `abc\d{2}\w*defgh\d`, "", "defgh"},
		{"a repetition", `(?:abc){2,}`, "", "abc"},
		{"what may be missing", `abc(?:de)?`, "", "abc abcde"},
		{"case ignored", `api_`, "i", "api_"},
		{"k and s may be other letters", `secret_value`, "i", "ecret_value"},
		{"nothing sure", `\d+|abc`, "", ""},
		{"too short", `ab\w`, "", ""},
		{"a digit makes it long enough", `ab[01]`, "", "ab0 ab1"},
		{"too many", `[a-z]{3}`, "", ""},
		{"beyond ASCII", `über-\d`, "", "ber-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := detect.NewRuleSet([]detect.Rule{{Name: "x", Pattern: tt.pattern, Flags: tt.flags}}, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(s.Hints(0), " "); got != tt.want {
				t.Errorf("waits for %q, want %q", got, tt.want)
			}
		})
	}
}
