package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A scene shows one thing.
type scene struct {
	title string
	about string // what to look at, in one sentence
	play  func(ctx context.Context, s *stage) error
}

// A stage is a place during one scene: what is said there, and what the server
// answered.
type stage struct {
	*recorder
	log *journal

	mu   sync.Mutex // progress comes from another goroutine
	text strings.Builder
}

func newStage(p place) *stage { return &stage{recorder: &recorder{caller: p.caller}, log: p.log} }

func (s *stage) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(&s.text, "   "+format+"\n", args...)
}

// said returns all that was said, with placeholders for what differs each time.
func (s *stage) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return steady(s.text.String())
}

// object is how arguments are written here.
type object = map[string]any

// call calls a tool that is known to exist and says so.
func (s *stage) call(ctx context.Context, tool string, args object) (*mcp.CallToolResult, error) {
	if args == nil {
		args = object{}
	}
	s.say("> %s %s", tool, compact(args))
	return s.CallTool(ctx, request{tool: tool, args: args})
}

// text returns the text of a result's first block.
func text(res *mcp.CallToolResult) string {
	if len(res.Content) > 0 {
		if block, ok := res.Content[0].(*mcp.TextContent); ok {
			return block.Text
		}
	}
	return ""
}

// decode reads the structured value of a result.
func decode(res *mcp.CallToolResult, into any) error {
	if res.IsError {
		return fmt.Errorf("the call failed: %s", text(res))
	}
	doc, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return err
	}
	return json.Unmarshal(doc, into)
}

func compact(v any) string {
	doc, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(doc)
}
