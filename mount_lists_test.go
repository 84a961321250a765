package mcplayer_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// byCaller shows some tools to some callers only.
type byCaller map[string]string // tool -> the one caller who sees it

func (byCaller) Admit(*mcplayer.Spec) error { return nil }

func (b byCaller) Bind(spec *mcplayer.Spec, p *mcplayer.Principal) *mcplayer.Access {
	if who, restricted := b[spec.Name]; restricted && who != p.ID() {
		return &mcplayer.Access{}
	}
	return rules{}.Bind(spec, p)
}

func (byCaller) NotFound(context.Context, mcplayer.CallInfo) {}

// listSite has tools of the layer's and of the host's, some for ada or bob only.
// Its lists have two entries a page.
func listSite() *site {
	reg := mcplayer.NewRegistry()
	for _, name := range []string{"own_c", "own_a", "own_secret_ada", "own_b", "own_secret_bob", "own_secret_nobody"} {
		addNamed(reg, name)
	}
	policy := byCaller{
		"own_secret_ada": "ada", "own_secret_bob": "bob", "own_secret_nobody": "nobody",
		"x_secret_ada": "ada", "x_secret_nobody": "nobody", "z_secret_nobody": "nobody",
	}
	layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy, Logger: silent}))
	server := serverOf(&mcp.ServerOptions{PageSize: 3}, "x_b", "x_secret_ada", "x_a", "x_secret_nobody")
	if err := layer.Mount(server, &mcplayer.MountOptions{PageSize: 2}); err != nil {
		panic(err)
	}
	addHostNamed(server, "z_later")
	addHostNamed(server, "z_secret_nobody")
	return &site{layer, server}
}

// dialAs connects clients with these tokens.
func dialAs(t testing.TB, s *site, w way, tokens ...string) []*peer {
	t.Helper()
	h := stateful(s)
	if w.modern() || strings.Contains(w.name, "stateless") {
		h = stateless(s)
	}
	url := serveHTTP(t, requireToken(s.layer.HTTPHandler(h, nil)))
	var peers []*peer
	for _, token := range tokens {
		peers = append(peers, dialURL(t, url, w.version, bearer(token), nil))
	}
	return peers
}

func TestListsPerCaller(t *testing.T) {
	for _, w := range reachable {
		if !w.http || strings.Contains(w.name, "JSON") {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			peers := dialAs(t, listSite(), w, "ada", "bob")
			for i, want := range [][]string{
				{"x_a x_b", "x_secret_ada z_later", "own_a own_b", "own_c own_secret_ada"},
				{"x_a x_b", "z_later own_a", "own_b own_c", "own_secret_bob"},
			} {
				cursor := ""
				for page, names := range want {
					res := must(peers[i].ListTools(t.Context(), &mcp.ListToolsParams{Cursor: cursor}))
					var got []string
					for _, tool := range res.Tools {
						got = append(got, tool.Name)
					}
					if strings.Join(got, " ") != names {
						t.Errorf("caller %d, page %d: %v, want %s", i, page, got, names)
					}
					if w.modern() && !strings.Contains(peers[i].record.String(), `"cacheScope":"private"`) {
						t.Errorf("caller %d, page %d: %s", i, page, peers[i].record)
					}
					if plain, err := base64.RawURLEncoding.DecodeString(res.NextCursor); err != nil || strings.Contains(string(plain), "_") && strings.Contains(string(plain), "own") {
						t.Errorf("the cursor %q is readable: %q, %v", res.NextCursor, plain, err)
					}
					if last := page == len(want)-1; last != (res.NextCursor == "") {
						t.Errorf("caller %d, page %d: the next cursor is %q", i, page, res.NextCursor)
					}
					cursor = res.NextCursor
				}
			}
		})
	}
}

// A cursor holds for whoever got it, on the server that made it.
func TestForeignCursors(t *testing.T) {
	const want = `error {"code":-32602,"message":"invalid params"}`
	w := reachable[2]
	one := dialAs(t, listSite(), w, "ada", "bob")
	other := dialAs(t, listSite(), w, "ada")
	adas := must(one[0].ListTools(t.Context(), nil)).NextCursor
	sdk := must(serverPage(t, 1)).NextCursor // the SDK's own kind
	for _, tc := range []struct {
		name   string
		peer   *peer
		cursor string
		ok     bool
	}{
		{"own", one[0], adas, true},
		{"own again", one[0], adas, true},
		{"another caller's", one[1], adas, false},
		{"another server's", other[0], adas, false},
		{"rubbish", one[0], "rubbish!", false},
		{"short", one[0], "AA", false},
		{"cut", one[0], adas[:len(adas)-2], false},
		{"changed", one[0], "AAAA" + adas[4:], false},
		{"the SDK's", one[0], sdk, false},
		{"name in clear", one[0], base64.RawURLEncoding.EncodeToString([]byte("x_a")), false},
	} {
		_, err := tc.peer.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: tc.cursor})
		if got := tc.peer.record.String(); tc.ok != (err == nil) || !tc.ok && got != want {
			t.Errorf("%s: got %s, %v", tc.name, got, err)
		}
	}
}

// serverPage returns the first page of a bare server's list.
func serverPage(t *testing.T, size int) (*mcp.ListToolsResult, error) {
	server := serverOf(&mcp.ServerOptions{PageSize: size}, "x_a", "x_b")
	inner, outer := mcp.NewInMemoryTransports()
	session := must(server.Connect(t.Context(), inner, nil))
	t.Cleanup(func() { _ = session.Close() })
	client := must(mcp.NewClient(&mcp.Implementation{Name: "c"}, nil).Connect(t.Context(), outer, nil))
	t.Cleanup(func() { _ = client.Close() })
	return client.ListTools(t.Context(), nil)
}

// A cursor stays good when the list changes under it: nothing is told twice, and
// what is left is told.
func TestCursorOverAChangingList(t *testing.T) {
	layer, reg := layerOf(t, rules{}, silent, "a", "b", "c", "d")
	server := serverOf(nil)
	if err := layer.Mount(server, &mcplayer.MountOptions{PageSize: 2}); err != nil {
		t.Fatal(err)
	}
	p := dial(t, layer, server, modern, nil, nil)
	first := must(p.ListTools(t.Context(), nil))
	reg.Remove(mcplayer.KindTool, "b")
	addNamed(reg, "aa")
	second := must(p.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: first.NextCursor}))
	if got := second.Tools[0].Name + second.Tools[1].Name; got != "cd" || second.NextCursor != "" {
		t.Errorf("the second page is %s, then %q", got, second.NextCursor)
	}
}

// What a client reads of a tool, byte for byte.
func TestListedTools(t *testing.T) {
	reg := mcplayer.NewRegistry()
	schema := jsontext.Value(`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}}}`)
	add := func(name string) {
		mcplayer.AddTool(reg, mcplayer.Tool{
			Name: name, Title: "T", Description: "D", Category: "assets", Tags: []string{"z", "y"},
			Sensitivity: mcplayer.Internal, Capabilities: mcplayer.ReadState, InputSchema: schema, OutputSchema: schema,
			Meta: mcp.Meta{"example.com/x": 1},
		},
			func(context.Context, *mcplayer.ToolContext, jsontext.Value) (map[string]any, error) { return nil, nil })
	}
	add("plain")
	add("masked")
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "bare", InputSchema: jsontext.Value(`{"type":"object"}`)},
		func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) { return nil, nil })
	layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: rules{"masked": transformed, "host_masked": transformed}, Logger: silent}))
	server := serverOf(nil)
	no := false
	for _, name := range []string{"host", "host_masked", "host_unknown"} {
		tool := &mcp.Tool{
			Name: name, InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(schema), Meta: mcp.Meta{"own": true},
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no},
		}
		server.AddTool(tool, wireGiving(wireText(""), nil))
	}
	facts := mcplayer.HostFacts{Category: "hosts", Tags: []string{"b", "a", "b"}, Sensitivity: mcplayer.Public}
	if err := layer.Mount(server, &mcplayer.MountOptions{HostTools: map[string]mcplayer.HostFacts{"host": facts, "host_masked": facts}}); err != nil {
		t.Fatal(err)
	}
	const (
		in    = `"inputSchema":{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}}}`
		out   = `,"outputSchema":{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}}}`
		hosts = `{"_meta":{"cloudg/category":"hosts","cloudg/sensitivity":"public","cloudg/tags":["a","b"],"own":true},"annotations":{"idempotentHint":false,"openWorldHint":false,"readOnlyHint":true},` + in + `,"name":`
		own   = `{"_meta":{"cloudg/category":"assets","cloudg/sensitivity":"internal","cloudg/tags":["y","z"],"example.com/x":1},` +
			`"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"D",` + in + `,"name":`
	)
	want := []string{
		hosts + `"host"` + out + `}`,
		hosts + `"host_masked"}`,
		`{"_meta":{"cloudg/category":"general","cloudg/sensitivity":"confidential","cloudg/tags":[],"own":true},"annotations":{"idempotentHint":false,"openWorldHint":false,"readOnlyHint":true},` + in + `,"name":"host_unknown"` + out + `}`,
		`{"_meta":{"cloudg/category":"general","cloudg/sensitivity":"confidential","cloudg/tags":[]},"inputSchema":{"type":"object"},"name":"bare"}`,
		own + `"masked","title":"T"}`,
		own + `"plain"` + out + `,"title":"T"}`,
	}
	for _, version := range []string{legacy, modern} {
		p := dial(t, layer, server, version, nil, nil)
		must(p.ListTools(t.Context(), nil))
		var list struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(p.record.last().Result, &list); err != nil {
			t.Fatal(err)
		}
		for i := range max(len(want), len(list.Tools)) {
			if i >= len(list.Tools) || i >= len(want) || string(list.Tools[i]) != want[i] {
				t.Errorf("%s: tool %d:\ngot  %s\nwant %s", version, i, slices.Concat(list.Tools, []json.RawMessage{nil})[i], slices.Concat(want, []string{""})[i])
			}
		}
		if got := strings.Contains(string(p.record.last().Result), `"cacheScope":"private"`); got != true {
			t.Errorf("%s: no private cache scope", version)
		}
	}
}

// An empty list is a list.
func TestEmptyList(t *testing.T) {
	layer, _ := layerOf(t, rules{"a": nil}, silent, "a")
	server := serverOf(nil)
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	p := dial(t, layer, server, modern, nil, nil)
	must(p.ListTools(t.Context(), nil))
	if got := p.record.String(); !strings.Contains(got, `"tools":[]`) {
		t.Error(got)
	}
}

// Changes reach sessions of older clients, and modern ones that listen.
func TestListChanges(t *testing.T) {
	for _, version := range []string{legacy, modern} {
		for _, viaHTTP := range []bool{false, true} {
			if viaHTTP && version == modern {
				continue // the subscription of a stateless request ends with it
			}
			layer, reg := layerOf(t, rules{}, silent, "a")
			server := serverOf(nil)
			if err := layer.Mount(server, nil); err != nil {
				t.Fatal(err)
			}
			box := &inbox{}
			s := &site{layer, server}
			var p *peer
			if viaHTTP {
				p = dialURL(t, serveHTTP(t, layer.HTTPHandler(stateful(s), nil)), version, nil, box.options())
				time.Sleep(50 * time.Millisecond) // the stream for messages opens by itself
			} else {
				p = dial(t, s.layer, s.server, version, nil, box.options())
			}
			changes := 0
			heard := func(what string) {
				t.Helper()
				changes++
				eventually(t, version+": "+what, func() bool {
					box.mu.Lock()
					defer box.mu.Unlock()
					return box.list >= changes
				})
				if names := p.names(t); strings.Contains(names, "mcplayer") {
					t.Errorf("the list is %s", names)
				}
				box.mu.Lock()
				changes = box.list
				box.mu.Unlock()
			}
			addNamed(reg, "b")
			heard("an addition")
			reg.Remove(mcplayer.KindTool, "b")
			heard("a removal")
			layer.NotifyChange(mcplayer.KindTool, "")
			heard("a change of visibility")
			addHostNamed(server, "x")
			heard("an addition of the host's")
			if got := p.names(t); got != "x a" {
				t.Errorf("the list is %s", got)
			}
		}
	}
}

// What announces a change is seen by nobody, not even while it stands there.
func TestAnnouncementIsInvisible(t *testing.T) {
	layer, _ := layerOf(t, rules{}, silent, "a")
	server := serverOf(nil, "x")
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	p := dial(t, layer, server, modern, nil, nil)
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				layer.NotifyChange(mcplayer.KindTool, "")
			}
		}
	}()
	for range 100 {
		if got := p.names(t); got != "x a" {
			t.Fatalf("the list is %s", got)
		}
		if got := p.say(t, "mcplayer.tool"); got != `calling "tools/call": Unknown tool: mcplayer.tool` {
			t.Fatalf("the announcement says %s", got)
		}
	}
	close(stop)
	<-done
}

// A list without parameters, which the SDK hands on as a typed nil.
func TestListWithoutParameters(t *testing.T) {
	s := listSite()
	url := serveHTTP(t, s.layer.HTTPHandler(stateless(s), nil))
	req := must(http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)))
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {legacy}}
	rec := &record{}
	res := must((&recordingTripper{record: rec}).RoundTrip(req))
	defer res.Body.Close()
	var buf [1 << 16]byte
	for {
		if _, err := res.Body.Read(buf[:]); err != nil {
			break
		}
	}
	if got := rec.String(); !strings.Contains(got, `"name":"x_a"`) {
		t.Error(got)
	}
}

// Trap: the SDK encodes a typed tool's schema anew for each list. The layer does
// so once, and clients read the same bytes.
func TestTrapSchemasAreEncodedOnce(t *testing.T) {
	server := serverOf(nil)
	mcp.AddTool(server, &mcp.Tool{Name: "typed"}, func(context.Context, *mcp.CallToolRequest, textIn) (*mcp.CallToolResult, textIn, error) {
		return nil, textIn{}, nil
	})
	schemas := func() string {
		inner, outer := mcp.NewInMemoryTransports()
		session := must(server.Connect(t.Context(), inner, nil))
		rec := &record{}
		client := must(mcp.NewClient(&mcp.Implementation{Name: "c"}, nil).Connect(t.Context(), &recordingTransport{outer, rec.part()}, nil))
		must(client.ListTools(t.Context(), nil))
		_ = client.Close()
		_ = session.Close()
		var list struct {
			Tools []struct{ InputSchema, OutputSchema json.RawMessage }
		}
		if err := json.Unmarshal(rec.last().Result, &list); err != nil {
			t.Fatal(err)
		}
		return string(list.Tools[0].InputSchema) + string(list.Tools[0].OutputSchema)
	}
	bare := schemas()
	layer, _ := layerOf(t, rules{}, silent)
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	if got := schemas(); got != bare {
		t.Errorf("got  %s\nwant %s", got, bare)
	}
	handle, session := dispatcher(t, server)
	res := must(handle(t.Context(), "tools/list", &mcp.ListToolsRequest{Session: session})).(*mcp.ListToolsResult)
	if _, ok := res.Tools[0].InputSchema.(json.RawMessage); !ok {
		t.Errorf("the schema is %T", res.Tools[0].InputSchema)
	}
}
