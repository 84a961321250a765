package mcplayer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/testkit"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lab is a layer under a policy whose answers a test sets, with its log kept.
type lab struct {
	*mcplayer.Layer
	reg *mcplayer.Registry
	pol *scripted
	log *logbook
}

// newLab builds a layer of the options, with the tools that add registers.
func newLab(t testing.TB, opts mcplayer.Options, add ...func(*mcplayer.Registry)) *lab {
	t.Helper()
	l := &lab{reg: opts.Registry, pol: &scripted{}, log: &logbook{}}
	if l.reg == nil {
		l.reg = mcplayer.NewRegistry()
	}
	for _, f := range add {
		f(l.reg)
	}
	opts.Registry = l.reg
	if opts.Policy == nil {
		opts.Policy = l.pol
	}
	opts.Logger = slog.New(slog.NewJSONHandler(l.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	layer, err := mcplayer.New(&opts)
	if err != nil {
		t.Fatal(err)
	}
	l.Layer = layer
	return l
}

// tool registers a handler that takes its arguments as they are.
func tool(name string, h func(ctx context.Context, tc *mcplayer.ToolContext, args jsontext.Value) (any, error)) func(*mcplayer.Registry) {
	return func(r *mcplayer.Registry) { mcplayer.AddTool(r, mcplayer.Tool{Name: name}, h) }
}

// returning registers a tool that returns the value.
func returning(name string, value any) func(*mcplayer.Registry) {
	return tool(name, func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) { return value, nil })
}

// failing registers a tool that returns the error.
func failing(name string, err error) func(*mcplayer.Registry) {
	return tool(name, func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) { return nil, err })
}

// panicking registers a tool that panics with the value.
func panicking(name string, value any) func(*mcplayer.Registry) {
	return tool(name, func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) { panic(value) })
}

// echoing registers a tool that returns the arguments it got.
func echoing(name string) func(*mcplayer.Registry) {
	return tool(name, func(_ context.Context, _ *mcplayer.ToolContext, args jsontext.Value) (any, error) { return args, nil })
}

// call makes a call that must give a result.
func (l *lab) call(t testing.TB, name string, args any, opts ...mcplayer.CallOption) *result.ToolResult {
	t.Helper()
	res, err := l.CallTool(t.Context(), name, args, opts...)
	if err != nil {
		t.Fatalf("call %s: %v", name, err)
	}
	if res == nil {
		t.Fatalf("call %s: neither result nor error", name)
	}
	return res
}

// wire makes a call and returns the bytes that the SDK sends of its result,
// with the duration set to 0.
func (l *lab) wire(t testing.TB, name string, args any, opts ...mcplayer.CallOption) string {
	t.Helper()
	return wireOf(t, l.call(t, name, args, opts...))
}

var duration = regexp.MustCompile(`"cloudg/duration_ms":\d+`)

func wireOf(t testing.TB, res *result.ToolResult) string {
	t.Helper()
	doc, err := json.Marshal(res.ToWire())
	if err != nil {
		t.Fatalf("the SDK cannot encode the result: %v", err)
	}
	return duration.ReplaceAllString(string(doc), `"cloudg/duration_ms":0`)
}

// same compares two texts.
func same(t testing.TB, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// scripted is a policy that shows and allows everything except what a test
// says, and records what it was asked. Its fields are set before calls run.
type scripted struct {
	hidden    map[string]bool
	nilAccess bool
	bind      func(spec *mcplayer.Spec, p *mcplayer.Principal)
	check     func(ctx context.Context, info mcplayer.CallInfo) error
	admit     func(*mcplayer.Spec) error
	notFound  func(mcplayer.CallInfo)
	input     mcplayer.Pipeline
	output    mcplayer.Pipeline
	version   uint64
	binary    mcplayer.Binary

	mu       sync.Mutex
	missing  []missing
	checked  []string
	rejected []string
}

// missing is a call that the policy recorded as not found.
type missing struct {
	kind      mcplayer.Kind
	name      string
	known     bool
	principal string
}

func (p *scripted) Admit(spec *mcplayer.Spec) error {
	if p.admit != nil {
		return p.admit(spec)
	}
	return nil
}

func (p *scripted) Bind(spec *mcplayer.Spec, who *mcplayer.Principal) *mcplayer.Access {
	if p.bind != nil {
		p.bind(spec, who)
	}
	if p.nilAccess {
		return nil
	}
	return &mcplayer.Access{
		Visible: !p.hidden[spec.Name],
		Check:   p.decide,
		Input:   p.input,
		Output:  p.output,
		Version: p.version,
		Binary:  p.binary,
	}
}

func (p *scripted) decide(ctx context.Context, info mcplayer.CallInfo) (mcplayer.Ticket, error) {
	p.mu.Lock()
	p.checked = append(p.checked, info.Name+" "+string(info.Arguments))
	p.mu.Unlock()
	if p.check != nil {
		if err := p.check(ctx, info); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Reject implements [mcplayer.Ticket].
func (p *scripted) Reject(reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rejected = append(p.rejected, reason)
}

func (p *scripted) NotFound(_ context.Context, info mcplayer.CallInfo) {
	p.mu.Lock()
	p.missing = append(p.missing, missing{info.Kind, info.Name, info.Spec != nil, info.Principal.ID()})
	p.mu.Unlock()
	if p.notFound != nil {
		p.notFound(info)
	}
}

// censor is a pipeline that replaces the word "secret" and counts it.
type censor struct{}

func (censor) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass { return &censorPass{} }

type censorPass struct {
	n        int
	released bool
}

const gone = "[gone]"

// Release ends the use of the pass.
func (p *censorPass) Release() {
	p.use()
	p.released = true
}

func (p *censorPass) use() {
	if p.released {
		panic("a pass that was released is used")
	}
}

func (p *censorPass) JSON(doc jsontext.Value) (jsontext.Value, error) {
	p.use()
	if !bytes.Contains(doc, []byte("secret")) {
		return doc, nil
	}
	p.n += bytes.Count(doc, []byte("secret"))
	return bytes.ReplaceAll(doc, []byte("secret"), []byte(gone)), nil
}

func (p *censorPass) Text(s string) (string, error) {
	p.use()
	p.n += strings.Count(s, "secret")
	return strings.ReplaceAll(s, "secret", gone), nil
}

func (p *censorPass) Report() mcplayer.Report {
	p.use()
	if p.n == 0 {
		return nil
	}
	return mcplayer.Report{"censored": p.n}
}

// broken is a pipeline of which the parts that are set misbehave.
type broken struct {
	json   func(jsontext.Value) (jsontext.Value, error)
	text   func(string) (string, error)
	report func() mcplayer.Report
	begin  func()
}

func (b broken) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass {
	if b.begin != nil {
		b.begin()
	}
	return b
}

func (b broken) JSON(doc jsontext.Value) (jsontext.Value, error) {
	if b.json != nil {
		return b.json(doc)
	}
	return doc, nil
}

func (b broken) Text(s string) (string, error) {
	if b.text != nil {
		return b.text(s)
	}
	return s, nil
}

func (b broken) Report() mcplayer.Report {
	if b.report != nil {
		return b.report()
	}
	return nil
}

var errPipeline = errors.New("rule 7 choked on hunter2")

// logbook keeps the lines of a log.
type logbook struct{ testkit.Logbook }

// find returns the records with that message.
func (b *logbook) find(t testing.TB, msg string) []map[string]any {
	t.Helper()
	var found []map[string]any
	for line := range strings.Lines(b.String()) {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("log line %q: %v", line, err)
		}
		if record["msg"] == msg {
			found = append(found, record)
		}
	}
	return found
}

// journal is a list of events in their order.
type journal struct {
	mu     sync.Mutex
	events []string
}

func (j *journal) add(event string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.events = append(j.events, event)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Join(j.events, " ")
}

// textOf returns the text of the only block.
func textOf(t testing.TB, res *result.ToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("%d blocks in %s", len(res.Content), wireOf(t, res))
	}
	block, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("block is %T", res.Content[0])
	}
	return block.Text
}

// sdkTool registers a handler written for the SDK, which tells of its request.
func sdkTool(name string) func(*mcplayer.Registry) {
	type query struct {
		Q string `json:"q"`
	}
	return func(r *mcplayer.Registry) {
		mcplayer.AddSDKTool(r, mcplayer.Tool{Name: name}, func(_ context.Context, req *mcp.CallToolRequest, q query) (*mcp.CallToolResult, query, error) {
			text := fmt.Sprintf("%s %s session %v", req.Params.Name, req.Params.Arguments, req.Session != nil)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, q, nil
		})
	}
}

var errorID = regexp.MustCompile(`^[0-9a-f]{16}$`)

// checkPanic checks that res tells nothing of a panic but an error id, and that
// the log has value and stack under the same id.
func checkPanic(t testing.TB, l *lab, res *result.ToolResult, value string) {
	t.Helper()
	data, _ := json.Marshal(res.Meta["cloudg/error_data"])
	var got struct {
		ID string `json:"error_id"`
	}
	if err := json.Unmarshal(data, &got); err != nil || !errorID.MatchString(got.ID) {
		t.Fatalf("error data %s", data)
	}
	same(t, wireOf(t, res), `{"_meta":{"cloudg/error_code":"handler_error","cloudg/error_data":{"error_id":"`+got.ID+`"}},`+
		`"content":[{"type":"text","text":"Internal error in tool get"}],"isError":true}`)
	var records []map[string]any
	for _, r := range l.log.find(t, "panic") {
		if r["error_id"] == got.ID {
			records = append(records, r)
		}
	}
	if len(records) != 1 {
		t.Fatalf("%d log records with id %s: %s", len(records), got.ID, l.log)
	}
	if v := fmt.Sprint(records[0]["value"]); !strings.Contains(v, value) {
		t.Errorf("logged value %q, want %q", v, value)
	}
	if stack, _ := records[0]["stack"].(string); !strings.Contains(stack, "_test.go") {
		t.Errorf("logged stack %q", stack)
	}
}

// rawEcho is the cheapest useful tool: raw arguments in, one text out.
func rawEcho(_ context.Context, _ *mcplayer.ToolContext, args jsontext.Value) (*result.ToolResult, error) {
	return result.Text("ok"), nil
}

func passOn(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	return next(ctx, info)
}

// sleeping registers a tool that sleeps without looking at its context.
func sleeping(name string, d, timeout time.Duration) func(*mcplayer.Registry) {
	return func(r *mcplayer.Registry) {
		mcplayer.AddTool(r, mcplayer.Tool{Name: name, Timeout: timeout},
			func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
				time.Sleep(d)
				return result.Text("done"), nil
			})
	}
}

// answering is a middleware that gives that answer.
func answering(res result.Result, err error) mcplayer.Middleware {
	return func(context.Context, mcplayer.CallInfo, mcplayer.Next) (result.Result, error) { return res, err }
}
