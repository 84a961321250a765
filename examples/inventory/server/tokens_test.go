package server_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/examples/inventory/server"
	"github.com/modelcontextprotocol/go-sdk/auth"
)

func TestTokens(t *testing.T) {
	tokens, err := server.ParseTokens([]byte(`[{"token":"s3cret","user":"ada","roles":["analyst","admin"]}, {"token":"other","user":"ben"}]`))
	if err != nil {
		t.Fatal(err)
	}
	info, err := tokens.Verify(t.Context(), "s3cret", nil)
	if err != nil || info.UserID != "ada" || !slices.Equal(info.Scopes, []string{"analyst", "admin"}) {
		t.Errorf("%+v, %v", info, err)
	}
	for _, unknown := range []string{"", "S3cret", "s3cret ", "ada"} {
		if _, err := tokens.Verify(t.Context(), unknown, nil); !errors.Is(err, auth.ErrInvalidToken) {
			t.Errorf("%q: %v", unknown, err)
		}
	}
}

func TestTokenTablesThatAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"no JSON", `s3cret`, `read tokens: not a JSON list of {"token", "user", "roles"}`},
		{"object", `{"s3cret":"ada"}`, `read tokens: not a JSON list of {"token", "user", "roles"}`},
		{"no token", `[{"s3cret":"ada"}]`, "read tokens: entry 0 needs a token and a user"},
		{"no user", `[{"token":"s3cret"}]`, "read tokens: entry 0 needs a token and a user"},
		{"twice", `[{"token":"s3cret","user":"ada"},{"token":"s3cret","user":"ben"}]`, "read tokens: entry 1 has the token of another"},
	} {
		_, err := server.ParseTokens([]byte(tt.doc))
		if err == nil || err.Error() != tt.want || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestLoadTokens(t *testing.T) {
	if _, err := server.LoadTokens(t.TempDir() + "/nowhere"); err == nil {
		t.Error("a file that is not there gives no error")
	}
}
