package main

import (
	"context"
	"fmt"
	"os/exec"
)

// examples is where the servers' packages are.
const examples = "github.com/cloudg/mcplayer/examples/"

// build puts the two servers' commands into a directory, without what debuggers read:
// that links faster.
func build(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", dir, examples+"inventory", examples+"wrap")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the servers: %w\n%s", err, out)
	}
	return nil
}
