//lint:file-ignore SA1019 the suite calls what 2026-07-28 deprecates

package everything

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tools that send the client a request while it waits for their answer.
// Only sessions up to 2025-11-25 allow that.
var (
	Sampling       = Info{"test_sampling", "Asks the client's model and returns what it says."}
	Elicitation    = Info{"test_elicitation", "Asks the user for a name and an address."}
	NeedsSampling  = Info{"test_missing_capability", "Refuses clients that do not offer sampling."}
	elicitDefaults = Info{"test_elicitation_sep1034_defaults", "Asks the user with a default in each field."}
	elicitEnums    = Info{"test_elicitation_sep1330_enums", "Asks the user to choose, in each form a choice can take."}
)

// SamplingInput is what [Sampling] is called with.
type SamplingInput struct {
	Prompt string `json:"prompt" jsonschema:"the prompt to send to the model"`
}

// ElicitationInput is what [Elicitation] is called with.
type ElicitationInput struct {
	Message string `json:"message" jsonschema:"the message to show the user"`
}

// A FormTool takes no arguments and shows the user one form.
type FormTool struct {
	Info
	Form func() *mcp.ElicitParams
}

// FormTools returns the tools that show a form.
func FormTools() []FormTool {
	return []FormTool{
		{elicitDefaults, func() *mcp.ElicitParams { return form("Please review the defaults.", defaultsSchema) }},
		{elicitEnums, func() *mcp.ElicitParams { return form("Please choose.", enumsSchema) }},
	}
}

// Ask is the form of [Elicitation].
func Ask(in ElicitationInput) *mcp.ElicitParams { return form(in.Message, userSchema) }

// Answered tells what the user did with a form.
func Answered(res *mcp.ElicitResult) (string, error) {
	content, err := json.Marshal(res.Content)
	if err != nil {
		return "", fmt.Errorf("encode the user's answer: %w", err)
	}
	return fmt.Sprintf("Elicitation completed: action=%s, content=%s", res.Action, content), nil
}

// Sample is the question of [Sampling].
func Sample(in SamplingInput) *mcp.CreateMessageParams { return question(in.Prompt, 100) }

// Sampled tells what the model said.
func Sampled(res *mcp.CreateMessageResult) string {
	return "LLM response: " + firstText([]mcp.Content{res.Content})
}

// CheckSampling returns the protocol's error for a missing capability unless
// the client offers sampling.
func CheckSampling(caps *mcp.ClientCapabilities) error {
	if caps != nil && caps.Sampling != nil {
		return nil
	}
	data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
		RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}},
	})
	if err != nil {
		return fmt.Errorf("encode the missing capability: %w", err)
	}
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: "This tool needs a client that offers sampling",
		Data:    data,
	}
}

func form(message, schema string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(schema)}
}

func question(text string, maxTokens int64) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
		MaxTokens: maxTokens,
	}
}

func firstText(content []mcp.Content) string {
	for _, c := range content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text
		}
	}
	return "(no text)"
}
