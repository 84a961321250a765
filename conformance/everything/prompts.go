package everything

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Prompt has required arguments only.
type Prompt struct {
	Info
	Arguments []Argument
	Messages  func(args map[string]string) []*mcp.PromptMessage
}

// An Argument is a required argument of a prompt.
type Argument struct{ Name, Description string }

// Prompts returns the prompts that answer at once.
func Prompts() []Prompt {
	return []Prompt{
		{
			Info:     Info{"test_simple_prompt", "A prompt without arguments."},
			Messages: simplePrompt,
		},
		{
			Info:      Info{"test_prompt_with_arguments", "A prompt with two arguments."},
			Arguments: []Argument{{"arg1", "First test argument"}, {"arg2", "Second test argument"}},
			Messages:  argumentsPrompt,
		},
		{
			Info:      Info{"test_prompt_with_embedded_resource", "A prompt that embeds a resource."},
			Arguments: []Argument{{"resourceUri", "URI of the resource to embed"}},
			Messages:  resourcePrompt,
		},
		{
			Info:     Info{"test_prompt_with_image", "A prompt with an image."},
			Messages: imagePrompt,
		},
	}
}

// User returns one message of a user for each content block.
func User(content ...mcp.Content) []*mcp.PromptMessage {
	var messages []*mcp.PromptMessage
	for _, c := range content {
		messages = append(messages, &mcp.PromptMessage{Role: "user", Content: c})
	}
	return messages
}

// Complete returns the values that an argument of a prompt can take and that
// begin with prefix.
func Complete(prefix string) []string {
	values := []string{} // never null on the wire
	for _, v := range []string{"paris", "park", "party", "test"} {
		if strings.HasPrefix(v, prefix) {
			values = append(values, v)
		}
	}
	return values
}

func simplePrompt(map[string]string) []*mcp.PromptMessage {
	return User(&mcp.TextContent{Text: "This is a simple prompt for testing."})
}

func argumentsPrompt(args map[string]string) []*mcp.PromptMessage {
	return User(&mcp.TextContent{
		Text: fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", args["arg1"], args["arg2"]),
	})
}

func resourcePrompt(args map[string]string) []*mcp.PromptMessage {
	return User(
		embedded(args["resourceUri"], "text/plain", "Embedded resource content for testing."),
		&mcp.TextContent{Text: "Please process the embedded resource above."},
	)
}

func imagePrompt(map[string]string) []*mcp.PromptMessage {
	return User(image(), &mcp.TextContent{Text: "Please analyze the image above."})
}
