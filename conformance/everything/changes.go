package everything

// The tools that change what the server offers, and what they add. Adding a
// thing again counts as a change too.
var (
	ChangeTools   = Info{"test_trigger_tool_change", "Adds a tool, so that the list of tools changes."}
	ChangePrompts = Info{"test_trigger_prompt_change", "Adds a prompt, so that the list of prompts changes."}
	PassingTool   = Info{"test_passing_tool", "Is there once the list of tools has changed."}
	PassingPrompt = Info{"test_passing_prompt", "Is there once the list of prompts has changed."}
)

// Passing is the text behind [PassingTool] and [PassingPrompt].
const Passing = "Added while the server ran."
