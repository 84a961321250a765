package server_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/examples/inventory/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestStopLetsCallsEnd stops a server while a call runs and a stream is open.
func TestStopLetsCallsEnd(t *testing.T) {
	for name, c := range map[string]server.HTTPConfig{"sessions": {}, "stateless": {Stateless: true}} {
		t.Run(name, func(t *testing.T) {
			r := serve(t, c)
			session, err := r.client(t, "", &mcp.ClientOptions{
				ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { r.stop() },
			})
			if err != nil {
				t.Fatal(err)
			}
			params := &mcp.CallToolParams{Name: "collect", Arguments: map[string]any{"provider": "aws"}}
			params.SetProgressToken("collect")
			res, err := session.CallTool(t.Context(), params)
			if err != nil || res.IsError {
				t.Errorf("the call that ran: %+v, %v", res, err)
			}
			r.ended(t)
			if log := r.log.String(); !strings.Contains(log, "msg=stopping") || strings.Contains(log, "level=ERROR") {
				t.Error(log)
			}
			if res, err := http.Get(r.url); err == nil {
				res.Body.Close()
				t.Error("the port is still open")
			}
			session.Close()
		})
	}
}
