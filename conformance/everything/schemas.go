package everything

import "encoding/json"

// The forms that tools show a user.
const (
	userSchema = `{
	"type": "object",
	"properties": {
		"username": {"type": "string", "description": "The user's name"},
		"email": {"type": "string", "description": "The user's email address"}
	},
	"required": ["username", "email"]
}`
	nameSchema    = `{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}`
	colorSchema   = `{"type": "object", "properties": {"color": {"type": "string"}}, "required": ["color"]}`
	confirmSchema = `{"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}`
	contextSchema = `{"type": "object", "properties": {"context": {"type": "string"}}, "required": ["context"]}`

	// defaultsSchema has a default for each primitive type (SEP-1034).
	defaultsSchema = `{
	"type": "object",
	"properties": {
		"name": {"type": "string", "default": "John Doe"},
		"age": {"type": "integer", "default": 30},
		"score": {"type": "number", "default": 95.5},
		"status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
		"verified": {"type": "boolean", "default": true}
	}
}`
	// enumsSchema has each of the five forms of a choice (SEP-1330).
	enumsSchema = `{
	"type": "object",
	"properties": {
		"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
		"titledSingle": {"type": "string", "oneOf": [
			{"const": "value1", "title": "First Option"},
			{"const": "value2", "title": "Second Option"},
			{"const": "value3", "title": "Third Option"}
		]},
		"legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]},
		"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
		"titledMulti": {"type": "array", "items": {"anyOf": [
			{"const": "value1", "title": "First Choice"},
			{"const": "value2", "title": "Second Choice"},
			{"const": "value3", "title": "Third Choice"}
		]}}
	}
}`
)

// The tools whose input schema is what the suite looks at.
var (
	Schema = Info{"json_schema_2020_12_tool", "Has an input schema that must be listed as it is (SEP-1613, SEP-2106)."}
	Header = Info{"test_x_mcp_header", "Has an argument that HTTP clients repeat in a header (SEP-2243)."}
)

// SchemaInput is the input schema of [Schema]. The suite compares it keyword
// by keyword with what the server lists.
var SchemaInput = json.RawMessage(`{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {
		"address": {
			"$anchor": "addressDef",
			"type": "object",
			"properties": {"street": {"type": "string"}, "city": {"type": "string"}}
		}
	},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`)

// HeaderInput is the input schema of [Header].
var HeaderInput = json.RawMessage(`{
	"type": "object",
	"properties": {
		"region": {"type": "string", "description": "repeated in the header Mcp-Param-Region", "x-mcp-header": "Region"},
		"level": {"type": "integer", "description": "in the body only"}
	}
}`)

// Contact is what [Schema] is called with.
type Contact struct {
	Name          string   `json:"name,omitempty"`
	Address       *Address `json:"address,omitempty"`
	ContactMethod string   `json:"contactMethod,omitempty"`
	Phone         string   `json:"phone,omitempty"`
	Email         string   `json:"email,omitempty"`
}

// Address is where a [Contact] lives.
type Address struct {
	Street string `json:"street,omitempty"`
	City   string `json:"city,omitempty"`
}

// Reach tells how to reach c.
func Reach(c Contact) string {
	if c.ContactMethod == "phone" {
		return "Call " + c.Phone
	}
	return "Write to " + c.Email
}

// Placement is what [Header] is called with.
type Placement struct {
	Region string `json:"region,omitempty"`
	Level  int    `json:"level,omitempty"`
}

// Place tells the region of p.
func Place(p Placement) string { return "region=" + p.Region }
