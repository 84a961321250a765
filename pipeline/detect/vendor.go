package detect

import (
	"slices"
	"sync"
)

const (
	// vendorConfidence is that of a format that nothing else has, contextConfidence of
	// one that is a secret only near the name of its vendor.
	vendorConfidence  = 0.99
	contextConfidence = 0.95
	// vendorEntropy keeps tokens like glpat-xxxxxxxx of documentation out.
	vendorEntropy = 2.5

	// tokenStart is what may stand before a token: no letter or digit, unless it belongs
	// to an escape of a string or a URL.
	tokenStart = `(?:\b|_|\\[nrt]|%[0-9A-Fa-f]{2})`
	// nearby is what may stand between the name of a vendor and a token.
	nearby = `[^\r\n]{0,60}?`
)

// VendorRules returns rules for the tokens of vendors whose format tells them apart:
// entity "api_token", category "secret". The rules are the caller's.
func VendorRules() []Rule {
	list := make([]Rule, len(vendorFormats))
	for i, f := range vendorFormats {
		list[i] = Rule{
			Name: f.name, Entity: "api_token", Category: "secret", Pattern: f.pattern(), Group: 1,
			Confidence: f.confidence(), Entropy: vendorEntropy,
		}
	}
	return list
}

// withVendorRules puts the vendor rules before custom ones, without those that are
// disabled or have the name of a custom one.
func withVendorRules(custom []Rule, disabled []string) []Rule {
	vendor := slices.DeleteFunc(VendorRules(), func(v Rule) bool {
		return slices.Contains(disabled, v.Name) || slices.ContainsFunc(custom, func(c Rule) bool { return c.Name == v.Name })
	})
	return append(vendor, custom...)
}

// vendorFormat is the format of a token.
type vendorFormat struct {
	name  string
	token string // the pattern of the token
	// lead, if set, is what stands before the token instead of tokenStart.
	lead string
	// near, if set, is a word without which the token could be anything.
	near string
}

func (f vendorFormat) pattern() string {
	lead := f.lead
	if lead == "" {
		lead = tokenStart
	}
	if f.near != "" {
		lead = `(?i:` + f.near + `)` + nearby + lead
	}
	return lead + `(` + f.token + `)`
}

func (f vendorFormat) confidence() float64 {
	if f.near != "" {
		return contextConfidence
	}
	return vendorConfidence
}

// vendorPatterns are the compiled patterns of the vendor rules, by their text; all
// scanners share them.
var vendorPatterns = sync.OnceValue(func() map[string]*pattern {
	all := map[string]*pattern{}
	for _, f := range vendorFormats {
		if p, err := compilePattern("", f.pattern()); err == nil {
			all[f.pattern()] = p
		}
	}
	return all
})

// sharedPattern compiles a pattern unless a vendor rule has it.
func sharedPattern(flags, text string) (*pattern, error) {
	if p := vendorPatterns()[text]; p != nil && flags == "" {
		return p, nil
	}
	return compilePattern(flags, text)
}
