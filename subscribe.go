package mcplayer

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// subscribers are the sessions of older protocols that want to hear of a
// resource, on servers that were made without handlers for that: the SDK refuses
// them there. On other servers it keeps them itself.
type subscribers struct {
	mu        sync.Mutex
	bySession map[*mcp.ServerSession]map[string]bool // URIs
}

// maxSubscriptions bounds what is kept for one session.
const maxSubscriptions = 1000

// add reports whether there was room. Sessions that have ended are forgotten.
func (s *subscribers) add(uri string, session *mcp.ServerSession, alive []*mcp.ServerSession) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prune(alive)
	uris := s.bySession[session]
	if len(uris) >= maxSubscriptions && !uris[uri] {
		return false
	}
	if s.bySession == nil {
		s.bySession = map[*mcp.ServerSession]map[string]bool{}
	}
	if uris == nil {
		uris = map[string]bool{}
		s.bySession[session] = uris
	}
	uris[uri] = true
	return true
}

func (s *subscribers) remove(uri string, session *mcp.ServerSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.bySession[session], uri)
}

// of returns the sessions of a URI.
func (s *subscribers) of(uri string, alive []*mcp.ServerSession) []*mcp.ServerSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prune(alive)
	var sessions []*mcp.ServerSession
	for session, uris := range s.bySession {
		if uris[uri] {
			sessions = append(sessions, session)
		}
	}
	return sessions
}

func (s *subscribers) prune(alive []*mcp.ServerSession) {
	maps.DeleteFunc(s.bySession, func(session *mcp.ServerSession, uris map[string]bool) bool {
		return len(uris) == 0 || !slices.Contains(alive, session)
	})
}

// noResult is the empty answer to requests that have nothing to say.
type noResult struct{ mcp.CompleteResult }

// MarshalJSON writes an empty object.
func (*noResult) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

// subscribe lets a caller hear of a resource that it may see.
func (m *mount) subscribe(ctx context.Context, req *mcp.SubscribeRequest) (mcp.Result, error) {
	uri, err := m.checkVisible(ctx, req, req.Params.URI)
	if err != nil {
		return nil, err
	}
	params := *req.Params
	params.URI = uri
	res, err := m.next(ctx, "resources/subscribe", &mcp.SubscribeRequest{Session: req.Session, Params: &params, Extra: withoutBinding(req.Extra)})
	if isMethodNotFound(err) {
		if !m.subscribers.add(uri, req.Session, slices.Collect(m.server.Sessions())) {
			return nil, RateLimited("Too many resource subscriptions", map[string]any{"limit": maxSubscriptions}).wire()
		}
		return &noResult{}, nil
	}
	if err != nil {
		return nil, err
	}
	return res, nil
}

// unsubscribe ends what subscribe began. What a caller may not see answers as
// unknown, but is ended too.
func (m *mount) unsubscribe(ctx context.Context, req *mcp.UnsubscribeRequest) (mcp.Result, error) {
	params := *req.Params
	params.URI = m.layer.updateURI(req.Params.URI)
	m.subscribers.remove(params.URI, req.Session)
	res, err := m.next(ctx, "resources/unsubscribe", &mcp.UnsubscribeRequest{Session: req.Session, Params: &params, Extra: withoutBinding(req.Extra)})
	if _, hidden := m.checkVisible(ctx, req, req.Params.URI); hidden != nil {
		return nil, hidden
	}
	if isMethodNotFound(err) {
		return &noResult{}, nil
	}
	if err != nil {
		return nil, err
	}
	return res, nil
}

// listen leaves the resources out of a subscription that the caller may not see.
// It lasts as long as the subscription does.
func (m *mount) listen(ctx context.Context, req *mcp.SubscriptionsListenRequest) (mcp.Result, error) {
	params := *req.Params
	if wanted := params.Notifications; wanted != nil && len(wanted.ResourceSubscriptions) > 0 {
		allowed := *wanted
		allowed.ResourceSubscriptions = nil
		for _, raw := range wanted.ResourceSubscriptions {
			if uri, err := m.checkVisible(ctx, req, raw); err == nil && !slices.Contains(allowed.ResourceSubscriptions, uri) {
				allowed.ResourceSubscriptions = append(allowed.ResourceSubscriptions, uri)
			}
		}
		params.Notifications = &allowed
	}
	res, err := m.next(ctx, "subscriptions/listen", &mcp.SubscriptionsListenRequest{Session: req.Session, Params: &params, Extra: withoutBinding(req.Extra)})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// checkVisible returns the URI under which updates of a resource are told, or the
// answer for one that is unknown to the caller.
func (m *mount) checkVisible(ctx context.Context, req mcp.Request, uri string) (string, error) {
	// A lookup as for reading: it finds the host's resources with that request.
	read := &mcp.ReadResourceRequest{
		Session: sessionOf(req), Extra: req.GetExtra(),
		Params: &mcp.ReadResourceParams{Meta: metaOf(req), URI: uri},
	}
	c := m.newCall(ctx, read, metaOf(req))
	if err := c.findable(uri); err != nil {
		return "", c.wireError(err)
	}
	if c.prim.spec.Host {
		return uri, nil // as the host tells it
	}
	return c.info.Name, nil
}

// updateURI returns the URI under which updates of a resource are told: one for
// all spellings, where it is the layer's.
func (l *Layer) updateURI(uri string) string {
	if found := l.catalog.Load().findResource(uri); found.prim != nil {
		return found.name
	}
	return uri
}

func isMethodNotFound(err error) bool {
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	return ok && wire.Code == jsonrpc.CodeMethodNotFound
}

// resourceUpdated tells subscribers that a resource's content changed.
func (m *mount) resourceUpdated(uri string) {
	uri = m.layer.updateURI(uri)
	ctx := context.Background()
	_ = m.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri})
	for _, session := range m.subscribers.of(uri, slices.Collect(m.server.Sessions())) {
		// A client that has gone loses it.
		_, _ = m.send(ctx, "notifications/resources/updated", &mcp.ServerRequest[*mcp.ResourceUpdatedNotificationParams]{
			Session: session, Params: &mcp.ResourceUpdatedNotificationParams{URI: uri},
		})
	}
}
