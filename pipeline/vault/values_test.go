package vault_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
)

// dice makes random values of all entities.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 7))} }

func (d dice) text(n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[d.IntN(len(alphabet))]
	}
	return string(b)
}

const (
	hexDigits = "0123456789abcdef"
	base32    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	anything  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789-_./:@ %=&?+#'\"<>\\é\n"
)

func (d dice) account() string { return "1" + d.text(11, "0123456789") }

func (d dice) guid() string {
	s := hexDigits
	if d.IntN(2) == 0 {
		s = "0123456789ABCDEF"
	}
	return d.text(8, s) + "-" + d.text(4, s) + "-" + d.text(4, s) + "-" + d.text(4, s) + "-" + d.text(12, s)
}

func (d dice) name() string {
	if d.IntN(4) == 0 {
		return "x" + d.text(1+d.IntN(30), anything)
	}
	return "web-" + d.text(1+d.IntN(12), "abcdefghijklmnopqrstuvwxyz-0123456789")
}

func (d dice) plainName() string {
	return "n" + d.text(1+d.IntN(12), "abcdefghijklmnopqrstuvwxyz-0123456789")
}

func (d dice) region() string {
	return []string{"eu-central-1", "us-gov-west-1", "ap-southeast-2"}[d.IntN(3)]
}

func (d dice) ip4() netip.Addr {
	b := [4]byte{byte(1 + d.IntN(223)), byte(d.Uint32()), byte(d.Uint32()), byte(d.Uint32())}
	if d.IntN(2) == 0 {
		b[0] = 10
	}
	return netip.AddrFrom4(b)
}

func (d dice) ip6() netip.Addr {
	var b [16]byte
	for i := range b {
		b[i] = byte(d.Uint32())
	}
	b[0], b[1] = 0x2a, 0
	if d.IntN(2) == 0 {
		b[0] = 0xfd
	}
	return netip.AddrFrom16(b)
}

// value returns a random value and its entity, and whether its name is one word or
// one address, which no part of another case belongs to.
func (d dice) value() (entity, value string, single bool) {
	switch d.IntN(18) {
	case 0:
		return "aws_account_id", d.account(), true
	case 1:
		return "azure_subscription_id", d.guid(), true
	case 2:
		return "aws_arn", "arn:aws:ec2:" + d.region() + ":" + d.account() + ":instance/i-" + d.text(17, hexDigits), false
	case 3:
		return "aws_arn", "arn:aws:s3:::" + d.name() + "/" + d.name(), false
	case 4:
		return "azure_resource_id", "/subscriptions/" + d.guid() + "/resourceGroups/" + d.plainName() + "/providers/Microsoft.Web/sites/" + d.plainName(), false
	case 5:
		return "gcp_resource_name", "projects/" + d.plainName() + "/zones/us-central1-a/instances/" + d.plainName(), false
	case 6:
		return "email", d.plainName() + "@" + d.plainName() + ".example", true
	case 7:
		return "hostname", d.plainName() + "." + d.plainName() + ".internal", true
	case 8:
		return "hostname", d.plainName() + "." + d.text(5, hexDigits) + "." + d.region() + ".rds.amazonaws.com", false
	case 9:
		return "aws_access_key_id", "AKIA" + d.text(16, base32), true
	case 10:
		return "aws_unique_id", "AROA" + d.text(17, base32), true
	case 11:
		return "mac_address", fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", d.IntN(256), d.IntN(256), d.IntN(256), d.IntN(256), d.IntN(256), d.IntN(256)), true
	case 12:
		return "ip_address", d.ip4().String(), true
	case 13:
		return "ip_address", d.ip6().String(), true
	case 14:
		return "cidr", netip.PrefixFrom(d.ip4(), 9+d.IntN(24)).String(), true
	case 15:
		return "cidr", netip.PrefixFrom(d.ip6(), 33+d.IntN(96)).Masked().String(), true
	case 16:
		return "person", d.name(), true
	}
	return "resource_name", d.name(), true
}
