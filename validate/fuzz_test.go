package validate_test

import (
	stdjson "encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// everything has fields whose schema says all that the check wants, so that both must agree on any document.
type everything struct {
	Name  string            `json:"name" validate:"max=4"`
	Small int8              `json:"small,omitempty" validate:"min=-5"`
	Port  uint16            `json:"port,omitempty" validate:"port"`
	Ratio float64           `json:"ratio,omitempty" validate:"gte=0,lt=1"`
	Flag  bool              `json:"flag,omitempty"`
	Color string            `json:"color,omitempty" validate:"oneof=red green"`
	Tags  []string          `json:"tags,omitempty" validate:"max=3,unique,dive,alphanum"`
	Nums  [][]int32         `json:"nums,omitempty" validate:"dive,max=2"`
	Pair  [2]bool           `json:"pair,omitzero"`
	Ptr   *int32            `json:"ptr"`
	Ptrs  []*int32          `json:"ptrs,omitempty"`
	Map   map[string]uint8  `json:"map,omitempty" validate:"max=2,dive,keys,lowercase,ascii,endkeys,min=1"`
	Sub   *everything       `json:"sub"`
	Subs  []everything      `json:"subs,omitempty"`
	Data  []byte            `json:"data,omitempty"`
	Any   any               `json:"any,omitempty"`
	Raw   jsontext.Value    `json:"raw,omitempty"`
	Deep  map[string][]pair `json:"deep,omitempty"`
}

// oddities has what is compared with json/v2 only, or with nothing.
type oddities struct {
	Time  time.Time      `json:"time,omitzero"`
	Wait  time.Duration  `json:"wait,omitempty" validate:"min=1s"`
	Big   int64          `json:"big" default:"7"`
	Level level          `json:"level,omitempty" validate:"oneof=low mid"`
	Num   stdjson.Number `json:"num,omitempty"`
	Point point          `json:"point,omitzero"`
	Mail  string         `json:"mail,omitempty" validate:"email|url"`
	Keys  map[int]string `json:"keys,omitempty"`
	More  map[string]int `json:",inline" validate:"dive,even"`
}

func FuzzDecode(f *testing.F) {
	for _, doc := range []string{
		``, `null`, `{}`, `{"name":"a"}`, `{"name":"a","small":"7","port":80.0,"ratio":0.5,"flag":"true","color":"red"}`,
		`{"name":"a","tags":["a","b"],"nums":"[[1,2],[3]]","pair":[true,false],"ptr":null,"ptrs":[1,null],"map":{"a":1}}`,
		`{"name":"a","sub":{"name":"b","subs":[{"name":"c"}]},"data":"aGk=","any":{"x":[1e3]},"raw":[{}],"deep":{"x":[{"key":"k"}]}}`,
		`{"Name":"a","name":"b","name":"c","nmae":1} x`, `"{\"name\":\"a\"}"`, `{"name":"\ud83d\ude00\u0000"}`, `[1`, `{"a":1,"a":2}`,
		`{"time":"2026-01-02T03:04:05Z","wait":"90s","big":9007199254740993,"level":"mid","num":1e5,"point":[1,2],"keys":{"-1":"x"},"other":2}`,
	} {
		f.Add([]byte(doc))
	}
	exact, loose := compile(f, reflect.TypeFor[everything](), house), compile(f, reflect.TypeFor[oddities](), house)
	schema := resolve(f, exact.Schema())
	f.Fuzz(func(t *testing.T, doc []byte) {
		readable(t, loose.Decode(doc, new(oddities)))
		threeWays(t, exact, schema, doc)
	})
}

// threeWays compares what the check, json/v2 and the schema make of a document.
func threeWays(t *testing.T, exact *validate.Args, schema *jsonschema.Resolved, doc []byte) {
	t.Helper()
	var got, want everything
	err := exact.Decode(doc, &got)
	readable(t, err)
	if len(doc) == 0 || !jsontext.Value(doc).IsValid() {
		if len(doc) > 0 && err == nil {
			t.Fatalf("accepts %q, which is not JSON", doc)
		}
		return
	}
	plain := json.Unmarshal(doc, &want, json.RejectUnknownMembers(true)) == nil
	if err == nil && plain && !same(got, want) {
		t.Fatalf("%s\n is %+v\nwant %+v", doc, got, want)
	}
	var tree any
	if stdjson.Unmarshal(doc, &tree) != nil || tree == nil {
		return // a number that float64 does not hold, or null
	}
	refusal := schema.Validate(tree)
	if err == nil && plain && refusal != nil && !strings.Contains(string(doc), "null") {
		t.Fatalf("the check accepts %s, the schema does not: %v", doc, refusal)
	}
	if refusal == nil && err != nil {
		t.Fatalf("the schema accepts %s, the check does not: %v", doc, err)
	}
}

// Random documents with mostly the right names, which a fuzzer takes long to find.
func TestRandomDocuments(t *testing.T) {
	exact := compile(t, reflect.TypeFor[everything](), nil)
	schema := resolve(t, exact.Schema())
	r := rand.New(rand.NewPCG(3, 4))
	accepted := 0
	for range 8_000 {
		doc := []byte(randomObject(r, 3))
		threeWays(t, exact, schema, doc)
		if exact.Decode(doc, new(everything)) == nil {
			accepted++
		}
	}
	if accepted < 800 {
		t.Errorf("only %d documents were accepted", accepted)
	}
}

// randomValues are values for each member of everything, most of them right.
var randomValues = map[string][]string{
	"small": {`1`, `-5`, `-6`, `127`, `128`, `1e2`, `"7"`, `1.5`, `null`}, "port": {`1`, `0`, `65535`, `65536`, `80.0`},
	"ratio": {`0`, `0.5`, `1`, `1e-3`, `"0.1"`, `-0`}, "flag": {`true`, `false`, `"true"`, `1`}, "color": {`"red"`, `"green"`, `"Red"`, `""`},
	"tags": {`[]`, `["a","b"]`, `["a","a"]`, `["é"]`, `["a","b","c","d"]`, `"[\"a\"]"`, `[""]`}, "nums": {`[]`, `[[1],[2,3]]`, `[[1,2,3]]`, `[[2147483648]]`},
	"pair": {`[true,false]`, `[true]`, `[true,false,true]`}, "ptr": {`5`, `null`, `"5"`}, "ptrs": {`[1,null]`, `[]`, `[1.0]`},
	"map": {`{}`, `{"a":1}`, `{"A":1}`, `{"a":0}`, `{"a":256}`, `{"a":1,"b":2,"c":3}`, `{"":1}`}, "data": {`"aGk="`, `""`, `"aGk"`, `"a"`},
	"any": {`1`, `"x"`, `[1,{"a":null}]`, `{}`}, "raw": {`1`, `{"a":[]}`}, "deep": {`{}`, `{"x":[]}`, `{"x":[{"key":"a"}]}`, `{"x":[{"key":""}]}`, `{"x":[{"value":1}]}`},
	"colour": {`1`}, "Name": {`"a"`},
}

func randomObject(r *rand.Rand, depth int) string {
	members := []string{`"name":` + []string{`"a"`, `"abcd"`, `"é"`, `"abcde"`, `""`, `1`}[r.IntN(6)]}
	if r.IntN(20) == 0 {
		members = nil
	}
	names := slices.Sorted(maps.Keys(randomValues))
	for range r.IntN(4) {
		n := names[r.IntN(len(names))]
		members = append(members, `"`+n+`":`+randomValues[n][r.IntN(len(randomValues[n]))])
	}
	if depth > 0 && r.IntN(4) == 0 {
		members = append(members, `"sub":`+randomObject(r, depth-1), `"subs":[`+randomObject(r, depth-1)+`]`)
	}
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return `{` + strings.Join(members, ",") + `}`
}

// readable checks what holds for every error: its type, and that it is safe to print.
func readable(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var bad *validate.Error
	if !errors.As(err, &bad) || len(bad.Problems) == 0 {
		t.Fatalf("%v is no *Error with problems", err)
	}
	if strings.ContainsFunc(err.Error(), func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Fatalf("%q cannot be printed", err)
	}
}

// same compares what was read. The members of type any are left out: they hold large numbers in a way of their own.
func same(a, b everything) bool {
	a.strip()
	b.strip()
	x, _ := stdjson.Marshal(a)
	y, _ := stdjson.Marshal(b)
	return string(x) == string(y)
}

func (e *everything) strip() {
	e.Any = nil
	if e.Sub != nil {
		e.Sub.strip()
	}
	for i := range e.Subs {
		e.Subs[i].strip()
	}
}

func FuzzTags(f *testing.F) {
	f.Add("min=1,max=5", "dive,email", uint8(0), uint8(7))
	f.Add("required_if=W 1", "gtfield=V", uint8(1), uint8(1))
	f.Add("dive,keys,oneof=a b,endkeys,eqcsfield=V", "unique=Key|min=1", uint8(11), uint8(10))
	f.Add(`oneof='a b`, "datetime=2006-01-02 15:04", uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, first, second string, a, b uint8) {
		if strings.ContainsAny(first+second, "\"\\`\n") {
			return // not a tag
		}
		combination(t, tagTypes[int(a)%len(tagTypes)], tagTypes[int(b)%len(tagTypes)], [2]string{first, second})
	})
}
