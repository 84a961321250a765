package main

import (
	"context"
	"strings"

	"github.com/cloudg/mcplayer"
)

// wrapped plays at the example wrap.
var wrapped = scene{
	"An ordinary server, wrapped",
	"Its tools know nothing of the layer, which stands around them by one line (over stdio).",
	playWrapped,
}

func playWrapped(ctx context.Context, s *stage) error {
	list, err := s.ListTools(ctx)
	if err != nil {
		return err
	}
	for _, tool := range list {
		s.say("%-6s  %-12v  %s", tool.Name, tool.Meta[mcplayer.MetaPrefix+"sensitivity"], tool.Description)
	}
	if _, err := s.fail(ctx, "divide", object{"a": 7, "b": 0}); err != nil {
		return err
	}
	res, err := s.call(ctx, "divide", object{"a": 7, "b": 2})
	if err != nil {
		return err
	}
	s.say("%s", strings.TrimSpace(text(res)))
	if _, err := s.fail(ctx, "wait", nil); err != nil {
		return err
	}
	_, err = s.call(ctx, "subtract", nil)
	return s.refused(err)
}
