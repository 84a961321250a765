package main

import (
	"context"

	"github.com/cloudg/mcplayer/examples/inventory/tools"
)

func progress(ctx context.Context, s *stage) error {
	return s.collect(ctx, object{"provider": "aws", "dry_run": true})
}

func timeout(ctx context.Context, s *stage) error {
	return s.collect(ctx, object{"provider": "gcp", "slow": true})
}

// collect calls the slow tool and tells of its progress.
func (s *stage) collect(ctx context.Context, args object) error {
	s.say("> collect %s", compact(args))
	res, err := s.CallTool(ctx, request{tool: "collect", args: args, onProgress: s.sayProgress})
	if err != nil {
		return err
	}
	if res.IsError {
		s.sayFailure(res)
		return nil
	}
	var collected tools.CollectResult
	if err := decode(res, &collected); err != nil {
		return err
	}
	s.say("%d assets in %d regions", collected.Assets, len(collected.Regions))
	return nil
}

func (s *stage) sayProgress(done, total float64, message string) {
	s.say("step %v of %v: %s", done, total, message)
}
