package middleware

import (
	"errors"
	"fmt"
)

// mistakes collects what is wrong with one configuration.
type mistakes struct{ errs []error }

func (m *mistakes) add(format string, args ...any) {
	m.errs = append(m.errs, fmt.Errorf(format, args...))
}

// of returns all mistakes as one error that names what was configured, nil if there
// are none.
func (m *mistakes) of(what string) error {
	if len(m.errs) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %w", what, errors.Join(m.errs...))
}
