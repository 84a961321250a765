package validate_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/validate"
	"github.com/google/jsonschema-go/jsonschema"
)

// color is a number with a name.
type color int

func (color) String() string { return "red" }

type report struct {
	Name   string            `json:"name" jsonschema:"of the report"`
	Rows   []pair            `json:"rows"`
	Counts map[string]int    `json:"counts"`
	Best   *pair             `json:"best"`
	Note   *string           `json:"note,omitempty"`
	At     time.Time         `json:"at"`
	Took   time.Duration     `json:"took"`
	Color  color             `json:"color"`
	Addr   netip.Addr        `json:"addr"`
	Any    any               `json:"any"`
	ID     int64             `json:"id,string"`
	Ref    *int              `json:"ref,string"`
	Data   []byte            `json:"data"`
	Big    *big.Int          `json:"big"`
	Raw    map[string]string `json:"raw_data"`
	Hidden string            `json:"-"`
	//lint:ignore U1000 that it is left out is the test
	private int
}

var outputs = []struct {
	name    string
	t       reflect.Type
	want    string
	wrapped bool
}{
	{"struct", reflect.TypeFor[report](), `{"type":"object","properties":{"name":{"type":"string","description":"of the report"},"rows":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"integer"}},"required":["key"],"additionalProperties":false}},"counts":{"type":"object","additionalProperties":{"type":"integer"}},"best":{"type":["object","null"],"properties":{"key":{"type":"string"},"value":{"type":"integer"}},"required":["key"],"additionalProperties":false},"note":{"type":"string"},"at":{"type":"string","format":"date-time"},"took":{"type":"string"},"color":{"type":"string"},"addr":{"type":"string"},"any":true,"id":{"type":"string"},"ref":{"type":["string","null"]},"data":{"type":"string","contentEncoding":"base64"},"big":{"type":["integer","null"]}},"required":["name","rows","counts","best","at","took","color","addr","any","id","ref","data","big"],"additionalProperties":false}`, false},
	{"pointer to struct", reflect.TypeFor[*pair](), `{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"integer"}},"required":["key"],"additionalProperties":false}`, false},
	{"map", reflect.TypeFor[map[string]bool](), `{"type":"object","properties":{},"additionalProperties":{"type":"boolean"}}`, false},
	{"list", reflect.TypeFor[[]pair](), `{"type":"object","properties":{"result":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"integer"}},"required":["key"],"additionalProperties":false}}},"required":["result"],"additionalProperties":false}`, true},
	{"string", reflect.TypeFor[string](), `{"type":"object","properties":{"result":{"type":"string"}},"required":["result"],"additionalProperties":false}`, true},
	{"pointer to int", reflect.TypeFor[*int](), `{"type":"object","properties":{"result":{"type":["integer","null"]}},"required":["result"],"additionalProperties":false}`, true},
	{"time", reflect.TypeFor[time.Time](), `{"type":"object","properties":{"result":{"type":"string","format":"date-time"}},"required":["result"],"additionalProperties":false}`, true},
	{"text marshaler", reflect.TypeFor[netip.Addr](), `{"type":"object","properties":{"result":{"type":"string"}},"required":["result"],"additionalProperties":false}`, true},
	{"stringer", reflect.TypeFor[color](), `{"type":"object","properties":{"result":{"type":"string"}},"required":["result"],"additionalProperties":false}`, true},
	{"bytes", reflect.TypeFor[[]byte](), `{"type":"object","properties":{"result":{"type":"string","contentEncoding":"base64"}},"required":["result"],"additionalProperties":false}`, true},
	{"array", reflect.TypeFor[[2]uint8](), `{"type":"object","properties":{"result":{"type":"array","items":{"type":"integer","minimum":0},"minItems":2,"maxItems":2}},"required":["result"],"additionalProperties":false}`, true},
	{"empty struct", reflect.TypeFor[struct{}](), `{"type":"object","properties":{},"additionalProperties":false}`, false},
	{"recursive", reflect.TypeFor[*node](), `{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}},"$defs":{"node":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}},"required":["next"],"additionalProperties":false}},"required":["next"],"additionalProperties":false}`, false},
	{"list of recursive", reflect.TypeFor[[]node](), `{"type":"object","properties":{"result":{"type":"array","items":{"$ref":"#/$defs/node"}}},"$defs":{"node":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}},"required":["next"],"additionalProperties":false}},"required":["result"],"additionalProperties":false}`, true},
	{"embedded", reflect.TypeFor[struct {
		*Mixin
		base
	}](), `{"type":"object","properties":{"note":{"type":"string"},"id":{"type":"integer"},"name":{"type":"string"}},"required":["id","name"],"additionalProperties":false}`, false},
	{"inline is no option of encoding/json", reflect.TypeFor[struct {
		More map[string]int `json:",inline"`
	}](), `{"type":"object","properties":{"More":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["More"],"additionalProperties":false}`, false},
	{"any", reflect.TypeFor[any](), ``, false},
	{"interface", reflect.TypeFor[error](), ``, false},
	{"raw", reflect.TypeFor[json.RawMessage](), ``, false},
	{"own JSON", reflect.TypeFor[point](), ``, false},
}

type node struct {
	Next *node `json:"next"`
}

func TestOutput(t *testing.T) {
	for _, tt := range outputs {
		t.Run(tt.name, func(t *testing.T) {
			got, wrapped, err := validate.Output(tt.t, nil)
			if err != nil || string(got) != tt.want || wrapped != tt.wrapped {
				t.Errorf("\n got %s %v %v\nwant %s %v", got, wrapped, err, tt.want, tt.wrapped)
			}
			if got != nil {
				resolve(t, got)
			}
		})
	}
}

// What encoding/json writes is what the schema says, where the layer writes the same.
func TestOutputMatchesEncoding(t *testing.T) {
	type plain struct {
		Rows  []pair           `json:"rows"`
		Best  *pair            `json:"best"`
		Note  *string          `json:"note,omitempty"`
		At    time.Time        `json:"at"`
		Addr  netip.Addr       `json:"addr,omitzero"`
		ID    int64            `json:"id,string"`
		Ref   *int             `json:"ref,string"`
		Data  []byte           `json:"data"`
		Big   *big.Int         `json:"big"`
		Level map[level]level  `json:"level"`
		Any   []any            `json:"any"`
		Raw   json.RawMessage  `json:"raw"`
		Point [2]point         `json:"point"`
		Num   json.Number      `json:"num"`
		Next  map[string]*node `json:"next"`
	}
	full := plain{
		Rows: []pair{{Key: "a", Value: 1}}, Best: &pair{}, Note: new(string), Addr: netip.IPv6Loopback(), Ref: new(int), Data: []byte("hi"),
		Big: big.NewInt(7), Level: map[level]level{1: 2}, Any: []any{1, nil, "x"}, Raw: json.RawMessage(`{"a":[]}`), Num: "1.5",
		Next: map[string]*node{"a": {Next: &node{}}, "b": nil},
	}
	bare := plain{Rows: []pair{}, Data: []byte{}, Level: map[level]level{}, Any: []any{}, Raw: json.RawMessage(`0`), Num: "0", Next: map[string]*node{}}
	for _, v := range []any{
		full, &bare,
		[]plain{full, bare},
		map[string]plain{"a": bare},
		1, "x", true, 1.5, []byte("x"), level(1),
		[2]bool{},
		struct {
			*Mixin
			base
		}{},
		struct {
			*Mixin
			base
		}{Mixin: &Mixin{}},
		time.Now(), big.NewInt(1),
		[]*int{nil},
	} {
		schema, wrapped, err := validate.Output(reflect.TypeOf(v), nil)
		if err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		doc := asJSON(t, v)
		if wrapped {
			doc = `{"result":` + doc + `}`
		}
		var tree any
		_ = json.Unmarshal([]byte(doc), &tree)
		if err := resolve(t, schema).Validate(tree); err != nil {
			t.Errorf("%T: %s does not fit %s: %v", v, doc, schema, err)
		}
	}
}

func TestOutputOptions(t *testing.T) {
	type out struct {
		P   point `json:"p"`
		Raw int   `json:"raw_data"`
		X   int   `json:"x"`
	}
	got, _, err := validate.Output(reflect.TypeFor[out](), &validate.OutputOptions{
		OmitMembers: []string{"x"},
		Schemas:     map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[point](): {Type: "array"}},
	})
	want := `{"type":"object","properties":{"p":{"type":"array"},"raw_data":{"type":"integer"}},"required":["p","raw_data"],"additionalProperties":false}`
	if err != nil || string(got) != want {
		t.Errorf("\n got %s %v\nwant %s", got, err, want)
	}
}

func TestOutputOfWhatIsNoJSON(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[chan int](), reflect.TypeFor[struct{ F func() }](), reflect.TypeFor[[]complex64](), nil,
		reflect.TypeFor[selfList](), reflect.TypeFor[struct{ M selfMap }](), reflect.TypeFor[selfPointer](),
	} {
		if schema, _, err := validate.Output(typ, nil); err == nil {
			t.Errorf("Output(%v) = %s, want an error", typ, schema)
		}
	}
}
