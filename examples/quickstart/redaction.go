package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// careless is an asset with a secret, an access key and a token.
	careless = "aws:iam:user/ci-deploy"
	// bossy is one whose description gives orders to whoever reads it.
	bossy = "aws:ec2:instance/i-08d2b61e7fa0c4931"
)

// redactions show assets beside what a server without a policy says of them.
func redactions(raw caller) []scene {
	return []scene{
		{"Secrets stay inside", "The lines of an asset that differ: - raw, + under the policy standard.", beside(raw, careless, "annotations", "masked", "redacted")},
		{"A text gives orders", "Words from outside are fenced, and the report tells where they stand.", beside(raw, bossy, "untrusted")},
	}
}

// beside shows an asset raw and as the stage's server shows it, with parts of the
// report.
func beside(raw caller, id string, parts ...string) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		before, err := raw.CallTool(ctx, request{tool: "get_asset", args: object{"id": id}})
		if err != nil {
			return err
		}
		after, err := s.call(ctx, "get_asset", object{"id": id})
		if err != nil {
			return err
		}
		if err := s.sayChanges(text(before), text(after)); err != nil {
			return err
		}
		return s.sayReport(after, parts)
	}
}

// sayChanges says the lines that differ between two texts of as many lines.
func (s *stage) sayChanges(before, after string) error {
	was, is := strings.Split(before, "\n"), strings.Split(after, "\n")
	if len(was) != len(is) {
		return fmt.Errorf("%d lines became %d", len(was), len(is))
	}
	for i := range was {
		if was[i] != is[i] {
			s.say("- %s", strings.TrimSpace(was[i]))
			s.say("+ %s", strings.TrimSpace(is[i]))
		}
	}
	return nil
}

// sayReport says what the steps of a policy tell of their work.
func (s *stage) sayReport(res *mcp.CallToolResult, parts []string) error {
	var report map[string]any
	if err := decodeMeta(res, "transforms", &report); err != nil {
		return err
	}
	s.say("the report, %stransforms:", mcplayer.MetaPrefix)
	for _, part := range parts {
		s.sayPart(part, report[part])
	}
	return nil
}

// sayPart says a part of a report, of annotations each by itself.
func (s *stage) sayPart(name string, part any) {
	annotations, ok := part.(map[string]any)
	if name != "annotations" || !ok {
		s.say("  %s %s", name, compact(part))
		return
	}
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		s.say("  %s.%s %s", name, key, compact(annotations[key]))
	}
}
