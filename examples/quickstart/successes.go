package main

import (
	"context"
	"strings"

	"github.com/cloudg/mcplayer/examples/inventory/tools"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func listTools(ctx context.Context, s *stage) error {
	list, err := s.ListTools(ctx)
	for _, tool := range list {
		kind := "may change something"
		if tool.Annotations.ReadOnlyHint {
			kind = "read-only"
		}
		s.say("%-13s  %-20s  %s", tool.Name, kind, tool.Description)
	}
	return err
}

func findRunning(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "find_assets", map[string]any{"provider": "aws", "asset_type": "compute.instance"})
	if err != nil {
		return err
	}
	var found tools.FindResult
	if err := decode(res, &found); err != nil {
		return err
	}
	s.say("%d found", found.Total)
	for _, a := range found.Assets {
		s.say("%s is %s in %s, criticality %s", a.Name, a.Status, a.Region, a.Criticality)
	}
	return nil
}

func countByProvider(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "count_assets", map[string]any{"by": "provider"})
	if err != nil {
		return err
	}
	var counted tools.CountResult
	if err := decode(res, &counted); err != nil {
		return err
	}
	for _, group := range counted.Counts {
		s.say("%s has %d of %d assets", group.Value, group.Count, counted.Total)
	}
	return nil
}

func bigNumber(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "get_asset", map[string]any{"id": "aws:sqs:order-events"})
	if err != nil {
		return err
	}
	for line := range strings.Lines(text(res)) {
		if strings.Contains(line, "sent_bytes") {
			s.say("%s", strings.TrimSpace(line))
		}
	}
	return nil
}

func follow(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "load_dataset", map[string]any{"name": "staging-2026-11"})
	if err != nil {
		return err
	}
	for _, block := range res.Content {
		if link, ok := block.(*mcp.ResourceLink); ok {
			s.say("%s: %s", link.Title, link.URI)
		}
	}
	return nil
}

func legacy(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "legacy_lookup", map[string]any{"address": "10.20.11.34"})
	if err == nil {
		s.say("%s %s", text(res), compact(res.StructuredContent))
	}
	return err
}
