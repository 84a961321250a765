package validate_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// Schemas of types, without rules.
var typeSchemas = []struct {
	name string
	zero any
	want string
}{
	{"bool", false, `{"type":"boolean"}`},
	{"string", "", `{"type":"string"}`},
	{"int", 0, `{"type":"integer"}`},
	{"int8", int8(0), `{"type":"integer","minimum":-128,"maximum":127}`},
	{"int16", int16(0), `{"type":"integer","minimum":-32768,"maximum":32767}`},
	{"int32", int32(0), `{"type":"integer","minimum":-2147483648,"maximum":2147483647}`},
	{"int64", int64(0), `{"type":"integer"}`},
	{"uint", uint(0), `{"type":"integer","minimum":0}`},
	{"uint8", uint8(0), `{"type":"integer","minimum":0,"maximum":255}`},
	{"uint16", uint16(0), `{"type":"integer","minimum":0,"maximum":65535}`},
	{"uint32", uint32(0), `{"type":"integer","minimum":0,"maximum":4294967295}`},
	{"uint64", uint64(0), `{"type":"integer","minimum":0}`},
	{"float32", float32(0), `{"type":"number"}`},
	{"float64", 0.0, `{"type":"number"}`},
	{"json.Number", json.Number(""), `{"type":"number"}`},
	{"time", time.Time{}, `{"type":"string","format":"date-time"}`},
	{"duration", time.Duration(0), `{"type":"string","pattern":"^[-+]?(0|(([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$"}`},
	{"address", netip.Addr{}, `{"type":"string","anyOf":[{"format":"ipv4"},{"format":"ipv6"}]}`},
	{"network", netip.Prefix{}, `{"type":"string"}`},
	{"enum", level(0), `{"type":"string"}`},
	{"big.Int", big.Int{}, `{"type":"integer"}`},
	{"big.Float", big.Float{}, `{"type":"string"}`},
	{"own JSON", point{}, `true`},
	{"raw", json.RawMessage(nil), `true`},
	{"jsontext.Value", jsontext.Value(nil), `true`},
	{"any", reflect.TypeFor[any](), `true`},
	{"bytes", []byte(nil), `{"type":"string","pattern":"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$","contentEncoding":"base64"}`},
	{"list", []string(nil), `{"type":"array","items":{"type":"string"}}`},
	{"list of lists", [][]int(nil), `{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`},
	{"list of pointers", []*int(nil), `{"type":"array","items":{"type":["integer","null"]}}`},
	{"list of any", []any(nil), `{"type":"array","items":true}`},
	{"array", [2]bool{}, `{"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2}`},
	{"map", map[string]int(nil), `{"type":"object","additionalProperties":{"type":"integer"}}`},
	{"map of any", map[string]any(nil), `{"type":"object","additionalProperties":true}`},
	{"map of int names", map[int]bool(nil), `{"type":"object","additionalProperties":{"type":"boolean"},"propertyNames":{"pattern":"^(0|-?[1-9][0-9]*)$"}}`},
	{"map of times", map[string]time.Time(nil), `{"type":"object","additionalProperties":{"type":"string","format":"date-time"}}`},
	{"pointer", (*int)(nil), `{"type":"integer"}`},
	{"struct", pair{}, `{"type":"object","properties":{"key":{"type":"string","minLength":1},"value":{"type":"integer"}},"required":["key"],"additionalProperties":false}`},
	{"empty struct", struct{}{}, `{"type":"object","properties":{},"additionalProperties":false}`},
	{"tree", tree{}, `{"$ref":"#/$defs/tree"}`},
}

type tree struct {
	Name string           `json:"name" validate:"alpha"`
	Kids []tree           `json:"kids,omitempty"`
	By   map[string]*tree `json:"by,omitempty"`
}

func TestTypeSchemas(t *testing.T) {
	for _, tt := range typeSchemas {
		t.Run(tt.name, func(t *testing.T) {
			args := compile(t, structOf(tt.zero, ``), nil)
			if got := property(t, args.Schema()); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
			resolve(t, args.Schema())
		})
	}
}

type base struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

type extended struct {
	base
	*Mixin
	Name string `json:"name" jsonschema:"hides the one of base"`
}

type Mixin struct {
	Note string `json:"note" default:"none"`
}

// Schemas of the arguments as a whole.
var argumentSchemas = []struct {
	name string
	t    reflect.Type
	want string
}{
	{"nothing", reflect.TypeFor[struct{}](), `{"type":"object","properties":{},"additionalProperties":false}`},
	{"any", reflect.TypeFor[any](), `{"type":"object","properties":{},"additionalProperties":true}`},
	{"raw", reflect.TypeFor[json.RawMessage](), `{"type":"object","properties":{},"additionalProperties":true}`},
	{"jsontext.Value", reflect.TypeFor[jsontext.Value](), `{"type":"object","properties":{},"additionalProperties":true}`},
	{"map", reflect.TypeFor[map[string]int](), `{"type":"object","properties":{},"additionalProperties":{"type":"integer"}}`},
	{"pointer", reflect.TypeFor[*pair](), `{"type":"object","properties":{"key":{"type":"string","minLength":1},"value":{"type":"integer"}},"required":["key"],"additionalProperties":false}`},
	{"required", reflect.TypeFor[struct {
		A int  `json:"a"`
		B int  `json:"b,omitempty"`
		C int  `json:"c,omitzero"`
		D int  `json:"d,omitempty" validate:"required"`
		E *int `json:"e"`
		F *int `json:"f" validate:"required"`
		G int  `json:"g" default:"1"`
		H int  `json:"h" default:"1" validate:"required"`
		I int  `json:"i" validate:"omitempty"`
		J int
		K int `json:"-"`
		//lint:ignore SA5008 encoding/json names it "-"
		L int `json:"-,"`
		m int
	}](), `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"},"d":{"type":"integer"},"e":{"type":"integer"},"f":{"type":"integer"},"g":{"type":"integer","default":1},"h":{"type":"integer","default":1},"i":{"type":"integer"},"J":{"type":"integer"},"-":{"type":"integer"}},"required":["a","d","f","J","-"],"additionalProperties":false}`},
	{"defaults", reflect.TypeFor[struct {
		A string            `json:"a" default:"x"`
		B bool              `json:"b" default:"true"`
		C float64           `json:"c" default:"1.5"`
		D time.Duration     `json:"d" default:"30s"`
		E []int             `json:"e" default:"[1, 2]"`
		F map[string]string `json:"f" default:"{\"a\": \"b\"}"`
		G *int              `json:"g" default:"3"`
		H level             `json:"h" default:"mid"`
		I any               `json:"i" default:"{}"`
		J string            `json:"j" default:""`
	}](), `{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"boolean","default":true},"c":{"type":"number","default":1.5},"d":{"type":"string","default":"30s","pattern":"^[-+]?(0|(([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$"},"e":{"type":"array","items":{"type":"integer"},"default":[1,2]},"f":{"type":"object","default":{"a":"b"},"additionalProperties":{"type":"string"}},"g":{"type":"integer","default":3},"h":{"type":"string","default":"mid"},"i":{"default":{}},"j":{"type":"string","default":""}},"additionalProperties":false}`},
	{"descriptions", reflect.TypeFor[struct {
		A int   `json:"a" jsonschema:"how <many> & why"`
		B *pair `json:"b" jsonschema:"a pair"`
		C any   `json:"c" jsonschema:"anything"`
	}](), `{"type":"object","properties":{"a":{"type":"integer","description":"how <many> & why"},"b":{"type":"object","properties":{"key":{"type":"string","minLength":1},"value":{"type":"integer"}},"description":"a pair","required":["key"],"additionalProperties":false},"c":{"description":"anything"}},"required":["a","c"],"additionalProperties":false}`},
	{"embedded", reflect.TypeFor[struct {
		base
		Extra int `json:"extra,omitempty"`
	}](), `{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"extra":{"type":"integer"}},"required":["id","name"],"additionalProperties":false}`},
	{"additional members", reflect.TypeFor[struct {
		A    int            `json:"a"`
		More map[string]int `json:",inline" validate:"dive,min=1"`
	}](), `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":{"type":"integer","minimum":1}}`},
	{"additional members, raw", reflect.TypeFor[struct {
		More jsontext.Value `json:",embed"`
	}](), `{"type":"object","properties":{},"additionalProperties":true}`},
	{"recursive", reflect.TypeFor[tree](), `{"type":"object","properties":{"name":{"type":"string","pattern":"^[a-zA-Z]+$"},"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}},"by":{"type":"object","additionalProperties":{"anyOf":[{"$ref":"#/$defs/tree"},{"type":"null"}]}}},"$defs":{"tree":{"type":"object","properties":{"name":{"type":"string","pattern":"^[a-zA-Z]+$"},"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}},"by":{"type":"object","additionalProperties":{"anyOf":[{"$ref":"#/$defs/tree"},{"type":"null"}]}}},"required":["name"],"additionalProperties":false}},"required":["name"],"additionalProperties":false}`},
	{"recursive inside", reflect.TypeFor[struct {
		Root *tree `json:"root" jsonschema:"the top"`
	}](), `{"type":"object","properties":{"root":{"$ref":"#/$defs/tree","description":"the top"}},"$defs":{"tree":{"type":"object","properties":{"name":{"type":"string","pattern":"^[a-zA-Z]+$"},"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}},"by":{"type":"object","additionalProperties":{"anyOf":[{"$ref":"#/$defs/tree"},{"type":"null"}]}}},"required":["name"],"additionalProperties":false}},"additionalProperties":false}`},
}

func TestArgumentSchemas(t *testing.T) {
	for _, tt := range argumentSchemas {
		t.Run(tt.name, func(t *testing.T) {
			args := compile(t, tt.t, nil)
			if got := string(args.Schema()); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
			resolve(t, args.Schema())
			if again := compile(t, tt.t, nil); string(again.Schema()) != string(args.Schema()) {
				t.Errorf("not stable:\n%s\n%s", again.Schema(), args.Schema())
			}
		})
	}
}

func TestSchemaOfHostTypes(t *testing.T) {
	two := 2
	opts := &validate.Options{Schemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[point](): {Type: "array", Items: &jsonschema.Schema{Type: "integer"}, MinItems: &two, MaxItems: &two},
	}}
	args := compile(t, structOf(point{}, `jsonschema:"where"`), opts)
	want := `{"type":"array","items":{"type":"integer"},"description":"where","minItems":2,"maxItems":2}`
	if got := property(t, args.Schema()); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
