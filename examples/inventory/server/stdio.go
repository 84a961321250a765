package server

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeStdio serves the one client at standard input and output until it goes or
// ctx ends. [mcplayer.Layer.Run] would be shorter, but would not let calls end.
func (s *Server) ServeStdio(ctx context.Context) error {
	// The wrapped transport lets the layer know that the client is local.
	transport := s.Layer.WrapTransport(&mcp.StdioTransport{})
	session, err := s.server.Connect(context.WithoutCancel(ctx), transport, nil)
	if err != nil {
		return err
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		err := s.close() // while there is still somebody to answer
		stopped <- errors.Join(err, session.Close())
	})
	err = session.Wait()
	if stop() { // the client has gone
		return errors.Join(err, s.close())
	}
	return <-stopped
}

// closeGrace is how long calls may go on once the server is told to stop.
const closeGrace = 5 * time.Second

// close takes no more calls and lets those that run come to their end.
func (s *Server) close() error {
	s.logger.Info("stopping", slog.Duration("grace", closeGrace))
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	return s.Layer.Close(ctx)
}
