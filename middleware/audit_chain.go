package middleware

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"time"
)

// A chained line begins with its MAC: HMAC-SHA256 under the chain's key of the MAC of
// the line before, as 32 bytes, and the line without its newline, with zeros in place
// of the digits of its own MAC. "_mac" sorts before every other member.
const (
	macPrefix = `{"_mac":"`
	macDigits = 2 * sha256.Size
	macEnd    = len(macPrefix) + macDigits

	openingPrefix = `"event":"mcp.audit.opened","nonce":"`
	previousStart = len(openingPrefix) + nonceDigits + len(`","previous":"`)
	tearPrefix    = `"event":"mcp.audit.torn","lines":`
)

// nonceDigits are those of the random number in the first line of a file, which keeps
// chains under one key apart.
const nonceDigits = 32

// chainMAC is the MAC of one line. The zero one comes before the first line of all.
type chainMAC [sha256.Size]byte

func (m *chainMAC) String() string { return hex.EncodeToString(m[:]) }

func parseMAC(digits string) (mac chainMAC, err error) {
	if n, err := hex.Decode(mac[:], []byte(digits[:min(len(digits), macDigits)])); err != nil || n != len(mac) || len(digits) != macDigits {
		return mac, fmt.Errorf("it has to be %d hexadecimal digits", macDigits)
	}
	return mac, nil
}

// auditChain makes MACs. It belongs to one goroutine.
type auditChain struct {
	mac  hash.Hash
	head chainMAC
	line []byte
	sum  chainMAC // scratch
}

func newAuditChain(key []byte) *auditChain {
	return &auditChain{mac: hmac.New(sha256.New, key)}
}

// appendBlankSeal begins a line with zeros for its MAC.
func appendBlankSeal(dst []byte) []byte {
	dst = append(dst, macPrefix...)
	for range macDigits {
		dst = append(dst, '0')
	}
	return append(dst, `",`...)
}

// of returns the MAC of a line, with or without newline, that comes after prev. It
// writes zeros over the digits in line.
func (c *auditChain) of(prev chainMAC, line []byte) chainMAC {
	for i := len(macPrefix); i < macEnd; i++ {
		line[i] = '0'
	}
	c.mac.Reset()
	c.sum = prev
	c.mac.Write(c.sum[:])
	c.mac.Write(bytes.TrimSuffix(line, []byte("\n")))
	c.mac.Sum(c.sum[:0])
	return c.sum
}

// seal writes the MAC of a line that comes after the head into it.
func (c *auditChain) seal(line []byte) chainMAC {
	mac := c.of(c.head, line)
	hex.Encode(line[len(macPrefix):macEnd], mac[:])
	return mac
}

// sealOf returns the MAC that a line claims.
func sealOf(line []byte) (mac chainMAC, ok bool) {
	if len(line) < macEnd+2 || !bytes.HasPrefix(line, []byte(macPrefix)) || line[macEnd] != '"' || line[macEnd+1] != ',' {
		return mac, false
	}
	digits := string(line[len(macPrefix):macEnd])
	mac, err := parseMAC(digits)
	return mac, err == nil && digits == mac.String() // in lower case
}

// opening returns the first line of a file: it tells the head of the file before.
func (c *auditChain) opening(now time.Time) []byte {
	var nonce [nonceDigits / 2]byte
	rand.Read(nonce[:]) // never fails
	c.line = append(appendBlankSeal(c.line[:0]), openingPrefix...)
	c.line = append(hex.AppendEncode(c.line, nonce[:]), `","previous":"`...)
	c.line = append(hex.AppendEncode(c.line, c.head[:]), `","ts":`...)
	return append(appendTime(c.line, now), "}\n"...)
}

// opened reports whether a line is the first one of a file, made with the key.
func (c *auditChain) opened(line []byte) bool {
	claimed, ok := sealOf(line)
	if !ok {
		return false
	}
	previous, ok := previousHead(line[macEnd+2:])
	return ok && c.of(previous, line) == claimed
}

// previousHead returns what the first line of a file, behind its MAC, tells of the file
// before.
func previousHead(rest []byte) (head chainMAC, ok bool) {
	if !bytes.HasPrefix(rest, []byte(openingPrefix)) || len(rest) < previousStart+macDigits {
		return head, false
	}
	head, err := parseMAC(string(rest[previousStart : previousStart+macDigits]))
	return head, err == nil
}

// tear returns the line that tells of lines before it which are not whole.
func (c *auditChain) tear(lines int, now time.Time) []byte {
	c.line = append(appendBlankSeal(c.line[:0]), tearPrefix...)
	c.line = append(strconv.AppendInt(c.line, int64(lines), 10), `,"ts":`...)
	return append(appendTime(c.line, now), "}\n"...)
}
