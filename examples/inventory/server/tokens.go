package server

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/auth"
)

// Tokens is a table of bearer tokens. It keeps hashes only, so no log can show a
// token. A real server would ask its identity provider instead.
type Tokens struct {
	byHash map[[sha256.Size]byte]*auth.TokenInfo
}

// tokenEntry is one entry of the table's file, a JSON list.
type tokenEntry struct {
	Token string   `json:"token"`
	User  string   `json:"user"`
	Roles []string `json:"roles"`
}

// LoadTokens reads a table:
//
//	[{"token": "…", "user": "ada", "roles": ["analyst"]}]
func LoadTokens(path string) (*Tokens, error) {
	doc, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read tokens: %w", err)
	}
	return ParseTokens(doc)
}

// ParseTokens reads a table. Its errors name entries by their place, never by
// what they hold.
func ParseTokens(doc []byte) (*Tokens, error) {
	var entries []tokenEntry
	if json.Unmarshal(doc, &entries) != nil {
		return nil, errors.New(`read tokens: not a JSON list of {"token", "user", "roles"}`)
	}
	t := &Tokens{byHash: map[[sha256.Size]byte]*auth.TokenInfo{}}
	for i, e := range entries {
		hash := sha256.Sum256([]byte(e.Token))
		switch {
		case e.Token == "" || e.User == "":
			return nil, fmt.Errorf("read tokens: entry %d needs a token and a user", i)
		case t.byHash[hash] != nil:
			return nil, fmt.Errorf("read tokens: entry %d has the token of another", i)
		}
		t.byHash[hash] = &auth.TokenInfo{UserID: e.User, Scopes: e.Roles}
	}
	return t, nil
}

// Verify is an [auth.TokenVerifier]: what it returns is all that the layer
// believes of the caller. The scopes become roles.
func (t *Tokens) Verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	info, ok := t.byHash[sha256.Sum256([]byte(token))]
	if !ok {
		return nil, auth.ErrInvalidToken
	}
	return info, nil
}
