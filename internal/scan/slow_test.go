package scan_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cloudg/mcplayer/internal/scan"
)

// The slow detectors say what the engine finds, one after another, with regular
// expressions over the whole text. They know nothing of tokens.
type slowDetector func(text string) []span

// span is what a slow detector finds; of those without an entity it is the usual one.
type span struct {
	start, end int
	entity     scan.Entity
}

var slowDetectors = [scan.Kinds]slowDetector{
	scan.CloudgURI:            slowCloudg,
	scan.PrivateKey:           slowPrivateKey,
	scan.JWT:                  slowJWT,
	scan.URLCredentials:       slowURLPassword,
	scan.ConnectionString:     slowConnection,
	scan.AWSSecretKey:         slowAWSSecret,
	scan.SecretAssignment:     slowAssignment,
	scan.AuthorizationHeader:  slowAuthorization,
	scan.GitHubToken:          slowGitHub,
	scan.SlackToken:           slowSlack,
	scan.GoogleAPIKey:         slowGoogle,
	scan.StripeKey:            slowStripe,
	scan.AzureSAS:             slowSAS,
	scan.AzureStorageKey:      slowStorageKey,
	scan.HighEntropy:          slowEntropy,
	scan.AWSAccessKeyID:       slowAccessKey,
	scan.AWSUniqueID:          slowUniqueID,
	scan.AWSARN:               slowARN,
	scan.AzureResourceID:      slowAzureID,
	scan.GCPResourceName:      slowGCP,
	scan.AzureSubscriptionRef: slowSubscription,
	scan.AWSAccountID:         slowAccount,
	scan.UUID:                 slowUUID,
	scan.Email:                slowEmail,
	scan.URLUserinfo:          slowURLName,
	scan.IPv6:                 slowIPv6,
	scan.IPv4:                 slowIPv4,
	scan.MACAddress:           slowMAC,
	scan.Hostname:             slowHostname,
	scan.Timestamp:            slowTimestamp,
	scan.CreditCard:           slowCard,
	scan.IBAN:                 slowIBAN,
	scan.Phone:                slowPhone,
	scan.USSSN:                slowSSN,
}

// slowly returns what the slow detectors of some kinds find, settled.
func slowly(text string, kinds ...scan.Kind) []scan.Match {
	detectors := scan.Detectors()
	var found []scan.Match
	for _, k := range kinds {
		for _, s := range slowDetectors[k](text) {
			if s.entity == 0 {
				s.entity = detectors[k].Entities[0]
			}
			found = append(found, scan.Match{Start: s.start, End: s.end, Kind: k, Entity: s.entity, Secret: k.IsSecret(), Order: int(k)})
		}
	}
	return settleSlowly(found)
}

// settleSlowly takes secrets first, from the left, then the others.
func settleSlowly(found []scan.Match) (taken []scan.Match) {
	order := func(a, b scan.Match) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return a.Order - b.Order
	}
	slices.SortStableFunc(found, order)
	for _, secrets := range []bool{true, false} {
		for _, m := range found {
			if n := len(taken) - 1; n >= 0 && secrets && m.Secret && m.Kind != scan.HighEntropy && m.Start < taken[n].End && m.End >= taken[n].End+8 {
				m.Start = taken[n].End
			}
			if m.Secret == secrets && !slices.ContainsFunc(taken, func(t scan.Match) bool { return m.Start < t.End && t.Start < m.End }) {
				taken = append(taken, m)
			}
		}
	}
	slices.SortFunc(taken, order)
	return taken
}

func allKinds() (kinds []scan.Kind) {
	for k := range scan.Kinds {
		kinds = append(kinds, scan.Kind(k))
	}
	return kinds
}

// compare tells where the engine and the slow detectors differ, each for itself and all
// together.
func compare(engines []*scan.Engine, text string) error {
	for k, engine := range engines {
		kinds := []scan.Kind{scan.Kind(k)}
		if k == scan.Kinds {
			kinds = allKinds()
		}
		got, want := engine.Append(nil, []byte(text)), slowly(text, kinds...)
		if !slices.Equal(got, want) {
			return fmt.Errorf("%q\nkind %d: got %s\nwant %s", text, k, listed(text, got), listed(text, want))
		}
	}
	return nil
}

func listed(text string, found []scan.Match) string {
	var b strings.Builder
	for _, m := range found {
		fmt.Fprintf(&b, "[%d:%d] %v %q, ", m.Start, m.End, m.Entity, text[m.Start:m.End])
	}
	return b.String()
}

// compared returns an engine for each kind, and one for all.
func compared() (engines []*scan.Engine) {
	for k := range scan.Kinds {
		engines = append(engines, scan.New(func(kind scan.Kind, _ scan.Entity) bool { return kind == scan.Kind(k) }))
	}
	return append(engines, everything())
}

func TestSlowAgreesOnCases(t *testing.T) {
	engines := compared()
	for _, list := range cases {
		for _, marked := range list {
			if err := compare(engines, plainText(marked)); err != nil {
				t.Error(err)
			}
		}
	}
}

// corpusSize is how much of each document is compared.
const corpusSize = 40 << 10

func TestSlowAgreesOnCorpora(t *testing.T) {
	engine, kinds := everything(), allKinds()
	for name, doc := range documents(corpusSize) {
		list, _ := stringsOf(t, doc)
		for _, s := range list {
			got, want := engine.Append(nil, s), slowly(string(s), kinds...)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %q\ngot %s\nwant %s", name, s, listed(string(s), got), listed(string(s), want))
			}
		}
	}
}

func FuzzAppend(f *testing.F) {
	for _, list := range cases {
		for _, marked := range list {
			f.Add(plainText(marked))
		}
	}
	engines := compared()
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 600 {
			return
		}
		if err := compare(engines, text); err != nil {
			t.Error(err)
		}
	})
}

// escapes are what a text holds as \n or \u0041.
var escapes = regexp.MustCompile(`\\(?:[nrtbf]|u[0-9A-Fa-f]{4})`)

// noEscapes puts bytes that belong to nothing in place of escapes.
func noEscapes(text string) string {
	return escapes.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\x01", len(s)) })
}

// everywhere calls f where re matches from a place on that f has not taken: f returns
// where to look on, at most one byte further if it refuses.
func everywhere(re *regexp.Regexp, text string, f func(m []int) (next int)) {
	for at := 0; at <= len(text); {
		m := re.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return
		}
		for i := range m {
			if m[i] >= 0 {
				m[i] += at
			}
		}
		at = max(f(m), m[0]+1)
	}
}

// matches returns the matches of re, or of its first group, that ok accepts; overlapping
// ones too.
func matches(re *regexp.Regexp, text string, ok func(start, end int) bool) (list []span) {
	everywhere(re, text, func(m []int) int {
		if len(m) > 2 {
			m = m[2:]
		}
		if ok(m[0], m[1]) {
			list = append(list, span{start: m[0], end: m[1]})
			return m[1]
		}
		return 0
	})
	return list
}

// rx compiles an expression once.
func rx(expression string) *regexp.Regexp {
	if re, ok := compiled.Load(expression); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(expression)
	compiled.Store(expression, re)
	return re
}

var compiled sync.Map

func before(text string, i int) byte {
	if i == 0 {
		return 0
	}
	return text[i-1]
}

func after(text string, i int) byte {
	if i >= len(text) {
		return 0
	}
	return text[i]
}

func in(c byte, set string) bool { return c != 0 && strings.IndexByte(set, c) >= 0 }

func alpha(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool { return c >= '0' && c <= '9' }
func alnum(c byte) bool { return alpha(c) || digit(c) }
func wordy(c byte) bool { return alnum(c) || c == '_' }
