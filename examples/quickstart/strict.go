package main

import (
	"context"
	"errors"

	"github.com/cloudg/mcplayer/examples/inventory/tools"
)

// pseudonyms show what a model works with under the policy strict.
func pseudonyms(raw caller) []scene {
	return []scene{
		{"Names become pseudonyms", "Each keeps the shape of what it stands for, and is the same in every process that has the key.", renamed(raw)},
		{"A pseudonym comes back", "Tools and resources take it for what it stands for; the model never sees the real name.", resolved},
	}
}

// orders selects the one asset of these scenes.
var orders = object{"asset_type": "compute.instance", "text": "orders-api"}

// ordersID is its id.
const ordersID = "aws:ec2:instance/i-0f3a9c27d1b84e655"

// renamed compares what is found with what there is.
func renamed(raw caller) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		before, err := raw.CallTool(ctx, request{tool: "find_assets", args: orders})
		if err != nil {
			return err
		}
		after, err := s.call(ctx, "find_assets", orders)
		if err != nil {
			return err
		}
		if err := s.sayChanges(text(before), text(after)); err != nil {
			return err
		}
		return s.sayReport(after, []string{"pseudonymized"})
	}
}

// resolved asks for what was found by the name that it got.
func resolved(ctx context.Context, s *stage) error {
	id, err := s.pseudonym(ctx)
	if err != nil {
		return err
	}
	res, err := s.call(ctx, "get_asset", object{"id": id})
	if err != nil {
		return err
	}
	s.quote(text(res), `"arn"`)
	plain, err := s.CallTool(ctx, request{tool: "get_asset", args: object{"id": ordersID}})
	if err != nil {
		return err
	}
	if err := same(text(res), text(plain)); err != nil {
		return err
	}
	s.say("the same asset as %s", ordersID)
	doc, err := s.read(ctx, "cloudg://assets/"+id)
	s.quote(doc, `"instance_type"`)
	return err
}

// pseudonym returns the name under which the model knows the asset.
func (s *stage) pseudonym(ctx context.Context) (string, error) {
	res, err := s.CallTool(ctx, request{tool: "find_assets", args: orders})
	if err != nil {
		return "", err
	}
	var found tools.FindResult
	if err := decode(res, &found); err != nil {
		return "", err
	}
	if len(found.Assets) != 1 {
		return "", errors.New("there should be one asset")
	}
	return found.Assets[0].ID, nil
}
