package validate

import (
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// sizeRules compare a number, the number of characters, items or entries, or a time with a bound.
var sizeRules = map[string]rule{
	"min": {kOrdered, sizeParam, TypeRange, atLeast, schemaMin},
	"gte": {kOrdered, sizeParam, TypeRange, atLeast, schemaMin},
	"max": {kOrdered, sizeParam, TypeRange, atMost, schemaMax},
	"lte": {kOrdered, sizeParam, TypeRange, atMost, schemaMax},
	"gt":  {kOrdered, sizeParam, TypeRange, moreThan, schemaGreater},
	"lt":  {kOrdered, sizeParam, TypeRange, lessThan, schemaLess},
	"len": {kNumber | kSized, oneParam, TypeRange, exactly, schemaEqual},
}

func atLeast(u use) string {
	switch {
	case u.kind == kTime:
		return "must not be in the past"
	case u.kind&kNumber != 0:
		return "must be " + u.bound() + " or greater"
	}
	return u.sized("at least ", u.size())
}

func atMost(u use) string {
	switch {
	case u.kind == kTime:
		return "must not be in the future"
	case u.kind&kNumber != 0:
		return "must be " + u.bound() + " or less"
	}
	return u.sized("at most ", u.size())
}

func moreThan(u use) string {
	switch {
	case u.kind == kTime:
		return "must be in the future"
	case u.kind&kNumber != 0:
		return "must be greater than " + u.bound()
	}
	return u.sized("at least ", u.size()+1)
}

func lessThan(u use) string {
	switch {
	case u.kind == kTime:
		return "must be in the past"
	case u.kind&kNumber != 0:
		return "must be less than " + u.bound()
	}
	return u.sized("at most ", u.size()-1)
}

func exactly(u use) string {
	if u.kind&kNumber != 0 {
		return "must be " + u.bound()
	}
	return u.sized("exactly ", u.size())
}

// sized says how long a text, list or map must be.
func (u use) sized(how string, n int64) string {
	one, many := "character", "characters"
	switch {
	case u.kind == kList && u.t.Elem().Kind() == reflect.Uint8:
		one, many = "byte", "bytes"
	case u.kind == kList:
		one, many = "item", "items"
	case u.kind == kMap:
		one, many = "entry", "entries"
	}
	if n != 1 {
		one = many
	}
	return "must have " + how + strconv.FormatInt(n, 10) + " " + one
}

// size is the parameter as a length. Tags with a parameter that is none have been refused before.
func (u use) size() int64 {
	n, _ := strconv.ParseInt(u.param, 0, 64)
	return n
}

// bound is the parameter as it is shown: a number in decimal, a duration as text.
func (u use) bound() string {
	if u.t == durationType {
		return time.Duration(u.integer()).String()
	}
	switch u.kind {
	case kInt:
		return strconv.FormatInt(u.integer(), 10)
	case kUint:
		n, _ := strconv.ParseUint(u.param, 0, 64)
		return strconv.FormatUint(n, 10)
	}
	f, _ := strconv.ParseFloat(u.param, u.t.Bits())
	return strconv.FormatFloat(f, 'g', -1, u.t.Bits())
}

func (u use) integer() int64 {
	if u.t == durationType {
		if d, err := time.ParseDuration(u.param); err == nil {
			return int64(d)
		}
	}
	return u.size()
}

// number is the parameter as a number in a schema, and whether a float64 holds it exactly: validators of schemas
// calculate with float64.
func (u use) number() (float64, bool) {
	const exact = 1 << 53
	switch u.kind {
	case kInt:
		n := u.integer()
		return float64(n), n >= -exact && n <= exact
	case kUint:
		n, _ := strconv.ParseUint(u.param, 0, 64)
		return float64(n), n <= exact
	}
	f, _ := strconv.ParseFloat(u.param, 64)
	return f, true
}

// outward is the parameter as a bound that refuses nothing that the check accepts: rounded down for a minimum,
// with -1, up for a maximum, with 1.
func (u use) outward(sign int) float64 {
	n, exact := u.number()
	if !exact {
		return math.Nextafter(n, math.Inf(sign))
	}
	return n
}

func schemaMin(u use, s *jsonschema.Schema) {
	if u.kind&kNumber == 0 {
		u.setSize(s, u.size(), -1)
	} else if u.t != durationType {
		raise(&s.Minimum, u.outward(-1))
	}
}

func schemaMax(u use, s *jsonschema.Schema) {
	if u.kind&kNumber == 0 {
		u.setSize(s, -1, u.size())
	} else if u.t != durationType {
		lower(&s.Maximum, u.outward(1))
	}
}

func schemaGreater(u use, s *jsonschema.Schema) {
	if u.kind&kNumber == 0 {
		u.setSize(s, u.size()+1, -1)
	} else if u.t != durationType {
		raise(&s.ExclusiveMinimum, u.outward(-1))
	}
}

func schemaLess(u use, s *jsonschema.Schema) {
	if u.kind&kNumber == 0 {
		u.setSize(s, -1, u.size()-1)
	} else if u.t != durationType {
		lower(&s.ExclusiveMaximum, u.outward(1))
	}
}

func schemaEqual(u use, s *jsonschema.Schema) {
	if u.kind&kNumber == 0 {
		u.setSize(s, u.size(), u.size())
	} else if u.t != durationType {
		raise(&s.Minimum, u.outward(-1))
		lower(&s.Maximum, u.outward(1))
	}
}

// setSize sets the bounds of a length; -1 leaves one open. The length of []byte is that of its base64 text,
// where padding hides up to two bytes.
func (u use) setSize(s *jsonschema.Schema, least, most int64) {
	if u.kind == kTime {
		return
	}
	lo, hi := &s.MinLength, &s.MaxLength
	switch {
	case u.kind == kMap:
		lo, hi = &s.MinProperties, &s.MaxProperties
	case s.Type == "array":
		lo, hi = &s.MinItems, &s.MaxItems
	case u.kind == kList:
		least, most = base64Len(least), base64Len(most)
	}
	if least >= 0 {
		raise(lo, int(least))
	}
	if most >= 0 {
		lower(hi, int(most))
	}
}

func base64Len(n int64) int64 {
	if n < 0 || n > math.MaxInt64/4 {
		return -1
	}
	return (n + 2) / 3 * 4
}

func raise[N int | float64](p **N, n N) {
	if *p == nil || **p < n {
		*p = &n
	}
}

func lower[N int | float64](p **N, n N) {
	if *p == nil || **p > n {
		*p = &n
	}
}
