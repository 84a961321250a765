package detect

import (
	"bytes"
	"net/netip"
	"strconv"
	"strings"

	"github.com/cloudg/mcplayer/internal/scan"
)

const (
	maxBits           = 8 // of a byte
	defaultBits       = 3
	defaultHighBits   = 4
	leastSecret       = 6 // bytes
	maxLetterRuns     = 2
	letterRun         = 4
	validatorsAllowed = "must be ip, secret, not_placeholder, entropy[:BITS] or high_entropy[:BITS]"
)

// validator returns the validator that the rule names; nil means any value.
func (c *ruleCompiler) validator() func(value []byte) bool {
	name, argument, given := strings.Cut(c.from.Validator, ":")
	bits := func(byDefault float64) float64 {
		if !given {
			return byDefault
		}
		n, err := strconv.ParseFloat(argument, 64)
		if err != nil || !(n > 0 && n <= maxBits) {
			c.fail("validator", "%q: the bits must be above 0 and at most 8", c.from.Validator)
		}
		return n
	}
	switch {
	case name == "entropy":
		least := bits(defaultBits)
		return func(v []byte) bool { return scan.Entropy(v) >= least }
	case name == "high_entropy":
		least := bits(defaultHighBits)
		return func(v []byte) bool { return looksRandom(v) && scan.Entropy(v) >= least }
	case given:
	case name == "":
		return nil
	case name == "ip":
		return isAddress
	case name == "secret":
		return func(v []byte) bool {
			return len(v) >= leastSecret && !bytes.ContainsAny(v, " \t\r\n") && !scan.IsPlaceholder(v)
		}
	case name == "not_placeholder":
		return func(v []byte) bool { return !scan.IsPlaceholder(v) }
	}
	c.fail("validator", "%q: "+validatorsAllowed, c.from.Validator)
	return nil
}

// isAddress reports whether v is an IP address or a CIDR.
func isAddress(v []byte) bool {
	if bytes.IndexByte(v, '/') >= 0 {
		_, err := netip.ParsePrefix(string(v))
		return err == nil
	}
	_, err := netip.ParseAddr(string(v))
	return err == nil
}

// looksRandom reports whether v has letters of both cases and digits, is no
// hexadecimal number, and is not made of words.
func looksRandom(v []byte) bool {
	var lower, upper, digit, beyondHex bool
	runs, run := 0, 0
	for i, c := range v {
		switch {
		case c >= 'a' && c <= 'z':
			lower, beyondHex = true, beyondHex || c > 'f'
		case c >= 'A' && c <= 'Z':
			upper, beyondHex = true, beyondHex || c > 'F'
		case c >= '0' && c <= '9':
			digit = true
		default:
			beyondHex = true
		}
		run++
		if letter := c|0x20 >= 'a' && c|0x20 <= 'z'; !letter {
			run = 0
		} else if i > 0 && (c^v[i-1])&0x20 != 0 {
			run = 1
		}
		if run == letterRun {
			runs++
		}
	}
	return lower && upper && digit && beyondHex && runs <= maxLetterRuns
}
