package mcplayer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fixed registers a resource that holds the value.
func fixed(uri string, value any) func(*mcplayer.Registry) {
	return func(r *mcplayer.Registry) {
		mcplayer.AddResource(r, mcplayer.Resource{URI: uri}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
			return value, nil
		})
	}
}

// reading registers a resource with that handler.
func reading(uri string, h mcplayer.ResourceHandler) func(*mcplayer.Registry) {
	return func(r *mcplayer.Registry) { mcplayer.AddResource(r, mcplayer.Resource{URI: uri}, h) }
}

// through registers a template with that handler.
func through(template string, h mcplayer.ResourceHandler) func(*mcplayer.Registry) {
	return func(r *mcplayer.Registry) {
		mcplayer.AddResourceTemplate(r, mcplayer.ResourceTemplate{URITemplate: template}, h)
	}
}

// tellVars is a resource handler that answers with its variables.
func tellVars(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
	return vars, nil
}

// tellArgs is a prompt handler that answers with its arguments.
func tellArgs(_ context.Context, _ *mcplayer.ToolContext, args map[string]string) (any, error) {
	doc, err := json.Marshal(args)
	return string(doc), err
}

// prompting registers a prompt with arguments; a ! marks the required ones.
func prompting(name string, arguments []string, h mcplayer.PromptHandler) func(*mcplayer.Registry) {
	p := mcplayer.Prompt{Name: name}
	for _, a := range arguments {
		required, ok := strings.CutSuffix(a, "!")
		p.Arguments = append(p.Arguments, mcplayer.PromptArgument{Name: required, Required: ok})
	}
	return func(r *mcplayer.Registry) { mcplayer.AddPrompt(r, p, h) }
}

// completing registers a prompt p with the argument a and a template
// cloudg://c/{a}; both complete it with f.
func completing(f mcplayer.CompletionFunc) func(*mcplayer.Registry) {
	return func(r *mcplayer.Registry) {
		mcplayer.AddPrompt(r, mcplayer.Prompt{Name: "p", Arguments: []mcplayer.PromptArgument{{Name: "a", Complete: f}, {Name: "plain"}}}, tellArgs)
		mcplayer.AddResourceTemplate(r, mcplayer.ResourceTemplate{
			URITemplate: "cloudg://c/{a}/{plain}", Complete: map[string]mcplayer.CompletionFunc{"a": f, "none": nil},
		}, tellVars)
	}
}

// completionRefs are what completing registers.
var completionRefs = map[string]mcplayer.CompletionRef{
	"prompt":   {Kind: mcplayer.KindPrompt, Name: "p"},
	"template": {Kind: mcplayer.KindResourceTemplate, Name: "cloudg://c/{a}/{plain}"},
}

// outcomeOf tells what a call in-process gave: the SDK's JSON of its result, or
// the error as a client gets it.
func outcomeOf(t testing.TB, res result.Result, err error) string {
	t.Helper()
	var wire any
	if err != nil {
		e, ok := err.(*mcplayer.Error)
		if !ok {
			return err.Error()
		}
		wire = struct {
			Code    mcplayer.Code `json:"code"`
			Message string        `json:"message"`
			Data    any           `json:"data,omitempty"`
		}{e.Code, e.Message, e.Data}
	} else {
		switch r := res.(type) {
		case *result.Resource:
			wire = r.ToWire()
		case *result.Prompt:
			wire = r.ToWire()
		case *result.Completion:
			wire = r.ToWire()
		case *result.ToolResult:
			wire = r.ToWire()
		}
	}
	doc, err := json.Marshal(wire)
	if err != nil {
		t.Fatalf("the SDK cannot encode the answer: %v", err)
	}
	return tidy(t, doc)
}

// tidy sorts the members of a document and leaves out what differs between
// protocols: the server's identity and the kind of result.
func tidy(t testing.TB, doc []byte) string {
	t.Helper()
	var value any
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	if object, ok := value.(map[string]any); ok {
		delete(object, "resultType")
		if meta, ok := object["_meta"].(map[string]any); ok {
			delete(meta, "io.modelcontextprotocol/serverInfo")
			if len(meta) == 0 {
				delete(object, "_meta")
			}
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	return duration.ReplaceAllString(strings.TrimSpace(out.String()), `"cloudg/duration_ms":0`)
}

// quote returns s as tidy writes it.
func quote(s string) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSpace(out.String())
}

// read reads a resource in-process and tells what came.
func (l *lab) read(t testing.TB, uri string, opts ...mcplayer.CallOption) string {
	t.Helper()
	res, err := l.ReadResource(t.Context(), uri, opts...)
	return outcomeOf(t, res, err)
}

// render renders a prompt in-process and tells what came.
func (l *lab) render(t testing.TB, name string, args map[string]string, opts ...mcplayer.CallOption) string {
	t.Helper()
	res, err := l.GetPrompt(t.Context(), name, args, opts...)
	return outcomeOf(t, res, err)
}

// propose completes in-process and tells what came.
func (l *lab) propose(t testing.TB, ref mcplayer.CompletionRef, in mcplayer.CompletionInput, opts ...mcplayer.CallOption) string {
	t.Helper()
	res, err := l.Complete(t.Context(), ref, in, opts...)
	return outcomeOf(t, res, err)
}

// bare reports whether the client cannot send a name: modern HTTP repeats it in a
// header.
func (p *peer) bare(name string) bool {
	return p.web && p.version == modern && (name == "" || strings.ContainsFunc(name, unicode.IsControl))
}

func (p *peer) read(t testing.TB, uri string) string {
	t.Helper()
	_, _ = p.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	return tidy(t, []byte(p.last(t)))
}

func (p *peer) render(t testing.TB, name string, args map[string]string) string {
	t.Helper()
	_, _ = p.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name, Arguments: args})
	return tidy(t, []byte(p.last(t)))
}

func (p *peer) propose(t testing.TB, ref mcplayer.CompletionRef, in mcplayer.CompletionInput) string {
	t.Helper()
	params := &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: ref.Name},
		Argument: mcp.CompleteParamsArgument{Name: in.Argument, Value: in.Value},
	}
	if ref.Kind == mcplayer.KindResourceTemplate {
		params.Ref = &mcp.CompleteReference{Type: "ref/resource", URI: ref.Name}
	}
	if in.Context != nil {
		params.Context = &mcp.CompleteContext{Arguments: in.Context}
	}
	_, _ = p.Complete(t.Context(), params)
	return tidy(t, []byte(p.last(t)))
}

// mounted is a lab on a server.
func mounted(t testing.TB, l *lab, server *mcp.Server) *mcp.Server {
	t.Helper()
	if server == nil {
		server = serverOf(nil)
	}
	if err := l.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	return server
}

// peers connects clients of both protocols over memory and over HTTP.
func peers(t *testing.T, l *lab, server *mcp.Server) map[string]*peer {
	t.Helper()
	return map[string]*peer{
		"memory modern": dial(t, l.Layer, server, modern, nil, nil),
		"memory legacy": dial(t, l.Layer, server, legacy, nil, nil),
		"http modern":   dialOverHTTP(t, l.Layer, server, modern, nil),
		"http legacy":   dialOverHTTP(t, l.Layer, server, legacy, nil),
	}
}

// everywhere runs f in-process and with each client; call tells what came.
func everywhere(t *testing.T, l *lab, server *mcp.Server, f func(t *testing.T, c caller)) {
	t.Helper()
	t.Run("in-process", func(t *testing.T) { f(t, inProcess{l}) })
	for name, p := range peers(t, l, server) {
		t.Run(name, func(t *testing.T) { f(t, p) })
	}
}

// caller is a lab or a client.
type caller interface {
	read(t testing.TB, uri string) string
	render(t testing.TB, name string, args map[string]string) string
	propose(t testing.TB, ref mcplayer.CompletionRef, in mcplayer.CompletionInput) string
}

type inProcess struct{ l *lab }

func (p inProcess) read(t testing.TB, uri string) string { return p.l.read(t, uri) }

func (p inProcess) render(t testing.TB, name string, args map[string]string) string {
	return p.l.render(t, name, args)
}

func (p inProcess) propose(t testing.TB, ref mcplayer.CompletionRef, in mcplayer.CompletionInput) string {
	return p.l.propose(t, ref, in)
}

// seen is what a middleware saw of a call.
type seen struct {
	kind      mcplayer.Kind
	name      string
	arguments string
}

// watch is a middleware that keeps what it sees.
func watch(into *[]seen) mcplayer.Middleware {
	var mu sync.Mutex
	return func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		mu.Lock()
		*into = append(*into, seen{info.Kind, info.Name, string(info.Arguments)})
		mu.Unlock()
		return next(ctx, info)
	}
}

// swap is an input pipeline that replaces texts in documents.
type swap map[string]string

func (s swap) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass {
	return broken{json: func(doc jsontext.Value) (jsontext.Value, error) {
		for old, text := range s {
			doc = bytes.ReplaceAll(doc, []byte(old), []byte(text))
		}
		return doc, nil
	}}
}

// refusing is an input pipeline that refuses everything.
func refusing(err error) mcplayer.Pipeline {
	return broken{json: func(jsontext.Value) (jsontext.Value, error) { return nil, err }}
}

var errorIDs = regexp.MustCompile(`"error_id":"[0-9a-f]{16}"`)

// hostReads is a host's resource handler that tells its name and the URI it got.
func hostReads(name string) mcp.ResourceHandler {
	return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: name + " " + req.Params.URI}}}, nil
	}
}

// hostServer is a server with these resources and templates.
func hostServer(uris, templates []string) *mcp.Server {
	server := serverOf(nil)
	for _, u := range uris {
		server.AddResource(&mcp.Resource{URI: u, Name: u}, hostReads("exact "+u))
	}
	for _, u := range templates {
		server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: u, Name: u}, hostReads("template "+u))
	}
	return server
}

// hostText is the wire form of what hostReads answers.
func hostText(handler, uri string) string {
	return `{"cacheScope":"private","contents":[{"text":` + quote(handler+" "+uri) + `,"uri":` + quote(uri) + `}],"ttlMs":0}`
}

// textWire is the wire form of a resource of one text.
func textWire(uri, mime, content string) string {
	return `{"cacheScope":"private","contents":[{"mimeType":"` + mime + `","text":` + quote(content) + `,"uri":` + quote(uri) + `}],"ttlMs":0}`
}

func unknownResource(uri string) string {
	return `{"code":-32602,"data":{"uri":` + quote(uri) + `},"message":` + quote("Unknown resource: "+uri) + `}`
}

// userSays is the wire form of a prompt of one text message.
func userSays(content string) string {
	return `{"messages":[{"content":{"text":` + quote(content) + `,"type":"text"},"role":"user"}]}`
}

func unknownPrompt(name string) string {
	return `{"code":-32602,"message":` + quote("Unknown prompt: "+name) + `}`
}
