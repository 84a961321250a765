package detect

// Rule is a declarative detector: a regular expression that runs only where one of
// its hints occurs, with conditions for what it finds.
type Rule struct {
	// Name identifies the rule; it must be set, and no other rule may have it.
	Name string
	// Entity is what the findings are: letters, digits and _ - . only. Empty: the name.
	Entity string
	// Category is what a policy may decide by; "secret" findings beat what they overlap.
	// Empty: "custom".
	Category string
	// Pattern is a regular expression in the syntax of RE2. It must not match the empty
	// text.
	Pattern string
	// Group is the group of the pattern that is the finding; 0 is the whole match. Where
	// the group has no part in a match, nothing is found.
	Group int
	// FirstGroup makes the first group that is not empty the finding, and the whole match
	// where there is none. It excludes Group.
	FirstGroup bool
	// Confidence is above 0 and at most 1. Zero means [DefaultConfidence].
	Confidence float64
	// Hints are words, whatever the case of their ASCII letters, of which one must occur
	// somewhere in the text. If each match must hold one, the pattern runs on the
	// surroundings of the hints only, else once over the whole text. Where no hints are
	// given, words that the pattern requires are taken; a pattern that requires none of at
	// least three ASCII characters runs over every text, at the 10 to 100 MB/s of a regular
	// expression.
	Hints []string
	// Flags are any of i (ignore case), m (^ and $ match at lines) and s (. matches the
	// end of a line).
	Flags string
	// Validator is a further condition for a finding:
	//
	//	ip                    an IP address or a CIDR
	//	secret                no placeholder, no white space, six bytes or more
	//	not_placeholder       not "", null, ${NAME}, <name>, xxxx and the like
	//	entropy[:BITS]        that many bits for each byte or more (3)
	//	high_entropy[:BITS]   the same (4), with both cases and digits, no hexadecimal
	//	                      number and less than three runs of four letters of one case
	Validator string
	// MinLength is the least length of a finding in bytes.
	MinLength int
	// Entropy is what the bits for each byte of a finding must exceed. Zero: no condition.
	Entropy float64
	// Allow lists what is not to be found. One that applies suffices.
	Allow []Allow
	// Enabled nil means true. A disabled rule is checked and never runs.
	Enabled *bool
}

// Allow tells findings of a [Rule] that are harmless.
type Allow struct {
	// Regexes are looked for in the target, StopWords in the finding, whatever the case of
	// ASCII letters.
	Regexes, StopWords []string
	// Target is "secret" (the finding), "match" (of the whole pattern) or "line" (all lines
	// of the match). Empty: "secret".
	Target string
	// All demands that a regex and a stop word are found, where both are listed.
	All bool
}

// DefaultConfidence is that of a [Rule] that names none.
const DefaultConfidence = 0.8

const defaultCategory = "custom"

// detector describes the rule as a detector.
func (r *Rule) detector() *Detector {
	d := &Detector{Name: r.Name, Entity: r.Entity, Category: r.Category, Confidence: r.Confidence}
	if d.Entity == "" {
		d.Entity = r.Name
	}
	if d.Category == "" {
		d.Category = defaultCategory
	}
	if d.Confidence == 0 {
		d.Confidence = DefaultConfidence
	}
	return d
}

func (r *Rule) enabled() bool { return r.Enabled == nil || *r.Enabled }
