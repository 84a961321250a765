package mcplayer

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// subscribers are the sessions of older protocols that want to hear of a
// resource, on servers that were made without handlers for that: the SDK refuses
// them there. On other servers it keeps them itself.
type subscribers struct {
	mu    sync.Mutex
	byURI map[string]map[*mcp.ServerSession]bool
}

func (s *subscribers) add(uri string, session *mcp.ServerSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byURI == nil {
		s.byURI = map[string]map[*mcp.ServerSession]bool{}
	}
	if s.byURI[uri] == nil {
		s.byURI[uri] = map[*mcp.ServerSession]bool{}
	}
	s.byURI[uri][session] = true
}

func (s *subscribers) remove(uri string, session *mcp.ServerSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byURI[uri], session)
	if len(s.byURI[uri]) == 0 {
		delete(s.byURI, uri)
	}
}

// of returns the sessions of a URI, after forgetting those that have ended.
func (s *subscribers) of(uri string, alive []*mcp.ServerSession) []*mcp.ServerSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	for other, sessions := range s.byURI {
		for session := range sessions {
			if !slices.Contains(alive, session) {
				delete(sessions, session)
			}
		}
		if len(sessions) == 0 {
			delete(s.byURI, other)
		}
	}
	var sessions []*mcp.ServerSession
	for session := range s.byURI[uri] {
		sessions = append(sessions, session)
	}
	return sessions
}

// noResult is the empty answer to requests that have nothing to say.
type noResult struct{ mcp.CompleteResult }

// MarshalJSON writes an empty object.
func (*noResult) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

// subscribe lets a caller hear of a resource that it may see.
func (m *mount) subscribe(ctx context.Context, req *mcp.SubscribeRequest) (mcp.Result, error) {
	if err := m.checkVisible(ctx, req, req.Params.URI); err != nil {
		return nil, err
	}
	hideBinding(req)
	res, err := m.next(ctx, "resources/subscribe", req)
	if isMethodNotFound(err) {
		m.subscribers.add(req.Params.URI, req.Session)
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
	m.subscribers.remove(req.Params.URI, req.Session)
	hidden := m.checkVisible(ctx, req, req.Params.URI)
	hideBinding(req)
	res, err := m.next(ctx, "resources/unsubscribe", req)
	if hidden != nil {
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
	if wanted := req.Params.Notifications; wanted != nil && len(wanted.ResourceSubscriptions) > 0 {
		allowed := *wanted
		allowed.ResourceSubscriptions = slices.DeleteFunc(slices.Clone(wanted.ResourceSubscriptions), func(uri string) bool {
			return m.checkVisible(ctx, req, uri) != nil
		})
		params := *req.Params
		params.Notifications = &allowed
		req = &mcp.SubscriptionsListenRequest{Session: req.Session, Params: &params, Extra: req.Extra}
	}
	hideBinding(req)
	res, err := m.next(ctx, "subscriptions/listen", req)
	if err != nil {
		return nil, err
	}
	return res, nil
}

// checkVisible returns the answer about a resource that is unknown to the caller,
// nil for any other.
func (m *mount) checkVisible(ctx context.Context, req mcp.Request, uri string) error {
	// A lookup as for reading: it finds the host's resources with that request.
	read := &mcp.ReadResourceRequest{
		Session: sessionOf(req), Extra: req.GetExtra(),
		Params: &mcp.ReadResourceParams{Meta: metaOf(req), URI: uri},
	}
	c := m.newCall(ctx, read, metaOf(req))
	if err := c.findable(uri); err != nil {
		return c.wireError(err)
	}
	return nil
}

func isMethodNotFound(err error) bool {
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	return ok && wire.Code == jsonrpc.CodeMethodNotFound
}

// resourceUpdated tells subscribers that a resource's content changed.
func (m *mount) resourceUpdated(uri string) {
	ctx := context.Background()
	_ = m.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri})
	for _, session := range m.subscribers.of(uri, slices.Collect(m.server.Sessions())) {
		// A client that has gone loses it.
		_, _ = m.send(ctx, "notifications/resources/updated", &mcp.ServerRequest[*mcp.ResourceUpdatedNotificationParams]{
			Session: session, Params: &mcp.ResourceUpdatedNotificationParams{URI: uri},
		})
	}
}
