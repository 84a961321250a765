package main

import (
	"context"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/tools"
)

func cut(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "find_assets", object{"limit": 200})
	if err != nil {
		return err
	}
	var found tools.FindResult
	if err := decode(res, &found); err != nil {
		return err
	}
	lines := strings.Split(text(res), "\n")
	s.say("the text has %d lines and ends with: %s", len(lines), strings.TrimSpace(lines[len(lines)-1]))
	s.say("%stransforms %s", mcplayer.MetaPrefix, compact(res.Meta[mcplayer.MetaPrefix+"transforms"]))
	s.say("the structured value has all %d assets", len(found.Assets))
	return nil
}
