package main

import (
	"context"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func completions(ctx context.Context, s *stage) error {
	for _, q := range []question{
		{mcplayer.KindResourceTemplate, "cloudg://datasets/{name}/summary", "name", "s"},
		{mcplayer.KindResourceTemplate, "cloudg://assets/{+ref}", "ref", "gcp:storage"},
		{mcplayer.KindPrompt, "review_asset", "asset_id", "bigquery"},
	} {
		res, err := s.Complete(ctx, q)
		if err != nil {
			return err
		}
		s.say("> %s, %s %q: %s", q.name, q.argument, q.value, strings.Join(res.Completion.Values, ", "))
	}
	return nil
}

func prompt(ctx context.Context, s *stage) error {
	args := map[string]string{"asset_id": "aws:s3:example-orders-archive", "focus": "exposure"}
	s.say("> review_asset %s", compact(args))
	res, err := s.GetPrompt(ctx, "review_asset", args)
	if err != nil {
		return err
	}
	for _, m := range res.Messages {
		if block, ok := m.Content.(*mcp.TextContent); ok {
			s.say("%s: %s", m.Role, block.Text)
		}
	}
	return nil
}

func promptWithout(ctx context.Context, s *stage) error {
	s.say("> review_asset {}")
	_, err := s.GetPrompt(ctx, "review_asset", nil)
	return s.refused(err)
}
