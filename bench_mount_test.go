package mcplayer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// findIn has what a usual tool takes.
type findIn struct {
	Query string   `json:"query" validate:"required,min=1,max=100"`
	Limit int      `json:"limit,omitzero" validate:"gte=0,lte=100"`
	Kinds []string `json:"kinds,omitzero" validate:"dive,oneof=vm disk net"`
}

type findOut struct {
	Found []string `json:"found"`
	Total int      `json:"total"`
}

var findArgs = json.RawMessage(`{"query":"web","limit":5,"kinds":["vm","disk"]}`)

var foundThings = findOut{Found: []string{"vm-1", "vm-2"}, Total: 2}

// benchServer has the same tool in four forms: raw and typed of the SDK, and the
// layer's, if there is one, with validation and with or without a timeout.
func benchServer(tb testing.TB, layered bool) (*mcplayer.Layer, *mcp.Server) {
	tb.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, nil)
	server.AddTool(objectTool("raw"), func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in findIn
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
			return nil, err
		}
		doc, err := json.Marshal(foundThings)
		return &mcp.CallToolResult{StructuredContent: json.RawMessage(doc), Content: []mcp.Content{&mcp.TextContent{Text: string(doc)}}}, err
	})
	mcp.AddTool(server, &mcp.Tool{Name: "typed"}, func(context.Context, *mcp.CallToolRequest, findIn) (*mcp.CallToolResult, findOut, error) {
		return nil, foundThings, nil
	})
	if !layered {
		return nil, server
	}
	reg := mcplayer.NewRegistry()
	find := func(context.Context, *mcplayer.ToolContext, findIn) (findOut, error) { return foundThings, nil }
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "layer"}, find)
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "layer_untimed", Timeout: -1}, find)
	layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open(), Logger: silent}))
	if err := layer.Mount(server, nil); err != nil {
		tb.Fatal(err)
	}
	return layer, server
}

// dispatcher captures the server's receiving handler, the layer included.
func dispatcher(tb testing.TB, server *mcp.Server) (mcp.MethodHandler, *mcp.ServerSession) {
	tb.Helper()
	var handle mcp.MethodHandler
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		handle = next
		return next
	})
	inner, outer := mcp.NewInMemoryTransports()
	session := must(server.Connect(context.Background(), inner, nil))
	tb.Cleanup(func() {
		if conn, err := outer.Connect(context.Background()); err == nil {
			_ = conn.Close()
		}
		_ = session.Close()
	})
	return handle, session
}

type benchForm struct {
	name, tool string
	layered    bool
}

var benchForms = []benchForm{
	{"sdk raw", "raw", false},
	{"sdk typed", "typed", false},
	{"sdk raw in the layer", "raw", true},
	{"sdk typed in the layer", "typed", true},
	{"layer", "layer", true},
	{"layer without timeout", "layer_untimed", true},
}

// BenchmarkDispatch is a tool call from the decoded request to the result, without
// transport and encoding.
func BenchmarkDispatch(b *testing.B) {
	for _, form := range benchForms {
		b.Run(form.name, func(b *testing.B) {
			_, server := benchServer(b, form.layered)
			handle, session := dispatcher(b, server)
			b.ReportAllocs()
			for b.Loop() {
				res, err := handle(b.Context(), "tools/call", &mcp.CallToolRequest{
					Session: session,
					Params:  &mcp.CallToolParamsRaw{Name: form.tool, Arguments: findArgs},
				})
				if err != nil || res.(*mcp.CallToolResult).IsError {
					b.Fatal(res, err)
				}
			}
		})
	}
}

func BenchmarkRoundTripInMemory(b *testing.B) {
	for _, form := range benchForms {
		b.Run(form.name, func(b *testing.B) {
			layer, server := benchServer(b, form.layered)
			inner, outer := mcp.NewInMemoryTransports()
			if layer != nil {
				go func() { _ = layer.Run(b.Context(), server, inner) }()
			} else {
				go func() { _ = server.Run(b.Context(), inner) }()
			}
			benchCalls(b, outer, form.tool)
		})
	}
}

func BenchmarkRoundTripHTTP(b *testing.B) {
	for _, form := range benchForms {
		b.Run(form.name, func(b *testing.B) {
			layer, server := benchServer(b, form.layered)
			var h http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
				&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
			if layer != nil {
				h = layer.HTTPHandler(h, nil)
			}
			site := httptest.NewServer(h)
			defer site.Close()
			benchCalls(b, &mcp.StreamableClientTransport{Endpoint: site.URL, HTTPClient: site.Client()}, form.tool)
		})
	}
}

func benchCalls(b *testing.B, transport mcp.Transport, tool string) {
	session := must(mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil).Connect(b.Context(), transport, nil))
	defer session.Close()
	b.ReportAllocs()
	for b.Loop() {
		if res, err := session.CallTool(b.Context(), &mcp.CallToolParams{Name: tool, Arguments: findArgs}); err != nil || res.IsError {
			b.Fatal(res, err)
		}
	}
}

// everyOther hides every second tool.
type everyOther struct{ mcplayer.Policy }

func (p everyOther) Bind(spec *mcplayer.Spec, who *mcplayer.Principal) *mcplayer.Access {
	if spec.Name[len(spec.Name)-1]%2 == 1 {
		return nil
	}
	return p.Policy.Bind(spec, who)
}

// BenchmarkListTools50 is a list of 50 tools on the server's side, of which a
// caller sees half: of the layer's, of the host's raw and typed ones; with what
// encoding it takes, and bare.
func BenchmarkListTools50(b *testing.B) {
	for _, bench := range []struct {
		name            string
		own, raw, typed int
		layered, encode bool
	}{
		{"sdk raw", 0, 50, 0, false, false},
		{"layer's", 50, 0, 0, true, false},
		{"host's", 0, 50, 0, true, false},
		{"layer's under a prefix", 50, 0, 0, true, false},
		{"sdk raw, encoded", 0, 50, 0, false, true},
		{"sdk typed, encoded", 0, 0, 50, false, true},
		{"layer's, encoded", 50, 0, 0, true, true},
		{"host's typed, encoded", 0, 0, 50, true, true},
	} {
		b.Run(bench.name, func(b *testing.B) {
			server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, nil)
			for i := range bench.raw {
				addHostNamed(server, fmt.Sprintf("raw_%02d", i))
			}
			for i := range bench.typed {
				mcp.AddTool(server, &mcp.Tool{Name: fmt.Sprintf("typed_%02d", i)}, func(context.Context, *mcp.CallToolRequest, findIn) (*mcp.CallToolResult, findOut, error) {
					return nil, foundThings, nil
				})
			}
			want := bench.raw + bench.typed
			if bench.layered {
				reg := mcplayer.NewRegistry()
				for i := range bench.own {
					addNamed(reg, fmt.Sprintf("own_%02d", i))
				}
				layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: everyOther{policy.Open()}, Logger: silent}))
				opts := &mcplayer.MountOptions{}
				if bench.name == "layer's under a prefix" {
					opts.Prefix = "p."
				}
				if err := layer.Mount(server, opts); err != nil {
					b.Fatal(err)
				}
				want = 25
			}
			handle, session := dispatcher(b, server)
			b.ReportAllocs()
			for b.Loop() {
				res, err := handle(b.Context(), "tools/list", &mcp.ListToolsRequest{Session: session})
				if err != nil || len(res.(*mcp.ListToolsResult).Tools) != want {
					b.Fatal(res, err)
				}
				if bench.encode {
					must(json.Marshal(res))
				}
			}
		})
	}
}

// BenchmarkCallAmong100 calls a host's tool among many: the layer asks the SDK for
// its list to find it.
func BenchmarkCallAmong100(b *testing.B) {
	for _, layered := range []bool{false, true} {
		b.Run(fmt.Sprintf("layered=%v", layered), func(b *testing.B) {
			_, server := benchServer(b, layered)
			for i := range 100 {
				addHostNamed(server, fmt.Sprintf("raw_%02d", i))
			}
			handle, session := dispatcher(b, server)
			b.ReportAllocs()
			for b.Loop() {
				must(handle(b.Context(), "tools/call", &mcp.CallToolRequest{Session: session, Params: &mcp.CallToolParamsRaw{Name: "raw_50"}}))
			}
		})
	}
}
