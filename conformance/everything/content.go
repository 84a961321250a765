package everything

import (
	_ "embed"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	//go:embed pixel.png
	pixel []byte
	//go:embed silence.wav
	silence []byte
)

// Info is how a tool introduces itself.
type Info struct{ Name, Description string }

// A FixedTool takes no arguments and returns the same content each time.
type FixedTool struct {
	Info
	Content func() []mcp.Content
}

// FixedTools returns the tools that only show one kind of content each.
func FixedTools() []FixedTool {
	return []FixedTool{
		{Info{"test_simple_text", "Returns one text block."}, simpleText},
		{Info{"test_image_content", "Returns one image."}, imageContent},
		{Info{"test_audio_content", "Returns one sound."}, audioContent},
		{Info{"test_embedded_resource", "Returns one embedded resource."}, embeddedResource},
		{Info{"test_multiple_content_types", "Returns text, an image and a resource."}, mixedContent},
		{Info{"test_streaming_elicitation", "Answers on a stream that carries no request of its own."}, streamed},
	}
}

// Text returns one text block as content.
func Text(s string) []mcp.Content {
	return []mcp.Content{&mcp.TextContent{Text: s}}
}

func simpleText() []mcp.Content { return Text("This is a simple text response for testing.") }

func streamed() []mcp.Content { return Text("Nothing but this result was on the stream.") }

func imageContent() []mcp.Content { return []mcp.Content{image()} }

func audioContent() []mcp.Content {
	return []mcp.Content{&mcp.AudioContent{Data: silence, MIMEType: "audio/wav"}}
}

func embeddedResource() []mcp.Content {
	return []mcp.Content{embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")}
}

func mixedContent() []mcp.Content {
	return []mcp.Content{
		&mcp.TextContent{Text: "Multiple content types test:"},
		image(),
		embedded("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`),
	}
}

func image() *mcp.ImageContent {
	return &mcp.ImageContent{Data: pixel, MIMEType: "image/png"}
}

func embedded(uri, mimeType, text string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: mimeType, Text: text}}
}
