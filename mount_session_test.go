package mcplayer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inbox keeps what a client is told during its calls.
type inbox struct {
	mu   sync.Mutex
	got  []string
	list int // how often a list changed
}

func (b *inbox) put(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.got = append(b.got, fmt.Sprintf(format, args...))
}

func (b *inbox) messages() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.got)
}

func (b *inbox) options() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			p := req.Params
			b.put("progress %v %v/%v %s", p.ProgressToken, p.Progress, p.Total, p.Message)
		},
		LoggingMessageHandler: func(_ context.Context, req *mcp.LoggingMessageRequest) {
			b.put("log %s %s %s", req.Params.Level, req.Params.Logger, must(json.Marshal(req.Params.Data)))
		},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.list++
		},
	}
}

// talkSite has tools that report progress and log, one of the layer's and one of
// the host's, and transforms what they say.
func talkSite() *site {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "talk"}, func(_ context.Context, tc *mcplayer.ToolContext, in textIn) (string, error) {
		tc.Progress(1, 4, in.Text+" one")
		tc.Progress(1, 4, "not above the last")
		tc.Progress(0.5, 4, "nor this")
		tc.Progress(2, 0, in.Text+" two")
		tc.Log("warning", in.Text)
		tc.Log("debug", "below the client's level")
		tc.Log("error", map[string]any{"text": in.Text})
		tc.Log("error", make(chan int))
		tc.Progress(3, 4, in.Text+" three")
		return in.Text, nil
	})
	layer := must(mcplayer.New(&mcplayer.Options{
		Registry: reg, Policy: rules{"talk": transformed, "host_talk": transformed}, Logger: silent,
	}))
	server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, nil)
	server.AddTool(objectTool("host_talk"), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in textIn
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
			return nil, err
		}
		for i, word := range []string{"one", "two", "three"} {
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1), Total: 4, Message: in.Text + " " + word,
			})
		}
		_ = req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "warning", Logger: "host", Data: in.Text})
		_ = req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "error", Logger: "host", Data: map[string]any{"text": in.Text}})
		return wireText(in.Text), nil
	})
	if err := layer.Mount(server, nil); err != nil {
		panic(err)
	}
	return &site{layer, server}
}

// logging makes a client of either protocol want messages from that level on.
func (p *peer) logging(t testing.TB, w way, params *mcp.CallToolParams) {
	t.Helper()
	if w.modern() {
		params.Meta = mcp.Meta{mcp.MetaKeyLogLevel: "info"}
		return
	}
	if err := p.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}); err != nil {
		t.Fatal(err)
	}
}

func TestProgressAndLog(t *testing.T) {
	own := []string{
		"progress %[2]v 1/4 a %[1]s one", "progress %[2]v 2/0 a %[1]s two",
		`log warning talk "a %[1]s"`, `log error talk {"text":"a %[1]s"}`,
		"progress %[2]v 3/4 a %[1]s three",
	}
	hosts := []string{
		"progress %[2]v 1/4 a %[1]s one", "progress %[2]v 2/4 a %[1]s two", "progress %[2]v 3/4 a %[1]s three",
		`log warning host "a %[1]s"`, `log error host {"text":"a %[1]s"}`,
	}
	for _, w := range reachable {
		for _, tc := range []struct {
			tool  string
			token any
			want  []string
		}{
			{"talk", "t-1", own}, {"talk", 7, own}, {"host_talk", "t-1", hosts}, {"host_talk", 7, hosts},
		} {
			t.Run(fmt.Sprintf("%s/%s/%v", w.name, tc.tool, tc.token), func(t *testing.T) {
				box := &inbox{}
				p := w.dial(t, talkSite, box.options())
				params := &mcp.CallToolParams{Name: tc.tool, Arguments: map[string]any{"text": "a secret"}}
				p.logging(t, w, params)
				params.SetProgressToken(tc.token)
				must(p.CallTool(t.Context(), params))
				var want []string
				if !strings.Contains(w.name, "JSON") { // where the SDK has no way to send any
					for _, line := range tc.want {
						want = append(want, fmt.Sprintf(line, "******", tc.token))
					}
				}
				eventually(t, "messages", func() bool { return len(box.messages()) >= len(want) })
				got := box.messages()
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			})
		}
	}
}

// Without a token the client wants no progress: the SDK would send a token that
// is null.
func TestNoTokenNoProgress(t *testing.T) {
	for _, w := range reachable {
		box := &inbox{}
		p := w.dial(t, talkSite, box.options())
		must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: "talk", Arguments: map[string]any{"text": "x"}}))
		must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: "talk", Arguments: map[string]any{"text": "x"}}))
		for _, message := range box.messages() {
			if strings.HasPrefix(message, "progress") {
				t.Errorf("%s: %s", w.name, message)
			}
		}
	}
}

// Two sessions of one server at once: each hears its own calls and gets its own
// results.
func TestSessionsNeverMix(t *testing.T) {
	for _, w := range reachable {
		if strings.Contains(w.name, "JSON") {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			s := talkSite()
			url := ""
			if w.http {
				url = serveHTTP(t, s.layer.HTTPHandler(streamable(&mcp.StreamableHTTPOptions{Stateless: strings.Contains(w.name, "stateless")})(s), nil))
			}
			var wg sync.WaitGroup
			for _, who := range []string{"ada", "bob"} {
				box := &inbox{}
				var p *peer
				if w.http {
					p = dialURL(t, url, w.version, nil, box.options())
				} else {
					p = dial(t, s.layer, s.server, w.version, nil, box.options())
				}
				const calls = 10
				for i := range calls {
					for _, tool := range []string{"talk", "host_talk"} {
						params := &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"text": who}}
						p.logging(t, w, params)
						params.SetProgressToken(fmt.Sprintf("%s-%s-%d", who, tool, i))
						wg.Go(func() {
							res, err := p.CallTool(t.Context(), params)
							if err != nil {
								t.Error(err)
								return
							}
							if text := res.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, who) {
								t.Errorf("%s got the result %s", who, text)
							}
						})
					}
				}
				t.Cleanup(func() {
					eventually(t, "messages", func() bool { return len(box.messages()) >= calls*10 })
					for _, message := range box.messages() {
						if !strings.Contains(message, who) || strings.HasPrefix(message, "progress") && strings.Count(message, who) != 2 {
							t.Errorf("%s heard %s", who, message)
						}
					}
				})
			}
			wg.Wait()
		})
	}
}

// A handler that goes on after its timeout can no longer reach the client, nor
// can one that kept its ToolContext.
func TestSilentAfterTheCall(t *testing.T) {
	for _, w := range reachable {
		if strings.Contains(w.name, "JSON") {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			ended := make(chan struct{})
			kept := make(chan *mcplayer.ToolContext, 1)
			late := make(chan error, 2)
			build := func() *site {
				reg := mcplayer.NewRegistry()
				mcplayer.AddTool(reg, mcplayer.Tool{Name: "stubborn", Timeout: 20 * time.Millisecond}, func(_ context.Context, tc *mcplayer.ToolContext, _ noArgs) (string, error) {
					tc.Progress(1, 0, "in time")
					<-ended
					tc.Progress(2, 0, "late")
					tc.Log("error", "late")
					_, err := tc.Elicit(context.Background(), &mcp.ElicitParams{Message: "late"})
					late <- err
					return "", nil
				})
				mcplayer.AddTool(reg, mcplayer.Tool{Name: "keeping"}, func(_ context.Context, tc *mcplayer.ToolContext, _ noArgs) (string, error) {
					tc.Progress(1, 0, "in time")
					kept <- tc
					return "", nil
				})
				layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: rules{}, Logger: silent}))
				server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, nil)
				server.AddTool(objectTool("host_stubborn"), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					ctx = context.WithoutCancel(ctx)
					<-ended
					_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "t", Progress: 2, Message: "late"})
					_ = req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "error", Data: "late"})
					_, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "late"})
					late <- err
					return wireText("late"), nil
				})
				if err := layer.Mount(server, &mcplayer.MountOptions{HostTools: map[string]mcplayer.HostFacts{"host_stubborn": {Timeout: 20 * time.Millisecond}}}); err != nil {
					panic(err)
				}
				return &site{layer, server}
			}
			box := &inbox{}
			opts := box.options()
			opts.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				box.put("asked late")
				return &mcp.ElicitResult{Action: "cancel"}, nil
			}
			p := w.dial(t, build, opts)
			for _, tool := range []string{"stubborn", "keeping", "host_stubborn"} {
				params := &mcp.CallToolParams{Name: tool}
				p.logging(t, w, params)
				params.SetProgressToken("t")
				res := must(p.CallTool(t.Context(), params))
				if timedOut := tool != "keeping"; res.IsError != timedOut {
					t.Errorf("%s: %s", tool, p.record)
				}
			}
			tc := <-kept
			tc.Progress(2, 0, "late")
			tc.Log("error", "late")
			if _, err := tc.Elicit(t.Context(), &mcp.ElicitParams{}); !errors.Is(err, mcplayer.ErrNoSession) {
				t.Errorf("Elicit after the call: %v", err)
			}
			if _, err := tc.Roots(t.Context()); !errors.Is(err, mcplayer.ErrNoSession) {
				t.Errorf("Roots after the call: %v", err)
			}
			close(ended)
			for range 2 {
				if err := <-late; err == nil {
					t.Error("a late question was answered")
				}
			}
			must(p.ListTools(t.Context(), nil)) // what was sent before has arrived
			eventually(t, "messages", func() bool { return len(box.messages()) >= 2 })
			for _, message := range box.messages() {
				if strings.Contains(message, "late") {
					t.Errorf("the client heard %q", message)
				}
			}
		})
	}
}

// A client that cancels reaches the handler and whoever stands around it, and
// leaves nothing behind.
func TestCancelledByTheClient(t *testing.T) {
	for _, w := range reachable {
		stateless := strings.HasPrefix(w.name, "http stateless")
		if stateless && !w.modern() {
			continue // it cannot cancel: TestClientThatGoesAwayLeavesTheTimeout
		}
		for _, tool := range []string{"waiting", "waiting_untimed", "host_waiting"} {
			t.Run(w.name+"/"+tool, func(t *testing.T) {
				started := make(chan struct{}, 1)
				handler := make(chan error, 1)
				audit := make(chan error, 1)
				slots := make(chan struct{}, 1) // one call at a time
				wait := func(ctx context.Context) error {
					started <- struct{}{}
					<-ctx.Done()
					handler <- context.Cause(ctx)
					return ctx.Err()
				}
				var layer *mcplayer.Layer
				build := func() *site {
					reg := mcplayer.NewRegistry()
					for name, timeout := range map[string]time.Duration{"waiting": 0, "waiting_untimed": -1} {
						mcplayer.AddTool(reg, mcplayer.Tool{Name: name, Timeout: timeout}, func(ctx context.Context, _ *mcplayer.ToolContext, _ noArgs) (string, error) {
							return "", wait(ctx)
						})
					}
					layer = must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: rules{}, Logger: silent, Middleware: []mcplayer.Middleware{
						func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
							slots <- struct{}{}
							defer func() { <-slots }()
							res, err := next(ctx, info)
							if res != nil {
								err = fmt.Errorf("a result %v", res)
							}
							audit <- err
							return res, err
						},
					}}))
					server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, nil)
					server.AddTool(objectTool("host_waiting"), func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
						return nil, wait(ctx)
					})
					if err := layer.Mount(server, nil); err != nil {
						panic(err)
					}
					return &site{layer, server}
				}
				var p *peer
				switch {
				case stateless:
					// The request ends with its connection there, if the host says so.
					s := build()
					opts := &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: strings.Contains(w.name, "JSON"), PropagateRequestCancellation: true}
					p = dialURL(t, serveHTTP(t, s.layer.HTTPHandler(streamable(opts)(s), nil)), w.version, nil, nil)
				default:
					p = w.dial(t, build, nil)
				}
				ctx, cancel := context.WithCancel(t.Context())
				go func() {
					<-started
					cancel()
				}()
				if _, err := p.CallTool(ctx, &mcp.CallToolParams{Name: tool}); !errors.Is(err, context.Canceled) {
					t.Errorf("the client's error is %v", err)
				}
				if cause := receive(t, handler); !errors.Is(cause, context.Canceled) {
					t.Errorf("the handler was ended by %v", cause)
				}
				if err := receive(t, audit); !errors.Is(err, context.Canceled) {
					t.Errorf("the middleware saw %v", err)
				}
				eventually(t, "the slot is free", func() bool { return len(slots) == 0 })
				eventually(t, "no handler is left", func() bool { return layer.Abandoned() == 0 })
			})
		}
	}
}

func receive[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(5 * time.Second):
		t.Fatal("nothing within 5 s")
		panic("unreachable")
	}
}

// Where a client that goes away cancels nothing, the tool's own timeout is the
// only guard, and its handler ends by it.
func TestClientThatGoesAwayLeavesTheTimeout(t *testing.T) {
	started, ended := make(chan struct{}), make(chan error, 1)
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "waiting", Timeout: 100 * time.Millisecond}, func(ctx context.Context, _ *mcplayer.ToolContext, _ noArgs) (string, error) {
		close(started)
		<-ctx.Done()
		ended <- ctx.Err()
		return "", ctx.Err()
	})
	layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: rules{}, Logger: silent}))
	server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, nil)
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	s := &site{layer, server}
	url := serveHTTP(t, layer.HTTPHandler(stateless(s), nil))
	ctx, cancel := context.WithCancel(t.Context())
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"waiting"}}`
	req := must(http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body)))
	req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {legacy}}
	go func() {
		<-started
		cancel()
	}()
	if res, err := http.DefaultClient.Do(req); err == nil {
		_ = res.Body.Close()
	}
	if err := receive(t, ended); err != context.DeadlineExceeded {
		t.Errorf("the handler was ended by %v", err)
	}
}
