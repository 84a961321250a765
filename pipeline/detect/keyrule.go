package detect

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/cloudg/mcplayer/internal/glob"
)

// KeyRule tells from the name of a member what its value is.
type KeyRule struct {
	Name     string
	Entity   string
	Category string
	// Keys are globs that a normalised name must match, see [AppendKey]. The rule
	// sensitive_key has none: it looks at words.
	Keys []string
	// Siblings are names, normalised, of which the object must have one. Empty: the
	// rule holds everywhere.
	Siblings []string
	// ByShape says that the value is an account of some cloud, see [AccountEntity].
	ByShape bool

	byWords bool // looks at words instead of Keys
}

// Secret reports whether what the rule finds is a secret: then everything under the
// name is one, at any depth.
func (r *KeyRule) Secret() bool { return r.Category == CategorySecret }

// KeyRules tell what the names of members say. They are safe for concurrent use.
type KeyRules struct {
	rules  []KeyRule
	exact  map[string][]int // rules by normalised name
	suffix map[string][]int // by what follows a _ in it
	globs  []keyGlob
	words  []int
}

type keyGlob struct {
	pattern *glob.Pattern
	rule    int
}

// NewKeyRules returns the rules in that order. The error tells all that is wrong.
func NewKeyRules(rules []KeyRule) (*KeyRules, error) {
	k := &KeyRules{rules: rules, exact: map[string][]int{}, suffix: map[string][]int{}}
	var errs []error
	names := map[string]bool{}
	for i := range rules {
		r := &rules[i]
		if err := k.add(i, r); err != nil {
			errs = append(errs, fmt.Errorf("key rule %q: %w", r.Name, err))
		}
		if names[r.Name] {
			errs = append(errs, fmt.Errorf("key rule %q: the name is taken", r.Name))
		}
		names[r.Name] = true
	}
	return k, errors.Join(errs...)
}

func (k *KeyRules) add(i int, r *KeyRule) error {
	switch {
	case r.Name == "":
		return errors.New("name is missing")
	case r.Entity == "":
		return errors.New("entity is missing")
	case r.Category == "":
		return errors.New("category is missing")
	case r.byWords:
		k.words = append(k.words, i)
		return nil
	case len(r.Keys) == 0:
		return errors.New("keys are missing")
	}
	for _, key := range r.Keys {
		if err := k.addKey(i, key); err != nil {
			return err
		}
	}
	return nil
}

func (k *KeyRules) addKey(i int, key string) error {
	rest, isSuffix := strings.CutPrefix(key, "*_")
	switch {
	case !strings.ContainsAny(key, "*?["):
		key = string(AppendKey(nil, []byte(key)))
		k.exact[key] = append(k.exact[key], i)
	case isSuffix && !strings.ContainsAny(rest, "*?["):
		k.suffix[rest] = append(k.suffix[rest], i)
	default:
		p, err := glob.Compile(key)
		if err != nil {
			return err
		}
		k.globs = append(k.globs, keyGlob{p, i})
	}
	return nil
}

// Rules returns all rules, in their order.
func (k *KeyRules) Rules() []KeyRule { return k.rules }

// Match calls yield for the rules that a name matches, by their order. The rules
// are shared and must not be changed.
func (k *KeyRules) Match(name []byte, yield func(r *KeyRule)) {
	var buf [96]byte
	var hits [16]int
	key := AppendKey(buf[:0], name)
	found := append(hits[:0], k.exact[string(key)]...)
	for rest := key; len(k.suffix) > 0; {
		i := bytes.IndexByte(rest, '_')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		found = append(found, k.suffix[string(rest)]...)
	}
	for _, g := range k.globs {
		if g.pattern.Match(string(key)) {
			found = append(found, g.rule)
		}
	}
	sensitive := len(k.words) > 0 && isSensitiveKey(key)
	for _, i := range k.words {
		if sensitive {
			found = append(found, i)
		}
	}
	k.inOrder(found, yield)
}

// inOrder yields rules by their order, each once.
func (k *KeyRules) inOrder(found []int, yield func(*KeyRule)) {
	for last := -1; ; {
		next := -1
		for _, i := range found {
			if i > last && (next < 0 || i < next) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		yield(&k.rules[next])
		last = next
	}
}
