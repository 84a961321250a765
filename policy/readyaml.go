package policy

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// maxDepth bounds the nesting of a document.
const maxDepth = 100

// jsonNumber is the grammar of numbers in JSON (RFC 8259, 6). All else that YAML takes for a
// number, a date or a truth value is a text here: 012345678901, 0x1f, 1_000, 12:30, yes, off.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// readYAML reads one YAML document. It returns no node if there is nothing to go on with.
func readYAML(data []byte, file string) (*node, problems) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	if err := decoder.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, problems{{File: file, Message: err.Error()}}
	}
	if len(doc.Content) != 1 {
		return nil, problems{{File: file, Message: "is empty"}}
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, problems{{File: file, Line: more.Line, Message: "holds more than one document"}}
	}
	r := yamlReader{file: file}
	n := r.node(doc.Content[0], "", 0)
	return n, r.bad
}

// yamlReader turns nodes of the YAML package into ours.
type yamlReader struct {
	file string
	bad  problems
}

func (r *yamlReader) node(y *yaml.Node, path string, depth int) *node {
	n := &node{at: place{r.file, y.Line}}
	switch {
	case depth > maxDepth:
		r.bad.add(n.at, "", "is nested more than %d deep", maxDepth)
	case oddlyTagged(y):
		r.bad.add(n.at, path, "tags but !!str are not taken")
	case y.Kind == yaml.AliasNode, y.Anchor != "":
		r.bad.add(n.at, path, "anchors and aliases are not taken; write it out")
	case y.Kind == yaml.SequenceNode:
		n.kind, n.list = listNode, []*node{}
		for i, element := range y.Content {
			n.list = append(n.list, r.node(element, at(path, i), depth+1))
		}
	case y.Kind == yaml.MappingNode:
		r.object(n, y, path, depth)
	case !utf8.ValidString(y.Value):
		r.bad.add(n.at, path, "is not valid UTF-8")
	default:
		n.kind, n.text = yamlScalar(y)
	}
	return n
}

func oddlyTagged(y *yaml.Node) bool {
	return y.Style&yaml.TaggedStyle != 0 && !slices.Contains([]string{"!!str", "!!seq", "!!map"}, y.Tag)
}

func (r *yamlReader) object(n *node, y *yaml.Node, path string, depth int) {
	n.kind = objectNode
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, where := y.Content[i], place{r.file, y.Content[i].Line}
		switch {
		case key.Kind != yaml.ScalarNode || key.Anchor != "" || oddlyTagged(key) || !utf8.ValidString(key.Value):
			r.bad.add(where, path, "names must be texts")
			continue
		case n.member(key.Value) != nil:
			r.bad.add(where, under(path, key.Value), "is there twice")
			continue
		}
		value := r.node(y.Content[i+1], under(path, key.Value), depth+1)
		n.members = append(n.members, member{key.Value, where, value})
	}
}

func yamlScalar(y *yaml.Node) (nodeKind, string) {
	quoted := y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	if quoted || y.Style&yaml.TaggedStyle != 0 && y.Tag == "!!str" {
		return textNode, y.Value
	}
	switch y.Value {
	case "", "~", "null", "Null", "NULL":
		return nullNode, ""
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return boolNode, y.Value
	}
	if jsonNumber.MatchString(y.Value) {
		return numberNode, y.Value
	}
	return textNode, y.Value
}
