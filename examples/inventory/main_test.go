package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMain lets the test's own binary be the command.
func TestMain(m *testing.M) {
	if os.Getenv("INVENTORY_COMMAND") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func command(t *testing.T, args ...string) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	var log strings.Builder
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), "INVENTORY_COMMAND=1")
	cmd.Stderr = &log
	return cmd, &log
}

// TestSignalLetsCallsEnd interrupts a server on stdio while a call runs.
func TestSignalLetsCallsEnd(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			cmd, log := command(t)
			interrupt := sync.OnceFunc(func() { _ = cmd.Process.Signal(sig) })
			client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{
				ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { interrupt() },
			})
			session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
			if err != nil {
				t.Fatal(err)
			}
			params := &mcp.CallToolParams{Name: "collect", Arguments: map[string]any{"provider": "aws"}}
			params.SetProgressToken("collect")
			res, err := session.CallTool(t.Context(), params)
			if err != nil || res.IsError {
				t.Errorf("%+v, %v", res, err)
			}
			session.Close() // waits for the process
			if !cmd.ProcessState.Success() || strings.Contains(log.String(), `"level":"ERROR"`) {
				t.Errorf("%v\n%s", cmd.ProcessState, log)
			}
		})
	}
}

func TestBadFlags(t *testing.T) {
	for _, args := range [][]string{
		{"-http", "nowhere"},
		{"-http", "127.0.0.1:0", "-tokens", t.TempDir()},
	} {
		cmd, log := command(t, args...)
		if out, err := cmd.Output(); err == nil || len(out) > 0 || !strings.Contains(log.String(), `"msg":"the server failed"`) {
			t.Errorf("%v: %v, output %q, log %s", args, err, out, log)
		}
	}
}
