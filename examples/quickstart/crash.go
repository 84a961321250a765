package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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
	if !ok || logged.Stack == "" {
		return errors.New("the server's log has no such error with its stack")
	}
	s.say("error_id %s; in the log: %s, %q, with the stack", logged.ErrorID, logged.Msg, logged.Value)
	return countByProvider(ctx, s)
}

// decodeMeta reads one of the layer's members of a result's metadata.
func decodeMeta(res *mcp.CallToolResult, key string, into any) error {
	return json.Unmarshal([]byte(compact(res.Meta[mcplayer.MetaPrefix+key])), into)
}
