package pipeline

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"

	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// alias shows values under names that an operator chose.
type alias struct {
	values map[string]string // value -> alias
	back   map[string]string // alias -> value, for what comes in
	show   *replacer
	names  *aliasedNames // nil: nothing before makes pseudonyms
}

func newAlias(o *Options) (Transform, error) {
	a := &alias{values: map[string]string{}, back: map[string]string{}}
	a.addAll(o, "aliases", o.Map("aliases"))
	for _, name := range o.Strings("files") {
		a.addAll(o, "files", aliasFile(o, name))
	}
	for _, value := range slices.Sorted(maps.Keys(a.values)) {
		shown := a.values[value]
		if other, ok := a.back[shown]; ok {
			o.Fail("aliases", "%q stands for both %q and %q", shown, other, value)
		}
		if _, ok := a.values[shown]; ok {
			o.Fail("aliases", "%q is an alias and a value", shown)
		}
		a.back[shown] = value
	}
	a.show = newReplacer(a.values)
	return a, nil
}

// aliasFile reads aliases from a file of JSON.
func aliasFile(o *Options, name string) map[string]any {
	var m map[string]any
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		o.Fail("files", "%s: %w", name, err)
	}
	return m
}

// addAll adds aliases, flat or in groups by entity.
func (a *alias) addAll(o *Options, option string, m map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if group, ok := m[key].(map[string]any); ok {
			for _, value := range slices.Sorted(maps.Keys(group)) {
				a.add(o, option, value, group[value])
			}
			continue
		}
		a.add(o, option, key, m[key])
	}
}

func (a *alias) add(o *Options, option, value string, shown any) {
	text, ok := asText(shown)
	switch {
	case !ok:
		o.Fail(option, "the alias of %q must be a text", value)
	case value == "" || text == "":
		o.Fail(option, "%q for %q: neither may be empty", text, value)
	case a.values[value] != "" && a.values[value] != text:
		o.Fail(option, "%q has two aliases", value)
	default:
		a.values[value] = text
	}
}

// Aliases returns the values that the pipeline shows under other names, by these
// names: what a client sends back has to be reversed.
func (p *Pipeline) Aliases() map[string]string {
	all := map[string]string{}
	for _, s := range p.steps {
		if a, ok := s.transform.(*alias); ok {
			maps.Copy(all, a.back)
		}
	}
	return all
}

// Begin returns the step.
func (a *alias) Begin(_ context.Context, p *Pass) Step {
	s := &aliaser{show: a.show, counter: p.counter()}
	if a.names != nil {
		s.show = a.names.replacerFor(p.owner())
	}
	return s
}

type aliaser struct {
	counter
	show *replacer
	text []byte // scratch
}

func (a *aliaser) Wants() jsondoc.Kind { return jsondoc.Any }

// Value makes aliaser a [Step]; the engine calls Do.
func (a *aliaser) Value(c *Cursor) error { return a.Do(c.v) }

// Fork returns a step for another part of the same document.
func (a *aliaser) Fork() jsondoc.Step { return &aliaser{show: a.show, counter: newCounter()} }

// Join adds what a fork counted.
func (a *aliaser) Join(fork jsondoc.Step) { a.join(fork.(*aliaser).counter) }

// mostCompared is with how many members before it the new name of one is compared. Behind
// them it has its position, which is always right.
const mostCompared = 256

// Do replaces values in a string, as a number and in names of members.
func (a *aliaser) Do(v *jsondoc.Value) error {
	if v.Named() {
		if name, n := a.show.append(a.text[:0], v.Key()); n > 0 {
			a.text = name
			becomes := func(_ int, old []byte) string {
				shown, _ := a.show.append(nil, old)
				return string(shown)
			}
			if v.Index() >= mostCompared || clashes(v, string(name), becomes) {
				name = numbered(name, v.Index())
			}
			v.Because("aliases")
			v.Rename(name)
			a.counter.add("aliased", n)
		}
	}
	text := v.Text()
	switch {
	case v.Kind() == jsondoc.Number:
		text = v.Raw()
	case v.Kind() != jsondoc.String || v.HoldsJSON():
		return nil
	}
	if shown, n := a.show.append(a.text[:0], text); n > 0 && a.whole(v, text) {
		a.text = shown
		v.Because("aliases")
		v.SetText(shown)
		a.counter.add("aliased", n)
	}
	return nil
}

// whole reports whether a value may be replaced: of numbers only all digits
// together are a value, not those before the point.
func (a *aliaser) whole(v *jsondoc.Value, text []byte) bool {
	if v.Kind() == jsondoc.String {
		return true
	}
	p := a.show.at(text, 0)
	return p != nil && len(p.from) == len(text)
}
