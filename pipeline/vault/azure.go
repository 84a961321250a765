package vault

import "bytes"

// isAzureID tells resource ids of Azure Resource Manager, which start with a
// subscription, a management group or a provider, in any case.
func isAzureID(value []byte) bool {
	for _, prefix := range []string{"/subscriptions/", "/providers/microsoft.", "/tenants/"} {
		if len(value) > len(prefix) && bytes.EqualFold(value[:len(prefix)], []byte(prefix)) {
			return true
		}
	}
	return false
}

// azureID keeps providers, types and locations. Subscription, resource group and
// names get names of their own, each remembered alone; the id as a whole is not.
func (j *job) azureID(dst, value []byte) (out []byte, ok bool) {
	var key []byte // of the segment at hand; nil where one is expected
	for i := 0; len(value) > 0; i++ {
		segment, rest, slash := bytes.Cut(value, []byte("/"))
		value = rest
		switch {
		case len(segment) == 0:
		case key == nil:
			if key = segment; !isTypeWord(segment) {
				dst, ok = j.resource(dst, "resource_name", segment)
				if !ok {
					return dst, false
				}
				segment = nil
			}
			dst = append(dst, segment...)
		default:
			if dst, ok = j.azureSegment(dst, key, segment); !ok {
				return dst, false
			}
			key = nil
		}
		if slash {
			dst = append(dst, '/')
		}
	}
	return dst, true
}

// isTypeWord tells what may be a type or a collection: letters alone.
func isTypeWord(segment []byte) bool {
	return each(segment, func(c byte) bool { return isLower(c | 0x20) })
}

func (j *job) azureSegment(dst, key, segment []byte) (out []byte, ok bool) {
	switch {
	case bytes.EqualFold(key, []byte("providers")), bytes.EqualFold(key, []byte("locations")):
		return append(dst, segment...), true
	case bytes.EqualFold(key, []byte("subscriptions")):
		return j.account(dst, "azure_subscription_id", segment)
	case bytes.EqualFold(key, []byte("tenants")):
		return j.account(dst, "azure_tenant_id", segment)
	case bytes.EqualFold(key, []byte("resourcegroups")):
		return j.resource(dst, "resource_group", segment)
	}
	return j.resource(dst, "resource_name", segment)
}
