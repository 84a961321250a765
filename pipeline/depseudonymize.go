package pipeline

import (
	"bytes"
	"context"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/internal/untrusted"
)

// depseudonymize turns what a client sends back into what it stands for: fences go,
// aliases and pseudonyms become the real values. What is neither passes.
type depseudonymize struct {
	pseudonyms Pseudonyms
	keys       bool
	aliases    *replacer // nil: there are none
}

// newDepseudonymize reads the options: keys, whether names of members are turned
// back too, and aliases, alias by alias the value, which a policy takes from the
// output pipeline of the caller.
func newDepseudonymize(o *Options) (Transform, error) {
	d := &depseudonymize{pseudonyms: o.builder.Pseudonyms, keys: o.Bool("keys", false)}
	aliases := o.Texts("aliases")
	for alias, value := range aliases {
		if alias == "" || value == "" {
			o.Fail("aliases", "%q for %q: neither may be empty", alias, value)
			delete(aliases, alias)
		}
	}
	if len(aliases) > 0 {
		d.aliases = newReplacer(aliases)
	}
	return d, nil
}

// Begin returns the step.
func (d *depseudonymize) Begin(_ context.Context, p *Pass) Step {
	s := room(p.in != nil && p.in.depseudonymizer.depseudonymize == nil, func() *depseudonymizer { return &p.in.depseudonymizer })
	s.depseudonymize, s.owner = d, p.owner()
	s.text = s.first[:0]
	return s
}

type depseudonymizer struct {
	*depseudonymize
	owner string
	text  []byte   // scratch
	first [96]byte // where text begins: arguments are short
}

func (d *depseudonymizer) Wants() jsondoc.Kind { return jsondoc.Any }

// Value makes depseudonymizer a [Step]; the engine calls Do.
func (d *depseudonymizer) Value(c *Cursor) error { return d.Do(c.v) }

// Do turns back a string, a number and, if asked for, the name of a member.
func (d *depseudonymizer) Do(v *jsondoc.Value) error {
	if d.keys && v.Named() {
		name, changed, err := d.original(v.Key())
		if err != nil {
			return err
		}
		if changed {
			if _, taken := v.Sibling(string(name)); !taken {
				v.Because("keys")
				v.Rename(name)
			}
		}
	}
	switch v.Kind() {
	case jsondoc.String:
		if v.HoldsJSON() {
			return nil
		}
		text, changed, err := d.original(v.Text())
		if err == nil && changed {
			v.SetText(text)
		}
		return err
	case jsondoc.Number:
		return d.number(v)
	}
	return nil
}

// number turns back a pseudonym of digits that a client wrote as a number.
func (d *depseudonymizer) number(v *jsondoc.Value) error {
	digits := v.Raw()
	if len(digits) < minIdentifier || !isNumber(digits) {
		return nil
	}
	text, changed, err := d.original(digits)
	switch {
	case err != nil || !changed:
		return err
	case isNumber(text) && text[0] != '0':
		return v.SetRaw(bytes.Clone(text))
	}
	v.SetText(text)
	return nil
}

// original returns what a text stands for; it is valid until the next call.
func (d *depseudonymizer) original(text []byte) (out []byte, changed bool, err error) {
	read := text
	if bytes.Contains(text, []byte("⟧")) {
		read = []byte(untrusted.Unfence(string(text)))
	} else if d.aliases == nil && d.pseudonyms == nil {
		return text, false, nil
	}
	d.text = d.text[:0]
	from := 0
	for i := 0; d.aliases != nil && i < len(read); i++ {
		if !d.aliases.starts[read[i]] {
			continue
		}
		if a := d.aliases.at(read, i); a != nil {
			if err := d.pseudonymsIn(read[from:i]); err != nil {
				return nil, false, err
			}
			d.text = append(d.text, a.to...)
			from = i + len(a.from)
			i = from - 1
		}
	}
	if err := d.pseudonymsIn(read[from:]); err != nil {
		return nil, false, err
	}
	return d.text, !bytes.Equal(d.text, text), nil
}

// pseudonymsIn appends a part of a text with its pseudonyms turned back.
func (d *depseudonymizer) pseudonymsIn(part []byte) error {
	if d.pseudonyms == nil || len(part) == 0 {
		d.text = append(d.text, part...)
		return nil
	}
	out, _, err := d.pseudonyms.AppendOriginals(d.text, d.owner, part)
	if err != nil {
		return mcplayer.InvalidArguments(err.Error(), nil) // it is written for clients
	}
	d.text = out
	return nil
}
