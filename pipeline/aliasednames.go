package pipeline

import (
	"fmt"
	"maps"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"
)

// aliasedNames are the pseudonyms of values that have an alias. The steps before an
// alias make them, so that it has to look for them, too. It is safe for concurrent
// use.
type aliasedNames struct {
	pseudonyms Pseudonyms
	values     map[string]string   // value -> alias
	entities   map[string][]string // by value, those it may be taken for
	show       *lru.Cache[string, *replacer]
}

// maxOwners bounds for how many principals the pseudonyms are remembered.
const maxOwners = 256

// linkAliases tells aliases about the redactions before them. The error says which
// alias stands for two values.
func linkAliases(steps []step) error {
	var before []*redact
	back := map[string]string{}
	for _, s := range steps {
		switch t := s.transform.(type) {
		case *redact:
			if t.reversible() {
				before = append(before, t)
			}
		case *alias:
			for _, shown := range slices.Sorted(maps.Keys(t.back)) {
				if other, ok := back[shown]; ok && other != t.back[shown] {
					return fmt.Errorf("step %s: option aliases: %q stands for both %q and %q", s.name, shown, other, t.back[shown])
				}
				back[shown] = t.back[shown]
			}
			if err := t.follow(before); err != nil {
				return err
			}
		}
	}
	return nil
}

// follow makes the alias look for the pseudonyms that some redactions make.
func (a *alias) follow(before []*redact) (err error) {
	if len(before) == 0 || len(a.values) == 0 {
		return nil
	}
	a.names = &aliasedNames{pseudonyms: before[0].builder.Pseudonyms, values: a.values, entities: map[string][]string{}}
	for value := range a.values {
		entities := map[string]bool{}
		for _, r := range before {
			r.pseudonymsOf([]byte(value), entities)
		}
		a.names.entities[value] = slices.Sorted(maps.Keys(entities))
	}
	a.names.show, err = lru.New[string, *replacer](maxOwners)
	return err
}

// pseudonymsOf adds the entities that a value may be pseudonymised as: what detectors
// find in all of it, else what key rules take it for, and what it is in tags and
// inside identifiers.
func (r *redact) pseudonymsOf(value []byte, entities map[string]bool) {
	add := func(to *outcome) {
		switch {
		case to == nil || to.action != doPseudonymize:
		case to.as != "":
			entities[to.as] = true
		default:
			entities[to.entity] = true
		}
	}
	entities[entityPart] = true
	add(r.person)
	add(r.tag)
	for _, f := range r.scanner.Append(nil, value) {
		if to := r.found[foundKind{f.Detector, f.Entity}]; f.Start == 0 && f.End == len(value) && to != nil {
			add(to)
			return // key rules defer to it
		}
	}
	for _, k := range r.ruled {
		add(k.outcomeOf(value))
	}
}

// entityPart is what a vault takes the parts of ARNs, resource ids and hosts for.
const entityPart = "resource_name"

// replacerFor returns what puts aliases in the place of values and of the pseudonyms
// that an owner sees of them.
func (n *aliasedNames) replacerFor(owner string) *replacer {
	if known, ok := n.show.Get(owner); ok {
		return known
	}
	texts, all := maps.Clone(n.values), true
	for value, shown := range n.values {
		for _, entity := range n.entities[value] {
			name, ok := n.pseudonyms.AppendPseudonym(nil, owner, entity, []byte(value))
			if all = all && ok; ok && texts[string(name)] == "" {
				texts[string(name)] = shown
			}
		}
	}
	made := newReplacer(texts)
	if all { // else the vault is full; there may be room later
		n.show.Add(owner, made)
	}
	return made
}
