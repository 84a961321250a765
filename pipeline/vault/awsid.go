package vault

import (
	"bytes"
	"encoding/base32"
)

const (
	accessKeyPrefix = 4
	accessKeyRest   = 16
	maxUniqueRest   = 48 // base32 digits of 30 bytes of the sum
)

// isAccessKey tells four letters and base32 digits ("IAM identifiers", AWS IAM
// User Guide).
func isAccessKey(value []byte) bool {
	return len(value) > accessKeyPrefix && each(value[:accessKeyPrefix], isUpper) && each(value[accessKeyPrefix:], isBase32)
}

func formatAccessKey(j *job, dst, value []byte) []byte {
	return j.base32(append(dst, value[:accessKeyPrefix]...), accessKeyRest)
}

// isUniqueID tells the unique ids of IAM, four letters and base32 digits.
func isUniqueID(value []byte) bool {
	return isAccessKey(value) && len(value) <= accessKeyPrefix+maxUniqueRest
}

func formatUniqueID(j *job, dst, value []byte) []byte {
	return j.base32(append(dst, value[:accessKeyPrefix]...), len(value)-accessKeyPrefix)
}

// base32 appends n base32 digits of the sum.
func (j *job) base32(dst []byte, n int) []byte {
	var digits [maxUniqueRest]byte
	base32.StdEncoding.Encode(digits[:], j.sum[:30])
	return append(dst, digits[:n]...)
}

// isAWSID tells the ids of resources, a known prefix and 8 or 17 hexadecimal
// digits ("Resource IDs", Amazon EC2 User Guide).
func isAWSID(value []byte) bool {
	dash := bytes.LastIndexByte(value, '-')
	digits := len(value) - dash - 1
	if dash < 1 || dash > maxWord || digits != 8 && digits != 17 {
		return false
	}
	rest := value[dash+1:]
	_, upper := letters(rest)
	return !upper && each(rest, isHex) && isIDPrefix(string(value[:dash]))
}

func formatAWSID(j *job, dst, value []byte) []byte {
	dash := bytes.LastIndexByte(value, '-')
	return j.hex(append(dst, value[:dash+1]...), len(value)-dash-1)
}

// isIDPrefix tells the prefixes that name a type; any other may be a name.
func isIDPrefix(prefix string) bool {
	switch prefix {
	case "i", "r", "vol", "snap", "ami", "aki", "ari", "lt", "key", "pg", "sir", "sfr", "fleet", "cr", "import-ami", "export-i",
		"vpc", "subnet", "sg", "sgr", "eni", "eni-attach", "ela-attach", "rtb", "rtbassoc", "igw", "eigw", "nat", "acl", "aclassoc",
		"eipalloc", "eipassoc", "vpce", "vpce-svc", "pcx", "pl", "dopt", "fl", "vgw", "cgw", "vpn", "lgw", "cagw", "ipam", "ipam-pool",
		"tgw", "tgw-attach", "tgw-rtb", "tgw-mcast-domain", "fs", "fsap", "fsmt", "fsvol", "svm", "bpa", "vpc-cidr-assoc",
		"subnet-cidr-assoc", "host", "h", "bun", "mi", "pb", "sd", "o", "d", "db":
		return true
	}
	return false
}
