package middleware_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
)

// A secret used as a name, a URI or a key is not kept.
func TestAuditScrubsNames(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	other := "ghp_" + strings.Repeat("Z9y8X7w6V5", 4)[:36]
	var sink safeBuffer
	audit := newAudit(t, middleware.AuditOptions{Writer: &sink, Salt: []byte("x")})
	info := toolInfo(`{"` + token + `":1,"` + other + `":2,"plain":3}`)
	info.Kind, info.Name = mcplayer.KindResource, "docs://"+token+"/x"
	handle(audit, info)
	closeAudit(t, audit)
	if strings.Contains(sink.String(), token) || strings.Contains(sink.String(), other) {
		t.Errorf("kept: %s", sink.String())
	}
	line := decode(t, sink.Lines()[0])
	var keys []string
	for _, key := range line["argument_keys"].([]any) {
		keys = append(keys, key.(string))
	}
	hashes := line["argument_hashes"].(map[string]any)
	want := []string{"[REDACTED:api_token]#" + hashOf("x", `"`+token+`"`), "[REDACTED:api_token]#" + hashOf("x", `"`+other+`"`), "plain"}
	slices.Sort(want)
	if !slices.Equal(keys, want) || len(hashes) != 3 {
		t.Errorf("got %q, want %q; %v", keys, want, hashes)
	}
	if name := line["name"].(string); !strings.HasPrefix(name, "docs://[REDACTED:") || !strings.HasSuffix(name, "]/x") {
		t.Errorf("got %q", name)
	}
}

// A secret is not kept either as the type of an error that a handler made, or encoded in
// a URI.
func TestAuditScrubsTypesAndURIs(t *testing.T) {
	token := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	var sink safeBuffer
	audit := newAudit(t, middleware.AuditOptions{Writer: &sink})
	info := toolInfo(`{}`)
	info.Kind, info.Name = mcplayer.KindResource, "docs://password%253Dhunter22/x"
	_, _ = audit.Handle(t.Context(), info, func(context.Context, mcplayer.CallInfo) (result.Result, error) {
		return nil, &mcplayer.Error{Code: -31500, Type: token, Message: "no"}
	})
	closeAudit(t, audit)
	line := decode(t, sink.Lines()[0])
	if got := line["error"].(map[string]any)["type"]; got != "[REDACTED:api_token]" {
		t.Errorf("type %q", got)
	}
	if got := line["name"]; got != "[REDACTED:secret_value]" {
		t.Errorf("name %q", got)
	}
}
