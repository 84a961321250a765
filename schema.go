package mcplayer

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// argumentSchema is an input schema of the author's own, ready to check arguments.
// Numbers compare as float64 there; its defaults are only published.
type argumentSchema struct{ resolved *jsonschema.Resolved }

// compileSchema makes an input schema of the author's a check. Nil stays nil.
func compileSchema(doc jsontext.Value) (*argumentSchema, error) {
	if doc == nil {
		return nil, nil
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(doc, &schema); err != nil {
		return nil, fmt.Errorf("InputSchema: %w", err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("InputSchema: %w", err)
	}
	return &argumentSchema{resolved}, nil
}

// check refuses arguments that break the schema. The library's own words repeat
// values; the message names the place and the keyword.
func (s *argumentSchema) check(args jsontext.Value) error {
	if s == nil {
		return nil
	}
	var tree any
	if err := json.Unmarshal(args, &tree); err != nil {
		return refuse("", "not valid JSON", validate.TypeJSON)
	}
	if err := s.resolved.Validate(tree); err != nil {
		loc, keyword := schemaFault(err.Error())
		return refuse(loc, "does not match the tool's input schema"+keyword, validate.TypeRule)
	}
	return nil
}

var schemaStep = regexp.MustCompile(`^validating ([^:]*): `)

// schemaKeywords are those that may be told to clients; what follows one in the
// library's words may hold values.
var schemaKeywords = []string{
	"type", "enum", "const", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
	"minLength", "maxLength", "pattern", "anyOf", "oneOf", "not", "contains", "minContains", "maxContains",
	"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "required", "dependentRequired",
}

// schemaFault reads place and keyword out of the words of jsonschema-go: "validating
// /properties/a/items: type: ...".
func schemaFault(text string) (loc, keyword string) {
	for {
		step := schemaStep.FindStringSubmatch(text)
		if step == nil {
			break
		}
		loc = schemaLoc(step[1])
		text = text[len(step[0]):]
	}
	word, _, _ := strings.Cut(text, ":")
	if strings.HasPrefix(text, "unexpected additional properties") {
		word = "additionalProperties"
	} else if !slices.Contains(schemaKeywords, word) {
		return loc, ""
	}
	return loc, " (" + word + ")"
}

// schemaLoc makes a path of the arguments of a path of the schema: the names that
// follow "properties".
func schemaLoc(path string) string {
	segments := strings.Split(path, "/")
	var names []string
	for i, segment := range segments {
		if i > 0 && segments[i-1] == "properties" {
			names = append(names, segment)
		}
	}
	return strings.Join(names, ".")
}
