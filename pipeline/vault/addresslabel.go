package vault

import (
	"bytes"
	"net/netip"
)

// addressPrefix returns the length of the prefix of a label that has an IPv4
// address in it, ip-10-0-0-1 or ec2-52-1-2-3, or 0 ("Hostname types", Amazon EC2 User
// Guide).
func addressPrefix(label []byte) int {
	for _, prefix := range []string{"ip-", "ec2-"} {
		if rest, ok := bytes.CutPrefix(label, []byte(prefix)); ok && dashedAddr(rest).IsValid() {
			return len(prefix)
		}
	}
	return 0
}

func dashedAddr(text []byte) netip.Addr {
	if len(text) > len("255-255-255-255") || bytes.Count(text, []byte("-")) != 3 {
		return netip.Addr{}
	}
	addr, err := netip.ParseAddr(string(bytes.ReplaceAll(text, []byte("-"), []byte("."))))
	if err != nil {
		return netip.Addr{}
	}
	return addr
}

// addressLabel appends a label with the name of the address in it.
func (j *job) addressLabel(dst, label []byte) (out []byte, ok bool) {
	prefix := addressPrefix(label)
	addr := dashedAddr(label[prefix:])
	if kindOf(addr, addr.BitLen()) == special {
		return append(dst, label...), true
	}
	if j.domain, ok = j.address(j.domain[:0], "ip_address", []byte(addr.String())); !ok || !j.issue {
		return dst, false
	}
	return j.create(dst, "resource_name", label, label, formatAddressLabel)
}

// formatAddressLabel writes the name of the address at hand with dashes.
func formatAddressLabel(j *job, dst, label []byte) []byte {
	if j.attempt > 0 {
		return j.hex(append(dst, "res-"...), 10)
	}
	dst = append(dst, label[:addressPrefix(label)]...)
	for _, c := range j.domain {
		if c == '.' {
			c = '-'
		}
		dst = append(dst, c)
	}
	return dst
}
