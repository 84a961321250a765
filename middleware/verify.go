package middleware

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// AuditChain is what a verified file holds.
type AuditChain struct {
	Lines int // of the chain
	Torn  int // lines that were not written whole, as the chain itself tells
	// Previous is the head of the file before, 64 zeros for the first. Where it is
	// not the Head of a file that was verified, a whole file is missing.
	Previous string
	Head     string // the MAC of the last line
}

// AuditFault names the first line of a file that is not what was written.
type AuditFault struct {
	Line   int // from 1
	Reason string
}

// Error returns the line and the reason.
func (f *AuditFault) Error() string { return fmt.Sprintf("line %d: %s", f.Line, f.Reason) }

// VerifyAudit reads the lines of a chained audit file, or of several one after the
// other, and returns what it holds, or an [*AuditFault] that names the first line that
// was changed, removed, moved or added. Any other error is one of r.
//
// Head is a head that was kept elsewhere (see [Audit.Head]); a file that does not hold
// it was cut off at the end. Lines may follow it. An empty head leaves a cut-off end
// unnoticed.
func VerifyAudit(r io.Reader, key []byte, head string) (*AuditChain, error) {
	if len(key) < minChainKey {
		return nil, fmt.Errorf("audit: the key has %d bytes; it must have %d or more", len(key), minChainKey)
	}
	v := &auditVerifier{chain: newAuditChain(key)}
	if head != "" {
		mac, err := parseMAC(head)
		if err != nil {
			return nil, fmt.Errorf("audit: the head: %w", err)
		}
		v.wanted = &mac
	}
	for in := bufio.NewReader(r); ; {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(line) > 0 {
			v.number++
			if fault := v.line(bytes.TrimSuffix(line, []byte("\n"))); fault != nil {
				return nil, fault
			}
		}
		if err != nil {
			return v.end()
		}
	}
}

// auditVerifier follows a chain line by line.
type auditVerifier struct {
	chain  *auditChain
	wanted *chainMAC // nil: none, or found
	number int
	found  AuditChain

	bad      int // lines since the last good one
	firstBad int
}

const (
	faultNoBeginning = "the beginning of the chain is missing"
	faultChanged     = "it was changed, added or moved, or a line before it was removed"
	faultFirst       = "it was changed, or the key is not that of the chain"
	faultCut         = "the end was cut off: the chain ends before the head"
)

// line takes the next line. One that is not of the chain may be one that was not
// written whole: that is known once the chain tells so.
func (v *auditVerifier) line(line []byte) error {
	claimed, ok := sealOf(line)
	rest := line[min(macEnd+2, len(line)):]
	if v.number == 1 {
		if !ok || !v.takeOpening(rest) {
			return &AuditFault{1, faultNoBeginning}
		}
	}
	if !ok || v.chain.of(v.chain.head, line) != claimed {
		if v.bad++; v.bad == 1 {
			v.firstBad = v.number
		}
		return nil
	}
	if err := v.settle(rest); err != nil {
		return err
	}
	v.found.Lines++
	v.chain.head = claimed
	v.see(claimed)
	return nil
}

// takeOpening begins with the head of the file before.
func (v *auditVerifier) takeOpening(rest []byte) bool {
	head, ok := previousHead(rest)
	if !ok {
		return false
	}
	v.chain.head, v.found.Previous = head, head.String()
	v.see(head)
	return true
}

func (v *auditVerifier) see(mac chainMAC) {
	if v.wanted != nil && *v.wanted == mac {
		v.wanted = nil
	}
}

// settle compares the lines before a good one that were not of the chain with what
// the chain tells.
func (v *auditVerifier) settle(rest []byte) error {
	told := 0
	if count, ok := bytes.CutPrefix(rest, []byte(tearPrefix)); ok {
		for i := 0; i < len(count) && '0' <= count[i] && count[i] <= '9'; i++ {
			told = told*10 + int(count[i]-'0')
		}
	}
	switch {
	case v.bad > told:
		return v.changed()
	case v.bad < told:
		return &AuditFault{v.number, faultChanged}
	}
	v.found.Torn += told
	v.bad = 0
	return nil
}

// changed tells of the first line that is not of the chain.
func (v *auditVerifier) changed() error {
	if v.firstBad == 1 {
		return &AuditFault{1, faultFirst}
	}
	return &AuditFault{v.firstBad, faultChanged}
}

func (v *auditVerifier) end() (*AuditChain, error) {
	switch {
	case v.number == 0:
		return nil, &AuditFault{1, faultNoBeginning}
	case v.bad > 0:
		return nil, v.changed()
	case v.wanted != nil:
		return nil, &AuditFault{v.number + 1, faultCut}
	}
	v.found.Head = v.chain.head.String()
	return &v.found, nil
}
