package uri

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/yosida95/uritemplate/v3"
)

// Template is a compiled URI template with the expressions {name}, which matches
// one path segment or a part of it, and {+name}, which matches anything. Both
// match at least one character. A Template is safe for concurrent use.
type Template struct {
	text   string
	parts  []part
	names  []string
	prefix string // the literal start, up to the end of the authority in lower case
	folded int    // how much of prefix is compared without case
	match  *regexp.Regexp
	rfc    *uritemplate.Template // of [CompileAny], for expressions that are not ours
	raw    *regexp.Regexp        // of [CompileAny]: what the library matches
}

// part is a literal or, with a name, a variable.
type part struct {
	literal  string // normalised
	name     string
	reserved bool // {+name}
}

var variable = regexp.MustCompile(`^\+?[A-Za-z_][A-Za-z0-9_.]*$`)

// Compile parses a template. Errors name the place.
func Compile(text string) (*Template, error) {
	t := &Template{text: text}
	if err := t.parse(text); err != nil {
		return nil, err
	}
	if len(t.names) == 0 {
		return nil, errors.New("the template has no variable; register a resource instead")
	}
	if scheme, _, ok := strings.Cut(t.parts[0].literal, ":"); !ok || !isScheme(scheme) {
		return nil, ErrNotAbsolute
	}
	t.compile()
	return t, nil
}

// CompileAny parses a template with any expression of RFC 6570, as the SDK allows
// them. Beyond those of [Compile] the library's reading of them holds.
func CompileAny(text string) (*Template, error) {
	rfc, err := uritemplate.New(text)
	if err != nil {
		return nil, err
	}
	t, err := Compile(text)
	if err != nil {
		t = &Template{text: text, names: rfc.Varnames(), rfc: rfc}
	}
	t.raw = rfc.Regexp()
	return t, nil
}

// MatchesRaw reports whether the library, and with it the SDK, matches a URI as it
// is spelt. It is for templates of [CompileAny].
func (t *Template) MatchesRaw(raw string) bool { return t.raw != nil && t.raw.MatchString(raw) }

func (t *Template) parse(text string) error {
	for text != "" {
		literal, rest, found := strings.Cut(text, "{")
		if strings.Contains(literal, "}") {
			return errors.New("a } without its {")
		}
		if err := t.addLiteral(literal); err != nil {
			return err
		}
		if !found {
			return nil
		}
		expression, after, closed := strings.Cut(rest, "}")
		if !closed {
			return errors.New("a { without its }")
		}
		if err := t.addVariable(expression); err != nil {
			return err
		}
		text = after
	}
	return nil
}

func (t *Template) addLiteral(literal string) error {
	if literal == "" {
		return nil
	}
	normal, err := normalizeEscapes(literal)
	if err != nil {
		return err
	}
	if len(t.parts) == 0 {
		if scheme, rest, ok := strings.Cut(normal, ":"); ok {
			normal = strings.ToLower(scheme) + ":" + rest
		}
	}
	t.parts = append(t.parts, part{literal: normal})
	return nil
}

func (t *Template) addVariable(expression string) error {
	if !variable.MatchString(expression) {
		return fmt.Errorf("the expression {%s} is not {name} or {+name}", expression)
	}
	name, reserved := strings.CutPrefix(expression, "+")
	if slices.Contains(t.names, name) {
		return fmt.Errorf("the variable %q stands twice", name)
	}
	if n := len(t.parts); n == 0 || t.parts[n-1].name != "" {
		if n == 0 {
			return ErrNotAbsolute
		}
		return fmt.Errorf("nothing stands between {%s} and {%s}", t.parts[n-1].name, name)
	}
	t.names = append(t.names, name)
	t.parts = append(t.parts, part{name: name, reserved: reserved})
	return nil
}

// compile makes the regular expression. The host compares without case as far as
// it is literal.
func (t *Template) compile() {
	t.prefix = t.parts[0].literal
	t.folded = authorityEnd(t.prefix)
	t.prefix = strings.ToLower(t.prefix[:t.folded]) + t.prefix[t.folded:]
	var b strings.Builder
	b.WriteString("^")
	for _, p := range t.parts[1:] {
		switch {
		case p.name == "":
			b.WriteString(regexp.QuoteMeta(p.literal))
		case p.reserved:
			b.WriteString("(.+)")
		default:
			b.WriteString("([^/?#]+)")
		}
	}
	b.WriteString("$")
	t.match = regexp.MustCompile(b.String())
}

// authorityEnd returns where scheme and authority of a literal end.
func authorityEnd(literal string) int {
	start := strings.Index(literal, "://")
	if start < 0 {
		return strings.IndexByte(literal, ':') + 1
	}
	if end := strings.IndexAny(literal[start+3:], "/?#"); end >= 0 {
		return start + 3 + end
	}
	return len(literal)
}

// String returns the template as it was written.
func (t *Template) String() string { return t.text }

// Names returns the variables in their order. The caller must not change it.
func (t *Template) Names() []string { return t.names }

// Match matches a normalised URI and returns the decoded variables and the URI in
// the one form that stands for them: literals as the template has them, variables
// escaped where they must be. A value that holds a dot segment or a control
// character, or in {name} a slash, does not match.
func (t *Template) Match(normal string) (vars map[string]string, canonical string, ok bool) {
	if t.rfc != nil {
		return t.matchRFC(normal)
	}
	if len(normal) < len(t.prefix) ||
		!strings.EqualFold(normal[:t.folded], t.prefix[:t.folded]) ||
		normal[t.folded:len(t.prefix)] != t.prefix[t.folded:] {
		return nil, "", false
	}
	found := t.match.FindStringSubmatch(normal[len(t.prefix):])
	if found == nil {
		return nil, "", false
	}
	vars = make(map[string]string, len(t.names))
	for i, name := range t.names {
		value, err := decode(found[i+1])
		if err != nil || checkValue(value) != nil {
			return nil, "", false
		}
		vars[name] = value
	}
	return vars, t.canonical(vars), t.admits(vars)
}

// matchRFC matches with the library. Lists and maps become their text.
func (t *Template) matchRFC(normal string) (vars map[string]string, canonical string, ok bool) {
	found := t.rfc.Match(normal)
	if found == nil {
		return nil, "", false
	}
	vars = make(map[string]string, len(t.names))
	for _, name := range t.names {
		values := found.Get(name).V
		for _, value := range values {
			if checkValue(value) != nil {
				return nil, "", false
			}
		}
		vars[name] = strings.Join(values, ",")
	}
	return vars, normal, true
}

// admits reports whether the values may stand where their expressions are.
func (t *Template) admits(vars map[string]string) bool {
	return !slices.ContainsFunc(t.parts, func(p part) bool { return p.name != "" && !p.admits(vars[p.name]) })
}

func (p part) admits(value string) bool { return p.reserved || !strings.ContainsAny(value, `/\`) }

// canonical writes the values as they may stand in a path segment, so that what a
// client may write without escapes is what a pattern of a policy sees.
func (t *Template) canonical(vars map[string]string) string { return t.write(vars, isSegmentByte) }

// write writes literals and values; of {name} what is not plain is escaped.
func (t *Template) write(vars map[string]string, plainInName func(byte) bool) string {
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.literal)
		if strings.Contains(p.literal, "?") {
			plainInName = isUnreserved // in a query the others divide fields
		}
		plain := plainInName
		if p.reserved {
			plain = isURIByte
		}
		value := vars[p.name]
		for i := range len(value) {
			writeEscaped(&b, value[i], plain)
		}
	}
	return b.String()
}

// Expand returns the URI for the given variables (RFC 6570, section 3.2.2 and
// 3.2.3). Every variable must have a value that [Template.Match] would give back.
func (t *Template) Expand(vars map[string]string) (string, error) {
	if t.rfc != nil {
		return t.expandRFC(vars)
	}
	if err := t.check(vars); err != nil {
		return "", err
	}
	return t.write(vars, isUnreserved), nil
}

// Canonical returns the URI of [Template.Match] for the given variables. It is for
// templates of [Compile].
func (t *Template) Canonical(vars map[string]string) (string, error) {
	if err := t.check(vars); err != nil {
		return "", err
	}
	return t.canonical(vars), nil
}

// check reports a variable whose value Match would not give back.
func (t *Template) check(vars map[string]string) error {
	for _, name := range t.names {
		if vars[name] == "" {
			return fmt.Errorf("variable %q has no value", name)
		}
		if err := checkValue(vars[name]); err != nil {
			return fmt.Errorf("variable %q: %w", name, err)
		}
	}
	for _, p := range t.parts {
		if p.name != "" && !p.admits(vars[p.name]) {
			return fmt.Errorf("variable %q: a value with a slash cannot stand in {%s}; {+%s} takes one", p.name, p.name, p.name)
		}
	}
	return nil
}

// expandRFC expands with the library. A value with commas stands for a list where that
// gives a URI that matches with the same variables.
func (t *Template) expandRFC(vars map[string]string) (string, error) {
	for _, split := range []bool{true, false} {
		values := uritemplate.Values{}
		for name, value := range vars {
			switch {
			case value == "":
			case split && strings.Contains(value, ","):
				values.Set(name, uritemplate.List(strings.Split(value, ",")...))
			default:
				values.Set(name, uritemplate.String(value))
			}
		}
		expanded, err := t.rfc.Expand(values)
		if err != nil {
			return "", err
		}
		if t.givesBack(expanded, vars) {
			return expanded, nil
		}
	}
	return "", errors.New("no URI of the template has these variables")
}

func (t *Template) givesBack(expanded string, vars map[string]string) bool {
	normal, err := Normalize(expanded)
	if err != nil {
		return false
	}
	got, _, ok := t.matchRFC(normal)
	return ok && maps.Equal(got, vars)
}
