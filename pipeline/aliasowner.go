package pipeline

import (
	"maps"
	"sync"
)

// aliasOwners keeps, by owner, what replaces values and their pseudonyms by aliases:
// behind a redaction the pseudonym of a value stands where the value would.
type aliasOwners struct {
	mu     sync.Mutex
	showns map[string]*replacer // guarded by mu
}

// maxAliasOwners bounds the owners that are remembered; for others the work is done
// each time.
const maxAliasOwners = 1024

// shownTo returns what replaces by aliases what the owner sees, behind the steps in
// front of the alias.
func (a *alias) shownTo(owner string, before []step) *replacer {
	if a.pseudonyms == nil || len(a.values) == 0 || !(&Pipeline{steps: before}).Pseudonymizes() {
		return a.show
	}
	a.owners.mu.Lock()
	defer a.owners.mu.Unlock()
	if r := a.owners.showns[owner]; r != nil {
		return r
	}
	texts := maps.Clone(a.values)
	for value, shown := range a.values {
		for entity := range entitiesOf(before, []byte(value)) {
			if name, ok := a.pseudonyms.AppendPseudonym(nil, owner, entity, []byte(value)); ok {
				texts[string(name)] = shown
			}
		}
	}
	r := newReplacer(texts)
	if a.owners.showns == nil {
		a.owners.showns = map[string]*replacer{}
	}
	if len(a.owners.showns) < maxAliasOwners {
		a.owners.showns[owner] = r
	}
	return r
}

// entitiesOf returns as what steps may pseudonymise a value.
func entitiesOf(steps []step, value []byte) map[string]bool {
	entities := map[string]bool{}
	add := func(to *outcome) {
		if to == nil || to.action != doPseudonymize {
			return
		}
		if to.as != "" {
			entities[to.as] = true
		} else {
			entities[to.entity] = true
		}
	}
	for _, s := range steps {
		r, ok := s.transform.(*redact)
		if !ok {
			continue
		}
		for _, f := range r.scanner.Append(nil, value) {
			if f.Start == 0 && f.End == len(value) {
				add(r.found[foundKind{f.Detector, f.Entity}])
			}
		}
		for _, k := range r.ruled {
			add(k.outcomeOf(value))
		}
		add(r.person)
		add(r.tag)
	}
	return entities
}
