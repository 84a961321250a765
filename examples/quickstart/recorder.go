package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A recorder keeps every answer, to compare the places with one another.
type recorder struct {
	caller
	answers []string
}

// record keeps an answer without what differs by nature.
func record[T any](r *recorder, answer T, err error) (T, error) {
	var kept any = answer
	if err != nil {
		kept = wireError(err)
	}
	r.answers = append(r.answers, normal(kept))
	return answer, err
}

// wireError returns an error as the protocol has it: from a session it is the
// SDK's, in-process the layer's.
func wireError(err error) error {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*mcplayer.Error](err); ok {
		wire := &jsonrpc.Error{Code: int64(e.Code), Message: e.Message}
		if e.Data != nil {
			wire.Data = json.RawMessage(compact(e.Data))
		}
		return wire
	}
	return err
}

func (r *recorder) ListTools(ctx context.Context) ([]*mcp.Tool, error) {
	res, err := r.caller.ListTools(ctx)
	return record(r, res, err)
}

func (r *recorder) ListTemplates(ctx context.Context) ([]*mcp.ResourceTemplate, error) {
	res, err := r.caller.ListTemplates(ctx)
	return record(r, res, err)
}

func (r *recorder) CallTool(ctx context.Context, req request) (*mcp.CallToolResult, error) {
	res, err := r.caller.CallTool(ctx, req)
	return record(r, res, err)
}

func (r *recorder) ReadResource(ctx context.Context, uri string) (*mcp.ReadResourceResult, error) {
	res, err := r.caller.ReadResource(ctx, uri)
	return record(r, res, err)
}

func (r *recorder) GetPrompt(ctx context.Context, name string, args map[string]string) (*mcp.GetPromptResult, error) {
	res, err := r.caller.GetPrompt(ctx, name, args)
	return record(r, res, err)
}

func (r *recorder) Complete(ctx context.Context, q question) (*mcp.CompleteResult, error) {
	res, err := r.caller.Complete(ctx, q)
	return record(r, res, err)
}
