package policy

import (
	"bytes"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDocument bounds the bytes of a document.
const maxDocument = 4 << 20

// ParseDocument reads one document, YAML or JSON, without the one that it extends. The name
// is the file's and stands in errors; an extended file is looked for beside it.
//
// The error tells all mistakes; [Problems] takes it apart. Unknown and repeated keys are
// mistakes, and so are anchors, aliases and a second document. Numbers are those of JSON, true
// and false the only truth values: all else is text. A document whose only key is policy is
// what stands under it.
func ParseDocument(data []byte, name string) (*Document, error) {
	n, bad := readNode(data, name)
	return decode(n, name, bad)
}

// readNode reads a document of either format.
func readNode(data []byte, name string) (*node, problems) {
	if len(data) > maxDocument {
		return nil, problems{{File: name, Message: "is larger than 4 MiB"}}
	}
	read := readYAML
	if isJSON(data, name) {
		read = readJSON
	}
	n, bad := read(data, name)
	if n != nil && n.kind == objectNode && len(n.members) == 1 && n.members[0].key == "policy" {
		n = n.members[0].value
	}
	return n, bad
}

// isJSON tells the format by the name or by the content: a flow mapping of YAML begins with a
// brace, too.
func isJSON(data []byte, name string) bool {
	switch path.Ext(name) {
	case ".json":
		return true
	case ".yaml", ".yml":
		return false
	}
	data = bytes.TrimSpace(data)
	return bytes.HasPrefix(data, []byte("{")) && jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true))
}

// decode makes a document of what was read, unless that is bad.
func decode(n *node, name string, bad problems) (*Document, error) {
	if n == nil {
		return nil, bad.err()
	}
	r := reader{bad}
	d := &Document{source: newSource(n, name)}
	r.object(n, "", d.fields())
	if err := r.bad.err(); err != nil {
		return nil, err
	}
	return d, nil
}

// source is where a document and its parts were written.
type source struct {
	name   string
	places map[string]place // by path
	// emptied are the paths of capabilities that are written as none, which is not as if
	// nothing was written: laid over a parent it takes away what that one says.
	emptied []string
	// dropped says that an inherited redact is gone.
	dropped bool
}

func newSource(n *node, name string) *source {
	s := &source{name: name, places: map[string]place{}, dropped: n.dropped}
	n.walk("", func(path string, n *node) {
		if n.at != (place{}) {
			s.places[path] = n.at
		}
		if n.kind == listNode && len(n.list) == 0 && strings.HasSuffix(path, "_capabilities") {
			s.emptied = append(s.emptied, path)
		}
	})
	return s
}

// place returns where a path was written, or what it is a part of.
func (s *source) place(path string) place {
	for s != nil {
		if where, ok := s.places[path]; ok || path == "" {
			return where
		}
		path = parent(path)
	}
	return place{}
}

// parent returns the path without its last part.
func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' || path[i] == '[' {
			return path[:i]
		}
	}
	return ""
}

// problem describes a mistake at a path of the document.
func (d *Document) problem(path string, err error) Problem {
	where := d.source.place(path)
	return Problem{where.file, where.line, path, err.Error()}
}
