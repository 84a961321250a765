package policy

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// readJSON reads one JSON document. It returns no node if there is nothing to go on with.
func readJSON(data []byte, file string) (*node, problems) {
	r := jsonReader{data: data, line: 1, file: file}
	r.decoder = jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	n, err := r.value("", 0)
	switch {
	case err != nil:
		r.bad.add(r.place(), "", "is no JSON: %v", err)
		return nil, r.bad
	case len(bytes.TrimSpace(data[r.decoder.InputOffset():])) > 0:
		r.bad.add(r.place(), "", "holds more than one document")
	}
	return n, r.bad
}

// jsonReader turns tokens into nodes.
type jsonReader struct {
	decoder *jsontext.Decoder
	data    []byte
	counted int // bytes whose lines are counted
	line    int
	file    string
	bad     problems
}

// place returns where the last token ends. Tokens hold no line breaks, so that it is also
// where it begins.
func (r *jsonReader) place() place {
	end := int(r.decoder.InputOffset())
	r.line += bytes.Count(r.data[r.counted:end], []byte("\n"))
	r.counted = end
	return place{r.file, r.line}
}

func (r *jsonReader) value(path string, depth int) (*node, error) {
	token, err := r.decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	n := &node{at: r.place()}
	if depth > maxDepth {
		r.bad.add(n.at, "", "is nested more than %d deep", maxDepth)
	}
	switch token.Kind() {
	case '[':
		n.kind, n.list = listNode, []*node{}
		return n, r.elements(n, path, depth)
	case '{':
		n.kind = objectNode
		return n, r.members(n, path, depth)
	case 't', 'f':
		n.kind, n.text = boolNode, token.String()
	case '0':
		n.kind, n.text = numberNode, token.String()
	case '"':
		n.kind, n.text = textNode, token.String()
	}
	return n, nil
}

func (r *jsonReader) elements(n *node, path string, depth int) error {
	for r.decoder.PeekKind() != ']' {
		element, err := r.value(at(path, len(n.list)), depth+1)
		if err != nil {
			return err
		}
		n.list = append(n.list, element)
	}
	_, err := r.decoder.ReadToken()
	return err
}

func (r *jsonReader) members(n *node, path string, depth int) error {
	for r.decoder.PeekKind() != '}' {
		token, err := r.decoder.ReadToken()
		if err != nil {
			return err
		}
		key, where := token.String(), r.place()
		value, err := r.value(under(path, key), depth+1)
		if err != nil {
			return err
		}
		if n.member(key) != nil {
			r.bad.add(where, under(path, key), "is there twice")
			continue
		}
		n.members = append(n.members, member{key, where, value})
	}
	_, err := r.decoder.ReadToken()
	return err
}
