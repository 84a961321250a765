package middleware_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/testkit"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// safeBuffer collects what is written to it.
type safeBuffer = testkit.Logbook

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

func newAudit(t *testing.T, opts middleware.AuditOptions) *middleware.Audit {
	t.Helper()
	if opts.Logger == nil {
		opts.Logger = silent()
	}
	audit, err := middleware.NewAudit(&opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = audit.Close(context.Background()) })
	return audit
}

func closeAudit(t *testing.T, audit *middleware.Audit) {
	t.Helper()
	if err := audit.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// next returns a chain that ends in a result or an error.
func next(res result.Result, err error) mcplayer.Next {
	return func(context.Context, mcplayer.CallInfo) (result.Result, error) { return res, err }
}

// toolInfo is a call that no layer made.
func toolInfo(args string) mcplayer.CallInfo {
	return mcplayer.CallInfo{
		Kind: mcplayer.KindTool, Name: "echo", Arguments: jsontext.Value(args),
		Spec:      &mcplayer.Spec{Kind: mcplayer.KindTool, Name: "echo", Sensitivity: mcplayer.Internal},
		Principal: mcplayer.NewPrincipal("alice", "reader", "admin"),
	}
}

// handle leads a call through the audit and ignores its answer.
func handle(audit *middleware.Audit, info mcplayer.CallInfo) {
	_, _ = audit.Handle(context.Background(), info, next(result.Text("x"), nil))
}

// decode reads one line and checks that it is JSON without duplicate members.
func decode(t *testing.T, line string) map[string]any {
	t.Helper()
	var m map[string]any
	if !jsontext.Value(line).IsValid() {
		t.Errorf("not valid: %s", line)
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return m
}

// gatePolicy hides, denies and limits by name: hidden, denied, limited. It counts
// what is not found. What sees is shown to nobody but alice.
type gatePolicy struct {
	input    mcplayer.Pipeline
	output   mcplayer.Pipeline
	mu       sync.Mutex
	notFound []string
}

func (p *gatePolicy) Admit(*mcplayer.Spec) error { return nil }

func (p *gatePolicy) NotFound(_ context.Context, info mcplayer.CallInfo) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notFound = append(p.notFound, info.Name)
}

func (p *gatePolicy) Bind(spec *mcplayer.Spec, who *mcplayer.Principal) *mcplayer.Access {
	visible := !strings.HasPrefix(spec.Name, "hidden") && (!strings.HasPrefix(spec.Name, "private") || who.ID() == "alice")
	return &mcplayer.Access{Visible: visible, Check: p.check, Input: p.input, Output: p.output, Version: 1}
}

func (p *gatePolicy) check(_ context.Context, info mcplayer.CallInfo) (mcplayer.Ticket, error) {
	switch {
	case strings.HasPrefix(info.Name, "denied"):
		return nil, mcplayer.AccessDenied("no", nil)
	case strings.HasPrefix(info.Name, "limited"):
		return nil, mcplayer.RateLimited("later", nil)
	}
	return nil, nil
}

// secretGuard is an input pipeline that refuses arguments with the word hunter2.
type secretGuard struct{}

func (secretGuard) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass { return secretGuard{} }
func (secretGuard) Text(s string) (string, error)                          { return s, nil }
func (secretGuard) Report() mcplayer.Report                                { return nil }
func (secretGuard) JSON(doc jsontext.Value) (jsontext.Value, error) {
	if bytes.Contains(doc, []byte("hunter2")) {
		return nil, mcplayer.InvalidArguments("Arguments appear to contain secrets", nil)
	}
	return doc, nil
}

// reporter is an output pipeline that says that it did something.
type reporter struct{}

func (reporter) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass { return reporter{} }
func (reporter) Text(s string) (string, error)                          { return s, nil }
func (reporter) JSON(doc jsontext.Value) (jsontext.Value, error)        { return doc, nil }
func (reporter) Report() mcplayer.Report {
	return mcplayer.Report{"redacted": map[string]int{"phone": 1, "email": 2}, "annotated": 3}
}

func newLayer(t *testing.T, opts *mcplayer.Options) *mcplayer.Layer {
	t.Helper()
	if opts.Logger == nil {
		opts.Logger = silent()
	}
	layer, err := mcplayer.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return layer
}

var errPlain = errors.New("plain")

// refusing is a middleware that refuses with a message.
func refusing(message string) mcplayer.Middleware {
	return func(context.Context, mcplayer.CallInfo, mcplayer.Next) (result.Result, error) {
		return nil, mcplayer.AccessDenied(message, nil)
	}
}
