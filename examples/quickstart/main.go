// Command quickstart builds and starts the servers of the other examples, calls
// them with the SDK's own client and tells in plain words what a model sees.
//
// Each scene plays at one or more places: at the inventory server over stdio, over
// HTTP with and without sessions, and in this process. It is shown once. A place that
// answers otherwise ends the show with status 1.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "quickstart")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := build(ctx, dir); err != nil {
		return err
	}
	var t troupe
	defer func() { err = errors.Join(err, t.close()) }()
	if err := t.start(ctx, dir); err != nil {
		return err
	}
	return show(ctx, w, &t)
}

// show plays all acts.
func show(ctx context.Context, w io.Writer, t *troupe) error {
	out := &printer{w: w}
	out.printf("What differs each time is shown as a placeholder, such as TIME.\n")
	for _, a := range t.acts() {
		if err := out.perform(ctx, a); err != nil {
			return err
		}
	}
	out.printf("\nThat is all. Every place gave the same answers.\n")
	return out.err
}
