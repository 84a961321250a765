package policy_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/go-json-experiment/json/jsontext"
)

// desk is a layer whose primitives give out the documents of a test and keep what they
// are asked for.
type desk struct {
	*mcplayer.Layer
	policy *policy.Policy
	who    *mcplayer.Principal
	shows  string // a JSON document
	asked  string // what a handler got last, as JSON
}

// newDesk puts a profile or a file in force.
func newDesk(t testing.TB, source string, hints mcplayer.Hints) *desk {
	t.Helper()
	doc, err := policy.LoadDocument(source)
	if err != nil {
		t.Fatal(err)
	}
	if doc.Vault == nil {
		doc.Vault = map[string]any{}
	}
	doc.Vault["key"] = "a key for tests, and a long one"
	doc.RateLimits = nil
	d := &desk{who: mcplayer.NewPrincipal("ann", "default", "analyst")}
	d.policy = put(t, doc, &policy.Options{Logger: slog.New(slog.DiscardHandler)})
	d.Layer = newLayer(t, d.registry(hints), d.policy)
	d.OnClose(d.policy.Close)
	t.Cleanup(func() { _ = d.Close(context.WithoutCancel(t.Context())) })
	return d
}

func (d *desk) registry(hints mcplayer.Hints) *mcplayer.Registry {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "show", Capabilities: mcplayer.ReadState, Hints: hints},
		func(context.Context, *mcplayer.ToolContext, struct{}) (any, error) {
			return jsontext.Value(d.shows), nil
		})
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "ask", Capabilities: mcplayer.ReadState, Hints: hints},
		func(_ context.Context, _ *mcplayer.ToolContext, in jsontext.Value) (any, error) {
			d.asked = string(in)
			return nil, nil
		})
	keep := func(_ context.Context, _ *mcplayer.ToolContext, got map[string]string) (any, error) {
		d.keep(got)
		return "kept", nil
	}
	mcplayer.AddResourceTemplate(reg, mcplayer.ResourceTemplate{URITemplate: "assets://{account}/{+id}", Complete: map[string]mcplayer.CompletionFunc{"id": d.complete}}, keep)
	mcplayer.AddPrompt(reg, mcplayer.Prompt{Name: "explain", Arguments: []mcplayer.PromptArgument{{Name: "asset", Complete: d.complete}}}, keep)
	return reg
}

func (d *desk) complete(_ context.Context, _ *mcplayer.ToolContext, in mcplayer.CompletionInput) ([]string, error) {
	d.keep(in)
	var values []string
	err := json.Unmarshal([]byte(d.shows), &values)
	return values, err
}

func (d *desk) keep(v any) {
	doc, _ := json.Marshal(v)
	d.asked = string(doc)
}

// show returns what the client sees of a document.
func (d *desk) show(t testing.TB, doc string) (structured, wire string) {
	t.Helper()
	d.shows = doc
	res, err := d.CallTool(t.Context(), "show", nil, mcplayer.As(d.who))
	if err != nil || res.IsError {
		t.Fatalf("%v, %s", err, told(res.ToWire(), nil))
	}
	return string(res.Structured), told(res.ToWire(), nil)
}

// ask calls a tool with a document as the arguments and returns what its handler got.
func (d *desk) ask(t testing.TB, args string) string {
	t.Helper()
	d.asked = ""
	res, err := d.CallTool(t.Context(), "ask", jsontext.Value(args), mcplayer.As(d.who))
	if err != nil {
		t.Fatal(err)
	}
	if res.IsError {
		return told(res.ToWire(), nil)
	}
	return d.asked
}

// parts returns the members of a document, texts without quotes.
func parts(t testing.TB, doc string) map[string]string {
	t.Helper()
	var members map[string]jsontext.Value
	if err := json.Unmarshal([]byte(doc), &members); err != nil {
		t.Fatalf("%v in %s", err, doc)
	}
	out := map[string]string{}
	for name, v := range members {
		var s string
		if json.Unmarshal(v, &s) != nil {
			s = strings.TrimSpace(string(v))
		}
		out[name] = s
	}
	return out
}
