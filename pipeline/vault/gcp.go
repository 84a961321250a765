package vault

import "bytes"

// isGCPName tells relative and full resource names of Google Cloud ("Resource
// names", Cloud API Design Guide).
func isGCPName(value []byte) bool {
	value = value[gcpHead(value):]
	collection, id, ok := bytes.Cut(value, []byte("/"))
	return ok && len(id) > 0 && isGCPRoot(string(collection))
}

func isGCPRoot(collection string) bool {
	switch collection {
	case "projects", "organizations", "folders", "billingAccounts":
		return true
	}
	return false
}

// gcpHead returns the length of the service in front of a full resource name and of
// the version behind it.
func gcpHead(value []byte) int {
	rest := bytes.TrimPrefix(value, []byte("https:"))
	if !bytes.HasPrefix(rest, []byte("//")) {
		return 0
	}
	for _, root := range []string{"/projects/", "/organizations/", "/folders/", "/billingAccounts/"} {
		i := bytes.Index(rest, []byte(root))
		if i > 0 && bytes.Contains(rest[:i], []byte(".googleapis.com")) {
			return len(value) - len(rest) + i + 1
		}
	}
	return 0
}

// gcpName keeps service, collections and zones. Projects and names get names of
// their own, each remembered alone; the resource name as a whole is not.
func (j *job) gcpName(dst, value []byte) (out []byte, ok bool) {
	head := gcpHead(value)
	dst = append(dst, value[:head]...)
	value = value[head:]
	var collection []byte // of the id at hand; nil where a collection is expected
	for len(value) > 0 {
		segment, rest, slash := bytes.Cut(value, []byte("/"))
		value = rest
		switch {
		case len(segment) == 0 || collection == nil && string(segment) == "global":
			dst = append(dst, segment...)
		case collection == nil && isTypeWord(segment):
			collection = segment
			dst = append(dst, segment...)
		default:
			if dst, ok = j.gcpID(dst, string(collection), segment); !ok {
				return dst, false
			}
			collection = nil
		}
		if slash {
			dst = append(dst, '/')
		}
	}
	return dst, true
}

func (j *job) gcpID(dst []byte, collection string, id []byte) (out []byte, ok bool) {
	switch collection {
	case "zones", "regions", "locations":
		return append(dst, id...), true
	case "projects", "organizations", "folders", "billingAccounts":
		if isDigits(id) {
			return j.account(dst, "gcp_project_number", id)
		}
		return j.account(dst, "gcp_project_id", id)
	case "serviceAccounts":
		if bytes.IndexByte(id, '@') > 0 {
			return j.email(dst, "email", id)
		}
	}
	return j.resource(dst, "resource_name", id)
}
