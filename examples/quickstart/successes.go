package main

import (
	"context"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/tools"
)

func listTools(ctx context.Context, s *stage) error {
	list, err := s.ListTools(ctx)
	for _, tool := range list {
		kind := "may change something"
		if tool.Annotations != nil && tool.Annotations.ReadOnlyHint {
			kind = "read-only"
		}
		sensitivity, _ := tool.Meta[mcplayer.MetaPrefix+"sensitivity"].(string)
		first, _, _ := strings.Cut(tool.Description, ". ")
		s.say("%-13s  %-20s  %-12s  %s", tool.Name, kind, sensitivity, strings.TrimSuffix(first, "."))
	}
	return err
}

func findRunning(ctx context.Context, s *stage) error {
	return s.find(ctx, object{"provider": "aws", "asset_type": "compute.instance"})
}

func quotedNumber(ctx context.Context, s *stage) error {
	return s.find(ctx, object{"limit": "2", "sort": "created_at"})
}

// find calls find_assets and says what was found.
func (s *stage) find(ctx context.Context, args object) error {
	res, err := s.call(ctx, "find_assets", args)
	if err != nil {
		return err
	}
	var found tools.FindResult
	if err := decode(res, &found); err != nil {
		return err
	}
	s.say("%d of %d found", len(found.Assets), found.Total)
	for _, a := range found.Assets {
		s.say("%s is %s in %s, criticality %s", a.Name, a.Status, a.Region, a.Criticality)
	}
	return nil
}

func countByProvider(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "count_assets", object{"by": "provider"})
	if err != nil {
		return err
	}
	var counted tools.CountResult
	if err := decode(res, &counted); err != nil {
		return err
	}
	var groups []string
	for _, group := range counted.Counts {
		groups = append(groups, group.Value+" has "+compact(group.Count))
	}
	s.say("%d assets: %s", counted.Total, strings.Join(groups, ", "))
	return nil
}

func bigNumber(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "get_asset", object{"id": "aws:sqs:order-events"})
	if err != nil {
		return err
	}
	s.quote(text(res), "sent_bytes")
	return nil
}

// quote says the lines of a text that contain a word.
func (s *stage) quote(text, word string) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			s.say("... %s ...", strings.TrimSpace(line))
		}
	}
}

func legacy(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "legacy_lookup", object{"address": "10.20.11.34"})
	if err == nil {
		s.say("%s %s", text(res), compact(res.StructuredContent))
	}
	return err
}
