package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A scene shows one thing.
type scene struct {
	title string
	about string // what to look at, in one sentence
	play  func(ctx context.Context, s *stage) error
}

// play plays all scenes.
func play(ctx context.Context, out *transcript, c caller) error {
	for i, scene := range scenes {
		out.printf("\n%d. %s\n   %s\n", i+1, scene.title, scene.about)
		if err := scene.play(ctx, &stage{caller: c, out: out}); err != nil {
			return fmt.Errorf("%s: %w", scene.title, err)
		}
	}
	return out.failed()
}

// A stage is where a scene plays: it calls tools and writes what comes back.
type stage struct {
	caller
	out *transcript
}

func (s *stage) say(format string, args ...any) {
	s.out.printf("   > "+format+"\n", args...)
}

// call calls a tool that is known to exist.
func (s *stage) call(ctx context.Context, tool string, args map[string]any) (*mcp.CallToolResult, error) {
	if args == nil {
		args = map[string]any{}
	}
	s.say("%s %s", tool, compact(args))
	return s.CallTool(ctx, request{tool: tool, args: args})
}

// fail calls a tool and tells how it failed.
func (s *stage) fail(ctx context.Context, tool string, args map[string]any) error {
	res, err := s.call(ctx, tool, args)
	if err == nil {
		s.sayFailure(res)
	}
	return err
}

func (s *stage) sayFailure(res *mcp.CallToolResult) {
	s.say("isError %t, code %s: %s", res.IsError, compact(res.Meta[mcplayer.MetaPrefix+"error_code"]), text(res))
	if data := res.Meta[mcplayer.MetaPrefix+"error_data"]; data != nil {
		s.say("data %s", compact(data))
	}
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
