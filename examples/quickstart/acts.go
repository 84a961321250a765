package main

import "context"

// An act is a number of scenes that play at the same places.
type act struct {
	title  string
	places []place
	scenes []scene
}

// acts are the show, in order.
func (t *troupe) acts() []act {
	return []act{
		{"An MCP server, as a model sees it", t.inventory, scenes},
		{"A server that was there before", t.wrap, []scene{wrapped}},
		{"Callers", t.inventory[:1], []scene{callers(t)}},
		{"The policy standard: secrets and orders", t.guarded, append(redactions(t.inventory[0]), refused)},
		{"Policies: who may call what", here, t.cast.scenes()},
		{"The stack of middleware", []place{{name: "this process", caller: t.stacked}}, t.stacked.scenes()},
		{"The policy strict: pseudonyms", t.strict, pseudonyms(t.inventory[0])},
		{"Pseudonyms, and who may undo them", []place{{name: "this process", caller: t.investigation.analyst}}, t.investigation.scenes()},
	}
}

// here is the place of scenes that choose their callers themselves.
var here = []place{{name: "this process"}}

// perform plays an act.
func (p *printer) perform(ctx context.Context, a act) error {
	p.printf("\n== %s. At: %s ==\n", a.title, names(a.places))
	for _, s := range a.scenes {
		if err := p.play(ctx, s, a.places); err != nil {
			return err
		}
	}
	return p.err
}
