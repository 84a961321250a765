package validate_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// level is an enum: a number in Go, text in JSON.
type level int

var levelNames = []string{"low", "mid", "high"}

func (l level) MarshalText() ([]byte, error) { return []byte(levelNames[l]), nil }

func (l *level) UnmarshalText(text []byte) error {
	for i, n := range levelNames {
		if n == string(text) {
			*l = level(i)
			return nil
		}
	}
	return &json.UnsupportedValueError{Str: "level"}
}

// point reads JSON in a way of its own.
type point struct{ x, y int }

func (p *point) UnmarshalJSON(b []byte) error {
	var xy [2]int
	err := json.Unmarshal(b, &xy)
	p.x, p.y = xy[0], xy[1]
	return err
}

func (p point) MarshalJSON() ([]byte, error) { return json.Marshal([2]int{p.x, p.y}) }

// Values of one field: what is sent, and what it becomes or what is wrong with it.
var values = []struct {
	name string
	zero any
	tags string
	sent string
	want string // the field as encoding/json writes it, or the problem
}{
	// Strings.
	{"string", "", ``, `"x"`, `"x"`},
	{"string empty", "", ``, `""`, `""`},
	{"string escapes", "", ``, `"a\u00e9\n\"\ud83d\ude00"`, `"aé\n\"😀"`},
	{"string keeps zeros", "", ``, `"007"`, `"007"`},
	{"string keeps true", "", ``, `"true"`, `"true"`},
	{"string keeps JSON", "", ``, `"{\"a\":1}"`, `"{\"a\":1}"`},
	{"string from number", "", ``, `7`, `v: must be a string [type]`},
	{"string from bool", "", ``, `true`, `v: must be a string [type]`},
	{"string from list", "", ``, `["x"]`, `v: must be a string [type]`},
	{"string from object", "", ``, `{}`, `v: must be a string [type]`},
	{"string null", "", ``, `null`, `v: must not be null [null]`},

	// Whole numbers.
	{"int", 0, ``, `5`, `5`},
	{"int negative", 0, ``, `-5`, `-5`},
	{"int minus zero", 0, ``, `-0`, `0`},
	{"int quoted", 0, ``, `"5"`, `5`},
	{"int quoted negative", 0, ``, `"-5"`, `-5`},
	{"int quoted escaped", 0, ``, `"\u0035"`, `5`},
	{"int quoted with space", 0, ``, `" 5"`, `v: must be a whole number [type]`},
	{"int quoted with plus", 0, ``, `"+5"`, `v: must be a whole number [type]`},
	{"int quoted with zeros", 0, ``, `"05"`, `v: must be a whole number [type]`},
	{"int quoted empty", 0, ``, `""`, `v: must be a whole number [type]`},
	{"int quoted word", 0, ``, `"five"`, `v: must be a whole number [type]`},
	{"int quoted hex", 0, ``, `"0x5"`, `v: must be a whole number [type]`},
	{"int quoted minus", 0, ``, `"-"`, `v: must be a whole number [type]`},
	{"int quoted unit", 0, ``, `"5s"`, `v: must be a whole number [type]`},
	{"int quoted point", 0, ``, `"5.0"`, `5`},
	{"int quoted fraction", 0, ``, `"2.5"`, `v: must be a whole number [range]`},
	{"int point zero", 0, ``, `5.0`, `5`},
	{"int point zeros", 0, ``, `-5.000`, `-5`},
	{"int exponent", 0, ``, `1e3`, `1000`},
	{"int exponent capital", 0, ``, `1E+3`, `1000`},
	{"int exponent moves point", 0, ``, `1.25e2`, `125`},
	{"int negative exponent", 0, ``, `1200e-2`, `12`},
	{"int zero exponent", 0, ``, `0e999999999999`, `0`},
	{"int zero point", 0, ``, `0.0`, `0`},
	{"int fraction", 0, ``, `1.5`, `v: must be a whole number [range]`},
	{"int small fraction", 0, ``, `1e-1`, `v: must be a whole number [range]`},
	{"int tiny fraction", 0, ``, `1e-999999999999`, `v: must be a whole number [range]`},
	{"int fraction lost in a float", 0, ``, `9007199254740993.5`, `v: must be a whole number [range]`},
	{"int from bool", 0, ``, `true`, `v: must be a whole number [type]`},
	{"int from list", 0, ``, `[1]`, `v: must be a whole number [type]`},
	{"int null", 0, ``, `null`, `v: must not be null [null]`},
	{"int above 2^53", 0, ``, `9007199254740993`, `9007199254740993`},
	{"int64 largest", int64(0), ``, `9223372036854775807`, `9223372036854775807`},
	{"int64 smallest", int64(0), ``, `-9223372036854775808`, `-9223372036854775808`},
	{"int64 largest as exponent", int64(0), ``, `9.223372036854775807e18`, `9223372036854775807`},
	{"int64 too large", int64(0), ``, `9223372036854775808`, `v: must be between -9223372036854775808 and 9223372036854775807 [range]`},
	{"int64 too small", int64(0), ``, `-9223372036854775809`, `v: must be between -9223372036854775808 and 9223372036854775807 [range]`},
	{"int64 far too large", int64(0), ``, `1e999999999999`, `v: must be between -9223372036854775808 and 9223372036854775807 [range]`},
	{"int64 many digits", int64(0), ``, strings.Repeat("9", 400), `v: must be between -9223372036854775808 and 9223372036854775807 [range]`},
	{"int8 largest", int8(0), ``, `127`, `127`},
	{"int8 too large", int8(0), ``, `128`, `v: must be between -128 and 127 [range]`},
	{"int8 smallest", int8(0), ``, `-128`, `-128`},
	{"int8 too small", int8(0), ``, `-129`, `v: must be between -128 and 127 [range]`},
	{"int16 too large", int16(0), ``, `32768`, `v: must be between -32768 and 32767 [range]`},
	{"int32 too large", int32(0), ``, `2147483648`, `v: must be between -2147483648 and 2147483647 [range]`},
	{"uint", uint(0), ``, `5`, `5`},
	{"uint minus zero", uint(0), ``, `-0`, `0`},
	{"uint negative", uint(0), ``, `-1`, `v: must be between 0 and 18446744073709551615 [range]`},
	{"uint64 largest", uint64(0), ``, `18446744073709551615`, `18446744073709551615`},
	{"uint64 too large", uint64(0), ``, `18446744073709551616`, `v: must be between 0 and 18446744073709551615 [range]`},
	{"uint64 quoted", uint64(0), ``, `"18446744073709551615"`, `18446744073709551615`},
	{"uint8 largest", uint8(0), ``, `255`, `255`},
	{"uint8 too large", uint8(0), ``, `256`, `v: must be between 0 and 255 [range]`},
	{"uint16 too large", uint16(0), ``, `65536`, `v: must be between 0 and 65535 [range]`},
	{"uint32 fraction", uint32(0), ``, `0.5`, `v: must be a whole number [range]`},

	// Numbers.
	{"float", 0.0, ``, `2.5`, `2.5`},
	{"float whole", 0.0, ``, `2`, `2`},
	{"float exponent", 0.0, ``, `1e300`, `1e+300`},
	{"float quoted", 0.0, ``, `"2.5"`, `2.5`},
	{"float quoted NaN", 0.0, ``, `"NaN"`, `v: must be a number [type]`},
	{"float quoted Inf", 0.0, ``, `"Inf"`, `v: must be a number [type]`},
	{"float quoted underscore", 0.0, ``, `"1_0"`, `v: must be a number [type]`},
	{"float too large", 0.0, ``, `1e400`, `v: must be between -1.7976931348623157e+308 and 1.7976931348623157e+308 [range]`},
	{"float tiny", 0.0, ``, `1e-400`, `0`},
	{"float32 too large", float32(0), ``, `1e39`, `v: must be between -3.4028235e+38 and 3.4028235e+38 [range]`},
	{"float from bool", 0.0, ``, `false`, `v: must be a number [type]`},
	{"json.Number", json.Number(""), ``, `1.50`, `1.50`},
	{"json.Number quoted", json.Number(""), ``, `"12"`, `12`},
	{"json.Number word", json.Number(""), ``, `"x"`, `v: must be a number [type]`},
	{"big.Int", big.Int{}, ``, `123456789012345678901234567890`, `123456789012345678901234567890`},

	// Truth.
	{"bool true", false, ``, `true`, `true`},
	{"bool false", false, ``, `false`, `false`},
	{"bool quoted", false, ``, `"true"`, `true`},
	{"bool quoted false", false, ``, `"false"`, `false`},
	{"bool quoted case", false, ``, `"True"`, `v: must be true or false [type]`},
	{"bool quoted yes", false, ``, `"yes"`, `v: must be true or false [type]`},
	{"bool from number", false, ``, `1`, `v: must be true or false [type]`},
	{"bool null", false, ``, `null`, `v: must not be null [null]`},

	// Types with a form of their own.
	{"time", time.Time{}, ``, `"2026-01-02T03:04:05.5+01:00"`, `"2026-01-02T03:04:05.5+01:00"`},
	{"time without zone", time.Time{}, ``, `"2026-01-02T03:04:05"`, `v: must be a date and time, such as 2006-01-02T15:04:05Z [format]`},
	{"time that is none", time.Time{}, ``, `"2026-02-30T03:04:05Z"`, `v: must be a date and time, such as 2006-01-02T15:04:05Z [format]`},
	{"time from number", time.Time{}, ``, `1700000000`, `v: must be a date and time, such as 2006-01-02T15:04:05Z [type]`},
	{"duration", time.Duration(0), ``, `"1h30m"`, `5400000000000`},
	{"duration zero", time.Duration(0), ``, `"0"`, `0`},
	{"duration negative", time.Duration(0), ``, `"-1.5s"`, `-1500000000`},
	{"duration without unit", time.Duration(0), ``, `"30"`, `v: must be a duration, such as 1h30m or 90s [format]`},
	{"duration from number", time.Duration(0), ``, `30`, `v: must be a duration, such as 1h30m or 90s [type]`},
	{"address", netip.Addr{}, ``, `"10.0.0.1"`, `"10.0.0.1"`},
	{"address v6", netip.Addr{}, ``, `"2001:db8::1"`, `"2001:db8::1"`},
	{"address empty", netip.Addr{}, ``, `""`, `v: must be an IP address [format]`},
	{"address wrong", netip.Addr{}, ``, `"10.0.0.256"`, `v: must be an IP address [format]`},
	{"prefix", netip.Prefix{}, ``, `"10.0.0.0/8"`, `"10.0.0.0/8"`},
	{"prefix wrong", netip.Prefix{}, ``, `"10.0.0.0"`, `v: must be an IP network, such as 10.0.0.0/8 [format]`},
	{"address and port", netip.AddrPort{}, ``, `"10.0.0.1:80"`, `"10.0.0.1:80"`},
	{"enum", level(0), ``, `"mid"`, `"mid"`},
	{"enum case", level(0), ``, `"Mid"`, `v: must be a valid text [format]`},
	{"enum from number", level(0), ``, `1`, `v: must be a valid text [type]`},
	{"enum with names", level(0), `validate:"oneof=mid high"`, `"high"`, `"high"`},
	{"enum unknown to the type", level(0), `validate:"oneof=mid high"`, `"top"`, `v: must be one of: mid, high [enum]`},
	{"enum of another type", level(0), `validate:"oneof=mid high"`, `1`, `v: must be one of: mid, high [type]`},
	{"enum in a list", []*level(nil), `validate:"dive,oneof=mid high"`, `["mid","top"]`, `v[1]: must be one of: mid, high [enum]`},
	{"enum in a map", map[string]level(nil), `validate:"dive,oneof=mid high"`, `{"a":"top"}`, `v.a: must be one of: mid, high [enum]`},
	{"enum not among names", level(0), `validate:"oneof=mid high"`, `"low"`, `v: must be one of: mid, high [enum]`},
	{"enum with numbers", level(0), `validate:"oneof=0 1"`, `"high"`, `v: must be one of: low, mid [enum]`},
	{"own JSON", point{}, ``, `[1,2]`, `[1,2]`},
	{"own JSON wrong", point{}, ``, `["x"]`, `v: must be valid [format]`},
	{"own JSON duplicate", point{}, ``, `{"a":1,"a":2}`, `v: must not hold an object with the same name twice [duplicate]`},
	{"bytes", []byte(nil), ``, `"aGk="`, `"aGk="`},
	{"bytes empty", []byte(nil), ``, `""`, `""`},
	{"bytes unpadded", []byte(nil), ``, `"aGk"`, `v: must be base64 text [format]`},
	{"bytes with line end", []byte(nil), ``, `"aGk=\n"`, `v: must be base64 text [format]`},
	{"bytes from list", []byte(nil), ``, `[1]`, `v: must be base64 text [type]`},
	{"raw", json.RawMessage(nil), ``, `{"a": [1, 1E400]}`, `{"a":[1,1E400]}`},
	{"raw null", jsontext.Value(nil), ``, `null`, `null`},
	{"raw string", json.RawMessage(nil), ``, `"{}"`, `"{}"`},
	{"raw duplicate", json.RawMessage(nil), ``, `{"a":{"b":1,"b":2}}`, `v: must not hold an object with the same name twice [duplicate]`},
	{"any", reflect.TypeFor[any](), ``, `{"a":[1,"x",null,true]}`, `{"a":[1,"x",null,true]}`},
	{"any null", reflect.TypeFor[any](), ``, `null`, `null`},
	{"any 64 bits", reflect.TypeFor[any](), ``, `[9007199254740993,18446744073709551615,1e20]`, `[9007199254740993,18446744073709551615,100000000000000000000]`},
	{"any duplicate", reflect.TypeFor[any](), ``, `[{"a":1,"a":2}]`, `v: must not hold an object with the same name twice [duplicate]`},

	// Lists.
	{"list", []int(nil), ``, `[1,"2",3.0]`, `[1,2,3]`},
	{"list empty", []int(nil), ``, `[]`, `[]`},
	{"list as text", []int(nil), ``, `"[1,2]"`, `[1,2]`},
	{"list as text with space", []int(nil), ``, `" [1, 2] "`, `[1,2]`},
	{"list as text broken", []int(nil), ``, `"[1,2"`, `v: must be a list [type]`},
	{"list as text and more", []int(nil), ``, `"[1] 2"`, `v: must be a list [type]`},
	{"list as words", []string(nil), ``, `"a,b"`, `v: must be a list [type]`},
	{"list from one", []int(nil), ``, `1`, `v: must be a list [type]`},
	{"list from object", []int(nil), ``, `{"0":1}`, `v: must be a list [type]`},
	{"list as text from object", []int(nil), ``, `"{}"`, `v: must be a list [type]`},
	{"list null", []int(nil), ``, `null`, `v: must not be null [null]`},
	{"list item wrong", []int(nil), ``, `[1,"x",2]`, `v[1]: must be a whole number [type]`},
	{"list item null", []int(nil), ``, `[null]`, `v[0]: must not be null [null]`},
	{"list of pointers", []*int(nil), ``, `[1,null]`, `[1,null]`},
	{"list of pointers required", []*int(nil), `validate:"dive,required"`, `[1,null]`, `v[1]: must not be null [null]`},
	{"list of lists", [][]int(nil), ``, `[[1],[2,"x"]]`, `v[1][1]: must be a whole number [type]`},
	{"array", [2]int{}, ``, `[1,2]`, `[1,2]`},
	{"array short", [2]int{}, ``, `[1]`, `v: must have exactly 2 items [length]`},
	{"array long", [2]int{}, ``, `[1,2,3]`, `v: must have exactly 2 items [length]`},
	{"array of bytes", [2]byte{}, ``, `[1,2]`, `[1,2]`},

	// Maps.
	{"map", map[string]int(nil), ``, `{"a":1,"b":"2"}`, `{"a":1,"b":2}`},
	{"map empty", map[string]int(nil), ``, `{}`, `{}`},
	{"map as text", map[string]int(nil), ``, `"{\"a\":1}"`, `{"a":1}`},
	{"map from list", map[string]int(nil), ``, `[]`, `v: must be an object [type]`},
	{"map value wrong", map[string]int(nil), ``, `{"a":"x"}`, `v.a: must be a whole number [type]`},
	{"map name quoted in path", map[string]int(nil), ``, `{"a b":"x"}`, `v["a b"]: must be a whole number [type]`},
	{"map name with control", map[string]int(nil), ``, `{"a\u001b[2J\u202e":"x"}`, `v["a\x1b[2J\u202e"]: must be a whole number [type]`},
	{"map duplicate", map[string]int(nil), ``, `{"a":1,"\u0061":2}`, `v.a: given more than once [duplicate]`},
	{"map of int names", map[int8]string(nil), ``, `{"-3":"x"}`, `{"-3":"x"}`},
	{"map int name wrong", map[int8]string(nil), ``, `{"300":"x"}`, `v.300: the name must be a whole number [format]`},
	{"map int name odd", map[int8]string(nil), ``, `{"03":"x"}`, `v.03: the name must be a whole number [format]`},
	{"map uint names", map[uint]bool(nil), ``, `{"3":true}`, `{"3":true}`},
	{"map text names", map[level]int(nil), ``, `{"mid":1}`, `{"mid":1}`},
	{"map text name wrong", map[level]int(nil), ``, `{"x":1}`, `v.x: the name must be a valid text [format]`},

	// Pointers and defaults.
	{"pointer", (*int)(nil), ``, `5`, `5`},
	{"pointer null", (*int)(nil), ``, `null`, `null`},
	{"pointer null required", (*int)(nil), `validate:"required"`, `null`, `v: must not be null [null]`},
	{"pointer zero required", (*int)(nil), `validate:"required"`, `0`, `0`},
	{"pointer rule", (*int)(nil), `validate:"min=3"`, `2`, `v: must be 3 or greater [range]`},
	{"pointer to pointer", (**int)(nil), ``, `5`, `5`},
	{"default not used", 0, `default:"50"`, `7`, `7`},
	{"default and zero", 0, `default:"50"`, `0`, `0`},
	{"default and null", 0, `default:"50"`, `null`, `50`},
	{"default and false", true, `default:"true"`, `false`, `false`},
	{"default and empty", "", `default:"x"`, `""`, `""`},
	{"default and empty list", []int(nil), `default:"[1]"`, `[]`, `[]`},
}

func TestValues(t *testing.T) {
	for _, tt := range values {
		t.Run(tt.name, func(t *testing.T) {
			typ := structOf(tt.zero, tt.tags)
			v, bad := decode(t, compile(t, typ, nil), typ, `{"v":`+tt.sent+`}`)
			got := strings.Join(bad, "; ")
			if bad == nil {
				got = asJSON(t, v.Field(0).Addr().Interface())
			}
			if got != tt.want {
				t.Errorf("%s in %s\n got %s\nwant %s", tt.sent, typ.Field(0).Type, got, tt.want)
			}
		})
	}
}
