package vault

import "net/netip"

const benchTries = 16

// publicName names a public address or network whose bits before end are its own:
// inside the name of the network around it, or else in a block for documentation
// and tests. The zero address: none with this attempt.
func (j *job) publicName(addr netip.Addr, bits, end int) netip.Addr {
	around := bits
	if end == bits && bits < addr.BitLen() {
		around-- // a network is not inside itself
	}
	space := j.spaceNumber()
	if net, ok := j.network(space, addr, around); ok {
		return j.within(net.Addr(), addr, net.Bits(), end)
	}
	block := j.block(addr, bits)
	if !block.IsValid() {
		return netip.Addr{}
	}
	fake := j.fill(block.Addr(), block.Bits(), end)
	if fake.Is4() && fake.As4() == [4]byte{255, 255, 255, 255} || !j.free(space, fake, bits) {
		return netip.Addr{}
	}
	return fake
}

// block returns the block that a public name of that length comes from:
// 198.18.0.0/15 (RFC 2544), 240.0.0.0/4 (RFC 1112) where that is too small or seems
// full, 2001:db8::/32 (RFC 3849), and 3fff::/20 (RFC 9637) for wider networks.
func (j *job) block(addr netip.Addr, bits int) (block netip.Prefix) {
	switch {
	case addr.Is4() && bits >= 15 && j.attempt < benchTries:
		return netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 18}), 15)
	case addr.Is4() && bits >= 4:
		return netip.PrefixFrom(netip.AddrFrom4([4]byte{240}), 4)
	case addr.Is6() && bits >= 32:
		return netip.PrefixFrom(netip.AddrFrom16([16]byte{0x20, 0x01, 0x0d, 0xb8}), 32)
	case addr.Is6() && bits >= 20:
		return netip.PrefixFrom(netip.AddrFrom16([16]byte{0x3f, 0xff}), 20)
	}
	return block
}

func (j *job) spaceNumber() uint32 {
	n, ok := j.v.number(&j.v.book.spaces, j.space)
	if !ok {
		return 1<<32 - 1
	}
	return n
}

// network returns the name of the network around an address.
func (j *job) network(space uint32, addr netip.Addr, bits int) (netip.Prefix, bool) {
	j.v.mu.RLock()
	defer j.v.mu.RUnlock()
	return j.v.nets.around(space, addr, bits)
}

// free reports whether no network has a name that a new name would lie in or
// around.
func (j *job) free(space uint32, fake netip.Addr, bits int) bool {
	j.v.mu.RLock()
	defer j.v.mu.RUnlock()
	if bits == fake.BitLen() {
		return !j.v.nets.covered(space, fake, bits)
	}
	return !j.v.nets.overlaps(space, netip.PrefixFrom(fake, bits))
}
