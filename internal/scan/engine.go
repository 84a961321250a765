package scan

// Engine finds what it was made for. It is safe for concurrent use.
type Engine struct {
	// wanted tells what findings matter, runs what detectors have one that does.
	wanted [Kinds][entities]bool
	runs   [Kinds]bool
	// opens are the classes of which a token must have one to be looked at, unless it
	// is long bytes or longer.
	opens class
	// randomRuns and numbers tell that one of the kinds runs that look at all runs of
	// base64, at all numbers.
	randomRuns, numbers bool
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
	e.opens = e.openings()
	e.randomRuns = e.runs[AWSSecretKey] || e.runs[AzureStorageKey] || e.runs[HighEntropy]
	e.numbers = e.runs[CreditCard] || e.runs[Phone] || e.runs[USSSN]
	return e
}

// long is the length from which on a token is looked at whatever it is made of: there
// is no shorter key, hash or random text.
const long = 20

func (e *Engine) openings() (c class) {
	for k, runs := range e.runs {
		if runs {
			c |= openings[k]
		}
	}
	return c
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
	l := lexer{Engine: e, text: text, found: dst}
	l.run()
	return l.found
}
