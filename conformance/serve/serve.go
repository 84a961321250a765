// Package serve runs a server for the conformance suite.
package serve

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer"
)

// A Server is what to serve. With a Layer, its wrappers stand around the
// transports, and it is closed at the end; without one the SDK server is served as
// it is, with a layer mounted on it or not.
type Server struct {
	*mcp.Server
	Layer *mcplayer.Layer
}

// Main parses the flags that all servers share, and those the caller has
// defined, and serves what build returns until it is interrupted:
//
//	-http ADDR   serve streamable HTTP at ADDR; without it, stdio
//	-stateless   keep no sessions, as the revision 2026-07-28 wants it
//
// The context that build gets ends with the server. Over HTTP the first line
// of standard output is the URL to call, so that ADDR may leave the port open.
func Main(build func(context.Context) (Server, error)) {
	addr := flag.String("http", "", "serve streamable HTTP at this `address` instead of stdio")
	stateless := flag.Bool("stateless", false, "keep no sessions")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, build, *addr, *stateless); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, build func(context.Context) (Server, error), addr string, stateless bool) error {
	server, err := build(ctx)
	if err != nil {
		return fmt.Errorf("build the server: %w", err)
	}
	if addr == "" {
		err = server.stdio(ctx)
	} else {
		err = serveHTTP(ctx, server.handler(stateless), addr)
	}
	return errors.Join(err, server.close())
}

func (s Server) stdio(ctx context.Context) error {
	if s.Layer == nil {
		return s.Run(ctx, &mcp.StdioTransport{})
	}
	return s.Layer.Run(ctx, s.Server, &mcp.StdioTransport{})
}

func (s Server) handler(stateless bool) http.Handler {
	handler := mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return s.Server },
		&mcp.StreamableHTTPOptions{Stateless: stateless},
	)
	if s.Layer == nil {
		return handler
	}
	return s.Layer.HTTPHandler(handler, nil)
}

// close gives the layer's calls a second to end.
func (s Server) close() error {
	if s.Layer == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return s.Layer.Close(ctx)
}

func serveHTTP(ctx context.Context, handler http.Handler, addr string) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())

	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() { web.Close() })
	defer stopped()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
