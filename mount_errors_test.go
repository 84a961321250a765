package mcplayer_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/testkit"
	"github.com/cloudg/mcplayer/policy"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// admitting is a policy that refuses to admit one name.
type admitting struct {
	rules
	refused string
}

func (a admitting) Admit(spec *mcplayer.Spec) error {
	if spec.Name == a.refused {
		return errors.New("bad hint")
	}
	return nil
}

func TestMountErrors(t *testing.T) {
	for _, tc := range []struct {
		name   string
		server *mcp.Server
		opts   *mcplayer.MountOptions
		want   string
	}{
		{"nil server", nil, nil, "mcplayer: 1 configuration error:\nMount: the server is nil"},
		{"bad prefix", serverOf(nil), &mcplayer.MountOptions{Prefix: "a/"}, `mcplayer: 1 configuration error:` + "\n" + `MountOptions.Prefix: "a/" is not at most 64 of A-Z a-z 0-9 _ . -`},
		{"long prefix", serverOf(nil), &mcplayer.MountOptions{Prefix: strings.Repeat("a", 65)}, `mcplayer: 1 configuration error:` + "\n" + `MountOptions.Prefix: "` + strings.Repeat("a", 65) + `" is not at most 64 of A-Z a-z 0-9 _ . -`},
		{"prefix that makes a name too long", serverOf(nil), &mcplayer.MountOptions{Prefix: strings.Repeat("p", 64)}, `mcplayer: 1 configuration error:` + "\n" + `tool "` + strings.Repeat("n", 70) + `": the name "` + strings.Repeat("p", 64) + strings.Repeat("n", 70) + `" is not 1 to 128 of A-Z a-z 0-9 _ . -`},
		{"negative page size", serverOf(nil), &mcplayer.MountOptions{PageSize: -1}, "mcplayer: 1 configuration error:\nMountOptions.PageSize is -1; it must be positive, or 0 for 1000"},
		{"all at once", nil, &mcplayer.MountOptions{Prefix: "/", PageSize: -1}, "mcplayer: 3 configuration errors:\nMount: the server is nil\n" + `MountOptions.Prefix: "/" is not at most 64 of A-Z a-z 0-9 _ . -` + "\nMountOptions.PageSize is -1; it must be positive, or 0 for 1000"},
		{"clash", serverOf(nil, "a", "x", "y"), nil, "mcplayer: 1 configuration error:\n" + `Mount: the server has a tool "a" of its own, and so has the layer`},
		{"two clashes beyond a page", serverOf(&mcp.ServerOptions{PageSize: 1}, "a", "b", "x"), nil, "mcplayer: 2 configuration errors:\n" + `Mount: the server has a tool "a" of its own, and so has the layer` + "\n" + `Mount: the server has a tool "b" of its own, and so has the layer`},
		{"clash by the prefix", serverOf(nil, "p.a"), &mcplayer.MountOptions{Prefix: "p."}, "mcplayer: 1 configuration error:\n" + `Mount: the server has a tool "p.a" of its own, and so has the layer`},
		{"unknown sensitivity of a host tool", serverOf(nil, "x"), &mcplayer.MountOptions{HostTools: map[string]mcplayer.HostFacts{"x": {Sensitivity: 9}}}, "mcplayer: 1 configuration error:\n" + `MountOptions.HostTools["x"]: unknown sensitivity 9`},
		{"unknown capability of a host tool", serverOf(nil, "x"), &mcplayer.MountOptions{HostTools: map[string]mcplayer.HostFacts{"x": {Capabilities: 0x80}}}, "mcplayer: 1 configuration error:\n" + `MountOptions.HostTools["x"]: unknown capability in 0b10000000`},
		{"host tool that the policy does not admit", serverOf(nil, "x", "refused"), nil, "mcplayer: 1 configuration error:\n" + `tool "refused" of the server: bad hint`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			layer, _ := layerOf(t, admitting{refused: "refused"}, silent, "a", "b", strings.Repeat("n", 70))
			err := layer.Mount(tc.server, tc.opts)
			if err == nil || err.Error() != tc.want {
				t.Fatalf("got  %v\nwant %s", err, tc.want)
			}
			if tc.server == nil {
				return
			}
			// The server works as if nothing had happened, and can get a layer yet.
			bare := dial(t, layer, tc.server, modern, nil, nil)
			before := bare.names(t)
			if strings.Contains(before, "nnn") {
				t.Errorf("the failed layer left tools: %s", before)
			}
			for name := range strings.FieldsSeq(before) {
				if got := bare.say(t, name); got != "the host's "+name {
					t.Errorf("%s says %q", name, got)
				}
			}
			right, _ := layerOf(t, rules{"x": nil}, silent, "own")
			if err := right.Mount(tc.server, nil); err != nil {
				t.Fatalf("a right Mount: %v", err)
			}
			p := dial(t, right, tc.server, modern, nil, nil)
			if got := p.say(t, "own"); got != "{\n  \"result\": \"the layer's own\"\n}" {
				t.Errorf("own says %q", got)
			}
			if got, want := p.say(t, "x"), `calling "tools/call": Unknown tool: x`; got != want {
				t.Errorf("x says %q, want %q", got, want)
			}
			if err := right.Mount(tc.server, nil); err == nil || err.Error() != "mcplayer: the server has a layer already" {
				t.Errorf("a second Mount: %v", err)
			}
		})
	}
}

func TestMountTwice(t *testing.T) {
	const want = "mcplayer: the server has a layer already"
	layer, _ := layerOf(t, rules{}, silent, "a")
	other, _ := layerOf(t, rules{}, silent, "b")
	server := serverOf(nil, "x")
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	for name, l := range map[string]*mcplayer.Layer{"the same": layer, "another": other} {
		if err := l.Mount(server, &mcplayer.MountOptions{Prefix: "p."}); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := dial(t, layer, server, modern, nil, nil)
	if got := p.names(t); got != "x a" {
		t.Errorf("the list is %q", got)
	}
	if got := p.say(t, "a"); !strings.Contains(got, "the layer's a") {
		t.Errorf("a says %q", got)
	}
	// One layer may serve several servers, each in its own way.
	second := serverOf(nil)
	if err := layer.Mount(second, &mcplayer.MountOptions{Prefix: "p."}); err != nil {
		t.Fatal(err)
	}
	q := dial(t, layer, second, modern, nil, nil)
	if got := q.names(t); got != "p.a" {
		t.Errorf("the list is %q", got)
	}
	if got := q.say(t, "p.a"); !strings.Contains(got, "the layer's a") {
		t.Errorf("p.a says %q", got)
	}
	if got := q.say(t, "a"); got != `calling "tools/call": Unknown tool: a` {
		t.Errorf("a without the prefix says %q", got)
	}
}

// Only one of several Mounts at once succeeds.
func TestMountAtOnce(t *testing.T) {
	for range 20 {
		server := serverOf(nil, "x")
		errs := make(chan error, 4)
		for range cap(errs) {
			layer, _ := layerOf(t, rules{}, silent, "a")
			go func() { errs <- layer.Mount(server, nil) }()
		}
		mounted := 0
		for range cap(errs) {
			if <-errs == nil {
				mounted++
			}
		}
		if mounted > 1 {
			t.Fatalf("%d layers are mounted", mounted)
		}
	}
}

func TestFactsOfAnAbsentTool(t *testing.T) {
	log := &testkit.Logbook{}
	layer, _ := layerOf(t, rules{}, log.Logger())
	if err := layer.Mount(serverOf(nil), &mcplayer.MountOptions{HostTools: map[string]mcplayer.HostFacts{"later": {}}}); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); !strings.Contains(got, `"name":"later"`) {
		t.Errorf("the log says %q", got)
	}
}

// A host that registers a tool under the name of one of the layer's displaces
// it on the server without a word of the SDK's. The layer notices, withholds
// what the other tool gave, and says so in the log.
func TestHostDisplacesALayerTool(t *testing.T) {
	for _, typed := range []bool{false, true} {
		for _, version := range []string{legacy, modern} {
			log := &testkit.Logbook{}
			layer, reg := layerOf(t, rules{}, log.Logger(), "a")
			server := serverOf(nil)
			if err := layer.Mount(server, nil); err != nil {
				t.Fatal(err)
			}
			p := dial(t, layer, server, version, nil, nil)
			if got := p.say(t, "a"); !strings.Contains(got, "the layer's a") {
				t.Fatalf("a says %q", got)
			}
			if typed {
				mcp.AddTool(server, &mcp.Tool{Name: "a"}, func(context.Context, *mcp.CallToolRequest, noArgs) (*mcp.CallToolResult, any, error) {
					return nil, nil, errors.New("the host's secret")
				})
			} else {
				addHostNamed(server, "a")
			}
			must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: "a"}))
			if got, want := p.record.String(), expect(version, failure(`"handler_error"`, "", "Tool a is not available")); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if got := log.String(); !strings.Contains(got, `"level":"ERROR"`) || !strings.Contains(got, `"call":{"kind":"tool","name":"a"}`) {
				t.Errorf("the log says %q", got)
			}
			if got := p.names(t); got != "a" {
				t.Errorf("the list is %q", got)
			}
			// The layer's tool comes back when it is registered again.
			mcplayer.AddTool(reg, mcplayer.Tool{Name: "a", Replace: true}, func(context.Context, *mcplayer.ToolContext, noArgs) (string, error) {
				return "the layer's again", nil
			})
			if got := p.say(t, "a"); !strings.Contains(got, "the layer's again") {
				t.Errorf("a says %q", got)
			}
			if err := layer.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
}

// A host that takes a tool of the layer's off the server.
func TestHostRemovesALayerTool(t *testing.T) {
	layer, _ := layerOf(t, rules{}, silent, "a")
	server := serverOf(nil)
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	server.RemoveTools("a")
	p := dial(t, layer, server, modern, nil, nil)
	must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: "a"}))
	if got, want := p.record.String(), expect(modern, failure(`"handler_error"`, "", "Tool a is not available")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A tool that is added to the registry later never replaces one of the host's:
// it is left out, and the mistake is remembered.
func TestLaterLayerToolClashesWithAHostTool(t *testing.T) {
	log := &testkit.Logbook{}
	layer, reg := layerOf(t, rules{}, log.Logger(), "a")
	server := serverOf(nil, "x")
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	p := dial(t, layer, server, modern, nil, nil)
	addNamed(reg, "x")
	addNamed(reg, "b")
	if err := reg.Err(); err == nil || err.Error() != `tool "x": the server has a tool of that name` {
		t.Errorf("the registry says %v", err)
	}
	if got := p.say(t, "x"); got != "the host's x" {
		t.Errorf("x says %q", got)
	}
	if got := p.names(t); got != "x a b" {
		t.Errorf("the list is %q", got)
	}
	// When the host's goes, the layer's may come, at the next change.
	server.RemoveTools("x")
	if got := p.say(t, "x"); got != `calling "tools/call": Unknown tool: x` {
		t.Errorf("x says %q", got)
	}
	layer.NotifyChange(mcplayer.KindTool, "")
	if got := p.say(t, "x"); !strings.Contains(got, "the layer's x") {
		t.Errorf("x says %q", got)
	}
}

// What stands on the server for a tool of the layer's does nothing for a request
// that has not come through the layer.
func TestAroundTheLayer(t *testing.T) {
	var ran []string
	reg := mcplayer.NewRegistry()
	for _, name := range []string{"a", "b"} {
		mcplayer.AddTool(reg, mcplayer.Tool{Name: name}, func(context.Context, *mcplayer.ToolContext, noArgs) (string, error) {
			ran = append(ran, name)
			return "this is " + name, nil
		})
	}
	layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: rules{}, Logger: silent}))
	server := serverOf(nil)
	var inside mcp.MethodHandler
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		inside = next
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if call, ok := req.(*mcp.CallToolRequest); ok && call.Params.Name == "b" {
				params := *call.Params
				params.Name = "a" // another tool than the one that the layer looked up
				return next(ctx, method, &mcp.CallToolRequest{Session: call.Session, Params: &params})
			}
			return next(ctx, method, req)
		}
	})
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	session := must(server.Connect(t.Context(), must2(mcp.NewInMemoryTransports()), nil))
	t.Cleanup(func() { go session.Close() })
	res, err := inside(t.Context(), "tools/call", &mcp.CallToolRequest{Session: session, Params: &mcp.CallToolParamsRaw{Name: "a"}})
	if err == nil || err.Error() != "mcplayer: reached around the layer" {
		t.Errorf("%v, %v", res, err)
	}
	p := dial(t, layer, server, modern, nil, nil)
	if got := p.say(t, "b"); !strings.Contains(got, "this is b") { // the one that policy and middleware saw
		t.Errorf("b says %q", got)
	}
	if got := strings.Join(ran, " "); got != "b" {
		t.Errorf("handlers that ran: %s", got)
	}
}

func must2[A, B any](a A, _ B) A { return a }

func TestToolThatTheSDKRefuses(t *testing.T) {
	bad := func(r *mcplayer.Registry) {
		mcplayer.AddTool(r, mcplayer.Tool{Name: "bad", InputSchema: jsontext.Value(`{"type":"object","properties":{"a":{"type":"array","x-mcp-header":"A"}}}`)},
			func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) { return "x", nil })
	}
	t.Run("before", func(t *testing.T) {
		reg := mcplayer.NewRegistry()
		bad(reg)
		_, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open(), Logger: silent})
		if err == nil || !strings.Contains(err.Error(), `tool "bad": the SDK refuses the tool`) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("after", func(t *testing.T) {
		l := newLab(t, mcplayer.Options{}, returning("good", 1))
		server := mounted(t, l, nil)
		bad(l.reg)
		returning("later", 1)(l.reg)
		if l.reg.Err() == nil {
			t.Error("Registry.Err says nothing")
		}
		p := dial(t, l.Layer, server, legacy, nil, nil)
		for _, name := range []string{"good", "later"} {
			res, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
			if err != nil || res.IsError {
				t.Errorf("%s: %s", name, p.last(t))
			}
		}
		if res, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: "bad"}); err == nil {
			list, _ := p.ListTools(t.Context(), nil)
			t.Errorf("bad is listed among %d tools and answers %v %s", len(list.Tools), res.IsError, p.last(t))
		}
	})
}

func TestLongNameAfterMount(t *testing.T) {
	l := newLab(t, mcplayer.Options{})
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	if err := l.Mount(server, &mcplayer.MountOptions{Prefix: strings.Repeat("p", 60)}); err != nil {
		t.Fatal(err)
	}
	returning(strings.Repeat("n", 100), 1)(l.reg)
	prompting(strings.Repeat("n", 100), nil, tellArgs)(l.reg)
	if l.reg.Err() == nil {
		t.Error("Registry.Err says nothing")
	}
	p := dial(t, l.Layer, server, legacy, nil, nil)
	list, _ := p.ListTools(t.Context(), nil)
	for _, x := range list.Tools {
		if len(x.Name) > 128 {
			t.Errorf("a tool of %d characters is listed", len(x.Name))
		}
	}
}
