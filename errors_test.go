package mcplayer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestErrorConstructors(t *testing.T) {
	data := map[string]any{"k": 1}
	tests := []struct {
		name     string
		err      *mcplayer.Error
		code     mcplayer.Code
		typ      string
		sentinel error
	}{
		{"access denied", mcplayer.AccessDenied("m", data), -31001, "AccessDeniedError", mcplayer.ErrAccessDenied},
		{"rate limited", mcplayer.RateLimited("m", data), -31029, "RateLimitedError", mcplayer.ErrRateLimited},
		{"invalid arguments", mcplayer.InvalidArguments("m", data), -32602, "InvalidArgumentsError", mcplayer.ErrInvalidArguments},
		{"reference not found", mcplayer.ReferenceNotFound("m", data), -32602, "ReferenceNotFoundError", mcplayer.ErrReferenceNotFound},
	}
	sentinels := []error{
		mcplayer.ErrAccessDenied, mcplayer.ErrRateLimited, mcplayer.ErrInvalidArguments, mcplayer.ErrReferenceNotFound,
		mcplayer.ErrNotFound, mcplayer.ErrServerClosing, mcplayer.ErrTimeout,
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.err.Code != tt.code || tt.err.Type != tt.typ || tt.err.Message != "m" || tt.err.Data == nil || tt.err.Err != nil {
				t.Errorf("got %#v", tt.err)
			}
			for _, wrapped := range []error{tt.err, fmt.Errorf("outer: %w", tt.err), errors.Join(errors.New("x"), tt.err)} {
				if mcplayer.CodeOf(wrapped) != tt.code || mcplayer.TypeOf(wrapped) != tt.typ {
					t.Errorf("%v: code %v, type %s", wrapped, mcplayer.CodeOf(wrapped), mcplayer.TypeOf(wrapped))
				}
				for _, s := range sentinels {
					if errors.Is(wrapped, s) != (s == tt.sentinel) {
						t.Errorf("%v is %v: %v", wrapped, s, errors.Is(wrapped, s))
					}
				}
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	cause := fs.ErrNotExist
	e := &mcplayer.Error{Message: "m", Err: cause}
	same(t, e.Error(), "m: file does not exist")
	same(t, (&mcplayer.Error{Message: "m"}).Error(), "m")
	if !errors.Is(e, fs.ErrNotExist) || errors.Is(e, mcplayer.ErrNotFound) {
		t.Error("the cause is not unwrapped")
	}
}

// generic is an error type with a type argument.
type generic[T any] struct{}

func (generic[T]) Error() string { return "generic" }

func TestCodeOfAndTypeOf(t *testing.T) {
	local := func() error { // an error of a type without name
		return struct{ error }{errors.New("x")}
	}
	tests := []struct {
		name string
		err  error
		code mcplayer.Code
		typ  string
	}{
		{"nil", nil, 0, ""},
		{"plain", errors.New("x"), mcplayer.CodeHandlerError, "errorString"},
		{"typed", &refusal{}, mcplayer.CodeHandlerError, "refusal"},
		{"of the library", &fs.PathError{Err: fs.ErrExist}, mcplayer.CodeHandlerError, "PathError"},
		{"generic", &generic[mcplayer.Error]{}, mcplayer.CodeHandlerError, "generic"},
		{"without a name", local(), mcplayer.CodeHandlerError, "error"},
		{"wrapped plain", fmt.Errorf("o: %w", &refusal{}), mcplayer.CodeHandlerError, "wrapError"},
		{"layer error without type", &mcplayer.Error{Code: 7}, 7, "Error"},
		{"layer error without code", &mcplayer.Error{Type: "Mine"}, mcplayer.CodeHandlerError, "Mine"},
		{"JSON-RPC error", &jsonrpc.Error{Code: -32021}, -32021, "JSONRPCError"},
		{"wrapped JSON-RPC error", fmt.Errorf("o: %w", &jsonrpc.Error{Code: -32021}), mcplayer.CodeHandlerError, "wrapError"},
		{"nil layer error", (*mcplayer.Error)(nil), mcplayer.CodeHandlerError, "Error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := mcplayer.CodeOf(tt.err); got != tt.code {
				t.Errorf("code %v, want %v", got, tt.code)
			}
			if got := mcplayer.TypeOf(tt.err); got != tt.typ {
				t.Errorf("type %q, want %q", got, tt.typ)
			}
		})
	}
}

func TestCodes(t *testing.T) {
	tests := []struct {
		code       mcplayer.Code
		text, json string
	}{
		{mcplayer.CodeInvalidParams, "-32602", `-32602`},
		{mcplayer.CodeInternal, "-32603", `-32603`},
		{mcplayer.CodeAccessDenied, "-31001", `-31001`},
		{mcplayer.CodeRateLimited, "-31029", `-31029`},
		{mcplayer.CodeTimeout, "timeout", `"timeout"`},
		{mcplayer.CodeHandlerError, "handler_error", `"handler_error"`},
		{1429, "1429", `1429`},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			doc, err := json.Marshal(tt.code)
			if err != nil {
				t.Fatal(err)
			}
			same(t, tt.code.String(), tt.text)
			same(t, string(doc), tt.json)
		})
	}
}
