package pipeline_test

import (
	"fmt"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

// TestSetJSONText: the steps behind one of a user go through the text that it sets as
// they do through that of the document.
func TestSetJSONText(t *testing.T) {
	const redacted = `\"[REDACTED:secret_value]\"`
	for _, tt := range []struct{ text, want string }{
		{`{"password":["hunter2"]}`, `{\"password\":[` + redacted + `]}`},
		{`{"password":{"value":"hunter2"}}`, `{\"password\":{\"value\":` + redacted + `}}`},
		{`{"n":{"token":12345678}}`, `{\"n\":{\"token\":` + redacted + `}}`},
		{`password=hunter2`, `password=[REDACTED:secret_value]`},
		{`{"a":1}`, `{\"a\":1}`},
		{`{no JSON}`, `{no JSON}`},
	} {
		for name, set := range map[string]func(c *pipeline.Cursor) error{
			"Set":       func(c *pipeline.Cursor) error { return c.Set(tt.text) },
			"SetString": func(c *pipeline.Cursor) error { c.SetString(tt.text); return nil },
		} {
			for _, before := range []string{`1`, `"old"`, `"{\"old\":1}"`} {
				p := setting(t, set)
				pass := p.Begin(t.Context(), mcplayer.CallInfo{})
				out, err := pass.JSON([]byte(`{"a":` + before + `}`))
				if err != nil {
					t.Fatal(err)
				}
				if want := fmt.Sprintf(`{"a":"%s"}`, tt.want); string(out) != want {
					t.Errorf("%s of %s in place of %s: got %s, want %s", name, tt.text, before, out, want)
				}
			}
		}
	}
}

// setting has a step that sets the member a of the document, and redact behind it.
func setting(t *testing.T, set func(*pipeline.Cursor) error) mcplayer.Pipeline {
	t.Helper()
	b := pipeline.NewBuilder(nil)
	err := b.Register("setter", func(*pipeline.Options) (pipeline.Transform, error) {
		return pipeline.Func(func(c *pipeline.Cursor) error {
			if len(c.Path()) == 1 && c.Key() == "a" {
				return set(c)
			}
			return nil
		}), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Build([]pipeline.Spec{{Type: "setter"}, {Type: "redact", Options: options{"strategies": options{"secret": "redact"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
