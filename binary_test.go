package mcplayer_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// picture is no text, and words is text that a policy may want to look at.
var (
	picture = []byte("se\x00cret")
	words   = []byte("secret")
)

func TestBinary(t *testing.T) {
	b64 := func(b []byte) string { return base64.StdEncoding.EncodeToString(b) }
	blocks := &result.ToolResult{Content: []mcp.Content{
		&mcp.ImageContent{Data: picture, MIMEType: "image/png"},
		&mcp.AudioContent{Data: picture},
		&mcp.ImageContent{Data: words, MIMEType: "image/svg+xml"},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x://b", Blob: picture, MIMEType: "application/zip"}},
	}}
	for _, tt := range []struct {
		name   string
		binary mcplayer.Binary
		out    mcplayer.Pipeline
		want   []string
		not    []string
	}{
		{
			"scan", mcplayer.BinaryScan,
			censor{},
			[]string{b64(picture), b64([]byte(gone)), `"cloudg/transforms":{"censored":1}`},
			[]string{b64(words), "withheld"},
		},
		{"pass", mcplayer.BinaryPass, censor{}, []string{b64(picture), b64(words)}, []string{"withheld", "transforms"}},
		{
			"withhold", mcplayer.BinaryWithhold,
			censor{},
			[]string{
				`{"type":"text","text":"[withheld by policy: 7 bytes of image/png]"}`,
				`{"type":"text","text":"[withheld by policy: 7 bytes of binary data]"}`,
				b64([]byte(gone)),
				`"resource":{"uri":"x://b","mimeType":"text/plain","text":"[withheld by policy: 7 bytes of application/zip]"}`,
				`"cloudg/transforms":{"censored":1,"dropped":{"binary":3}}`,
			},
			[]string{b64(picture), b64(words)},
		},
		{
			"withhold without a pipeline", mcplayer.BinaryWithhold, nil,
			[]string{"[withheld by policy: 7 bytes of image/png]", b64(words), `"cloudg/transforms":{"dropped":{"binary":3}}`},
			[]string{b64(picture)},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, returning("get", blocks))
			l.pol.output, l.pol.binary = tt.out, tt.binary
			got := l.wire(t, "get", nil)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %s in\n%s", want, got)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(got, not) {
					t.Errorf("%s in\n%s", not, got)
				}
			}
		})
	}
	if image := blocks.Content[0].(*mcp.ImageContent); string(image.Data) != string(picture) {
		t.Error("the handler's result was changed")
	}
}

func TestBinaryOfResources(t *testing.T) {
	for _, tt := range []struct {
		name  string
		value any
	}{
		{"bytes", picture},
		{"contents", &mcp.ResourceContents{Blob: picture, MIMEType: "application/json"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, reading("x://r", func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
				return tt.value, nil
			}))
			l.pol.output, l.pol.binary = censor{}, mcplayer.BinaryWithhold
			res, err := l.ReadResource(t.Context(), "x://r")
			if err != nil {
				t.Fatal(err)
			}
			c := res.Contents[0]
			if c.Blob != nil || c.Text != "[withheld by policy: 7 bytes of application/json]" || c.MIMEType != "text/plain" {
				t.Errorf("got %q, %q, %s", c.Blob, c.Text, c.MIMEType)
			}
		})
	}
}

func TestBinaryOfPrompts(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, prompting("p", nil, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
		return &mcp.PromptMessage{Role: "user", Content: &mcp.ImageContent{Data: picture, MIMEType: "image/png"}}, nil
	}))
	l.pol.binary = mcplayer.BinaryWithhold
	res, err := l.GetPrompt(t.Context(), "p", nil)
	if err != nil {
		t.Fatal(err)
	}
	text, ok := res.Messages[0].Content.(*mcp.TextContent)
	if !ok || text.Text != "[withheld by policy: 7 bytes of image/png]" {
		t.Errorf("got %+v", res.Messages[0].Content)
	}
}
