package detect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// rule is a [Rule] that is ready to run.
type rule struct {
	*pattern
	detector   *Detector
	group      int
	firstGroup bool
	valid      func(value []byte) bool // nil: always
	minLength  int
	entropy    float64
	allow      []allow
	hints      []string // none: it runs over every text
	window     window
	follow     follow
}

// ruleCompiler compiles one rule and keeps all that is wrong with it.
type ruleCompiler struct {
	from  *Rule
	label string
	errs  []error
}

func (c *ruleCompiler) fail(field, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s: %s: %w", c.label, field, fmt.Errorf(format, args...)))
}

// compile returns the rule at an index; the error tells all mistakes, each with the
// rule and the field.
func (r *Rule) compile(index int) (*rule, error) {
	c := ruleCompiler{from: r, label: fmt.Sprintf("rule %q", r.Name)}
	if r.Name == "" {
		c.label = fmt.Sprintf("rule[%d]", index)
	}
	c.names()
	c.numbers()
	out := &rule{
		detector: r.detector(), group: r.Group, firstGroup: r.FirstGroup, minLength: r.MinLength, entropy: r.Entropy,
		pattern: c.pattern(), valid: c.validator(), allow: c.allows(),
	}
	if err := errors.Join(c.errs...); err != nil {
		return nil, err
	}
	out.waitForHints(r.Hints)
	return out, nil
}

func (c *ruleCompiler) names() {
	r := c.from
	if r.Name == "" {
		c.fail("name", "must be set")
	}
	if strings.ContainsFunc(r.Name, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		c.fail("name", "must have no control characters")
	}
	entity := r.detector().Entity
	if strings.ContainsFunc(entity, func(r rune) bool { return !isEntityRune(r) }) {
		c.fail("entity", "%q: must be letters, digits and _ - . only; it is the name where it is empty", entity)
	}
	for i, hint := range r.Hints {
		if strings.TrimSpace(hint) == "" {
			c.fail(fmt.Sprintf("hints[%d]", i), "must not be empty")
		}
	}
}

func isEntityRune(r rune) bool {
	return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.'
}

func (c *ruleCompiler) numbers() {
	r := c.from
	if !(r.Confidence >= 0 && r.Confidence <= 1) {
		c.fail("confidence", "%v: must be above 0 and at most 1, or 0 for the default", r.Confidence)
	}
	if r.MinLength < 0 {
		c.fail("min_length", "%d: must be 0 or more", r.MinLength)
	}
	if !(r.Entropy >= 0 && r.Entropy <= maxBits) {
		c.fail("entropy", "%v: must be between 0 and 8 bits", r.Entropy)
	}
	if r.Group < 0 {
		c.fail("group", "%d: must be 0 or more", r.Group)
	}
	if r.FirstGroup && r.Group != 0 {
		c.fail("group", "%d: must be 0 where first_group is set", r.Group)
	}
}

func (c *ruleCompiler) pattern() *pattern {
	r := c.from
	if i := strings.IndexFunc(r.Flags, func(f rune) bool { return !strings.ContainsRune("ims", f) }); i >= 0 {
		c.fail("flags", "%q: must be any of i, m and s", r.Flags)
		return nil
	}
	if r.Pattern == "" {
		c.fail("pattern", "must be set")
		return nil
	}
	p, err := sharedPattern(r.Flags, r.Pattern)
	if err != nil {
		c.fail("pattern", "%w", err)
		return nil
	}
	if p.re.MatchString("") {
		c.fail("pattern", "must not match the empty text")
	}
	if n := p.re.NumSubexp(); r.Group > n {
		c.fail("group", "%d: the pattern has %d", r.Group, n)
	}
	return p
}

// waitForHints sets the words to wait for, and where around them the matches are.
func (r *rule) waitForHints(given []string) {
	if len(given) == 0 {
		r.hints, r.window, r.follow = r.required.words, r.required.window(), r.required.follow
		return
	}
	for _, hint := range given {
		r.hints = append(r.hints, lowerASCII(hint))
	}
	// A match may hold the hint anywhere in the word that holds it.
	r.window = r.requiredWith(func(words []string) bool {
		return !slices.ContainsFunc(words, func(word string) bool {
			return !slices.ContainsFunc(r.hints, func(hint string) bool { return strings.Contains(word, hint) })
		})
	}).window()
}

// lowerASCII folds as the automaton of the hints does.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
