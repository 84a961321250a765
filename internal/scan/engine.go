package scan

import (
	"slices"
	"sync"
)

// Engine finds what it was made for. It is safe for concurrent use.
type Engine struct {
	// wanted tells what findings matter, runs what detectors have one that does.
	wanted [Kinds][entities]bool
	runs   [Kinds]bool
	// opens are the classes of which a token must have one to be looked at, opensFair
	// those for tokens of fair bytes or more; longer ones are looked at anyway.
	opens, opensFair class
	// randomRuns and numbers tell that one of the kinds runs that look at all runs of
	// base64, at all numbers.
	randomRuns, numbers bool
	// tokens tells that one of the kinds runs that have a prefix of their own, announced
	// that one does that a plain word announces.
	tokens, announced bool

	spare sync.Pool
}

// Match is a finding.
type Match struct {
	Start, End int // in bytes
	Kind       Kind
	Entity     Entity
	// Secret and Order decide which of two matches that overlap is taken. Those of the
	// engine have the order of their kind.
	Secret bool
	Order  int
	// Ref is of use to a caller that adds matches of its own.
	Ref int
}

// New returns an engine that finds what want accepts, which is asked once for each kind
// and entity. Nil: all but the kinds that are optional.
func New(want func(Kind, Entity) bool) *Engine {
	e := &Engine{}
	for k, d := range Detectors() {
		for _, entity := range d.Entities {
			ok := want == nil && !d.Optional || want != nil && want(Kind(k), entity)
			e.wanted[k][entity] = ok
			e.runs[k] = e.runs[k] || ok
		}
	}
	e.opens, e.opensFair = e.openings()
	e.randomRuns = e.any(AWSSecretKey, AzureStorageKey, HighEntropy)
	e.numbers = e.any(CreditCard, Phone, USSSN)
	e.tokens = e.any(JWT, GitHubToken, SlackToken, GoogleAPIKey, StripeKey)
	e.announced = e.any(PrivateKey, SecretAssignment, AuthorizationHeader)
	return e
}

func (e *Engine) any(kinds ...Kind) bool {
	return slices.ContainsFunc(kinds, func(k Kind) bool { return e.runs[k] })
}

// Lengths of tokens: there is no shorter date or account id than fair, no shorter key,
// hash or random text than long.
const (
	fair = 10
	long = 20
)

// openings returns the classes that open tokens of any length, and those of fair ones.
func (e *Engine) openings() (short, other class) {
	for k, runs := range e.runs {
		switch {
		case !runs:
		case fairKinds[k]:
			other |= openings[k]
		default:
			short |= openings[k]
		}
	}
	return short, short | other
}

// fairKinds are those that start in a token of fair length.
var fairKinds = [Kinds]bool{
	AzureSubscriptionRef: true, AWSAccountID: true, UUID: true, Timestamp: true, MACAddress: true,
}

// openings holds, for each kind, classes of which a token has one where it starts to
// find something, if the token may be shorter than long.
var openings = [Kinds]class{
	CloudgURI:            classColon,
	URLCredentials:       classColon,
	ConnectionString:     classEqual,
	SecretAssignment:     classColon | classEqual,
	AzureSAS:             classEqual,
	AWSARN:               classColon,
	AzureResourceID:      classSlash,
	GCPResourceName:      classSlash,
	AzureSubscriptionRef: classDigit,
	AWSAccountID:         classDigit,
	UUID:                 classDigit,
	Email:                classAt,
	URLUserinfo:          classColon,
	IPv6:                 classColon,
	IPv4:                 classDot,
	MACAddress:           classColon | classDot | classDigit,
	Hostname:             classDot,
	Timestamp:            classDigit,
	CreditCard:           classDigit,
	IBAN:                 classDigit,
	Phone:                classDigit | classPlus,
	USSSN:                classDigit,
}

// Append appends what text holds to dst, leftmost first and without overlaps.
func (e *Engine) Append(dst []Match, text []byte) []Match {
	return Settle(e.Candidates(dst, text), len(dst))
}

// Candidates appends all that text holds to dst, in any order; matches may overlap.
func (e *Engine) Candidates(dst []Match, text []byte) []Match {
	if t, ok := single(text); ok {
		return e.candidatesOf(dst, text, t)
	}
	l := lexer{Engine: e, text: text, found: dst}
	l.run()
	return l.found
}

// candidatesOf is Candidates for a text that is one token: nothing follows it that it
// could announce.
func (e *Engine) candidatesOf(dst []Match, text []byte, t token) []Match {
	if !e.opened(t) {
		return dst
	}
	l := lexer{Engine: e, text: text, found: dst}
	l.look(t)
	return l.found
}

// opened reports whether something may start in a token.
func (e *Engine) opened(t token) bool {
	n := t.end - t.start
	return t.seen&e.opens != 0 || n >= fair && (t.seen&e.opensFair != 0 || n >= long)
}
