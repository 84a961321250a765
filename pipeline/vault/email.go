package vault

import "bytes"

const (
	userPrefix   = "user-"
	domainPrefix = "d-"
	hostPrefix   = "host-"
	fakeSuffix   = ".example" // RFC 2606, section 2
)

// email gives an address a user of its own and the one name of its domain, which
// is remembered alone.
func (j *job) email(dst []byte, entity string, value []byte) (out []byte, ok bool) {
	if out, ok := j.known(dst, entity, value); ok || !j.issue {
		return out, ok
	}
	at := bytes.LastIndexByte(value, '@')
	if at < 1 || at == len(value)-1 {
		return j.plain(dst, entity, value)
	}
	j.folded = appendLower(j.folded[:0], value[at+1:])
	if j.domain, ok = j.name(j.domain[:0], "email_domain", j.folded, formatDomain); !ok {
		return dst, false
	}
	return j.create(dst, entity, value, value, formatEmail)
}

func formatEmail(j *job, dst, _ []byte) []byte {
	dst = j.hex(append(dst, userPrefix...), 8)
	return append(append(dst, '@'), j.domain...)
}

func formatDomain(j *job, dst, _ []byte) []byte {
	return append(j.hex(append(dst, domainPrefix...), 10), fakeSuffix...)
}

func formatHost(j *job, dst, _ []byte) []byte {
	return append(j.hex(append(dst, hostPrefix...), 8), fakeSuffix...)
}
