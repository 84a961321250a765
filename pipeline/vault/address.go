package vault

import (
	"bytes"
	"net/netip"
)

// kind is what an address is; a network is what its first address is.
type kind int

const (
	public kind = iota
	private
	special
)

// kindOf tells the kind of an address, of whose first bits a network is made.
func kindOf(addr netip.Addr, bits int) kind {
	switch {
	case bits == 0, addr.IsUnspecified(), addr.IsLoopback(), addr.IsLinkLocalUnicast(), addr.IsMulticast(),
		addr.Is4() && addr.As4()[0] >= 240:
		return special
	case privateBits(addr) > 0:
		return private
	}
	return public
}

// privateBits returns how many bits of a private address tell its block: 10/8,
// 172.16/12, 192.168/16 (RFC 1918), 100.64/10 (RFC 6598), fc00::/8 and fd00::/8
// (RFC 4193). 0: it is not private.
func privateBits(addr netip.Addr) int {
	if !addr.Is4() {
		if addr.As16()[0]&0xfe == 0xfc {
			return 8
		}
		return 0
	}
	switch b := addr.As4(); {
	case b[0] == 10:
		return 8
	case b[0] == 172 && b[1]&0xf0 == 16:
		return 12
	case b[0] == 192 && b[1] == 168:
		return 16
	case b[0] == 100 && b[1]&0xc0 == 64:
		return 10
	}
	return 0
}

// address gives addresses and networks (CIDRs) other ones of their kind; special
// ones stay.
func (j *job) address(dst []byte, entity string, value []byte) (out []byte, ok bool) {
	if out, ok := j.known(dst, entity, value); ok {
		return out, ok
	}
	net, ok := parseNet(value)
	if !ok {
		return j.plain(dst, entity, value)
	}
	addr, bits := net.Addr().Unmap(), net.Bits()
	if net.Addr().Is4In6() {
		bits = max(0, bits-96)
	}
	kind := kindOf(addr, bits)
	if kind == special {
		return append(dst, value...), true
	}
	entity = addressEntity(kind, value)
	if out, ok := j.known(dst, entity, value); ok || !j.issue {
		return out, ok
	}
	whole := netip.PrefixFrom(addr, bits)
	if kind == public && whole != whole.Masked() && !j.issued(value) {
		// First its network, so that the name lies in the name of that.
		if _, ok = j.address(dst, entity, whole.Masked().AppendTo(nil)); !ok {
			return dst, false
		}
	}
	j.net, j.mapped = whole, net.Addr().Is4In6()
	if out, ok := j.create(dst, entity, value, value, formatAddress); ok || j.full {
		return out, ok
	}
	return j.plain(dst, entity, value)
}

// addressEntity returns the entity that all spellings of an entity share.
func addressEntity(k kind, value []byte) string {
	cidr := bytes.IndexByte(value, '/') >= 0
	switch {
	case cidr && k == private:
		return "private_cidr"
	case cidr:
		return "public_cidr"
	case k == private:
		return "private_ip"
	}
	return "public_ip"
}

// parseNet reads an address or a CIDR; an address is a network of its own.
func parseNet(value []byte) (net netip.Prefix, ok bool) {
	if bytes.IndexByte(value, '/') >= 0 {
		net, err := netip.ParsePrefix(string(value))
		return net, err == nil
	}
	addr, err := netip.ParseAddr(string(value))
	if err != nil || addr.Zone() != "" {
		return net, false
	}
	return netip.PrefixFrom(addr, addr.BitLen()), true
}

// formatAddress names the address or network at hand.
func formatAddress(j *job, dst, value []byte) []byte {
	addr, bits := j.net.Addr(), j.net.Bits()
	end := addr.BitLen()
	if j.net == j.net.Masked() {
		end = bits // the host bits of a network stay zero
	}
	var fake netip.Addr
	if kindOf(addr, bits) == private {
		fake = j.within(addr, addr, privateBits(addr), end)
	} else {
		fake = j.publicName(addr, bits, end)
	}
	if !fake.IsValid() {
		return nil
	}
	return j.writeNet(dst, fake, value)
}

// within names an address inside the first bits of a base: by the permutation, or
// by the sum where that name is taken.
func (j *job) within(base, addr netip.Addr, from, to int) netip.Addr {
	if j.attempt > 0 {
		return j.fill(base, from, to)
	}
	j.fixed = true
	return j.merge(base, j.permute(addr, from, to), from)
}

// merge returns the first bits of one address with the rest of another.
func (j *job) merge(head, tail netip.Addr, bits int) netip.Addr {
	a, b := head.As16(), tail.As16()
	for i := range 128 - head.BitLen() + bits {
		mask := byte(0x80) >> (i % 8)
		b[i/8] = b[i/8]&^mask | a[i/8]&mask
	}
	return unpack(b, head)
}

// writeNet writes a name as the value is written. What is not written in the way of
// RFC 5952 gets all its zeros, so that two spellings of an address have two
// spellings of its name.
func (j *job) writeNet(dst []byte, fake netip.Addr, value []byte) []byte {
	n := len(dst)
	if j.mapped {
		fake = netip.AddrFrom16(fake.As16())
	}
	text, rest := value, []byte(nil)
	if slash := bytes.IndexByte(value, '/'); slash >= 0 {
		text, rest = value[:slash], value[slash:]
	}
	var canonical [64]byte
	written := j.net.Addr()
	if j.mapped {
		written = netip.AddrFrom16(written.As16())
	}
	j.folded = appendLower(j.folded[:0], text)
	if bytes.Equal(written.AppendTo(canonical[:0]), j.folded) {
		dst = fake.AppendTo(dst)
	} else {
		dst = append(dst, fake.StringExpanded()...)
	}
	sameCase(dst[n:], text)
	return append(dst, rest...)
}
