package main

import (
	"context"
	"errors"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/tools"
)

func badArguments(ctx context.Context, s *stage) error {
	return s.fail(ctx, "find_assets", map[string]any{"provider": "aws", "colour": "red", "limit": 500})
}

func unknownAsset(ctx context.Context, s *stage) error {
	return s.fail(ctx, "get_asset", map[string]any{"id": "aws:s3:no-such-bucket"})
}

func unknownTool(ctx context.Context, s *stage) error {
	_, err := s.call(ctx, "delete_everything", nil)
	if err == nil {
		return errors.New("the call should have failed")
	}
	s.say("error: %v", err)
	return nil
}

func progress(ctx context.Context, s *stage) error {
	return s.collect(ctx, map[string]any{"provider": "aws", "dry_run": true})
}

func timeout(ctx context.Context, s *stage) error {
	return s.collect(ctx, map[string]any{"provider": "gcp", "slow": true})
}

// collect calls the slow tool and tells of its progress.
func (s *stage) collect(ctx context.Context, args map[string]any) error {
	s.say("collect %s", compact(args))
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

func crash(ctx context.Context, s *stage) error {
	if err := s.fail(ctx, "crash", nil); err != nil {
		return err
	}
	return countByProvider(ctx, s)
}

func cut(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "find_assets", map[string]any{"limit": 200})
	if err != nil {
		return err
	}
	var found tools.FindResult
	if err := decode(res, &found); err != nil {
		return err
	}
	lines := strings.Split(text(res), "\n")
	s.say("the text has %d lines and ends with: %s", len(lines), strings.TrimSpace(lines[len(lines)-1]))
	s.say("report %s", compact(res.Meta[mcplayer.MetaPrefix+"transforms"]))
	s.say("the structured value has all %d assets", len(found.Assets))
	return nil
}
