package validate

import (
	"math"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

func (d *describer) shape(n *node, l *level) *jsonschema.Schema {
	s := new(jsonschema.Schema)
	switch n.shape {
	case shapePointer:
		return d.node(n.elem, l)
	case shapeStruct:
		return d.structure(n.plan)
	case shapeBool:
		s.Type = "boolean"
	case shapeInt:
		s.Type = "integer"
		if n.t == bigIntType {
			break
		}
		if b := n.t.Bits(); b < 64 {
			raise(&s.Minimum, -math.Ldexp(1, b-1))
			lower(&s.Maximum, math.Ldexp(1, b-1)-1)
		}
	case shapeUint:
		s.Type = "integer"
		raise(&s.Minimum, 0)
		if b := n.t.Bits(); b < 64 {
			lower(&s.Maximum, math.Ldexp(1, b)-1)
		}
	case shapeFloat:
		s.Type = "number"
	case shapeString:
		s.Type = "string"
	case shapeText, shapeDuration, shapeBytes:
		d.text(s, n)
	case shapeList, shapeArray:
		s.Type = "array"
		s.Items = d.item(n.elem, l.inner())
		if n.shape == shapeArray {
			size := n.t.Len()
			s.MinItems, s.MaxItems = &size, &size
		}
	case shapeMap:
		s.Type = "object"
		s.AdditionalProperties = d.item(n.elem, l.inner())
		s.PropertyNames = d.keys(n.key, l)
	}
	return s
}

const (
	durationRE = `^[-+]?(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`
	base64RE   = `^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`
)

// text describes what is a string in JSON only.
func (d *describer) text(s *jsonschema.Schema, n *node) {
	s.Type = "string"
	switch {
	case n.shape == shapeDuration:
		s.Pattern = durationRE
	case n.shape == shapeBytes:
		s.ContentEncoding, s.Pattern = "base64", base64RE
	case n.format == "ip":
		s.AnyOf = []*jsonschema.Schema{{Format: "ipv4"}, {Format: "ipv6"}}
	default:
		s.Format = n.format
	}
}

func (l *level) inner() *level {
	if l == nil {
		return nil
	}
	return l.elem
}

// item describes the items of a list or the values of a map. Other than a field, an item cannot be left out, so
// null stands for a nil pointer.
func (d *describer) item(n *node, l *level) *jsonschema.Schema {
	s := d.node(n, l)
	if l != nil && l.optional && len(l.terms) > 0 {
		if zero, ok := zeroOf(n); ok {
			s = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Const: &zero}, s}}
		}
	}
	if n.shape != shapePointer || n.nullOK || l != nil && l.required {
		return s
	}
	if s.Type != "" && s.Enum == nil && s.Const == nil && s.AnyOf == nil && s.Not == nil && s.AllOf == nil {
		s.Types, s.Type = []string{s.Type, "null"}, ""
		return s
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
}

// zeroOf is the zero value of a plain type as JSON.
func zeroOf(n *node) (any, bool) {
	switch n.shape {
	case shapeBool:
		return false, true
	case shapeInt, shapeUint, shapeFloat:
		return 0, true
	case shapeString, shapeBytes:
		return "", true
	case shapeDuration:
		return "0s", true
	}
	return nil, false
}

// keys describes the names in a map; nil if any will do.
func (d *describer) keys(n *node, l *level) *jsonschema.Schema {
	s := new(jsonschema.Schema)
	switch n.shape {
	case shapeInt:
		s.Pattern = `^(0|-?[1-9][0-9]*)$`
	case shapeUint:
		s.Pattern = `^(0|[1-9][0-9]*)$`
	case shapeText:
		d.text(s, n)
	}
	s.Type = ""
	if l != nil && l.keys != nil && n.shape == shapeString {
		s.Type = "string"
		d.rules(s, l.keys)
		s.Type = ""
	}
	if reflect.ValueOf(*s).IsZero() {
		return nil
	}
	return s
}
