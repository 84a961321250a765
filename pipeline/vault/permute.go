package vault

import "net/netip"

// permute maps the bits of an address from the bit number from up to the bit
// number to; the bits outside stay. Each bit is flipped or not by a keyed function of
// all bits before it, so that two addresses have as many leading bits in common
// after it as before.
//
// That is Crypto-PAn, "Prefix-Preserving IP Address Anonymization" by Xu, Fan,
// Ammar and Moon (ICNP 2002), with AES-128 and a pad for each family of addresses.
// Its known weakness is the price of keeping prefixes: who knows what one name
// stands for knows the leading bits of all names that share them, so someone who can
// have addresses of his choice named learns the others bit by bit.
func (j *job) permute(addr netip.Addr, from, to int) netip.Addr {
	plain := addr.As16()
	offset := 128 - addr.BitLen()
	block := j.v.scopes.cipher(j.space)
	out := plain
	for i := offset + from; i < offset+to; i++ {
		j.prefix = pad(plain, i, addr.Is4())
		block.Encrypt(j.bits[:], j.prefix[:])
		out[i/8] ^= j.bits[0] & 0x80 >> (i % 8)
	}
	return unpack(out, addr)
}

// pad returns the first n bits of an address, a one, and zeros. Four-byte addresses
// stand at the end of 16 bytes; their family fills the front.
func pad(plain [16]byte, n int, is4 bool) (padded [16]byte) {
	copy(padded[:], plain[:n/8])
	one := byte(0x80) >> (n % 8)
	padded[n/8] = plain[n/8]&-(2*one) | one
	if is4 {
		padded[0] = 4
	}
	return padded
}

// unpack returns 16 bytes as an address of the family of another.
func unpack(b [16]byte, like netip.Addr) netip.Addr {
	addr := netip.AddrFrom16(b)
	if like.Is4() {
		return addr.Unmap()
	}
	return addr
}

// fill puts bits of the sum into an address from the bit number from up to the bit
// number to.
func (j *job) fill(addr netip.Addr, from, to int) netip.Addr {
	b := addr.As16()
	offset := 128 - addr.BitLen()
	for i := offset + from; i < offset+to; i++ {
		mask := byte(0x80) >> (i % 8)
		b[i/8] = b[i/8]&^mask | j.sum[i/8]&mask
	}
	return unpack(b, addr)
}
