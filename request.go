package mcplayer

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Transport is the way a request came in.
type Transport string

// The transports. Callers through [TransportStdio] and [TransportInMemory] are
// on the same machine by nature.
const (
	TransportUnknown  Transport = ""
	TransportStdio    Transport = "stdio"
	TransportInMemory Transport = "in-memory"
	TransportHTTP     Transport = "http" // streamable HTTP
	TransportSSE      Transport = "sse"  // the SDK's older SSE handler
)

func (t Transport) isLocal() bool { return t == TransportStdio || t == TransportInMemory }

// RequestInfo is what is known of the request that a call came with.
type RequestInfo struct {
	Transport Transport
	// RequestID is the JSON-RPC id, a string or an int64; nil if not known.
	RequestID any
	// Headers are those of the HTTP request, names in lower case. They hold
	// whatever the client sent, credentials included.
	Headers map[string][]string
	// SessionID is that of a stateful HTTP session; elsewhere empty.
	SessionID string
	// Token is what the host's OAuth middleware validated, nil if nothing. On
	// [TransportSSE] it is the one that opened the stream.
	Token *auth.TokenInfo
	// Principal is what an auth layer bound to this very request.
	Principal *Principal
	// Request is the SDK's request.
	Request mcp.Request

	lost bool // whoever made it has gone
}

// ClientInfo returns what the client says of itself, nil if it says nothing.
// Nobody has verified it. It takes about 15 µs on modern sessions.
func (r *RequestInfo) ClientInfo() *mcp.Implementation {
	if r == nil {
		return nil
	}
	if teller, ok := r.Request.(interface{ ClientInfo() *mcp.Implementation }); ok {
		return teller.ClientInfo()
	}
	return nil
}

// ClientCapabilities returns what the client says it can be asked for, nil if it
// says nothing. Nobody has verified it.
func (r *RequestInfo) ClientCapabilities() *mcp.ClientCapabilities {
	if r == nil {
		return nil
	}
	if teller, ok := r.Request.(interface {
		ClientCapabilities() *mcp.ClientCapabilities
	}); ok {
		return teller.ClientCapabilities()
	}
	return nil
}

// Resolver tells who makes a request that came through a transport. An error is
// logged and refuses the request. Nil without an error means that it does not know:
// then, as without a resolver, the default order decides:
//
//  1. the principal of [WithPrincipal]: of the context that a stdio or in-memory
//     server runs with; on HTTP the one that an auth layer set for this very
//     request, through [Layer.HTTPHandler];
//  2. the owner of the token that the SDK's OAuth middleware validated: the id is
//     TokenInfo.UserID, else Extra["client_id"], else "oauth-client" ("local" and
//     "anonymous" become "oauth:local" and "oauth:anonymous"); the roles are
//     "default" and the token's scopes, each by its name; the attributes are "auth"
//     ("oauth") and "scopes";
//  3. [Local], over stdio and in-memory transports;
//  4. [Anonymous].
//
// What a client says of itself is never looked at.
type Resolver func(ctx context.Context, request *RequestInfo) (*Principal, error)

type (
	transportKey struct{}
	principalKey struct{}
)

// WithTransport says that whoever talks to a server that is run or connected
// with the returned context comes through that transport. [Layer.Run] does so by
// itself.
func WithTransport(ctx context.Context, t Transport) context.Context {
	return context.WithValue(ctx, transportKey{}, t)
}

// WithPrincipal sets the caller for a server that is run or connected with the
// returned context, for in-process calls, or for one HTTP request if an auth layer
// in front of [Layer.HTTPHandler] sets it there. On HTTP without that wrapper it is ignored:
// the context a handler gets there is that of the request that opened the
// session.
func WithPrincipal(ctx context.Context, p *Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

func principalFrom(ctx context.Context) *Principal {
	p, _ := ctx.Value(principalKey{}).(*Principal)
	return p
}

// requestInfo gathers the facts of a request.
func (l *Layer) requestInfo(ctx context.Context, req mcp.Request) *RequestInfo {
	r := &RequestInfo{Request: req}
	extra := req.GetExtra()
	b := l.bindingOf(extra)
	switch {
	case b != nil:
		r.Transport, r.RequestID, r.Principal, r.lost = b.transport, b.requestID, b.principal, b.lost
	case extra != nil:
		r.Transport = TransportHTTP
	default:
		r.Transport = transportOf(ctx)
	}
	switch r.Transport {
	case TransportHTTP:
		r.Token = extra.TokenInfo
		r.Headers = lowerHeaders(extra.Header)
		r.SessionID = req.GetSession().ID()
	case TransportSSE:
		r.Token = auth.TokenInfoFromContext(ctx)
	default:
		r.Principal = principalFrom(ctx)
	}
	return r
}

// transportOf tells the transport of a request that carries nothing itself. What
// comes out of an HTTP server is the older SSE, whatever tag its context has
// inherited.
func transportOf(ctx context.Context) Transport {
	if ctx.Value(http.ServerContextKey) != nil || auth.TokenInfoFromContext(ctx) != nil {
		return TransportSSE
	}
	t, _ := ctx.Value(transportKey{}).(Transport)
	return t
}

func lowerHeaders(header http.Header) map[string][]string {
	lower := make(map[string][]string, len(header))
	for name, values := range header {
		if name == bindingHeader {
			continue
		}
		key := strings.ToLower(name)
		lower[key] = append(lower[key], values...)
	}
	return lower
}

// identify finds out who makes a request. A panic of the resolver is a failure
// to identify.
func (l *Layer) identify(ctx context.Context, r *RequestInfo) (p *Principal, err error) {
	defer func() {
		if v := recover(); v != nil {
			p, err = nil, errors.New(l.panicked(v, slog.String("in", "Resolver")).Error())
		}
	}()
	return l.resolve(ctx, r)
}

func (l *Layer) resolve(ctx context.Context, r *RequestInfo) (*Principal, error) {
	if r != nil && r.lost {
		return nil, errors.New("the client has gone, and with it what was known of the request")
	}
	if l.resolver != nil {
		p, err := l.resolver(ctx, r)
		if p != nil || err != nil {
			return p, err
		}
	}
	switch {
	case r.Principal != nil:
		return r.Principal, nil
	case r.Token != nil:
		return oauthPrincipal(r.Token)
	case r.Transport.isLocal():
		return Local(), nil
	}
	return Anonymous(), nil
}

// oauthPrincipal is the owner of a validated token: its user, so that the users
// of one client share nothing; else its client.
func oauthPrincipal(token *auth.TokenInfo) (*Principal, error) {
	id := token.UserID
	if id == "" {
		id, _ = token.Extra["client_id"].(string)
	}
	switch id {
	case "":
		id = "oauth-client"
	case localID, anonymousID:
		id = "oauth:" + id
	}
	scopes := append([]string{}, token.Scopes...)
	return NewPrincipal(id, append([]string{roleDefault}, scopes...)...).
		WithAttributes(map[string]any{"auth": "oauth", "scopes": scopes})
}
