package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/examples/inventory/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const table = `[{"token":"t-ada","user":"ada","roles":["analyst"]},{"token":"t-ben","user":"ben"}]`

func TestCallersOverHTTP(t *testing.T) {
	tokens, err := server.ParseTokens([]byte(table))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		config server.HTTPConfig
		token  string
		want   string // empty: turned away
	}{
		{"open", server.HTTPConfig{}, "", `{"id":"anonymous","roles":["default"]}`},
		{"open, a token that nobody checks", server.HTTPConfig{}, "t-ada", `{"id":"anonymous","roles":["default"]}`},
		{"with roles", server.HTTPConfig{Tokens: tokens}, "t-ada", `{"id":"ada","roles":["analyst","default"]}`},
		{"without roles", server.HTTPConfig{Tokens: tokens}, "t-ben", `{"id":"ben","roles":["default"]}`},
		{"stateless", server.HTTPConfig{Tokens: tokens, Stateless: true}, "t-ada", `{"id":"ada","roles":["analyst","default"]}`},
		{"no token", server.HTTPConfig{Tokens: tokens}, "", ""},
		{"unknown token", server.HTTPConfig{Tokens: tokens, Stateless: true}, "t-eve", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := serve(t, tt.config)
			if got := whoami(t, r, tt.token); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			r.stop()
			r.ended(t)
			if log := r.log.String(); tt.token != "" && strings.Contains(log, tt.token) {
				t.Errorf("the log has the token: %s", log)
			}
		})
	}
}

// whoami returns who the server takes the owner of a token for, nothing if it
// lets them not in.
func whoami(t *testing.T, r *running, token string) string {
	t.Helper()
	session, err := r.client(t, token, nil)
	if err != nil {
		return ""
	}
	defer session.Close()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "whoami"})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}
