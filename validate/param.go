package validate

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// checkParam looks at what follows the name of a rule.
func (sc *scope) checkParam(u *use, r rule, hasParam bool) (err error) {
	switch r.param {
	case noParam:
		if hasParam {
			return errors.New("takes no parameter")
		}
	case sizeParam:
		if u.kind == kTime {
			if hasParam {
				return errors.New("takes no parameter for a time: it compares with now")
			}
			return nil
		}
		return u.checkBound()
	case oneParam:
		return u.checkOne(hasParam)
	case listParam:
		return u.checkWords()
	case fieldParam:
		u.other, err = sc.compare(u, sc.parent)
	case topParam:
		u.other, err = sc.compare(u, sc.top)
	case maybeParam:
		if u.name == "unique" {
			u.other, err = sc.checkUnique(u)
		}
	}
	return err
}

// checkOne tests a parameter that must be there; that of a comparison must be a
// value of the field.
func (u *use) checkOne(hasParam bool) error {
	equality := u.name == "eq" || u.name == "ne"
	if !hasParam || u.param == "" && !(u.kind == kString && equality) {
		return errors.New("needs a parameter")
	}
	if u.name == "len" || equality && u.kind != kBool && u.kind != kString {
		return u.checkBound()
	}
	return nil
}

// checkBound tests a parameter that is a number or a length.
func (u *use) checkBound() error {
	bad := fmt.Errorf("the parameter %q is not a number that fits %s", u.param, u.t)
	switch {
	case u.t == durationType:
		if _, err := time.ParseDuration(u.param); err == nil {
			return nil
		}
		_, err := strconv.ParseInt(u.param, 0, 64)
		if err != nil {
			return fmt.Errorf("the parameter %q is not a duration, such as 90s", u.param)
		}
	case u.kind == kInt:
		if n, err := strconv.ParseInt(u.param, 0, 64); err != nil || reflect.Zero(u.t).OverflowInt(n) {
			return bad
		}
	case u.kind == kUint:
		if n, err := strconv.ParseUint(u.param, 0, 64); err != nil || reflect.Zero(u.t).OverflowUint(n) {
			return bad
		}
	case u.kind == kFloat:
		if f, err := strconv.ParseFloat(u.param, u.t.Bits()); err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return bad
		}
	default:
		n, err := strconv.ParseInt(u.param, 0, 32)
		if err != nil || n < 0 || n == 0 && u.name == "lt" {
			return fmt.Errorf("the parameter %q is not a length", u.param)
		}
	}
	return nil
}

// checkWords tests a list of values, and replaces the texts of a type that has some by what they stand for.
func (u *use) checkWords() error {
	list := words(u.param)
	if len(list) == 0 {
		return errors.New("needs a list of values separated by spaces")
	}
	if u.kind == kString {
		return nil
	}
	for i, w := range list {
		v := reflect.New(u.t)
		if !u.read(v, w) {
			return fmt.Errorf("%q is not a value of %s", w, u.t)
		}
		if u.kind == kInt {
			list[i] = strconv.FormatInt(v.Elem().Int(), 10)
		} else {
			list[i] = strconv.FormatUint(v.Elem().Uint(), 10)
		}
		if !isText(u.t) && list[i] != w {
			return fmt.Errorf("%q is compared as text, so write it %q", w, list[i])
		}
	}
	if isText(u.t) {
		u.param = strings.Join(list, " ")
	}
	return nil
}

// read sets the number behind v to the one that a word means.
func (u *use) read(v reflect.Value, w string) bool {
	if n, err := strconv.ParseInt(w, 10, 64); err == nil && u.kind == kInt {
		v.Elem().SetInt(n)
		return !v.Elem().OverflowInt(n)
	}
	if n, err := strconv.ParseUint(w, 10, 64); err == nil && u.kind == kUint {
		v.Elem().SetUint(n)
		return !v.Elem().OverflowUint(n)
	}
	if d, err := time.ParseDuration(w); err == nil && u.t == durationType {
		v.Elem().SetInt(int64(d))
		return true
	}
	m, ok := v.Interface().(encoding.TextUnmarshaler)
	return ok && m.UnmarshalText([]byte(w)) == nil
}
