package mcplayer_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
)

// brokenInput is an input pipeline whose own error holds what it protects.
type brokenInput struct{}

func (brokenInput) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass { return brokenInput{} }

func (brokenInput) JSON(jsontext.Value) (jsontext.Value, error) {
	return nil, errors.New("cannot reverse hunter2")
}
func (brokenInput) Text(string) (string, error) { return "", errors.New("cannot reverse hunter2") }
func (brokenInput) Report() mcplayer.Report     { return nil }

// Nobody wrote the plain errors of a policy or an input pipeline for clients.
func TestErrorsOfPolicyAndInputPipelineStayPrivate(t *testing.T) {
	cause := errors.New("db password hunter2 expired")
	tests := []struct {
		name  string
		spoil func(*scripted)
	}{
		{"policy", func(p *scripted) { p.check = func(context.Context, mcplayer.CallInfo) error { return cause } }},
		{"input pipeline", func(p *scripted) { p.input = brokenInput{} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, returning("get", "x"))
			tt.spoil(l.pol)
			res := l.call(t, "get", nil)
			same(t, wireOf(t, res), `{"_meta":{"cloudg/error_code":"handler_error"},"content":[{"type":"text","text":"Tool get failed"}],"isError":true}`)
			same(t, mcplayer.TypeOf(res.Cause), "errorString")
		})
	}
}

// A CallInfo without a layer, as a test of a middleware alone makes it, answers.
func TestCallInfoWithoutALayer(t *testing.T) {
	var info mcplayer.CallInfo
	if err := info.Authorize(t.Context()); err == nil || err.Error() != "mcplayer: CallInfo was not made by a layer" {
		t.Errorf("Authorize: %v", err)
	}
	info.Hold()()
	ran := false
	info.AfterHandlers(func() { ran = true })
	if !ran {
		t.Error("AfterHandlers did nothing")
	}
	same(t, info.MetaKey("cache"), "cloudg/cache")
	if info.PolicyVersion() != 0 {
		t.Errorf("version %d", info.PolicyVersion())
	}
}

func TestFilterOfExclusionsOnly(t *testing.T) {
	reg := mcplayer.NewRegistry()
	returning("get", "x")(reg)
	_, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: &scripted{}, Filter: mcplayer.Filter{Tools: []string{"!get"}}})
	want := "mcplayer: 1 configuration error:\nFilter.Tools has exclusions only and would keep nothing; use Filter.ExcludeTools"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// Closers run whatever the others do, and one that comes late runs at once.
func TestClosersArePanicProof(t *testing.T) {
	l := newLab(t, mcplayer.Options{})
	var j journal
	l.OnClose(func(context.Context) error { j.add("first"); return nil })
	l.OnClose(func(context.Context) error { panic("boom") })
	err := l.Close(t.Context())
	if err == nil {
		t.Error("the panic is lost")
	}
	l.OnClose(func(context.Context) error { j.add("late"); return nil })
	same(t, j.String(), "first late")
}
