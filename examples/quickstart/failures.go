package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/tools"
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
	for _, p := range problems {
		s.say("as data: at %s, type %s", p.Loc, p.Type)
	}
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

// decodeMeta reads one of the layer's members of a result's metadata.
func decodeMeta(res *mcp.CallToolResult, key string, into any) error {
	return json.Unmarshal([]byte(compact(res.Meta[mcplayer.MetaPrefix+key])), into)
}

func crash(ctx context.Context, s *stage) error {
	res, err := s.fail(ctx, "crash", nil)
	if err != nil {
		return err
	}
	var data entry
	if err := decodeMeta(res, "error_data", &data); err != nil {
		return err
	}
	logged, ok := s.log.find(func(e entry) bool { return e.ErrorID != "" && e.ErrorID == data.ErrorID })
	if !ok {
		return errors.New("the server's log has no such error")
	}
	s.say("error_id %s; in the log: %s, %q, with the stack", logged.ErrorID, logged.Msg, logged.Value)
	return countByProvider(ctx, s)
}

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
