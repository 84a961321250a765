package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer/middleware"
)

// verified verifies the audit, and then forgeries of it.
func (st *stacked) verified(_ context.Context, s *stage) error {
	lines, err := st.lines()
	if err != nil {
		return err
	}
	whole, err := st.verify(lines)
	if err != nil {
		return err
	}
	s.say("as it was written: %d lines, all in order", whole.Lines)
	changed := slices.Clone(lines)
	at := slices.IndexFunc(changed, func(line string) bool { return strings.Contains(line, "rate_limited") })
	changed[at] = strings.Replace(changed[at], `"rate_limited"`, `"ok"`, 1)
	return errors.Join(
		st.sayFault(s, "with the refusal made a success", changed),
		st.sayFault(s, "without line 3", slices.Delete(slices.Clone(lines), 2, 3)),
		st.sayFault(s, "without the last line", lines[:len(lines)-1]))
}

// verify checks lines against the head that the server tells.
func (st *stacked) verify(lines []string) (*middleware.AuditChain, error) {
	return middleware.VerifyAudit(strings.NewReader(strings.Join(lines, "")), st.key, st.chain.Audit.Head())
}

// sayFault says what is wrong with lines, which must be something.
func (st *stacked) sayFault(s *stage, how string, lines []string) error {
	_, err := st.verify(lines)
	fault, ok := errors.AsType[*middleware.AuditFault](err)
	if !ok {
		return errors.Join(errors.New("a forgery passed: "+how), err)
	}
	s.say("%s: %s", how, fault)
	return nil
}
