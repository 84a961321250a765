package mcplayer

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json/jsontext"
)

// maxArgumentDepth bounds how deep arguments may nest; the SDK's own decoder
// has the same bound.
const maxArgumentDepth = 1000

var emptyObject = jsontext.Value("{}")

// argumentBytes returns arguments of an in-process call as JSON.
func argumentBytes(args any) (jsontext.Value, error) {
	switch v := args.(type) {
	case nil:
		return nil, nil
	case jsontext.Value:
		return v, nil
	case json.RawMessage:
		return jsontext.Value(v), nil
	case []byte:
		return v, nil
	}
	doc, err := encode(args, nil)
	if err != nil {
		return nil, fmt.Errorf("mcplayer: encode arguments: %w", err)
	}
	return doc, nil
}

// stringArguments returns variables or prompt arguments as a JSON object.
func stringArguments(args map[string]string) jsontext.Value {
	if len(args) == 0 {
		return emptyObject
	}
	doc, err := encode(args, nil)
	if err != nil {
		panic(err) // strings always encode
	}
	return doc
}

// checkArguments returns arguments as a JSON object: absent, null and empty are
// {}, a JSON string that holds an object is that object.
func (l *Layer) checkArguments(args jsontext.Value) (jsontext.Value, *Error) {
	if len(args) > l.maxArguments {
		return nil, refuse("", fmt.Sprintf("larger than the allowed %d bytes", l.maxArguments), validate.TypeLength)
	}
	switch trimmed := bytes.TrimSpace(args); {
	case len(trimmed) == 0, string(trimmed) == "null":
		return emptyObject, nil
	case trimmed[0] == '"':
		args = objectInString(args)
	}
	if fault := jsondoc.CheckObject(args, maxArgumentDepth); fault != nil {
		return nil, refuse(fault.Loc, fault.Msg, faultType[fault.Kind])
	}
	return args, nil
}

// objectInString returns the object that the JSON string doc holds; doc itself
// if it holds none.
func objectInString(doc jsontext.Value) jsontext.Value {
	inner, err := jsontext.AppendUnquote(nil, bytes.TrimSpace(doc))
	if err != nil || jsontext.Value(inner).Kind() != '{' {
		return doc
	}
	return inner
}

var faultType = map[jsondoc.FaultKind]string{
	jsondoc.NotJSON:         validate.TypeJSON,
	jsondoc.NotObject:       validate.TypeType,
	jsondoc.DuplicateMember: validate.TypeDuplicate,
	jsondoc.TooDeep:         validate.TypeLength,
}

// refuse returns the error for one problem with the arguments.
func refuse(loc, msg, problemType string) *Error {
	text := msg
	if loc != "" {
		text = loc + ": " + msg
	}
	return InvalidArguments("Invalid arguments: "+text, []validate.Problem{{Loc: loc, Msg: msg, Type: problemType}})
}
