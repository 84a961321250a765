package middleware

import (
	"weak"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/canonical"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// cacheKey is everything that the result of a call depends on. The parts stand in
// fields of their own, so that they cannot run into each other.
type cacheKey struct {
	layer      *mcplayer.Layer
	spec       *mcplayer.Spec
	kind       mcplayer.Kind
	version    uint64 // of the policy
	name       string
	principal  string
	roles      mcplayer.RoleSet
	attributes string
	arguments  string // canonical JSON
	session    sessionKey
}

// sessionKey tells apart the sessions of callers that have no id of their own. It
// does not keep a session from being collected, nor take another one for it.
type sessionKey struct {
	session weak.Pointer[mcp.ServerSession]
	id      string
}

// keyOf returns the key of a call; false if its arguments are no JSON.
func (c *Cache) keyOf(info mcplayer.CallInfo) (cacheKey, bool) {
	if info.Principal == nil || info.Arguments == nil {
		return cacheKey{}, false
	}
	arguments, err := c.canonical(info.Arguments)
	if err != nil {
		return cacheKey{}, false
	}
	return cacheKey{
		layer:      info.Layer(),
		spec:       info.Spec,
		kind:       info.Kind,
		version:    info.PolicyVersion(),
		name:       info.Name,
		principal:  info.Principal.ID(),
		roles:      info.Principal.RoleSet(),
		attributes: info.Principal.AttributesJSON(),
		arguments:  arguments,
		session:    sessionOf(info),
	}, true
}

// maxKeptBuffer keeps one call with large arguments from holding memory for all.
const maxKeptBuffer = 64 << 10

// canonical returns arguments in the form that is the same for equal ones.
func (c *Cache) canonical(arguments jsontext.Value) (string, error) {
	buf, _ := c.buffers.Get().(*[]byte)
	if buf == nil {
		buf = new([]byte)
	}
	out, err := canonical.Append((*buf)[:0], arguments)
	text := string(out)
	if cap(out) <= maxKeptBuffer {
		*buf = out
		c.buffers.Put(buf)
	}
	return text, err
}

// sessionOf returns the session of a caller that has no id of its own.
func sessionOf(info mcplayer.CallInfo) sessionKey {
	if hasOwnID(info.Principal) || info.Context == nil {
		return sessionKey{}
	}
	if session := info.Context.Session(); session != nil {
		return sessionKey{session: weak.Make(session)}
	}
	if request := info.Context.Request(); request != nil {
		return sessionKey{id: request.SessionID}
	}
	return sessionKey{}
}

// hasOwnID reports whether a principal's id names one caller. The ids that stand for
// anybody are those of [mcplayer.Resolver].
func hasOwnID(p *mcplayer.Principal) bool {
	switch p.ID() {
	case "", mcplayer.Local().ID(), mcplayer.Anonymous().ID(), "oauth-client":
		return false
	}
	return true
}

func (k *cacheKey) size() int64 {
	return int64(len(k.name) + len(k.principal) + len(k.attributes) + len(k.arguments))
}
