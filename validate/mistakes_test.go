package validate_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/validate"
	"github.com/google/jsonschema-go/jsonschema"
)

// Mistakes in the tags of one field: what Compile says about them, behind the name of type and field.
var mistakes = []struct {
	name string
	zero any
	tags string
	want string
}{
	{"unknown rule", 0, `validate:"mni=1"`, `validate:"mni=1": unknown rule (did you mean "min"?)`},
	{"unknown rule far off", 0, `validate:"xyzzy"`, `validate:"xyzzy": unknown rule`},
	{"unknown rule in or", "", `validate:"email|urll"`, `validate:"email|urll": unknown rule (did you mean "url"?)`},
	{"unknown rule on items", []string(nil), `validate:"dive,emial"`, `validate:"emial": unknown rule (did you mean "email"?)`},
	{"empty rule", 0, `validate:"min=1,,max=2"`, `validate:"": empty rule; is there a comma too many?`},
	{"rule with space", 0, `validate:"min=1, max=2"`, `validate:" max=2": unknown rule (did you mean "max"?)`},
	{"no parameter", 0, `validate:"min"`, `validate:"min": the parameter "" is not a number that fits int`},
	{"parameter is no number", 0, `validate:"min=one"`, `validate:"min=one": the parameter "one" is not a number that fits int`},
	{"parameter is no whole number", 0, `validate:"max=1.5"`, `validate:"max=1.5": the parameter "1.5" is not a number that fits int`},
	{"parameter too large", int8(0), `validate:"max=200"`, `validate:"max=200": the parameter "200" is not a number that fits int8`},
	{"parameter negative", uint(0), `validate:"min=-1"`, `validate:"min=-1": the parameter "-1" is not a number that fits uint`},
	{"parameter is no length", "", `validate:"max=1.5"`, `validate:"max=1.5": the parameter "1.5" is not a length`},
	{"negative length", []int(nil), `validate:"min=-1"`, `validate:"min=-1": the parameter "-1" is not a length`},
	{"impossible length", "", `validate:"lt=0"`, `validate:"lt=0": the parameter "0" is not a length`},
	{"parameter is no float", 0.0, `validate:"max=NaN"`, `validate:"max=NaN": the parameter "NaN" is not a number that fits float64`},
	{"parameter is no duration", time.Duration(0), `validate:"max=1 hour"`, `validate:"max=1 hour": the parameter "1 hour" is not a duration, such as 90s`},
	{"parameter for a time", time.Time{}, `validate:"lt=now"`, `validate:"lt=now": takes no parameter for a time: it compares with now`},
	{"needless parameter", "", `validate:"email=yes"`, `validate:"email=yes": takes no parameter`},
	{"needless parameter of required", "", `validate:"required=true"`, `validate:"required=true": takes no parameter`},
	{"missing parameter", "", `validate:"contains="`, `validate:"contains=": needs a parameter`},
	{"bounds that leave nothing", 0, `validate:"min=5,max=3"`, `validate:"min=5,max=3": no value can follow all of these`},
	{"lengths that leave nothing", []string(nil), `validate:"min=2,lt=2"`, `validate:"min=2,lt=2": no value can follow all of these`},
	{"value in odd digits", 0, `validate:"oneof=01 2"`, `validate:"oneof=01 2": "01" is compared as text, so write it "1"`},
	{"missing values", "", `validate:"oneof="`, `validate:"oneof=": needs a list of values separated by spaces`},
	{"value of another type", 0, `validate:"oneof=1 b"`, `validate:"oneof=1 b": "b" is not a value of int`},
	{"value of no enum", level(0), `validate:"oneof=low top"`, `validate:"oneof=low top": "top" is not a value of validate_test.level`},
	{"not for numbers", 0, `validate:"email"`, `validate:"email": cannot be applied to int`},
	{"not for bool", false, `validate:"min=1"`, `validate:"min=1": cannot be applied to bool`},
	{"not for structs", pair{}, `validate:"min=1"`, `validate:"min=1": cannot be applied to validate_test.pair`},
	{"not for any", reflect.TypeFor[any](), `validate:"min=1"`, `validate:"min=1": cannot be applied to interface {}`},
	{"oneof for float", 0.0, `validate:"oneof=1 2"`, `validate:"oneof=1 2": cannot be applied to float64`},
	{"lowercase for list", []string(nil), `validate:"lowercase"`, `validate:"lowercase": cannot be applied to []string`},
	{"unknown parameter", "", `validate:"spicedb=thing"`, `validate:"spicedb=thing": refused by the validator: Unrecognized parameter: thing`},
	{"method that is not there", 0, `validate:"validateFn=Nope"`, `validate:"validateFn=Nope": int has no method Nope`},
	{"dive into nothing", 0, `validate:"dive,min=1"`, `validate:"dive": cannot dive into int`},
	{"dive into text", []byte(nil), `validate:"dive,min=1"`, `validate:"dive": cannot dive into []uint8`},
	{"dive too deep", []int(nil), `validate:"dive,dive,min=1"`, `validate:"dive": cannot dive into int`},
	{"keys without dive", map[string]int(nil), `validate:"keys,alpha,endkeys"`, `validate:"keys": keys must follow dive, and endkeys must end it`},
	{"keys of a list", []int(nil), `validate:"dive,keys,alpha,endkeys"`, `validate:"keys": []int has no keys`},
	{"keys without end", map[string]int(nil), `validate:"dive,keys,alpha"`, `validate:"keys": endkeys is missing`},
	{"keys without rule", map[string]int(nil), `validate:"dive,keys,endkeys"`, `validate:"keys": no rule before endkeys`},
	{"wrong rule for keys", map[string]int(nil), `validate:"dive,keys,alhpa,endkeys"`, `validate:"alhpa": unknown rule (did you mean "alpha"?)`},
	{"structonly for an int", 0, `validate:"structonly"`, `validate:"structonly": makes no sense for int`},
	{"values with commas", "", `validate:"oneof=vm,disk"`, `validate:"disk": unknown rule; values of oneof=vm are separated by spaces`},
	{"name of JSON for a field", 0, `validate:"eqfield=v"`, `has no field v; the rule takes Go's name of it, V`},
	{"field that is not there", 0, `validate:"eqfield=Other"`, `validate:"eqfield=Other": struct { V int "json:\"v\" validate:\"eqfield=Other\"" } has no field Other`},
	{"field without name", 0, `validate:"gtfield="`, `validate:"gtfield=": needs the name of a field`},
	{"condition on a missing field", 0, `validate:"required_if=Other 1"`, `has no field Other`},
	{"condition with half a pair", 0, `validate:"required_if=V"`, `validate:"required_if=V": needs pairs of field and value`},
	{"condition with a wrong value", 0, `validate:"required_if=V x"`, `validate:"required_if=V x": "x" is not a value to compare int with`},
	{"condition twice", 0, `validate:"required_if=V 1 V 2"`, `validate:"required_if=V 1 V 2": names the field V twice`},
	{"condition without field", 0, `validate:"required_with="`, `validate:"required_with=": needs the name of a field`},
	{"condition on items", []int(nil), `validate:"dive,required_with=V"`, `validate:"required_with=V": makes no sense for an item`},
	{"condition in or", 0, `validate:"required_with=V|min=1"`, `validate:"required_with=V|min=1": cannot be joined with |`},
	{"required in or", 0, `validate:"min=1|required"`, `validate:"min=1|required": cannot be joined with | or take a parameter`},
	{"unique without comparison", [][]int(nil), `validate:"unique"`, `validate:"unique": values of []int cannot be compared`},
	{"unique by no field", []pair(nil), `validate:"unique=Kee"`, `validate:"unique=Kee": validate_test.pair has no field Kee`},
	{"unique for nothing", 0, `validate:"unique"`, `validate:"unique": cannot be applied to int without the name of a field`},

	{"misspelt key validation", 0, `validation:"min=1"`, `struct tag key "validation" is not read (did you mean "validate"?)`},
	{"misspelt key valdiate", 0, `valdiate:"min=1"`, `struct tag key "valdiate" is not read (did you mean "validate"?)`},
	{"misspelt key Validate", 0, `Validate:"min=1"`, `struct tag key "Validate" is not read (did you mean "validate"?)`},
	{"misspelt key defualt", 0, `defualt:"1"`, `struct tag key "defualt" is not read (did you mean "default"?)`},
	{"misspelt key jsonschmea", 0, `jsonschmea:"x"`, `struct tag key "jsonschmea" is not read (did you mean "jsonschema"?)`},
	{"malformed tag", 0, `validate: "min=1"`, "malformed struct tag `json:\"v\" validate: \"min=1\"`: want key:\"value\" pairs separated by spaces"},
	{"unquoted tag", 0, `validate:min=1`, "want key:\"value\" pairs separated by spaces"},
	{"tag without space", 0, `default:"1"validate:"min=1"`, `no space after the value of default`},
	{"tag without end", 0, `validate:"min=1`, `the value of validate is not quoted`},
	{"tag with comma", 0, `default:"1", validate:"min=1"`, `no space after the value of default`},
	{"key twice", 0, `validate:"min=1" validate:"max=2"`, `has the key validate twice`},
	{"empty description", 0, `jsonschema:""`, `the jsonschema tag is empty`},
	{"description like an option", 0, `jsonschema:"minimum=1"`, `jsonschema:"minimum=1": a description must not begin with WORD=`},

	{"default of another type", 0, `default:"many"`, `default:"many" is not JSON`},
	{"default too large", int8(0), `default:"300"`, `default:"300": must be between -128 and 127`},
	{"default against a rule", 0, `default:"0" validate:"min=1"`, `default:"0": must be 1 or greater`},
	{"default not among values", "", `default:"blue" validate:"oneof=red green"`, `default:"blue": must be one of: red, green`},
	{"default of null", (*int)(nil), `default:"null"`, `a default of null is no default`},
	{"default duration", time.Duration(0), `default:"30"`, `default:"30": must be a duration, such as 1h30m or 90s`},
	{"default with unknown member", pair{}, `default:"{\"key\":\"a\",\"x\":1}"`, `default:"{\"key\":\"a\",\"x\":1}": unknown argument`},
	{"default against a rule of items", []int(nil), `default:"[0]" validate:"dive,min=1"`, `default:"[0]": must be 1 or greater`},

	{"channel", make(chan int), ``, `values of chan int cannot be read from JSON`},
	{"function", reflect.TypeFor[func()](), ``, `values of func() cannot be read from JSON`},
	{"complex", complex(0, 0), ``, `values of complex128 cannot be read from JSON`},
	{"interface with methods", reflect.TypeFor[error](), ``, `values of error cannot be read from JSON`},
	{"map of float names", map[float64]int(nil), ``, `float64 is no key for a map in JSON`},
	{"list of channels", []chan int(nil), ``, `values of chan int cannot be read from JSON`},
}

func TestMistakes(t *testing.T) {
	for _, tt := range mistakes {
		t.Run(tt.name, func(t *testing.T) {
			typ := structOf(tt.zero, tt.tags)
			_, err := validate.Compile(typ, nil)
			if err == nil {
				t.Fatalf("%s: no error", tt.tags)
			}
			if got := err.Error(); !strings.Contains(got, tt.want) || !strings.Contains(got, ".V: ") {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

type (
	selfList    []selfList
	selfMap     map[string]selfMap
	selfPointer *selfPointer
)

type wrong struct {
	A     int    `json:"a" validate:"mni=1"`
	B     string `json:"b" valdiate:"email"`
	Inner []deep `json:"inner"`
	//lint:ignore U1000 what happens to it is the test
	hidden int `validate:"min=1"`
	Skip   int `json:"-" validate:"min=1"`
	//lint:ignore SA5008 the mistake is the test
	C int `json:"c,omitemtpy"`
	D int `json:"d,string"`
}

type deep struct {
	X map[string]*deeper `json:"x"`
}

type deeper struct {
	Y int `json:"y" validate:"max=lots,email"`
	Z int `json:"z" validate:"gtfield=W"`
}

// All mistakes of all fields that can be reached come in one error, each with type and field.
func TestMistakesComeTogether(t *testing.T) {
	_, err := validate.Compile(reflect.TypeFor[wrong](), nil)
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		`validate_test.wrong.B: struct tag key "valdiate" is not read (did you mean "validate"?)`,
		`validate_test.wrong.hidden: the field is not exported, so its tags have no effect`,
		`validate_test.wrong.Skip: json:"-" hides the field, so its validate and default tags have no effect`,
		`validate_test.wrong.C: json tag option "omitemtpy" is not supported; known are omitempty, omitzero, inline and embed`,
		`validate_test.wrong.D: json tag option "string" is not supported: number fields accept a number in quotes without it`,
		`validate_test.wrong.A: validate:"mni=1": unknown rule (did you mean "min"?)`,
		`validate_test.deeper.Y: validate:"max=lots": the parameter "lots" is not a number that fits int`,
		`validate:"email": cannot be applied to int`,
		`validate_test.deeper.Z: validate:"gtfield=W": validate_test.deeper has no field W`,
	}
	if got := strings.TrimPrefix(err.Error(), "validate: "); got != strings.Join(want, "\n") {
		t.Errorf("\n got %s\nwant %s", got, strings.Join(want, "\n"))
	}
}

func TestMistakesOfStructs(t *testing.T) {
	for _, tt := range []struct {
		name string
		t    reflect.Type
		want string
	}{
		{"no type", nil, `no type`},
		{"list", reflect.TypeFor[[]int](), `[]int: arguments must be a struct, a map or raw JSON`},
		{"text", reflect.TypeFor[time.Time](), `time.Time: arguments must be a struct, a map or raw JSON`},
		{"list of itself", reflect.TypeFor[struct {
			L selfList `json:"l"`
		}](), `validate_test.selfList holds itself without a struct in between`},
		{"map of itself", reflect.TypeFor[selfMap](), `validate_test.selfMap holds itself without a struct in between`},
		{"pointer to itself", reflect.TypeFor[struct {
			P selfPointer `json:"p" validate:"required"`
		}](), `validate_test.selfPointer holds itself without a struct in between`},
		{"two catch-alls", reflect.TypeFor[struct {
			A map[string]int `json:",inline"`
			B map[string]int `json:",inline"`
		}](), `a second field for additional members, beside A`},
		{"catch-all of another type", reflect.TypeFor[struct {
			A []int `json:",inline"`
		}](), `json option inline needs a struct, a map with string keys or raw JSON`},
		{"rules for an embedded struct", reflect.TypeFor[struct {
			base `validate:"min=1"`
		}](), `an embedded struct has no validate or default tag of its own`},
		{"one name twice", reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"x"`}, {Name: "B", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
		}), `.B: more than one field has the JSON name "x"`},
		{"embedded pointer", reflect.TypeFor[struct{ *base }](), `an embedded pointer to a struct that is not exported cannot be set`},
		{"fields of different types", reflect.TypeFor[struct {
			A int    `json:"a"`
			B string `json:"b" validate:"eqfield=A"`
		}](), `validate:"eqfield=A": cannot compare string with int`},
		{"hidden field", reflect.TypeFor[struct {
			A int `json:"-"`
			B int `json:"b" validate:"eqfield=A"`
		}](), `validate:"eqfield=A": the field A is hidden from JSON`},
		{"no outermost struct", reflect.TypeFor[map[string]struct {
			B int `json:"b" validate:"eqcsfield=A"`
		}](), `validate:"eqcsfield=A": there is no struct to look for the field in`},
		{"text to contain", reflect.TypeFor[struct {
			A int    `json:"a"`
			B string `json:"b" validate:"fieldcontains=A"`
		}](), `validate:"fieldcontains=A": cannot compare string with int`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := validate.Compile(tt.t, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("\n got %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestMistakesOfRules(t *testing.T) {
	yes := func(reflect.Value, string) bool { return true }
	for _, tt := range []struct {
		name string
		rule validate.Rule
		tags string
		want string
	}{
		{"no name", validate.Rule{Check: yes}, ``, `rule "": not a name for a rule`},
		{"a name with a bar", validate.Rule{Tag: "a|b", Check: yes}, ``, `rule "a|b": not a name for a rule`},
		{"no check", validate.Rule{Tag: "a"}, ``, `rule "a": Check is nil`},
		{"a standard name", validate.Rule{Tag: "min", Check: yes}, ``, `rule "min": the name is taken by a standard rule`},
		{"a structural name", validate.Rule{Tag: "dive", Check: yes}, ``, `rule "dive": the name is taken by a standard rule`},
		{"an alias", validate.Rule{Tag: "iscolor", Check: yes}, ``, `rule "iscolor": the name is taken by a standard rule`},
		{
			"a wrong kind",
			validate.Rule{Tag: "long", Check: func(v reflect.Value, _ string) bool { return v.Len() > 9 }},
			`validate:"long"`, `validate:"long": cannot be applied to int: reflect: call of reflect.Value.Len on int Value`,
		},
		{
			"a schema that panics",
			validate.Rule{Tag: "a", Check: yes, Schema: func(string, *jsonschema.Schema) { panic("no") }},
			`validate:"a"`, `validate:"a": cannot be applied to int: no`,
		},
		{
			"a schema that is none",
			validate.Rule{Tag: "a", Check: yes, Schema: func(_ string, s *jsonschema.Schema) { s.Pattern = "(" }},
			`validate:"a"`, `schema: `,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := validate.Compile(structOf(0, tt.tags), &validate.Options{Rules: []validate.Rule{tt.rule}})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("\n got %v\nwant %s", err, tt.want)
			}
		})
	}
	twice := &validate.Options{Rules: []validate.Rule{{Tag: "a", Check: yes}, {Tag: "a", Check: yes}}}
	if _, err := validate.Compile(structOf(0, ``), twice); err == nil || !strings.Contains(err.Error(), `rule "a": defined twice`) {
		t.Errorf("got %v", err)
	}
}

// Rules belong to the Options that hold them.
func TestRulesAreNotShared(t *testing.T) {
	typ := structOf(0, `validate:"even"`)
	compile(t, typ, house)
	if _, err := validate.Compile(typ, nil); err == nil {
		t.Error("the rule of another host is known")
	}
}

func TestMustFor(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	validate.MustFor[wrong](nil)
}
