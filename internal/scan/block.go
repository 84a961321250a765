package scan

import "net/netip"

// addrEntity tells what an address is: special (unspecified, loopback, link-local,
// multicast, reserved: RFC 6890), private (RFC 1918, shared RFC 6598, unique local
// RFC 4193) or public.
func addrEntity(a netip.Addr) Entity {
	a = a.Unmap()
	switch {
	case special(a):
		return SpecialIP
	case a.IsPrivate(), shared(a):
		return PrivateIP
	}
	return PublicIP
}

// cidrEntity tells what a block is, by its network; one that holds everything is
// special.
func cidrEntity(p netip.Prefix) Entity {
	if p.Bits() == 0 {
		return SpecialCIDR
	}
	return addrEntity(p.Masked().Addr()) + PrivateCIDR - PrivateIP
}

func special(a netip.Addr) bool {
	if a.IsUnspecified() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsMulticast() {
		return true
	}
	return a.Is4() && a.As4()[0] >= 240
}

func shared(a netip.Addr) bool {
	if !a.Is4() {
		return false
	}
	b := a.As4()
	return b[0] == 100 && b[1]&0xC0 == 64
}
