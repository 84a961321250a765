// Command inventory is an MCP server over a collected cloud inventory: what a
// server looks like that has the layer from the start.
//
// It serves standard input and output, or with -http streamable HTTP. Everything
// it has to say goes to standard error, since standard output belongs to the
// transport.
package main

import (
	"context"
	"flag"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/cloudg/mcplayer/examples/inventory/server"
	"github.com/cloudg/mcplayer/policy"
)

type flags struct {
	addr, tokens    string
	policy          string
	stateless, demo bool
	maxOutput       int
}

func main() {
	var f flags
	flag.StringVar(&f.addr, "http", "", "serve streamable HTTP at this `address`, path /mcp, instead of stdio")
	flag.BoolVar(&f.stateless, "stateless", false, "over HTTP, keep no sessions")
	flag.StringVar(&f.tokens, "tokens", "", "over HTTP, let in only the bearer tokens of this JSON `file`")
	flag.StringVar(&f.policy, "policy", "open", "decide by this `policy`: a profile or a file, read again on SIGHUP")
	flag.BoolVar(&f.demo, "demo", false, "serve the tools that misbehave too")
	flag.IntVar(&f.maxOutput, "max-output", 0, "cut the text of a result at so many characters")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	logger := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	err := run(ctx, f, logger)
	stop()
	if err != nil {
		logger.Error("the server failed", slog.Any("error", err))
		os.Exit(1)
	}
}

func run(ctx context.Context, f flags, logger *slog.Logger) error {
	p, err := policy.Load(f.policy, &policy.Options{Logger: logger})
	if err != nil {
		return err
	}
	s, err := server.New(server.Config{Demo: f.demo, MaxOutputChars: f.maxOutput, Policy: p, Logger: logger})
	if err != nil {
		return err
	}
	s.Layer.OnClose(p.Close) // it may keep pseudonyms in a file
	defer reloadOnHangup(p, f.policy, logger)()
	return serve(ctx, s, f)
}

func serve(ctx context.Context, s *server.Server, f flags) (err error) {
	if f.addr == "" {
		return s.ServeStdio(ctx)
	}
	c := server.HTTPConfig{Stateless: f.stateless}
	if f.tokens != "" {
		if c.Tokens, err = server.LoadTokens(f.tokens); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return err
	}
	return s.ServeHTTP(ctx, listener, c)
}
