package mcplayer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cloudg/mcplayer/result"
	"github.com/cloudg/mcplayer/validate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Prompt describes a prompt to register. Everything but Name is optional.
type Prompt struct {
	Name        string // 1 to 128 of A-Z a-z 0-9 _ . - together with the layer's prefix
	Title       string
	Description string
	Arguments   []PromptArgument
	Category    string
	Tags        []string
	// Sensitivity is internal if it is not set.
	Sensitivity Sensitivity
	// Capabilities say what rendering takes; none counts as [ReadState].
	Capabilities Capabilities
	Hints        Hints
	Icons        []mcp.Icon
	Meta         mcp.Meta
	// Replace makes the prompt take the place of one with the same name.
	Replace bool
}

// PromptArgument describes an argument of a prompt. Its values are strings.
type PromptArgument struct {
	Name        string
	Title       string
	Description string
	// Required arguments must be given and not be blank.
	Required bool
	// Complete proposes values; nil proposes none.
	Complete CompletionFunc
}

// PromptHandler renders a prompt. Args holds the declared arguments that were
// given; others that a client sends are left out. The handler returns a
// *[result.Prompt], *mcp.GetPromptResult, []*mcp.PromptMessage,
// *mcp.PromptMessage, or a string, which becomes one message of the user. Nil is an
// error.
type PromptHandler func(ctx context.Context, tc *ToolContext, args map[string]string) (any, error)

// AddPrompt registers a prompt.
func AddPrompt(r *Registry, p Prompt, h PromptHandler) {
	s := &Spec{
		Kind:         KindPrompt,
		Name:         p.Name,
		Title:        p.Title,
		Description:  p.Description,
		Arguments:    append([]PromptArgument{}, p.Arguments...),
		Category:     p.Category,
		Tags:         append([]string{}, p.Tags...),
		Sensitivity:  p.Sensitivity,
		Capabilities: p.Capabilities,
		Hints:        cloneHints(p.Hints),
		meta:         cloneOptions(p.Meta),
		icons:        cloneIcons(p.Icons),
	}
	problems := append(commonProblems(s, h == nil), checkExposedName(p.Name))
	problems = append(problems, checkPromptArguments(s.Arguments)...)
	complete := map[string]CompletionFunc{}
	for _, a := range s.Arguments {
		if a.Complete != nil {
			complete[a.Name] = a.Complete
		}
	}
	r.add(&entry{spec: s, bind: func(l *Layer) (*primitive, error) {
		prim := &primitive{spec: s, render: h, complete: complete}
		prim.listing.prompt = wirePrompt(s, l.meta)
		return prim, nil
	}}, p.Replace, problems...)
}

func checkPromptArguments(arguments []PromptArgument) []error {
	var problems []error
	seen := map[string]bool{}
	for i, a := range arguments {
		switch {
		case a.Name == "":
			problems = append(problems, fmt.Errorf("argument %d has no name", i))
		case seen[a.Name]:
			problems = append(problems, fmt.Errorf("the argument %q stands twice", a.Name))
		}
		seen[a.Name] = true
	}
	return problems
}

// promptArguments keeps the declared arguments and refuses a call without the
// required ones. A host's prompt gets what it declares, and checks by itself what
// it requires.
func promptArguments(s *Spec, given map[string]string) (map[string]string, error) {
	args := map[string]string{}
	var missing []string
	for _, a := range s.Arguments {
		value, ok := given[a.Name]
		if a.Required && strings.TrimSpace(value) == "" {
			missing = append(missing, a.Name)
			continue
		}
		if ok {
			args[a.Name] = value
		}
	}
	if missing == nil {
		return args, nil
	}
	problems := make([]validate.Problem, len(missing))
	for i, name := range missing {
		problems[i] = validate.Problem{Loc: name, Msg: "is required", Type: validate.TypeMissing}
	}
	return nil, InvalidArguments("Missing required prompt arguments: "+strings.Join(missing, ", "), problems)
}

// messages makes a prompt result of what a handler returned, after the output
// pipeline.
func (c *call) messages(value any) (*result.Prompt, error) {
	res, err := draftPrompt(value)
	if err != nil {
		return nil, err
	}
	if err := result.CheckMeta(res.Meta); err != nil {
		return nil, err
	}
	e := c.beginExit(c.info)
	res.Meta = e.meta(c.ownMeta(res.Meta))
	if res.Requests, err = c.askInput(res.Requests); err != nil {
		return nil, err
	}
	if res.NeedsInput() { // the protocol allows no messages beside it
		res.Description, res.Messages = "", nil
	}
	if !res.NeedsInput() {
		res.State = ""
	}
	res.Description = e.text(res.Description)
	if err := result.CheckMessages(res.Messages); err != nil {
		return nil, err
	}
	for i, m := range res.Messages {
		res.Messages[i] = &mcp.PromptMessage{Role: mcp.Role(e.text(string(m.Role))), Content: e.block(m.Content)}
	}
	if err := e.end(); err != nil {
		return nil, c.withhold(err)
	}
	return res, nil
}

var errNoPrompt = errors.New("the prompt handler returned nothing")

// draftPrompt sorts a handler's value. What it returns may be changed, but for
// the messages themselves.
func draftPrompt(value any) (*result.Prompt, error) {
	switch v := value.(type) {
	case nil:
		return nil, errNoPrompt
	case string:
		return result.UserMessage(v), nil
	case *mcp.PromptMessage:
		return &result.Prompt{Messages: []*mcp.PromptMessage{v}}, nil
	case []*mcp.PromptMessage:
		return &result.Prompt{Messages: append([]*mcp.PromptMessage{}, v...)}, nil
	case *mcp.GetPromptResult:
		if v == nil {
			return nil, errNoPrompt
		}
		res := result.PromptFromWire(v)
		res.Messages = append([]*mcp.PromptMessage{}, v.Messages...)
		return res, nil
	case *result.Prompt:
		if v == nil {
			return nil, errNoPrompt
		}
		res := *v
		res.Messages = append([]*mcp.PromptMessage{}, v.Messages...)
		return &res, nil
	}
	return nil, fmt.Errorf("the prompt handler returned a %T; allowed are a string, messages and a prompt result", value)
}
