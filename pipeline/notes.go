package pipeline

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// notes writes an object of JSON, member by member, into one buffer.
type notes struct{ b []byte }

// name writes the name of a member, which needs no escapes.
func (n *notes) name(name string) {
	n.comma()
	n.b = append(append(append(n.b, '"'), name...), '"', ':')
}

// label writes the name of a member that may need some.
func (n *notes) label(name string) {
	n.comma()
	n.b, _ = jsontext.AppendQuote(n.b, name) // invalid UTF-8 becomes U+FFFD
	n.b = append(n.b, ':')
}

func (n *notes) comma() {
	if n.b[len(n.b)-1] != '{' {
		n.b = append(n.b, ',')
	}
}

// object writes a member that is an object.
func (n *notes) object(name string, members func(n *notes)) {
	n.name(name)
	n.b = append(n.b, '{')
	members(n)
	n.b = append(n.b, '}')
}

// text writes a member that is a text, unless it is empty.
func (n *notes) text(name, text string) {
	if text != "" {
		n.name(name)
		n.b, _ = jsontext.AppendQuote(n.b, text) // invalid UTF-8 becomes U+FFFD
	}
}

// texts writes a member that is a list of texts, unless it is empty.
func (n *notes) texts(name string, list []string) {
	if len(list) == 0 {
		return
	}
	n.name(name)
	separator := byte('[')
	for _, text := range list {
		n.b, _ = jsontext.AppendQuote(append(n.b, separator), text)
		separator = ','
	}
	n.b = append(n.b, ']')
}

// counts writes a member that holds counts by name, unless there are none.
func (n *notes) counts(name string, counts []count) {
	if len(counts) == 0 {
		return
	}
	n.object(name, func(n *notes) {
		for _, c := range counts {
			n.label(c.label)
			n.b = strconv.AppendInt(n.b, int64(c.n), 10)
		}
	})
}

// some picks counts and adds up those of one label, in the order of labels.
func some(counts []count, label func(c *count) string, into []count) []count {
	for i := range counts {
		l := label(&counts[i])
		if l == "" {
			continue
		}
		at, ok := slices.BinarySearchFunc(into, l, func(c count, l string) int { return cmp.Compare(c.label, l) })
		if !ok {
			into = slices.Insert(into, at, count{label: l})
		}
		into[at].n += counts[i].n
	}
	return into
}
