package mcplayer

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/cloudg/mcplayer/result"
	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tool describes a tool to register. Everything but Name is optional.
type Tool struct {
	Name        string // 1 to 128 of A-Z a-z 0-9 _ . - together with the layer's prefix
	Title       string
	Description string
	Category    string
	Tags        []string
	// Sensitivity is confidential if it is not set.
	Sensitivity Sensitivity
	// Capabilities say what the tool does; from them follow the annotations that
	// are not set: read-only unless it writes or executes, open-world if it executes or
	// reaches a cloud, idempotent if it is read-only and not open-world, never
	// destructive. What is read-only and idempotent may be cached and repeated. None
	// declared, none follow.
	Capabilities Capabilities
	Annotations  Annotations
	Hints        Hints
	// Timeout is the tool's own: 0 inherits the layer's, a negative one means
	// none.
	Timeout time.Duration
	// InputSchema and OutputSchema replace the published schemas that follow from
	// the handler's types. Arguments are checked by the schema and by the type;
	// defaults of the schema are not filled in, and bounds of the schema compare
	// numbers as float64.
	InputSchema, OutputSchema jsontext.Value
	Icons                     []mcp.Icon
	Meta                      mcp.Meta
	// Replace makes the tool take the place of one with the same name.
	Replace bool
}

// toolBinding is a tool's handler, ready to be called by one layer.
type toolBinding struct {
	input, output jsontext.Value // schemas as published
	decode        func(args jsontext.Value) (any, error)
	invoke        func(ctx context.Context, tc *ToolContext, in any) (any, error)
}

// AddTool registers a tool. Its arguments are decoded into an In, a struct whose
// fields and tags (json, validate, default, jsonschema: see package validate) say
// what is allowed; the published schema says the same. A jsontext.Value takes the
// arguments as they are, unchecked.
//
// What the handler returns is encoded as encoding/json does, without the members
// that [Options.OmitMembers] names, and becomes the structured value; the output
// schema follows from Out. A *[result.ToolResult] or *mcp.CallToolResult is kept as
// the result, and nil is an empty one. What is no JSON object, a string for
// instance, is wrapped as {"result": value}; for a plain text return [result.Text].
//
// An error's text reaches the client, as "TypeName: text" and after the output
// pipeline, unless [Options.HideErrors] is set. An [*Error] says instead exactly what
// the client reads, and keeps its cause private.
func AddTool[In, Out any](r *Registry, t Tool, h func(context.Context, *ToolContext, In) (Out, error)) {
	r.addTool(t, h == nil, newToolHandler[In, Out](func(ctx context.Context, tc *ToolContext, in any) (any, error) {
		return h(ctx, tc, *in.(*In))
	}))
}

// AddSDKTool registers a handler written for the SDK's own AddTool, unchanged.
// The request it gets in-process has no session and no extra; through a server
// it gets the real one. Either has the arguments as the layer's input pipeline
// left them.
func AddSDKTool[In, Out any](r *Registry, t Tool, h mcp.ToolHandlerFor[In, Out]) {
	r.addTool(t, h == nil, newToolHandler[In, Out](func(ctx context.Context, tc *ToolContext, in any) (any, error) {
		wire, out, err := h(ctx, tc.sdkRequest(), *in.(*In))
		if err != nil {
			return nil, err
		}
		return joinSDK(wire, zeroForNil(out), tc.call.layer.omit)
	}))
}

// toolHandler is a tool's handler as it was registered.
type toolHandler struct {
	in, out reflect.Type
	newIn   func() any // a pointer to a zero In
	invoke  func(ctx context.Context, tc *ToolContext, in any) (any, error)
}

func newToolHandler[In, Out any](invoke func(context.Context, *ToolContext, any) (any, error)) toolHandler {
	return toolHandler{
		in:     reflect.TypeFor[In](),
		out:    reflect.TypeFor[Out](),
		newIn:  func() any { return new(In) },
		invoke: invoke,
	}
}

// zeroForNil returns the zero value of what a nil pointer points to, as the SDK
// does: its handlers have no null.
func zeroForNil(out any) any {
	if v := reflect.ValueOf(out); v.Kind() == reflect.Pointer && v.IsNil() {
		return reflect.Zero(v.Type().Elem()).Interface()
	}
	return out
}

// joinSDK puts the two results of an SDK handler together as the SDK does: the
// value is the structured value, its text is added unless the handler built
// content.
func joinSDK(wire *mcp.CallToolResult, out any, omit []string) (any, error) {
	if wire == nil {
		return out, nil
	}
	res, err := result.FromWire(wire)
	if err != nil || out == nil || res.NeedsInput() {
		return res, err
	}
	res.Structured, err = encode(out, omit)
	return res, err
}

// sdkRequest is the request that an SDK handler gets.
func (tc *ToolContext) sdkRequest() *mcp.CallToolRequest {
	c := tc.call
	if c.exchange != nil {
		return c.exchange.toolRequest(tc.args)
	}
	return &mcp.CallToolRequest{
		Params: &mcp.CallToolParamsRaw{Name: c.info.Name, Arguments: []byte(tc.args)},
	}
}

func (r *Registry) addTool(t Tool, noHandler bool, h toolHandler) {
	s := newToolSpec(t)
	problems := append([]error{checkExposedName(t.Name)}, commonProblems(s, noHandler)...)
	problems = append(problems, checkSchema("InputSchema", t.InputSchema, true), checkSchema("OutputSchema", t.OutputSchema, false))
	r.add(&entry{spec: s, bind: func(l *Layer) (*primitive, error) {
		return bindTool(l, s, h)
	}}, t.Replace, problems...)
}

// checkSchema checks a schema of the author's as far as the SDK would: it panics
// on a bad one.
func checkSchema(field string, schema jsontext.Value, object bool) error {
	if schema == nil {
		return nil
	}
	var members struct {
		Type any `json:"type"`
	}
	if err := json.Unmarshal(schema, &members); err != nil {
		return fmt.Errorf("%s is not a JSON object: %w", field, err)
	}
	if object && members.Type != "object" {
		return fmt.Errorf(`%s must have "type": "object"`, field)
	}
	return nil
}

func newToolSpec(t Tool) *Spec {
	return &Spec{
		Kind:         KindTool,
		Name:         t.Name,
		Title:        t.Title,
		Description:  t.Description,
		Category:     t.Category,
		Tags:         append([]string{}, t.Tags...),
		Sensitivity:  t.Sensitivity,
		Capabilities: t.Capabilities,
		Annotations:  cloneAnnotations(t.Annotations),
		Hints:        cloneHints(t.Hints),
		Timeout:      t.Timeout,
		meta:         cloneOptions(t.Meta),
		icons:        cloneIcons(t.Icons),
		inputSchema:  t.InputSchema.Clone(),
		outputSchema: t.OutputSchema.Clone(),
	}
}

// bindTool compiles what a layer needs to call the tool: custom rules belong to a
// layer, so that the arguments' rules do too.
func bindTool(l *Layer, spec *Spec, h toolHandler) (*primitive, error) {
	b := &toolBinding{input: spec.inputSchema, output: spec.outputSchema, invoke: h.invoke}
	args, err := validate.Compile(h.in, &l.validation)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	schema, err := compileSchema(spec.inputSchema)
	if err != nil {
		return nil, err
	}
	b.decode = argumentDecoder(schema, args, h)
	if b.input == nil {
		b.input = args.Schema()
	}
	if b.output == nil && !isResultType(h.out) {
		if b.output, _, err = validate.Output(h.out, &validate.OutputOptions{OmitMembers: l.omit, Schemas: l.validation.Schemas}); err != nil {
			return nil, fmt.Errorf("output: %w", err)
		}
	}
	wire := wireTool(spec, b)
	if err := checkRegistrable(wire); err != nil {
		return nil, err
	}
	p := &primitive{spec: spec, tool: b}
	p.listing.addTool(wire, spec, l.meta)
	return p, nil
}

// checkRegistrable asks the SDK whether it would take a tool, which it says with a
// panic: an x-mcp-header where none may stand, for example.
func checkRegistrable(t *mcp.Tool) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the SDK refuses the tool: %v", v)
		}
	}()
	mcp.NewServer(&mcp.Implementation{Name: "trial", Version: "0"}, nil).AddTool(t, handleTool)
	return nil
}

// argumentDecoder returns how a handler's argument struct is filled. Raw arguments
// have been checked to be an object already.
func argumentDecoder(schema *argumentSchema, args *validate.Args, h toolHandler) func(jsontext.Value) (any, error) {
	raw := h.in == reflect.TypeFor[jsontext.Value]()
	return func(doc jsontext.Value) (any, error) {
		if err := schema.check(doc); err != nil {
			return nil, err
		}
		if raw {
			in := doc // on the heap only here
			return &in, nil
		}
		in := h.newIn()
		if err := args.Decode(doc, in); err != nil {
			return nil, invalidArguments(err)
		}
		return in, nil
	}
}

// invalidArguments makes the layer's error of what validate found.
func invalidArguments(err error) error {
	if e, ok := errors.AsType[*validate.Error](err); ok {
		return InvalidArguments(e.Error(), e.Problems)
	}
	return err
}

// isResultType reports whether a handler builds its results itself, so that
// nothing is known of their structure.
func isResultType(out reflect.Type) bool {
	return out == reflect.TypeFor[*result.ToolResult]() || out == reflect.TypeFor[*mcp.CallToolResult]()
}
