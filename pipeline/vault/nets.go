package vault

import (
	"bytes"
	"net/netip"
)

// nets are the public networks that have a name: addresses inside one get a name
// inside its name.
type nets struct {
	named map[netKey]netip.Prefix // to the name
	bits  [129]int                // how many there are by length, of both families
	fakes map[netKey]struct{}     // the names, so that no two overlap
}

type netKey struct {
	space uint32
	net   netip.Prefix
}

// learn notes the name of a public network; all else is nothing to it.
func (n *nets) learn(space uint32, value, name []byte) {
	if bytes.IndexByte(value, '/') < 0 || bytes.IndexByte(name, '/') < 0 {
		return
	}
	net, err := netip.ParsePrefix(string(value))
	if err != nil || net != net.Masked() || kindOf(net.Addr(), net.Bits()) != public {
		return
	}
	fake, err := netip.ParsePrefix(string(name))
	if err != nil || fake.Bits() != net.Bits() || fake != fake.Masked() {
		return
	}
	if n.named == nil {
		n.named, n.fakes = map[netKey]netip.Prefix{}, map[netKey]struct{}{}
	}
	n.named[netKey{space, net}] = fake
	n.bits[net.Bits()]++
	n.fakes[netKey{space, fake}] = struct{}{}
}

// around returns the smallest network around the first bits of an address that has
// a name, and the name.
func (n *nets) around(space uint32, addr netip.Addr, bits int) (fake netip.Prefix, ok bool) {
	for ; bits > 0; bits-- {
		if n.bits[bits] == 0 {
			continue
		}
		net, err := addr.Prefix(bits)
		if err != nil {
			continue
		}
		if fake, ok := n.named[netKey{space, net}]; ok {
			return fake, true
		}
	}
	return fake, false
}

// covered reports whether the first bits of a name lie in the name of a network.
func (n *nets) covered(space uint32, fake netip.Addr, bits int) bool {
	for ; bits > 0; bits-- {
		if n.bits[bits] == 0 {
			continue
		}
		if net, err := fake.Prefix(bits); err == nil {
			if _, ok := n.fakes[netKey{space, net}]; ok {
				return true
			}
		}
	}
	return false
}

// overlaps reports whether the name of a network has something in common with that
// of another.
func (n *nets) overlaps(space uint32, fake netip.Prefix) bool {
	for key := range n.fakes {
		if key.space == space && key.net.Overlaps(fake) {
			return true
		}
	}
	return false
}
