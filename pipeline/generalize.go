package pipeline

import (
	"bytes"
	"net/netip"
	"strconv"
	"strings"
)

// coarse is how a value is made less exact.
type coarse struct {
	ipv4, ipv6  int    // bits of an address that stay
	granularity string // of a time
	labels      int    // of a host name, from its end
	bucket      int    // width of the ranges of numbers; 0: none
}

// kept is how much of a time stays, by granularity (ISO 8601).
var kept = map[string]int{
	"year": len("2006"), "month": len("2006-01"), "day": len("2006-01-02"), "hour": len("2006-01-02T15"), "minute": len("2006-01-02T15:04"),
}

func newCoarse(o *Options) coarse {
	c := coarse{
		ipv4:        o.Int("ipv4_prefix", 24, 0),
		ipv6:        o.Int("ipv6_prefix", 48, 0),
		granularity: o.String("granularity", "day"),
		labels:      o.Int("keep_labels", 2, 1),
		bucket:      o.Int("bucket", 0, 1),
	}
	if c.ipv4 > 32 {
		o.Fail("ipv4_prefix", "must be at most 32")
	}
	if c.ipv6 > 128 {
		o.Fail("ipv6_prefix", "must be at most 128")
	}
	if kept[c.granularity] == 0 {
		o.Fail("granularity", "must be year, month, day, hour or minute")
	}
	return c
}

// append appends a coarser value to dst. It is not ok, and dst as it was, if it
// knows no coarser one. Where no host is meant, what looks like the name of one is
// something else.
func (c *coarse) append(dst, value []byte, isHost bool) (out []byte, ok bool) {
	if out, ok := c.network(dst, value); ok {
		return out, true
	}
	if out, ok := c.time(dst, value); ok {
		return out, true
	}
	if out, ok := c.number(dst, value); ok {
		return out, true
	}
	if !isHost {
		return dst, false
	}
	return c.host(dst, value)
}

// network makes a network of an address, or of a network a wider one.
func (c *coarse) network(dst, value []byte) ([]byte, bool) {
	text := string(bytes.Trim(value, "[]"))
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		addr, err := netip.ParseAddr(text)
		if err != nil {
			return dst, false
		}
		prefix = netip.PrefixFrom(addr.WithZone(""), addr.BitLen())
	}
	bits := c.ipv6
	if prefix.Addr().Is4() {
		bits = c.ipv4
	}
	prefix, err = prefix.Addr().Prefix(min(bits, prefix.Bits()))
	if err != nil {
		return dst, false
	}
	return prefix.AppendTo(dst), true
}

// time cuts a date-time of ISO 8601; of one with hours the zone stays.
func (c *coarse) time(dst, value []byte) ([]byte, bool) {
	const date = len("2006-01-02")
	if len(value) < date || value[4] != '-' || value[7] != '-' || !isDateStart(value) {
		return dst, false
	}
	n := min(kept[c.granularity], len(value))
	dst = append(dst, value[:n]...)
	if n <= date {
		return dst, true
	}
	if c.granularity == "hour" {
		dst = append(dst, ":00"...)
	}
	if i := bytes.LastIndexAny(value, "Zz+-"); i > date {
		dst = append(dst, value[i:]...)
	}
	return dst, true
}

func isDateStart(value []byte) bool {
	for _, i := range [...]int{0, 1, 2, 3, 5, 6, 8, 9} {
		if value[i] < '0' || value[i] > '9' {
			return false
		}
	}
	return true
}

// number names the range that a whole number is in.
func (c *coarse) number(dst, value []byte) ([]byte, bool) {
	if c.bucket == 0 {
		return dst, false
	}
	if low, high, ok := bytes.Cut(value, []byte("-")); ok && isRange(low, high, c.bucket) {
		return append(dst, value...), true
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || n < 0 {
		return dst, false
	}
	low := n - n%int64(c.bucket)
	dst = append(strconv.AppendInt(dst, low, 10), '-')
	return strconv.AppendInt(dst, low+int64(c.bucket)-1, 10), true
}

// isRange reports whether low-high is what number makes.
func isRange(low, high []byte, bucket int) bool {
	l, err := strconv.ParseInt(string(low), 10, 64)
	h, err2 := strconv.ParseInt(string(high), 10, 64)
	return err == nil && err2 == nil && l%int64(bucket) == 0 && h == l+int64(bucket)-1
}

// host keeps the last labels of a host name, and of the host of an e-mail address.
func (c *coarse) host(dst, value []byte) ([]byte, bool) {
	local, host, isMail := strings.Cut(string(value), "@")
	if !isMail {
		local, host = "", local
	}
	labels := strings.Split(host, ".")
	if len(labels) < 2 || strings.ContainsAny(host, " /:@") || isMail && local == "" {
		return dst, false
	}
	return append(dst, strings.Join(labels[max(len(labels)-c.labels, 0):], ".")...), true
}
