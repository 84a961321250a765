package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// HTTPConfig says how a server is reached over HTTP.
type HTTPConfig struct {
	// Stateless keeps no sessions, as protocol 2026-07-28 wants it.
	Stateless bool
	// Tokens are those that are let in; nil lets everybody in, as anonymous.
	Tokens *Tokens
}

// Handler returns what answers at the server's path. From outside to inside: the
// SDK's check of the bearer token, the layer's wrapper, which binds what it learns
// to each request by itself, and the SDK's transport.
func (s *Server) Handler(c HTTPConfig) http.Handler {
	var h http.Handler = mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return s.server },
		&mcp.StreamableHTTPOptions{Stateless: c.Stateless, Logger: s.logger})
	h = s.Layer.HTTPHandler(h, nil)
	if c.Tokens != nil {
		h = auth.RequireBearerToken(c.Tokens.Verify, &auth.RequireBearerTokenOptions{
			AllowMissingExpiration: true, // the table's tokens have none
		})(h)
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	return mux
}

// ServeHTTP serves at the listener until ctx ends.
func (s *Server) ServeHTTP(ctx context.Context, listener net.Listener, c HTTPConfig) error {
	web := &http.Server{Handler: s.Handler(c), ReadHeaderTimeout: 10 * time.Second}
	if c.Tokens == nil {
		s.logger.Warn("no tokens: whoever reaches the port is let in")
	}
	s.logger.Info("listening", slog.String("url", "http://"+listener.Addr().String()+"/mcp"))
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { stopped <- s.stop(web) })
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return errors.Join(err, s.close())
	}
	return <-stopped
}

// stop ends the server. The layer comes first: it takes no more calls and lets
// those that run end while their connections are there to answer on. Answers on
// their way get a moment more; the streams that clients keep open never end by
// themselves and are cut then.
func (s *Server) stop(web *http.Server) error {
	err := s.close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if web.Shutdown(ctx) != nil {
		err = errors.Join(err, web.Close())
	}
	return err
}
