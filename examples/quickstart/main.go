// Command quickstart calls the tools of the inventory example and tells in plain
// words what comes back, good and bad.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
	"github.com/cloudg/mcplayer/examples/inventory/tools"
	"github.com/cloudg/mcplayer/policy"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer) error {
	out := &transcript{w: w}
	reg, err := registry()
	if err != nil {
		return err
	}
	layer, err := mcplayer.New(&mcplayer.Options{
		Registry:       reg,
		Policy:         policy.Open(),
		MaxOutputChars: 6000, // little, so that a cut can be seen
		Logger:         serverLog(out),
	})
	if err != nil {
		return err
	}
	out.printf("All calls are made in this process, without a transport.\n")
	if err := play(ctx, out, inProcess{layer, reg}); err != nil {
		return err
	}
	return layer.Close(ctx)
}

func registry() (*mcplayer.Registry, error) {
	inv, err := catalog.Load()
	if err != nil {
		return nil, err
	}
	reg := mcplayer.NewRegistry()
	tools.Register(reg, inv, nil)
	tools.RegisterDemo(reg, inv)
	return reg, nil
}

// serverLog shows what the server's operator sees of errors, stacks shortened.
func serverLog(out io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{
		Level: slog.LevelError,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			switch a.Key {
			case slog.TimeKey:
				return slog.Attr{}
			case "stack":
				a.Value = slog.StringValue(fmt.Sprintf("(%d lines)", strings.Count(a.Value.String(), "\n")))
			}
			return a
		},
	}))
}
