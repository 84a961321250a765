package everything

import (
	"context"
	"encoding/json"
	"time"
)

// A Resource has content that never changes: Text, or Blob.
type Resource struct {
	Info
	URI, MIMEType string
	Text          string
	Blob          []byte
}

// Watched is the URI of the resource that reports changes.
const Watched = "test://watched-resource"

// Resources returns the resources with a URI of their own.
func Resources() []Resource {
	return []Resource{
		{
			Info: Info{"static-text", "A text."}, URI: "test://static-text", MIMEType: "text/plain",
			Text: "This is the content of the static text resource.",
		},
		{
			Info: Info{"static-binary", "An image."}, URI: "test://static-binary", MIMEType: "image/png",
			Blob: pixel,
		},
		{
			Info: Info{"watched-resource", "A text that reports a change every three seconds."}, URI: Watched, MIMEType: "text/plain",
			Text: "This is the content of the watched resource.",
		},
	}
}

// Record is the resource template; its one variable is id, its content JSON.
var Record = Info{"template", "The record with an id."}

// RecordTemplate is the URI template of [Record].
const RecordTemplate = "test://template/{id}/data"

// ReadRecord returns the record with an id.
func ReadRecord(id string) (json.RawMessage, error) {
	return json.Marshal(struct {
		ID           string `json:"id"`
		TemplateTest bool   `json:"templateTest"`
		Data         string `json:"data"`
	}{id, true, "Data for ID: " + id})
}

// Watch calls changed every three seconds until ctx ends.
func Watch(ctx context.Context, changed func(context.Context)) {
	tick := time.NewTicker(3 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			changed(ctx)
		}
	}
}
