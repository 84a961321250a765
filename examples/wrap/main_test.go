package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestPanicIsSurvived(t *testing.T) {
	session, log := connect(t)
	check(t, call(t, session, "divide", `{"a":7,"b":2}`), nil, `{"value":3}`)
	res := call(t, session, "divide", `{"a":7,"b":0}`)
	check(t, res, "handler_error", "Internal error in tool divide")
	check(t, call(t, session, "divide", `{"a":9,"b":3}`), nil, `{"value":3}`)
	if !strings.Contains(log.String(), "integer divide by zero") {
		t.Errorf("log: %s", log)
	}
}

func TestTimeout(t *testing.T) {
	session, _ := connect(t)
	started := time.Now()
	check(t, call(t, session, "wait", `{}`), "timeout", "Tool wait timed out")
	if took := time.Since(started); took < time.Second || took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestListTellsWhatTheLayerKnows(t *testing.T) {
	session, _ := connect(t)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]any{"divide": {"numbers", "public"}, "wait": {"general", "confidential"}}
	for _, tool := range list.Tools {
		got := [2]any{tool.Meta["cloudg/category"], tool.Meta["cloudg/sensitivity"]}
		if got != want[tool.Name] {
			t.Errorf("%s: %v, want %v", tool.Name, got, want[tool.Name])
		}
		delete(want, tool.Name)
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}

func TestUnknownIsAnErrorOfTheProtocol(t *testing.T) {
	session, _ := connect(t)
	_, toolErr := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "subtract"})
	_, promptErr := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "subtract"})
	_, resourceErr := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "numbers://e"})
	for _, tt := range []struct {
		err  error
		want string
	}{
		{toolErr, "Unknown tool: subtract"},
		{promptErr, "Unknown prompt: subtract"},
		{resourceErr, "Unknown resource: numbers://e"},
	} {
		wire, ok := errors.AsType[*jsonrpc.Error](tt.err)
		if !ok || wire.Code != jsonrpc.CodeInvalidParams || wire.Message != tt.want {
			t.Errorf("%v, want %s", tt.err, tt.want)
		}
	}
}

func TestResourceAndPromptPass(t *testing.T) {
	session, _ := connect(t)
	res, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "numbers://pi"})
	if err != nil || res.Contents[0].Text != "3.14159" {
		t.Errorf("%v, %v", res, err)
	}
	prompt, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "explain"})
	if err != nil || len(prompt.Messages) != 1 {
		t.Errorf("%v, %v", prompt, err)
	}
}
