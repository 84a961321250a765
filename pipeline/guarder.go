package pipeline

import (
	"bytes"
	"strings"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/internal/scan"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

// guarder is the step of a guard. It looks at all arguments before any step changes
// one, so that it sees them as they were received.
type guarder struct {
	*guard
	counter
	secret []*detect.KeyRule // by depth, of the containers around the value
	found  []secretFound
	reader textReader
	text   []byte // scratch
}

// secretFound is a secret in the arguments; its pointer holds no secret.
type secretFound struct{ pointer, entity, detector string }

// maxFound is how many findings a refusal tells.
const maxFound = 50

// Wants asks for everything: secrets may be in names, too.
func (g *guarder) Wants() jsondoc.Kind { return jsondoc.Any }

// Value makes guarder a [Step]; the engine calls Do.
func (g *guarder) Value(c *Cursor) error { return g.Do(c.v) }

// Look notes the secrets of a value and its name.
func (g *guarder) Look(v *jsondoc.Value) error {
	rule := g.sensitive(v)
	if g.redacts || len(g.found) >= maxFound || g.exempts(v) {
		return nil
	}
	if v.Named() {
		g.note(v, g.find(v.Key()))
	}
	if rule != nil && g.filled(v) {
		g.note(v, &detect.Finding{Entity: rule.Entity, Detector: &detect.Detector{Name: rule.Name}})
	} else if v.Kind() == jsondoc.String && !v.HoldsJSON() {
		g.note(v, g.find(v.Text()))
	}
	return nil
}

// Do refuses the arguments or takes a secret out.
func (g *guarder) Do(v *jsondoc.Value) error {
	if !g.redacts {
		if len(g.found) > 0 {
			return refusal(g.found)
		}
		return nil
	}
	rule := g.sensitive(v)
	if g.exempts(v) {
		return nil
	}
	if v.Named() {
		if f := g.find(v.Key()); f != nil {
			g.add("redacted_arguments", 1)
			v.Rename(numbered([]byte(placeholder(f.Entity)), v.Index()))
		}
	}
	switch {
	case rule != nil && g.filled(v):
		g.replace(v, rule.Entity)
	case v.Kind() == jsondoc.String && !v.HoldsJSON():
		if f := g.find(v.Text()); f != nil {
			g.redact(v, f.Entity)
		}
	}
	return nil
}

func placeholder(entity string) string { return "[REDACTED:" + entity + "]" }

func (g *guarder) replace(v *jsondoc.Value, entity string) {
	g.add("redacted_arguments", 1)
	v.Because("action")
	v.SetTextString(placeholder(entity))
}

// redact takes secrets out of a text; if they are hidden in it, all of it.
func (g *guarder) redact(v *jsondoc.Value, entity string) {
	text := v.Text()
	found := g.scanner.Append(nil, text)
	g.text = g.text[:0]
	from := 0
	for i := range found {
		f := &found[i]
		g.text = append(append(g.text, text[from:f.Start]...), placeholder(f.Entity)...)
		from = f.End
	}
	g.text = append(g.text, text[from:]...)
	if len(found) == 0 || g.find(g.text) != nil {
		g.replace(v, entity)
		return
	}
	g.add("redacted_arguments", len(found))
	v.Because("action")
	v.SetText(g.text)
}

// sensitive returns the rule that makes a value a secret for where it stands, and
// notes what holds in a container.
func (g *guarder) sensitive(v *jsondoc.Value) *detect.KeyRule {
	if g.rules == nil {
		return nil
	}
	depth := v.Depth()
	for len(g.secret) <= depth {
		g.secret = append(g.secret, nil)
	}
	var rule *detect.KeyRule
	if depth > 0 {
		rule = g.secret[depth-1]
	}
	holder := v
	for o := v.Outer(); o != nil; o = o.Outer() {
		holder = o
	}
	match := func(r *detect.KeyRule) { rule = r }
	if rule == nil && holder.Named() {
		g.rules.Match(withoutRedacted(clean(holder.Key())), match)
		if string(holder.Key()) == "value" || string(holder.Key()) == "Value" {
			g.rules.Match(pairKey(holder), match)
		}
	}
	g.secret[depth] = rule
	return rule
}

// filled reports whether a leaf holds something that can be a secret.
func (g *guarder) filled(v *jsondoc.Value) bool {
	switch v.Kind() {
	case jsondoc.Number:
		return true
	case jsondoc.String:
		return !v.HoldsJSON() && !scan.IsPlaceholder(bytes.TrimSpace(clean(v.Text())))
	}
	return false
}

// exempts reports whether nothing is looked for where the value stands.
func (g *guarder) exempts(v *jsondoc.Value) bool {
	if g.exempt == nil {
		return false
	}
	state := g.exempt.start
	for _, segment := range v.Path() {
		if state&g.exempt.end != 0 {
			return true
		}
		state = g.exempt.next(state, g.exempt.match(segment), !isNumber([]byte(segment)))
	}
	return state&g.exempt.end != 0
}

// find returns a secret in a text, whichever way it is read; nil if there is none.
func (g *guarder) find(text []byte) (found *detect.Finding) {
	g.reader.read(text, func(reading []byte) bool {
		if list := g.scanner.Append(nil, reading); len(list) > 0 {
			found = &list[0]
		}
		return found == nil
	})
	return found
}

// note keeps a finding.
func (g *guarder) note(v *jsondoc.Value, f *detect.Finding) {
	if f == nil || len(g.found) >= maxFound {
		return
	}
	g.found = append(g.found, secretFound{g.pointer(v), f.Entity, f.Detector.Name})
}

// pointer returns the JSON pointer (RFC 6901) of a value, without secrets that are
// names on the way.
func (g *guarder) pointer(v *jsondoc.Value) string {
	var b strings.Builder
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for _, segment := range v.Path() {
		if f := g.find([]byte(segment)); f != nil {
			segment = placeholder(f.Entity)
		}
		b.WriteByte('/')
		_, _ = escape.WriteString(&b, segment)
	}
	return b.String()
}
