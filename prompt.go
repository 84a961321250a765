package mcplayer

// PromptArgument describes an argument of a prompt. Its values are strings.
type PromptArgument struct {
	Name        string
	Title       string
	Description string
	Required    bool
}
