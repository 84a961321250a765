package mcplayer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
)

// nothingProposed is the empty completion. The SDK leaves total and hasMore out
// where they are zero.
const nothingProposed = `{"completion":{"values":[]}}`

func TestCompletionLookup(t *testing.T) {
	var calls []seen
	l := newLab(t, mcplayer.Options{Prefix: "app_", Middleware: []mcplayer.Middleware{watch(&calls)}},
		completing(func(_ context.Context, _ *mcplayer.ToolContext, in mcplayer.CompletionInput) ([]string, error) {
			return []string{in.Argument + "=" + in.Value + fmt.Sprint(in.Context)}, nil
		}),
		prompting("secret", []string{"a"}, tellArgs), through("cloudg://secret/{a}", tellVars), returning("t", nil))
	l.pol.hidden = map[string]bool{"secret": true, "cloudg://secret/{a}": true}
	server := mounted(t, l, nil)
	const template = "cloudg://c/{a}/{plain}"
	prompt := func(name string) mcplayer.CompletionRef {
		return mcplayer.CompletionRef{Kind: mcplayer.KindPrompt, Name: name}
	}
	resource := func(name string) mcplayer.CompletionRef {
		return mcplayer.CompletionRef{Kind: mcplayer.KindResourceTemplate, Name: name}
	}
	tests := []struct {
		name     string
		ref      mcplayer.CompletionRef
		in       mcplayer.CompletionInput
		value    string // "": nothing
		seen     string
		arg      string
		recorded string
	}{
		{"prompt", prompt("app_p"), mcplayer.CompletionInput{Argument: "a", Value: "v"}, "a=vmap[]", "p", `{"argument":"a","value":"v","context":{}}`, ""},
		{"with context", prompt("app_p"), mcplayer.CompletionInput{Argument: "a", Context: map[string]string{"z": "1", "b": "2"}}, "a=map[b:2 z:1]", "p", `{"argument":"a","value":"","context":{"b":"2","z":"1"}}`, ""},
		{"template", resource(template), mcplayer.CompletionInput{Argument: "a", Value: "v"}, "a=vmap[]", template, `{"argument":"a","value":"v","context":{}}`, ""},
		{"unknown prompt", prompt("app_x"), mcplayer.CompletionInput{Argument: "a"}, "", "", "", "app_x"},
		{"prompt without prefix", prompt("p"), mcplayer.CompletionInput{Argument: "a"}, "", "", "", "p"},
		{"unknown template", resource("cloudg://x/{a}"), mcplayer.CompletionInput{Argument: "a"}, "", "", "", "cloudg://x/{a}"},
		{"a URI", resource("cloudg://c/1/2"), mcplayer.CompletionInput{Argument: "a"}, "", "", "", "cloudg://c/1/2"},
		{"a control character", resource("cloudg://\u0007"), mcplayer.CompletionInput{Argument: "a"}, "", "", "", "cloudg://\u0007"},
		{"hidden prompt", prompt("app_secret"), mcplayer.CompletionInput{Argument: "a"}, "", "", "", "secret"},
		{"hidden template", resource("cloudg://secret/{a}"), mcplayer.CompletionInput{Argument: "a"}, "", "", "", "cloudg://secret/{a}"},
		{"argument without a function", prompt("app_p"), mcplayer.CompletionInput{Argument: "plain"}, "", "", "", ""},
		{"unknown argument", prompt("app_p"), mcplayer.CompletionInput{Argument: "zz"}, "", "", "", ""},
	}
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				calls, l.pol.missing = nil, nil
				want, wantSeen := nothingProposed, []seen(nil)
				if tt.value != "" {
					want = `{"completion":{"total":1,"values":["` + tt.value + `"]}}`
					wantSeen = []seen{{mcplayer.KindCompletion, tt.seen, tt.arg}}
				}
				same(t, c.propose(t, tt.ref, tt.in), want)
				if !slices.Equal(calls, wantSeen) {
					t.Errorf("saw %v, want %v", calls, wantSeen)
				}
				var recorded strings.Builder
				for _, m := range l.pol.missing {
					recorded.WriteString(m.name)
					if m.kind != mcplayer.KindCompletion || m.known != strings.HasPrefix(tt.name, "hidden") {
						t.Errorf("recorded %v", m)
					}
				}
				same(t, recorded.String(), tt.recorded)
			})
		}
	})
}

// The SDK's type leaves zero values out; clients read them the same.
func TestLimitZeroTotals(t *testing.T) {
	l := newLab(t, mcplayer.Options{})
	res, err := l.Complete(t.Context(), mcplayer.CompletionRef{Kind: mcplayer.KindPrompt, Name: "x"}, mcplayer.CompletionInput{Argument: "a"})
	if err != nil || res.Values == nil || len(res.Values)+res.Total > 0 || res.HasMore {
		t.Fatalf("got %v, %v", res, err)
	}
	same(t, outcomeOf(t, res, nil), nothingProposed)
}

func TestCompletionRefIncomplete(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
		return []string{"x"}, nil
	}))
	p := raw(t, l.Layer, mounted(t, l, nil))
	for params, want := range map[string]string{
		`{"argument":{"name":"a","value":""}}`:                                                       `{"code":-32602,"message":"missing required 'ref' field"}`,
		`{"ref":{"type":"ref/prompt","name":"p"},"argument":{"value":""}}`:                           `{"code":-32602,"message":"missing required 'argument.name' field"}`,
		`{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}`:                `{"completion":{"total":1,"values":["x"]}}`,
		`{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""},"context":null}`: `{"completion":{"total":1,"values":["x"]}}`,
	} {
		same(t, p.ask(t, "completion/complete", params), want)
	}
}

func TestCompletionValues(t *testing.T) {
	numbers := func(n int) []string {
		values := make([]string, n)
		for i := range values {
			values[i] = fmt.Sprint("v", i)
		}
		return values
	}
	first := `"` + strings.Join(numbers(100), `","`) + `"`
	tests := []struct {
		name   string
		values []string
		want   string
	}{
		{"none", nil, nothingProposed},
		{"empty", []string{}, nothingProposed},
		{"some", []string{"", "é<&>"}, `{"completion":{"total":2,"values":["","é<&>"]}}`},
		{"100", numbers(100), `{"completion":{"total":100,"values":[` + first + `]}}`},
		{"101", numbers(101), `{"completion":{"hasMore":true,"total":101,"values":[` + first + `]}}`},
		{"3000", numbers(3000), `{"completion":{"hasMore":true,"total":3000,"values":[` + first + `]}}`},
	}
	var values []string
	l := newLab(t, mcplayer.Options{}, completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
		return values, nil
	}))
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				values = tt.values
				same(t, c.propose(t, completionRefs["template"], mcplayer.CompletionInput{Argument: "a"}), tt.want)
			})
		}
	})
}

// What is hidden is not proposed either, as far as the other variables are known.
func TestCompletionsHideWhatIsHidden(t *testing.T) {
	pol := &hiding{hides: "cloudg://c/secret/x"}
	l := newLab(t, mcplayer.Options{Policy: pol},
		completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
			return []string{"open", "secret"}, nil
		}))
	server := mounted(t, l, nil)
	ref := mcplayer.CompletionRef{Kind: mcplayer.KindResourceTemplate, Name: "cloudg://c/{a}/{plain}"}
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for decided, want := range map[string]string{
			"x": `{"completion":{"total":1,"values":["open"]}}`,
			"y": `{"completion":{"total":2,"values":["open","secret"]}}`,
			"":  `{"completion":{"total":2,"values":["open","secret"]}}`,
		} {
			in := mcplayer.CompletionInput{Argument: "a", Context: map[string]string{"plain": decided}}
			same(t, c.propose(t, ref, in), want)
		}
	})
}

func TestCompletionFailuresAreEmpty(t *testing.T) {
	var f func() ([]string, error)
	l := newLab(t, mcplayer.Options{}, completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) { return f() }))
	server := mounted(t, l, nil)
	for name, fail := range map[string]func() ([]string, error){
		"plain":       func() ([]string, error) { return []string{"x"}, errors.New("private") },
		"layer error": func() ([]string, error) { return nil, mcplayer.AccessDenied("no", nil) },
		"not found":   func() ([]string, error) { return nil, mcplayer.ReferenceNotFound("no", nil) },
		"panic":       func() ([]string, error) { panic("hunter2") },
		"canceled":    func() ([]string, error) { return nil, context.Canceled },
	} {
		t.Run(name, func(t *testing.T) {
			f = fail
			everywhere(t, l, server, func(t *testing.T, c caller) {
				same(t, c.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"}), nothingProposed)
			})
			if records := l.log.find(t, "completion failed"); len(records) < 5 || records[0]["level"] != "DEBUG" {
				t.Errorf("logged %v", records)
			}
		})
	}
}

// byKey is an output pipeline with rules about member names: it blackens the
// member pass and drops the member gone.
type byKey struct{ broken }

func (byKey) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass {
	return broken{json: func(doc jsontext.Value) (jsontext.Value, error) {
		switch {
		case strings.HasPrefix(string(doc), `{"pass":`):
			return jsontext.Value(`{"pass":"***"}`), nil
		case strings.HasPrefix(string(doc), `{"gone":`):
			return jsontext.Value(`{}`), nil
		case strings.HasPrefix(string(doc), `{"renamed":`):
			return jsontext.Value(`{"other":"o"}`), nil
		case strings.HasPrefix(string(doc), `{"number":`):
			return jsontext.Value(`{"number":7}`), nil
		}
		return nil, errPipeline
	}}
}

func TestCompletionOutput(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, func(r *mcplayer.Registry) {
		p := mcplayer.Prompt{Name: "p"}
		for _, name := range []string{"pass", "gone", "renamed", "number", "fails"} {
			p.Arguments = append(p.Arguments, mcplayer.PromptArgument{Name: name, Complete: func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
				return []string{"a", "b"}, nil
			}})
		}
		mcplayer.AddPrompt(r, p, tellArgs)
	})
	l.pol.output = byKey{}
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for argument, want := range map[string]string{
			"pass":    `{"completion":{"total":2,"values":["***","***"]}}`,
			"gone":    `{"completion":{"total":2,"values":[]}}`,
			"renamed": `{"completion":{"total":2,"values":["o","o"]}}`,
			"number":  `{"completion":{"total":2,"values":["7","7"]}}`,
			"fails":   nothingProposed,
		} {
			same(t, c.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: argument}), want)
		}
	})
}
