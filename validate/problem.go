package validate

import "strings"

// The values of [Problem.Type]. The list is closed: a new one is a change of the wire format.
const (
	TypeJSON      = "json"      // the document is not one JSON value without anything behind it
	TypeType      = "type"      // a value of another JSON type was expected
	TypeMissing   = "missing"   // a required argument is not there
	TypeNull      = "null"      // null where a value is required
	TypeUnknown   = "unknown"   // no argument of this name exists; a name in the wrong case is unknown too
	TypeDuplicate = "duplicate" // the same name twice in one object
	TypeRange     = "range"     // a number is too small, too large or has a fraction
	TypeLength    = "length"    // a text, list or map is too short or too long
	TypeEnum      = "enum"      // the value is not one of those allowed
	TypeFormat    = "format"    // a text does not have the required form
	TypeUnique    = "unique"    // a list holds the same value twice
	TypeRelation  = "relation"  // two arguments do not fit together
	TypeRule      = "rule"      // a custom rule said no
	TypeMore      = "more"      // there are more problems than an [Error] holds
)

// maxProblems bounds an Error: a list of a million bad items is one mistake, not a million messages.
const maxProblems = 100

// A Problem is one thing to correct in the arguments.
type Problem struct {
	// Loc is the JSON path of the value, like items[2].name, and empty for the arguments as a whole. Names
	// that are not made of letters, digits, '_', '-' and '$' are quoted: labels["a b"].
	Loc string `json:"loc"`
	// Msg says what is allowed. It never repeats the value that was sent.
	Msg string `json:"msg"`
	// Type is one of the constants TypeJSON to TypeMore.
	Type string `json:"type"`
}

// An Error holds everything that is wrong with the arguments of one call: first the problems of known
// arguments in the order of their declaration, then the unknown ones in the order in which they came.
type Error struct{ Problems []Problem }

// Error returns "Invalid arguments: " and the problems as "loc: msg", joined by "; ".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("Invalid arguments: ")
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteString("; ")
		}
		if p.Loc != "" {
			b.WriteString(p.Loc)
			b.WriteString(": ")
		}
		b.WriteString(p.Msg)
	}
	return b.String()
}
