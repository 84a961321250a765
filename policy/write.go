package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"
)

// node returns the document as it would be read, with places where they are known.
func (d *Document) node() *node {
	n := writeFields(d.fields())
	if n == nil {
		n = &node{kind: objectNode}
	}
	if d.source != nil {
		n.walk("", d.source.complete)
		n.dropped = d.source.dropped
	}
	return n
}

// complete adds to a node what the document itself does not hold.
func (s *source) complete(path string, n *node) {
	n.at = s.place(path)
	if n.kind != objectNode {
		return
	}
	for _, empty := range s.emptied {
		key, ok := strings.CutPrefix(empty, path+".")
		if path == "" {
			key, ok = empty, true
		}
		if ok && parent(empty) == path && n.member(key) == nil {
			n.members = append(n.members, member{key: key, value: &node{kind: listNode, list: []*node{}}})
		}
	}
}

// MarshalJSON writes the document. What is written is read again as the same document.
func (d *Document) MarshalJSON() ([]byte, error) { return d.node().json() }

func (n *node) json() (jsontext.Value, error) {
	var b bytes.Buffer
	e := jsontext.NewEncoder(&b, jsontext.AllowDuplicateNames(true))
	if err := n.writeJSON(e); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// MarshalYAML returns what the YAML package writes. It is read again as the same document.
func (d *Document) MarshalYAML() (any, error) { return d.node().yaml(), nil }

// Fingerprint identifies the content of a document: 16 hex digits of the SHA-256 of its JSON.
// It is for operators: who knows all of a document but one short secret can guess that.
func (d *Document) Fingerprint() string {
	data, err := d.MarshalJSON()
	if err != nil { // a text that is no UTF-8, from a document made in Go
		data = []byte(err.Error())
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

func (n *node) writeJSON(e *jsontext.Encoder) error {
	switch n.kind {
	case boolNode:
		return e.WriteToken(jsontext.Bool(strings.EqualFold(n.text, "true")))
	case numberNode:
		return e.WriteValue(jsontext.Value(n.text))
	case textNode:
		return e.WriteToken(jsontext.String(n.text))
	case listNode:
		err := e.WriteToken(jsontext.BeginArray)
		for i := 0; err == nil && i < len(n.list); i++ {
			err = n.list[i].writeJSON(e)
		}
		if err != nil {
			return err
		}
		return e.WriteToken(jsontext.EndArray)
	case objectNode:
		err := e.WriteToken(jsontext.BeginObject)
		for i := 0; err == nil && i < len(n.members); i++ {
			if err = e.WriteToken(jsontext.String(n.members[i].key)); err == nil {
				err = n.members[i].value.writeJSON(e)
			}
		}
		if err != nil {
			return err
		}
		return e.WriteToken(jsontext.EndObject)
	}
	return e.WriteToken(jsontext.Null)
}

// plainText is what needs no quotes in YAML, unless it is one of the words of yamlWords.
var plainText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./]*$`)

// yamlWords are plain scalars that a YAML reader may not take for texts (YAML 1.1, bool and null).
var yamlWords = []string{"y", "n", "yes", "no", "true", "false", "on", "off", "null"}

func (n *node) yaml() *yaml.Node {
	y := &yaml.Node{Kind: yaml.ScalarNode, Value: n.text}
	switch n.kind {
	case nullNode:
		y.Value = "null"
	case textNode:
		y.Tag = "!!str"
		if !plainText.MatchString(n.text) || slices.Contains(yamlWords, strings.ToLower(n.text)) {
			y.Style = yaml.DoubleQuotedStyle
		}
	case listNode:
		y.Kind = yaml.SequenceNode
		for _, element := range n.list {
			y.Content = append(y.Content, element.yaml())
		}
	case objectNode:
		y.Kind = yaml.MappingNode
		for _, m := range n.members {
			y.Content = append(y.Content, textOf(m.key).yaml(), m.value.yaml())
		}
	}
	return y
}
