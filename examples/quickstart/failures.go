package main

import (
	"context"
	"errors"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/validate"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func badArguments(ctx context.Context, s *stage) error {
	res, err := s.fail(ctx, "find_assets", object{"provider": "ibm", "limit": 500, "ofset": 20})
	if err != nil {
		return err
	}
	var problems []validate.Problem
	if err := decodeMeta(res, "error_data", &problems); err != nil {
		return err
	}
	var list []string
	for _, p := range problems {
		list = append(list, p.Loc+" ("+p.Type+")")
	}
	s.say("as data: %s", strings.Join(list, ", "))
	return nil
}

func unknownAsset(ctx context.Context, s *stage) error {
	_, err := s.fail(ctx, "get_asset", object{"id": "aws:s3:no-such-bucket"})
	return err
}

func unknownTool(ctx context.Context, s *stage) error {
	_, err := s.call(ctx, "delete_everything", nil)
	return s.refused(err)
}

// fail calls a tool and tells how it failed.
func (s *stage) fail(ctx context.Context, tool string, args object) (*mcp.CallToolResult, error) {
	res, err := s.call(ctx, tool, args)
	if err != nil {
		return nil, err
	}
	if !res.IsError {
		return nil, errors.New("the call should have failed")
	}
	s.sayFailure(res)
	return res, nil
}

func (s *stage) sayFailure(res *mcp.CallToolResult) {
	s.say("isError, code %s: %s", compact(res.Meta[mcplayer.MetaPrefix+"error_code"]), text(res))
}

// refused tells of an error of the protocol, which there must be.
func (s *stage) refused(err error) error {
	if err == nil {
		return errors.New("there should have been an error")
	}
	if e, ok := errors.AsType[*jsonrpc.Error](wireError(err)); ok {
		s.say("error %d: %s", e.Code, e.Message)
		return nil
	}
	return err
}
