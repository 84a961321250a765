package validate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type search struct {
	Limit int    `json:"limit" default:"50" validate:"min=1,max=500"`
	Query string `json:"query"`
	Color string `json:"color,omitempty" validate:"oneof=red green 'dark blue'"`
	Start string `json:"start_time,omitempty"`
	Rows  []row  `json:"rows,omitempty" validate:"max=3"`
	Opts  struct {
		Deep  bool `json:"deep,omitempty"`
		Depth int  `json:"depth" default:"3" validate:"max=9"`
	} `json:"opts,omitzero"`
}

type row struct {
	Name string `json:"name"`
	Size int8   `json:"size,omitempty" validate:"gt=0"`
}

type dates struct {
	From  *time.Time `json:"from"`
	To    *time.Time `json:"to" validate:"gtfield=From"`
	Min   int        `json:"min,omitempty"`
	Max   int        `json:"max,omitempty" validate:"gtefield=Min"`
	Mode  string     `json:"mode,omitempty"`
	Path  string     `json:"path,omitempty" validate:"required_if=Mode full,excluded_if=Mode quick"`
	User  string     `json:"user,omitempty" validate:"required_with=Pass"`
	Pass  string     `json:"pass,omitempty" validate:"required_with=User,excluded_with=Token"`
	Token string     `json:"token,omitempty" validate:"nefield=User"`
}

type cross struct {
	Limit int `json:"limit"`
	Inner struct {
		N     int   `json:"n" validate:"min=1,ltecsfield=Limit"`
		Sizes []int `json:"sizes,omitempty" validate:"dive,ltecsfield=Limit"`
	} `json:"inner"`
	Rest []struct {
		N int `json:"n" validate:"ltecsfield=Limit"`
	} `json:"rest,omitempty"`
}

type twins struct {
	A string `json:"a,omitempty"`
	B string `json:"b,omitempty" validate:"eqfield=A"`
	C string `json:"c,omitempty" validate:"fieldcontains=A"`
}

type forest map[string]struct {
	Sub forest2 `json:"sub,omitempty"`
}

type forest2 map[string]*wood

type wood struct {
	Sub forest2 `json:"sub"`
}

type open struct {
	A    int            `json:"a" validate:"min=1"`
	More map[string]int `json:",inline" validate:"max=2,dive,keys,alpha,endkeys,min=1"`
}

type openRaw struct {
	A    int            `json:"a,omitempty"`
	More jsontext.Value `json:",embed"`
}

type unchecked struct {
	P pair   `json:"p" validate:"-"`
	Q []pair `json:"q,omitempty" validate:"dive,structonly"`
}

// Arguments as a whole.
var arguments = []struct {
	name string
	t    reflect.Type
	doc  string
	want string // as encoding/json writes it, or the problems
}{
	{"absent", reflect.TypeFor[struct{}](), ``, `{}`},
	{"null", reflect.TypeFor[struct{}](), ` null `, `{}`},
	{"empty", reflect.TypeFor[struct{}](), `{}`, `{}`},
	{"absent map", reflect.TypeFor[map[string]int](), ``, `{}`},
	{"absent any", reflect.TypeFor[any](), ``, `{}`},
	{"absent raw", reflect.TypeFor[json.RawMessage](), `null`, `{}`},
	{"as text", reflect.TypeFor[pair](), `"{\"key\":\"a\"}"`, `{"key":"a"}`},
	{"as text in text", reflect.TypeFor[pair](), `"\"{}\""`, `must be an object [type]`},
	{"as empty text", reflect.TypeFor[pair](), `""`, `must be an object [type]`},
	{"list", reflect.TypeFor[pair](), `[]`, `must be an object [type]`},
	{"number", reflect.TypeFor[pair](), `1`, `must be an object [type]`},
	{"list for any", reflect.TypeFor[any](), `[1]`, `must be an object [type]`},
	{"truncated", reflect.TypeFor[pair](), `{"key":"a"`, `must be valid JSON (it is not at byte 10) [json]`},
	{"truncated name", reflect.TypeFor[pair](), `{"ke`, `must be valid JSON (it is not at byte 4) [json]`},
	{"garbage", reflect.TypeFor[pair](), `{"key":secret}`, `must be valid JSON (it is not at byte 7) [json]`},
	{"bad UTF-8", reflect.TypeFor[pair](), "{\"key\":\"\xff\"}", `must be valid JSON (it is not at byte 8) [json]`},
	{"trailing comma", reflect.TypeFor[pair](), `{"key":"a",}`, `must be valid JSON (it is not at byte 10) [json]`},
	{"trailing object", reflect.TypeFor[pair](), `{"key":"a"} {}`, `must be one JSON object with nothing behind it [json]`},
	{"trailing garbage", reflect.TypeFor[pair](), `{"key":"a"}x`, `must be one JSON object with nothing behind it [json]`},
	{"trailing after null", reflect.TypeFor[pair](), `null 1`, `must be one JSON object with nothing behind it [json]`},
	{"trailing space", reflect.TypeFor[pair](), "{\"key\":\"a\"} \n", `{"key":"a"}`},
	{"missing", reflect.TypeFor[struct {
		ID int    `json:"id"`
		Q  string `json:"q"`
	}](), `{}`, `id: required, must be a whole number [missing]; q: required, must be a string [missing]`},
	{"missing one", reflect.TypeFor[struct {
		ID int    `json:"id"`
		Q  string `json:"q"`
	}](), `{"id":1}`, `q: required, must be a string [missing]`},
	{"missing enum", reflect.TypeFor[struct {
		Action string `json:"action" validate:"oneof=preview apply revert"`
		Level  level  `json:"level" validate:"oneof=low"`
	}](), `{}`, `action: required, must be one of: preview, apply, revert [missing]; level: required, must be one of: low [missing]`},
	{"required and zero", reflect.TypeFor[struct {
		A int     `json:"a" validate:"required"`
		B string  `json:"b" validate:"required"`
		C bool    `json:"c" validate:"required"`
		D []int   `json:"d" validate:"required"`
		E float64 `json:"e" validate:"required"`
	}](), `{"a":0,"b":"","c":false,"d":[],"e":0}`, `{"a":0,"b":"","c":false,"d":[],"e":0}`},
	{"optional and absent", reflect.TypeFor[struct {
		A int `json:"a,omitempty" validate:"min=5"`
	}](), `{}`, `{}`},
	{"optional and null", reflect.TypeFor[struct {
		A int  `json:"a,omitempty" validate:"min=5"`
		B any  `json:"b,omitempty"`
		C *int `json:"c"`
	}](), `{"a":null,"b":null,"c":null}`, `{"c":null}`},
	{"optional and zero", reflect.TypeFor[struct {
		A int `json:"a,omitempty" validate:"min=5"`
	}](), `{"a":0}`, `a: must be 5 or greater [range]`},
	{"defaults", reflect.TypeFor[search](), `{"query":"x"}`, `{"limit":50,"query":"x","opts":{"depth":3}}`},
	{"defaults inside", reflect.TypeFor[search](), `{"query":"x","opts":{"deep":true}}`, `{"limit":50,"query":"x","opts":{"deep":true,"depth":3}}`},
	{"the example", reflect.TypeFor[search](), `{"query":"x","colour":"red","limit":0}`, `limit: must be 1 or greater [range]; colour: unknown argument (did you mean "color"?) [unknown]`},
	{"unknown and missing", reflect.TypeFor[struct {
		Expr  string `json:"expr"`
		Start string `json:"start_time,omitempty"`
	}](), `{"query":"age > 30"}`, `expr: required, must be a string [missing]; query: unknown argument (known: expr, start_time) [unknown]`},
	{"another convention", reflect.TypeFor[search](), `{"query":"x","startTime":"y"}`, `startTime: unknown argument (did you mean "start_time"?) [unknown]`},
	{"wrong case", reflect.TypeFor[search](), `{"Query":"x"}`, `query: required, must be a string [missing]; Query: unknown argument (did you mean "query"?) [unknown]`},
	{"swapped letters", reflect.TypeFor[search](), `{"query":"x","lmiit":1}`, `lmiit: unknown argument (did you mean "limit"?) [unknown]`},
	{"unknown where none is known", reflect.TypeFor[struct{}](), `{"a":1}`, `a: unknown argument (none are accepted here) [unknown]`},
	{"unknown in order", reflect.TypeFor[pair](), `{"zz":{"a":[1]},"key":"","aa":null}`, `key: must have at least 1 character [length]; zz: unknown argument (known: key, value) [unknown]; aa: unknown argument (known: key, value) [unknown]`},
	{"unknown with control", reflect.TypeFor[struct{}](), `{"a\r\nb":1,"":2}`, `["a\r\nb"]: unknown argument (none are accepted here) [unknown]; [""]: unknown argument (none are accepted here) [unknown]`},
	{"unknown and long", reflect.TypeFor[struct{}](), `{"` + strings.Repeat("x", 99) + `":1}`, `["` + strings.Repeat("x", 64) + `..."]: unknown argument (none are accepted here) [unknown]`},
	{"duplicate", reflect.TypeFor[search](), `{"query":"x","limit":1,"limit":2}`, `limit: given more than once [duplicate]`},
	{"duplicate by escape", reflect.TypeFor[search](), `{"query":"x","\u0071uery":"y"}`, `query: given more than once [duplicate]`},
	{"duplicate after null", reflect.TypeFor[search](), `{"query":"x","limit":null,"limit":2}`, `limit: given more than once [duplicate]`},
	{"duplicate unknown", reflect.TypeFor[struct{}](), `{"a":1,"a":2}`, `a: unknown argument (none are accepted here) [unknown]; a: given more than once [duplicate]`},
	{
		"all at once in order", reflect.TypeFor[search](), `{"rows":[{"name":"a"},{"size":300},{"name":"c","size":0,"siez":1}],"x":1,"color":"pink","limit":"many"}`,
		`limit: must be a whole number [type]; query: required, must be a string [missing]; color: must be one of: red, green, "dark blue" [enum]; rows[1].name: required, must be a string [missing]; rows[1].size: must be between -128 and 127 [range]; rows[2].size: must be greater than 0 [range]; rows[2].siez: unknown argument (did you mean "size"?) [unknown]; x: unknown argument (known: limit, query, color, start_time, rows, opts) [unknown]`,
	},
	{"inner object as text", reflect.TypeFor[search](), `{"query":"x","rows":"[{\"name\":\"a\",\"size\":\"300\"}]"}`, `rows[0].size: must be between -128 and 127 [range]`},
	{"inner object of another type", reflect.TypeFor[search](), `{"query":"x","rows":["a",null,{"name":"b"}],"opts":[]}`, `rows[0]: must be an object [type]; rows[1]: must not be null [null]; opts: must be an object [type]`},
	{"embedded", reflect.TypeFor[extended](), `{"id":1,"name":"x"}`, `{"id":1,"note":"none","name":"x"}`},
	{"embedded with problem", reflect.TypeFor[struct{ base }](), `{"id":"x"}`, `id: must be a whole number [type]; name: required, must be a string [missing]`},
	{"additional", reflect.TypeFor[open](), `{"a":1,"b":2,"c":3}`, `{"a":1,"More":{"b":2,"c":3}}`},
	{"additional none", reflect.TypeFor[open](), `{"a":1}`, `{"a":1,"More":null}`},
	{"additional with problems", reflect.TypeFor[open](), `{"x1":0,"a":0,"y":"z"}`, `a: must be 1 or greater [range]; y: must be a whole number [type]; x1: the name must be letters a-z only [format]; x1: must be 1 or greater [range]`},
	{"additional too many", reflect.TypeFor[open](), `{"a":1,"b":2,"c":3,"d":4}`, `must have at most 2 entries [length]`},
	{"additional duplicate", reflect.TypeFor[open](), `{"a":1,"b":2,"b":3}`, `b: given more than once [duplicate]`},
	{"additional raw", reflect.TypeFor[openRaw](), `{"x":[1, 2],"a":1,"y\n":1E400}`, `{"a":1,"More":{"x":[1,2],"y\n":1E400}}`},
	{"additional raw duplicate", reflect.TypeFor[openRaw](), `{"x":{"a":1,"a":2}}`, `x: must not hold an object with the same name twice [duplicate]`},
	{"map", reflect.TypeFor[map[string]pair](), `{"a":{"key":"x"},"b":{"key":""}}`, `b.key: must have at least 1 character [length]`},
	{"map from text", reflect.TypeFor[map[string]int](), `"{\"a\":\"1\"}"`, `{"a":1}`},
	{"raw", reflect.TypeFor[json.RawMessage](), `{"a": 1.0}`, `{"a":1.0}`},
	{"raw duplicate", reflect.TypeFor[json.RawMessage](), `{"a":1,"a":2}`, `must not hold an object with the same name twice [duplicate]`},
	{"any", reflect.TypeFor[any](), `{"a":[1,null]}`, `{"a":[1,null]}`},
	{
		"recursive", reflect.TypeFor[tree](), `{"name":"a","kids":[{"name":"b","kids":[{"name":"1"}]}],"by":{"x":null,"y":{"nam":"c"}}}`,
		`kids[0].kids[0].name: must be letters a-z only [format]; by.y.name: required, must be a string [missing]; by.y.nam: unknown argument (did you mean "name"?) [unknown]`,
	},
	{"later than another", reflect.TypeFor[dates](), `{"from":"2026-01-02T00:00:00Z","to":"2026-01-01T00:00:00Z"}`, `to: must be after from [relation]`},
	{"later than an absent one", reflect.TypeFor[dates](), `{"to":"2026-01-01T00:00:00Z"}`, `{"from":null,"to":"2026-01-01T00:00:00Z"}`},
	{"not less than another", reflect.TypeFor[dates](), `{"min":3,"max":2}`, `max: must be at least min [relation]`},
	{"not less than a bad one", reflect.TypeFor[dates](), `{"min":"x","max":2}`, `min: must be a whole number [type]`},
	{"required if", reflect.TypeFor[dates](), `{"mode":"full"}`, `path: required when mode is "full" [missing]`},
	{"required if, empty", reflect.TypeFor[dates](), `{"mode":"full","path":""}`, `{"from":null,"to":null,"mode":"full"}`},
	{"required if not", reflect.TypeFor[dates](), `{"mode":"x"}`, `{"from":null,"to":null,"mode":"x"}`},
	{"excluded if", reflect.TypeFor[dates](), `{"mode":"quick","path":"/"}`, `path: not allowed when mode is "quick" [relation]`},
	{"required with", reflect.TypeFor[dates](), `{"pass":"x"}`, `user: required when pass is given [missing]`},
	{"required with an empty one", reflect.TypeFor[dates](), `{"user":""}`, `pass: required when user is given [missing]`},
	{"excluded with", reflect.TypeFor[dates](), `{"user":"u","pass":"p","token":"t"}`, `pass: not allowed when token is given [relation]`},
	{"differs", reflect.TypeFor[dates](), `{"user":"u","pass":"p","token":"u"}`, `pass: not allowed when token is given [relation]; token: must differ from user [relation]`},
	{
		"outermost", reflect.TypeFor[cross](), `{"inner":{"n":5,"sizes":[1,9]},"rest":[{"n":3},{"n":4}],"limit":3,"x":1}`,
		`inner.n: must be at most limit [relation]; inner.sizes[1]: must be at most limit [relation]; rest[1].n: must be at most limit [relation]; x: unknown argument (known: limit, inner, rest) [unknown]`,
	},
	{"map and struct hold each other", reflect.TypeFor[forest](), `{"a":{"sub":{"b":{"sub":{}},"c":{"sub":1}}}}`, `a.sub.c.sub: must be an object [type]`},
	{"outermost absent", reflect.TypeFor[cross](), `{"inner":{"n":5}}`, `limit: required, must be a whole number [missing]`},
	{"outermost bad", reflect.TypeFor[cross](), `{"limit":"x","inner":{"n":5},"rest":[{"n":1}]}`, `limit: must be a whole number [type]`},
	{"same as a bad one", reflect.TypeFor[twins](), `{"a":1,"b":"x"}`, `a: must be a string [type]`},
	{"same as an absent one", reflect.TypeFor[twins](), `{"b":"x"}`, `b: must be the same as a [relation]`},
	{"same", reflect.TypeFor[twins](), `{"a":"x","b":"x","c":"yxz"}`, `{"a":"x","b":"x","c":"yxz"}`},
	{"text of another", reflect.TypeFor[twins](), `{"a":"x","b":"x","c":"yz"}`, `c: must contain the text of a [relation]`},
	{"outermost holds", reflect.TypeFor[cross](), `{"inner":{"n":5},"limit":5}`, `{"limit":5,"inner":{"n":5}}`},
	{"unchecked", reflect.TypeFor[unchecked](), `{"p":{"key":""},"q":[{"key":""}]}`, `{"p":{"key":""},"q":[{"key":""}]}`},
	{"unchecked is still read strictly", reflect.TypeFor[unchecked](), `{"p":{"kee":""}}`, `p.key: required, must be a string [missing]; p.kee: unknown argument (did you mean "key"?) [unknown]`},
}

func TestArguments(t *testing.T) {
	for _, tt := range arguments {
		t.Run(tt.name, func(t *testing.T) {
			v, bad := decode(t, compile(t, tt.t, nil), tt.t, tt.doc)
			got := strings.Join(bad, "; ")
			if bad == nil {
				got = asJSON(t, v.Addr().Interface())
			}
			if got != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.doc, got, tt.want)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	_, err := validate.MustFor[search](nil).Decode(jsontext.Value(`{"query":"x","colour":"red","limit":0}`))
	want := `Invalid arguments: limit: must be 1 or greater; colour: unknown argument (did you mean "color"?)`
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
	if got, want := asJSON(t, err.(*validate.Error).Problems[0]), `{"loc":"limit","msg":"must be 1 or greater","type":"range"}`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	_, err = validate.MustFor[search](nil).Decode(jsontext.Value(`[]`))
	if want := `Invalid arguments: must be an object`; err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

func TestProblemsAreBounded(t *testing.T) {
	doc := `{"v":[` + strings.TrimSuffix(strings.Repeat(`"x",`, 5000), ",") + `]}`
	typ := structOf([]int(nil), ``)
	_, bad := decode(t, compile(t, typ, nil), typ, doc)
	if len(bad) != 101 || bad[99] != "v[99]: must be a whole number [type]" || bad[100] != "there are more problems; correct these first [more]" {
		t.Errorf("%d problems, last: %q", len(bad), bad[len(bad)-1])
	}
}

// Values never show up in a message, whatever is wrong with them.
func TestValuesAreNotRepeated(t *testing.T) {
	const secret = "S3CRET"
	for _, tt := range values {
		typ := structOf(tt.zero, tt.tags)
		args := compile(t, typ, nil)
		for _, doc := range []string{`"S3CRET"`, `["S3CRET"]`, `{"a":"S3CRET"}`, `"S3CRET`, `S3CRET`, `[{"a":"S3CRET","a":1}]`} {
			err := args.Decode(jsontext.Value(`{"v":`+doc+`}`), reflect.New(typ).Interface())
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%s for %s: %v", doc, tt.name, err)
			}
		}
	}
}

func TestDefaultsAreNotShared(t *testing.T) {
	type in struct {
		List []int          `json:"list" default:"[1,2]"`
		Map  map[string]int `json:"map" default:"{\"a\":1}"`
		Ptr  *int           `json:"ptr" default:"3"`
	}
	c := validate.MustFor[in](nil)
	first, _ := c.Decode(nil)
	first.List[0], first.Map["a"], *first.Ptr = 9, 9, 9
	second, err := c.Decode(nil)
	if got := asJSON(t, second); err != nil || got != `{"list":[1,2],"map":{"a":1},"ptr":3}` {
		t.Errorf("the second call got %s, %v", got, err)
	}
}

func TestValuesDoNotKeepTheDocument(t *testing.T) {
	type in struct {
		S   string          `json:"s"`
		B   []byte          `json:"b"`
		Raw json.RawMessage `json:"raw"`
	}
	doc := jsontext.Value(`{"s":"text","b":"aGk=","raw":{"a":1}}`)
	v, err := validate.MustFor[in](nil).Decode(doc)
	clear(doc)
	if got := asJSON(t, v); err != nil || got != `{"s":"text","b":"aGk=","raw":{"a":1}}` {
		t.Errorf("got %s, %v", got, err)
	}
}

// One Args serves many calls at once, and may be given one document at once.
func TestDecodeAtOnce(t *testing.T) {
	c := validate.MustFor[search](nil)
	doc := jsontext.Value(`{"query":"\u0061","rows":"[{\"name\":\"x\"}]","limit":"7"}`)
	bad := jsontext.Value(`{"query":1,"lmit":2}`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if v, err := c.Decode(doc); err != nil || v.Limit != 7 || v.Query != "a" || v.Rows[0].Name != "x" {
					t.Errorf("got %+v, %v", v, err)
				}
				if _, err := c.Decode(bad); len(err.(*validate.Error).Problems) != 2 {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// Structs with more fields than a word has bits.
func TestManyFields(t *testing.T) {
	var fields []reflect.StructField
	var members []string
	for i := range 130 {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int](), Tag: reflect.StructTag(fmt.Sprintf(`json:"f%d" validate:"max=%d"`, i, i)),
		})
		members = append(members, fmt.Sprintf(`"f%d":%d`, i, i))
	}
	typ := reflect.StructOf(fields)
	args := compile(t, typ, nil)
	v, bad := decode(t, args, typ, "{"+strings.Join(members, ",")+"}")
	if bad != nil || v.Field(129).Int() != 129 {
		t.Errorf("got %v, %q", v, bad)
	}
	slices.Reverse(members)
	_, bad = decode(t, args, typ, "{"+strings.Join(members[1:], ",")+`,"f64":0,"f128":1}`)
	want := []string{"f64: given more than once [duplicate]", "f128: given more than once [duplicate]", "f129: required, must be a whole number [missing]"}
	if !slices.Equal(bad, want) {
		t.Errorf("got %q", bad)
	}
}

func TestDecodeTarget(t *testing.T) {
	args := compile(t, reflect.TypeFor[*pair](), nil)
	doc := jsontext.Value(`{"key":"a"}`)
	var p pair
	var pp *pair
	for _, into := range []any{&p, &pp} {
		if err := args.Decode(doc, into); err != nil {
			t.Errorf("Decode into %T: %v", into, err)
		}
	}
	if p.Key != "a" || pp == nil || pp.Key != "a" {
		t.Errorf("got %+v, %+v", p, pp)
	}
	for _, into := range []any{nil, p, (*pair)(nil), &struct{}{}} {
		if err := args.Decode(doc, into); err == nil {
			t.Errorf("Decode into %T: no error", into)
		}
	}
}

func TestPanicOfTheHostIsAnError(t *testing.T) {
	opts := &validate.Options{Rules: []validate.Rule{{Tag: "explode", Check: func(v reflect.Value, _ string) bool {
		if v.Int() == 13 {
			panic("boom")
		}
		return true
	}}}}
	typ := structOf(0, `validate:"explode"`)
	err := compile(t, typ, opts).Decode(jsontext.Value(`{"v":13}`), reflect.New(typ).Interface())
	p, ok := err.(*validate.PanicError)
	if !ok || p.Value != "boom" || len(p.Stack) == 0 || strings.Contains(p.Error(), "boom") {
		t.Errorf("got %T %v", err, err)
	}
}

func TestSuccessAllocates(t *testing.T) {
	c := validate.MustFor[scalars](nil)
	doc := jsontext.Value(scalarsDoc)
	n := testing.AllocsPerRun(200, func() {
		if _, err := c.Decode(doc); err != nil {
			t.Fatal(err)
		}
	})
	if n > 8 {
		t.Errorf("%v allocations for ten scalar fields", n)
	}
}

// A tool on a bare SDK server: the schema goes into the tool, the check into its handler.
func ExampleFor() {
	type greet struct {
		Name  string `json:"name" validate:"min=1" jsonschema:"who to greet"`
		Times int    `json:"times" default:"1" validate:"min=1,max=3"`
	}
	check := validate.MustFor[greet](nil)

	server := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "greet", InputSchema: check.Schema()},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var res mcp.CallToolResult
			in, err := check.Decode(jsontext.Value(req.Params.Arguments))
			if err != nil {
				res.SetError(err)
				return &res, nil
			}
			res.Content = []mcp.Content{&mcp.TextContent{Text: strings.Repeat("Hello "+in.Name+"!", in.Times)}}
			return &res, nil
		})

	ctx := context.Background()
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		panic(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		panic(err)
	}
	defer client.Close()
	for _, args := range []string{`{"name":"Ann","times":"2"}`, `{"name":"","time":9}`} {
		res, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "greet", Arguments: json.RawMessage(args)})
		if err != nil {
			panic(err)
		}
		fmt.Println(res.Content[0].(*mcp.TextContent).Text)
	}
	// Output:
	// Hello Ann!Hello Ann!
	// Invalid arguments: name: must have at least 1 character; time: unknown argument (did you mean "times"?)
}
