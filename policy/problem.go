package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Problem is one mistake in a policy document.
type Problem struct {
	File    string // as it was named; empty if the document was not read from anywhere
	Line    int    // from 1; 0: unknown
	Path    string // rules[2].match.roles; empty: the document
	Message string
}

// Error writes file:line: path: message.
func (p Problem) Error() string {
	var b strings.Builder
	switch {
	case p.File != "" && p.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", p.File, p.Line)
	case p.File != "":
		b.WriteString(p.File + ": ")
	case p.Line > 0:
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Path != "" {
		b.WriteString(p.Path + ": ")
	}
	return b.String() + p.Message
}

// Problems returns the mistakes that an error of this package tells about; nil if it tells of
// something else.
func Problems(err error) []Problem {
	if all, ok := errors.AsType[problems](err); ok {
		return all
	}
	return nil
}

// problems are all mistakes of a document.
type problems []Problem

func (p problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.Error()
	}
	return strings.Join(lines, "\n")
}

func (p *problems) add(where place, path, format string, args ...any) {
	*p = append(*p, Problem{where.file, where.line, path, fmt.Sprintf(format, args...)})
}

// err returns them in the order of their lines; nil if there are none.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return p
}
