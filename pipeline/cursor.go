package pipeline

import (
	"cmp"
	"fmt"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Cursor stands at one value of a document. It is valid only in the call that it
// was given to.
type Cursor struct {
	v   *jsondoc.Value
	err error // of the first Set that failed
	set bool  // there is another value
}

// Kind returns the kind of the value: '{', '[', '"', '0', 't', 'f' or 'n', see
// [jsontext.Kind].
func (c *Cursor) Kind() jsontext.Kind {
	switch c.v.Kind() {
	case jsondoc.Object:
		return jsontext.KindBeginObject
	case jsondoc.Array:
		return jsontext.KindBeginArray
	case jsondoc.String:
		return jsontext.KindString
	case jsondoc.Number:
		return jsontext.KindNumber
	case jsondoc.True:
		return jsontext.KindTrue
	case jsondoc.False:
		return jsontext.KindFalse
	}
	return jsontext.KindNull
}

// Key returns the name of the member; "" for elements and for the document
// itself, see [Cursor.Named].
func (c *Cursor) Key() string { return string(c.v.Key()) }

// Named reports whether the value is a member of an object.
func (c *Cursor) Named() bool { return c.v.Named() }

// Path returns the names and positions that lead to the value. It goes on inside
// strings that are JSON.
func (c *Cursor) Path() []string { return c.v.Path() }

// Pointer returns the path as a JSON pointer (RFC 6901).
func (c *Cursor) Pointer() jsontext.Pointer { return jsontext.Pointer(c.v.AppendPointer(nil)) }

// Text returns the text of a string and the digits of a number as they are
// written; "" for other values.
func (c *Cursor) Text() string {
	switch c.v.Kind() {
	case jsondoc.String:
		return string(c.v.Text())
	case jsondoc.Number:
		return string(c.v.Raw())
	}
	return ""
}

// Len returns the number of members of an object or elements of a list.
func (c *Cursor) Len() int { return c.v.Len() }

// Sibling returns another member of the same object as it is in the document,
// before all steps: what it holds must not be shown. Ok is false if there is none.
func (c *Cursor) Sibling(name string) (value jsontext.Value, ok bool) {
	p, ok := c.v.Sibling(name)
	if !ok {
		return nil, false
	}
	return jsontext.Value(p.Raw()).Clone(), true
}

// SetString replaces the value by a string. If it is JSON, the steps behind this one go
// through all that is in it.
func (c *Cursor) SetString(s string) {
	c.v.SetTextString(s)
	c.set = true
}

// Set replaces the value by any other that can be encoded as JSON. The steps
// behind this one go through all that is in it, those before it do not. A value that
// cannot be encoded withholds the result, also if the error is not looked at.
func (c *Cursor) Set(value any) error {
	raw, err := json.Marshal(value, json.Deterministic(true))
	if err == nil {
		err = c.v.SetRaw(raw)
	}
	c.set = true
	if err != nil {
		err = fmt.Errorf("encode: %w", err)
		c.err = cmp.Or(c.err, err)
	}
	return err
}

// Drop leaves the member or element out. Of the document itself an empty value of
// its kind remains.
func (c *Cursor) Drop() { c.v.Drop() }

// Rename gives the member another name. Elements have none and stay as they are, and so
// does a member beside one that has the name: of two members of one name readers see one.
func (c *Cursor) Rename(name string) {
	if _, taken := c.v.Sibling(name); !taken {
		c.v.Rename([]byte(name))
	}
}

// Because names the option that decides what happens next to the value; a preview
// shows it.
func (c *Cursor) Because(option string) { c.v.Because(option) }
