package detect

// Finding is an entity that a text holds.
type Finding struct {
	// Start and End are where it stands, in bytes.
	Start, End int
	// Entity is what it is, refined: "private_ip", not "ip_address".
	Entity string
	// Detector found it. It is shared and must not be changed.
	Detector *Detector
}

// Detector describes what finds an entity.
type Detector struct {
	Name string
	// Entity is what its findings are unless they are refined.
	Entity     string
	Category   string
	Confidence float64
}

// Options configure a [Scanner].
type Options struct {
	// Custom are further detectors; they come behind the built-in ones.
	Custom []Rule
	// Enabled names built-in detectors that are off by default; Disabled those that are
	// not to run.
	Enabled, Disabled []string
	// MinConfidence leaves out detectors that are less sure.
	MinConfidence float64
	// Want tells whether findings of a detector that are that entity matter; it is asked
	// once for each pair, at construction. What does not matter occupies no place, and a
	// detector with nothing that matters never runs. Nil: all matter.
	Want func(d *Detector, entity string) bool
}

// Scanner finds entities. It is safe for concurrent use.
type Scanner struct{ rules *ruleSet }

// NewScanner returns a scanner; nil options mean the defaults. The error tells all
// mistakes.
func NewScanner(o *Options) (*Scanner, error) {
	if o == nil {
		o = &Options{}
	}
	rules, err := newRuleSet(withVendorRules(o.Custom, o.Disabled), o.Want, o.MinConfidence)
	if err != nil {
		return nil, err
	}
	return &Scanner{rules}, nil
}

// Append appends what text holds to dst, leftmost first; findings do not overlap.
// It allocates nothing where nothing is found.
func (s *Scanner) Append(dst []Finding, text []byte) []Finding { return s.rules.append(dst, text) }
