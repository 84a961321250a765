package pipeline

import (
	"strings"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// action is what a strategy does to a value.
type action uint8

const (
	doKeep action = iota
	doRedact
	doMask
	doHash
	doPseudonymize
	doGeneralize
	doDrop
)

// spellings are the names of the actions and how else they may be spelt.
var spellings = map[string]action{
	"keep": doKeep, "none": doKeep, "allow": doKeep,
	"redact": doRedact, "replace": doRedact,
	"mask": doMask, "hash": doHash,
	"pseudonymize": doPseudonymize, "pseudonymise": doPseudonymize, "tokenize": doPseudonymize, "tokenise": doPseudonymize,
	"generalize": doGeneralize, "generalise": doGeneralize, "bucket": doGeneralize,
	"drop": doDrop, "remove": doDrop,
}

// StrategyOf returns the name of the strategy that redact takes a text for: tokenize
// means pseudonymize. Empty: it means none.
func StrategyOf(spelling string) string {
	a, ok := spellings[spelling]
	if !ok {
		return ""
	}
	return a.String()
}

// String returns the name of the action.
func (a action) String() string {
	return [...]string{"keep", "redact", "mask", "hash", "pseudonymize", "generalize", "drop"}[a]
}

// reportKey is the member of the report that counts what the action did.
func (a action) reportKey() string {
	return [...]string{"kept", "redacted", "masked", "hashed", "pseudonymized", "generalized", "dropped"}[a]
}

// strategy is what to do with values of some kind.
type strategy struct {
	action action
	option string // that says so: strategies.secret
	text   string // of a redaction, see marker
	hash   hashing
	mask   masking
	coarse coarse
	as     string // entity whose shape a pseudonym has; "": that of the value
}

// strategyReader reads strategies, with what holds for all of them.
type strategyReader struct {
	text, hashText string
	pseudonymize   string // true, hash or keep
}

func newStrategyReader(o *Options) *strategyReader {
	r := &strategyReader{
		text:         markerText(o, "redact_template", "[REDACTED:{entity}]", "length"),
		hashText:     markerText(o, "hash_template", "{entity}:{digest}", "digest"),
		pseudonymize: "true",
	}
	v, given := o.value("allow_pseudonymize")
	switch v := v.(type) {
	case bool:
		if !v {
			r.pseudonymize = "hash"
		}
	case string:
		r.pseudonymize = v
		if v != "hash" && v != "keep" {
			o.Fail("allow_pseudonymize", "must be true, false, hash or keep")
		}
	default:
		if given {
			o.Fail("allow_pseudonymize", "must be true, false, hash or keep")
		}
	}
	return r
}

// markerText reads the text of a marker.
func markerText(o *Options, name, byDefault, between string) string {
	text := o.String(name, byDefault)
	if err := checkMarker(text, between); err != nil {
		o.Fail(name, "%w", err)
	}
	if between == "digest" && !strings.Contains(text, "{digest}") {
		o.Fail(name, "must have {digest} in it")
	}
	return text
}

// read reads a strategy from the option of that name: a name of an action, true or
// false, or an object with the name under strategy and its options.
func (r *strategyReader) read(o *Options, option string, value any) *strategy {
	s := &strategy{option: option, text: r.text, hash: hashing{length: defaultDigest, text: r.hashText}}
	part := newOptions(o.builder, nil)
	switch v := value.(type) {
	case nil:
		return s
	case bool:
		if v {
			s.action = doRedact
		}
		return s
	case string:
		part.values = map[string]any{"strategy": v}
	case map[string]any:
		part.values = v
	default:
		o.Fail(option, "must be the name of a strategy, true, false or an object")
		return s
	}
	r.options(part, s)
	for _, err := range part.finish() {
		o.Fail(option, "%w", err)
	}
	return s
}

// options reads the options that belong to the action.
func (r *strategyReader) options(o *Options, s *strategy) {
	v, ok := o.value("strategy")
	name, isText := v.(string)
	switch b, isBool := v.(bool); {
	case isBool && b:
		name = "redact"
	case isBool || !ok:
		name = "keep"
	case !isText:
		name = "?"
	}
	s.action, ok = spellings[name]
	if !ok {
		o.Fail("strategy", "must be redact, mask, hash, pseudonymize, generalize, drop or keep")
	}
	switch s.action {
	case doRedact:
		s.text = markerText(o, "text", r.text, "length")
	case doMask:
		s.mask = newMasking(o)
	case doHash:
		s.hash = newHashing(o, r.hashText)
	case doPseudonymize:
		s.as = o.String("as", "")
	case doGeneralize:
		s.coarse = newCoarse(o)
	}
}

// allowed returns the strategy, or what stands for one that pseudonymises where
// that is not allowed.
func (r *strategyReader) allowed(s *strategy, category string) *strategy {
	if s.action != doPseudonymize || r.pseudonymize == "true" {
		return s
	}
	other := *s
	other.option = "allow_pseudonymize"
	if other.action = doHash; r.pseudonymize == "keep" && !isProtected(category) {
		other.action = doKeep
	}
	return &other
}

// isProtected reports whether a category is one that nothing may show.
func isProtected(category string) bool {
	return category == detect.CategorySecret || category == detect.CategoryCredential
}
