package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/cloudg/mcplayer/examples/inventory/resources"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func listTemplates(ctx context.Context, s *stage) error {
	list, err := s.ListTemplates(ctx)
	for _, t := range list {
		s.say("%-34s  %s", t.URITemplate, t.Description)
	}
	return err
}

func follow(ctx context.Context, s *stage) error {
	res, err := s.call(ctx, "load_dataset", object{"name": "staging-2026-11"})
	if err != nil {
		return err
	}
	found := links(res)
	if len(found) != 1 {
		return errors.New("the result should have a link")
	}
	s.say("link %q", found[0].Title)
	doc, err := s.read(ctx, found[0].URI)
	if err != nil {
		return err
	}
	var summary resources.Summary
	if err := json.Unmarshal([]byte(doc), &summary); err != nil {
		return err
	}
	s.say("%d assets %s", summary.Assets, compact(summary.ByCriticality))
	return nil
}

func readAsset(ctx context.Context, s *stage) error {
	doc, err := s.read(ctx, "cloudg://assets/azure:sql:servers/sql-erp-gwc/databases/erp")
	if err != nil {
		return err
	}
	s.quote(doc, `"criticality"`)
	return nil
}

func readNothing(ctx context.Context, s *stage) error {
	_, err := s.read(ctx, "cloudg://datasets/prod/summary")
	return s.refused(err)
}

// read reads a resource that is one text.
func (s *stage) read(ctx context.Context, uri string) (string, error) {
	s.say("> read %s", uri)
	res, err := s.ReadResource(ctx, uri)
	if err != nil {
		return "", err
	}
	return res.Contents[0].Text, nil
}

// links returns the links in a result.
func links(res *mcp.CallToolResult) []*mcp.ResourceLink {
	var list []*mcp.ResourceLink
	for _, block := range res.Content {
		if link, ok := block.(*mcp.ResourceLink); ok {
			list = append(list, link)
		}
	}
	return list
}
