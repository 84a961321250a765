package mcplayer

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// CompletionInput is what a completion function works on.
type CompletionInput struct {
	// Argument names the prompt's argument or the template's variable.
	Argument string
	// Value is what has been typed so far.
	Value string
	// Context holds the arguments that are decided already.
	Context map[string]string
}

// CompletionFunc proposes values. The layer sends the first 100, with their true
// number. An error is logged at level debug and proposes nothing.
type CompletionFunc func(ctx context.Context, tc *ToolContext, in CompletionInput) ([]string, error)

// CompletionRef names what is to be completed.
type CompletionRef struct {
	Kind Kind   // KindPrompt or KindResourceTemplate
	Name string // the prompt's exposed name or the template's text
}

// maxCompletionValues is the protocol's limit. (MCP 2025-11-25, completion.)
const maxCompletionValues = 100

func cloneCompletions(m map[string]CompletionFunc) map[string]CompletionFunc {
	c := maps.Clone(m)
	maps.DeleteFunc(c, func(_ string, f CompletionFunc) bool { return f == nil })
	return c
}

// checkCompletions reports completion functions for names that do not exist.
func checkCompletions(what string, names []string, complete map[string]CompletionFunc) []error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(complete)) {
		if !slices.Contains(names, name) {
			problems = append(problems, fmt.Errorf("Complete has %q, but there is no such %s; there are %s", name, what, quotedList(names)))
		}
	}
	return problems
}

// completionArguments are the arguments of a completion call as middleware sees
// them.
func completionArguments(in CompletionInput) jsontext.Value {
	if in.Context == nil {
		in.Context = map[string]string{}
	}
	doc, err := encode(struct {
		Argument string            `json:"argument"`
		Value    string            `json:"value"`
		Context  map[string]string `json:"context"`
	}{in.Argument, in.Value, in.Context}, nil)
	if err != nil {
		panic(err) // strings always encode
	}
	return doc
}

// completionInput reads the arguments of a completion call back and leads the
// value and the context through the input pipeline. The value stands under the
// argument's name there, so that rules about names apply.
func (c *call) completionInput(ctx context.Context, info CallInfo, args jsontext.Value) (in CompletionInput, err error) {
	defer c.survive(&err)
	if err := json.Unmarshal(args, &in); err != nil {
		return in, InvalidArguments("Invalid arguments: argument, value and context must be strings", nil)
	}
	if c.access.Input == nil {
		return in, nil
	}
	pass, err := c.beginInput(ctx, info)
	if err != nil {
		return in, err
	}
	value := map[string]string{in.Argument: in.Value}
	for _, part := range []*map[string]string{&value, &in.Context} {
		doc, err := encode(*part, nil)
		if err != nil {
			return in, err
		}
		if doc, err = pass.JSON(doc); err != nil {
			return in, err
		}
		*part = map[string]string{}
		if err := json.Unmarshal(doc, part); err != nil {
			return in, fmt.Errorf("the input pipeline left no strings: %w", err)
		}
	}
	release(pass)
	in.Value = value[in.Argument]
	return in, nil
}

// unhidden leaves out values that name, with the variables decided already, a
// resource that is hidden from the caller. Where a variable is still open, what a value
// leads to is not known.
func (c *call) unhidden(in CompletionInput, values []string) []string {
	template := c.prim.spec.template
	if template == nil || c.access.Hides == nil {
		return values
	}
	vars := map[string]string{}
	for _, name := range template.Names() {
		if value, ok := in.Context[name]; ok {
			vars[name] = value
		}
	}
	return slices.DeleteFunc(slices.Clone(values), func(value string) bool {
		vars[in.Argument] = value
		concrete, err := template.Canonical(vars)
		return err == nil && !c.access.shows(KindResource, concrete)
	})
}

// proposals caps the values and leads each through the output pipeline as the
// member of that name. A value that is dropped there is not proposed. A host's
// metadata passes too.
func (c *call) proposals(argument string, values []string, meta result.Meta) (*result.Completion, error) {
	res := &result.Completion{Total: len(values), HasMore: len(values) > maxCompletionValues, Values: []string{}}
	e := c.beginExit(c.info)
	for _, value := range values[:min(len(values), maxCompletionValues)] {
		if text, kept := e.member(argument, value); kept {
			res.Values = append(res.Values, text)
		}
	}
	res.Meta = e.meta(c.ownMeta(meta))
	return res, e.end()
}

// member transforms one text as the member of an object.
func (e *exit) member(name, value string) (text string, kept bool) {
	if e.pass == nil || e.err != nil {
		return value, true
	}
	doc, err := encode(map[string]string{name: value}, nil)
	if err != nil {
		e.err = err
		return "", false
	}
	var members map[string]json.RawMessage
	e.guard(func() error { return json.Unmarshal(e.json(doc), &members) })
	for _, raw := range members { // at most one; its name may have changed
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		return text, true
	}
	return "", false
}
