package validate_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json/jsontext"
)

// TestMetByOthers holds what people have met with the arguments of tools: the part that is decided here.
func TestMetByOthers(t *testing.T) {
	type list struct {
		Limit int `json:"limit" default:"10"`
	}
	type get struct {
		ID int    `json:"id"`
		Q  string `json:"q"`
	}
	type lookup struct {
		Expr  string `json:"expr"`
		Start string `json:"start_time" default:"now-1h"`
	}
	type act struct {
		Action string `json:"action" validate:"oneof=preview apply revert"`
		Color  string `json:"color,omitempty" validate:"oneof=red green 'dark blue'"`
	}
	for _, tt := range []struct {
		name string
		try  func(doc string) (any, error)
		doc  string
		want string // the value, or the error
	}{
		{"no arguments", try[struct{}](t), ``, `{}`},
		{"no arguments", try[struct{}](t), `null`, `{}`},
		{"no arguments", try[struct{}](t), `{}`, `{}`},
		{"no arguments", try[list](t), ``, `{"limit":10}`},
		{"no arguments", try[list](t), `null`, `{"limit":10}`},
		{"no arguments", try[list](t), `{}`, `{"limit":10}`},
		{"all that is missing", try[get](t), `{}`, `Invalid arguments: id: required, must be a whole number; q: required, must be a string`},
		{"all that is missing", try[get](t), `{"id":1}`, `Invalid arguments: q: required, must be a string`},
		{"unknown names", try[lookup](t), `{"query":"age > 30"}`, `Invalid arguments: expr: required, must be a string; query: unknown argument (known: expr, start_time)`},
		{"unknown names", try[lookup](t), `{"expr":"x","startTime":"2020"}`, `Invalid arguments: startTime: unknown argument (did you mean "start_time"?)`},
		{"choices", try[act](t), `{"action":"find"}`, `Invalid arguments: action: must be one of: preview, apply, revert`},
		{"choices", try[act](t), `{"action":"Apply"}`, `Invalid arguments: action: must be one of: preview, apply, revert`},
		{"choices", try[act](t), `{"action":"apply","color":"dark blue"}`, `{"action":"apply","color":"dark blue"}`},
		{"choices", try[act](t), `{"action":"apply","color":""}`, `Invalid arguments: color: must be one of: red, green, "dark blue"`},
	} {
		v, err := tt.try(tt.doc)
		var got string
		if err != nil {
			got = err.Error()
		} else {
			got = asJSON(t, v)
		}
		if got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.name, tt.doc, got, tt.want)
		}
	}
	schema := string(validate.MustFor[act](nil).Schema())
	for _, enum := range []string{`["preview","apply","revert"]`, `["red","green","dark blue"]`} {
		if !strings.Contains(schema, enum) {
			t.Errorf("no %s in %s", enum, schema)
		}
	}
}

func try[T any](t *testing.T) func(string) (any, error) {
	c, err := validate.For[T](nil)
	if err != nil {
		t.Fatal(err)
	}
	return func(doc string) (any, error) {
		v, err := c.Decode(jsontext.Value(doc))
		return v, err
	}
}
