package main

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"

	"github.com/cloudg/mcplayer/conformance/everything"
)

var recordTemplate = uritemplate.MustNew(everything.RecordTemplate)

func addResources(server *mcp.Server) {
	for _, r := range everything.Resources() {
		server.AddResource(&mcp.Resource{
			Name: r.Name, Description: r.Description, URI: r.URI, MIMEType: r.MIMEType,
		}, read(r))
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		Name:        everything.Record.Name,
		Description: everything.Record.Description,
		URITemplate: everything.RecordTemplate,
		MIMEType:    "application/json",
	}, readRecord)
}

func read(r everything.Resource) mcp.ResourceHandler {
	return func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return contents(&mcp.ResourceContents{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text, Blob: r.Blob}), nil
	}
}

func readRecord(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	record, err := everything.ReadRecord(recordTemplate.Match(uri).Get("id").String())
	if err != nil {
		return nil, fmt.Errorf("encode the record: %w", err)
	}
	return contents(&mcp.ResourceContents{URI: uri, MIMEType: "application/json", Text: string(record)}), nil
}

func contents(c *mcp.ResourceContents) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}
}

// watched returns a function that tells subscribers of a change.
func watched(server *mcp.Server) func(context.Context) {
	return func(ctx context.Context) {
		server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: everything.Watched})
	}
}
