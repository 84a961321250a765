package main

import (
	"context"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/conformance/everything"
)

func addResources(reg *mcplayer.Registry) {
	for _, r := range everything.Resources() {
		mcplayer.AddResource(reg, mcplayer.Resource{
			URI: r.URI, Name: r.Name, Description: r.Description, MIMEType: r.MIMEType,
		}, read(r))
	}
	mcplayer.AddResourceTemplate(reg, mcplayer.ResourceTemplate{
		URITemplate: everything.RecordTemplate,
		Name:        everything.Record.Name,
		Description: everything.Record.Description,
	}, readRecord)
}

func read(r everything.Resource) mcplayer.ResourceHandler {
	return func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
		if r.Blob != nil {
			return r.Blob, nil
		}
		return r.Text, nil
	}
}

func readRecord(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
	return everything.ReadRecord(vars["id"])
}

// watched returns a function that tells subscribers of a change.
func watched(layer *mcplayer.Layer) func(context.Context) {
	return func(context.Context) {
		layer.NotifyChange(mcplayer.KindResource, everything.Watched)
	}
}
