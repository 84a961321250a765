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

func (brokenInput) Report() mcplayer.Report { return nil }

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
