package main

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tokenSet holds made-up bearer tokens: two of ada's, one of ben's.
type tokenSet struct{ analyst, admin, ben string }

// writeTokens makes new tokens and writes the table that the servers read.
func writeTokens(path string) (tokenSet, error) {
	t := tokenSet{analyst: rand.Text(), admin: rand.Text(), ben: rand.Text()}
	type row struct {
		Token string   `json:"token"`
		User  string   `json:"user"`
		Roles []string `json:"roles"`
	}
	doc, err := json.Marshal([]row{
		{t.analyst, "ada", []string{"analyst"}},
		{t.admin, "ada", []string{"admin", "analyst"}},
		{t.ben, "ben", []string{"guest"}},
	})
	if err != nil {
		return t, err
	}
	return t, os.WriteFile(path, doc, 0o600)
}

// bearer sends a token, which can be changed, with each request.
type bearer struct{ token atomic.Value }

func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token.Load().(string))
	return http.DefaultTransport.RoundTrip(r)
}

func newBearer(token string) *bearer {
	b := &bearer{}
	b.token.Store(token)
	return b
}

// overHTTP reaches a server as the owner of a token.
func overHTTP(url, token string) mcp.Transport { return newBearer(token).transport(url) }

func (b *bearer) transport(url string) mcp.Transport {
	return &mcp.StreamableClientTransport{
		Endpoint:             url,
		HTTPClient:           &http.Client{Transport: b},
		DisableStandaloneSSE: true, // nothing here comes without being asked for
	}
}
