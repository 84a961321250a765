package scan

import "bytes"

// gcpCollections are what may follow projects/ID/ (Google Cloud API Design Guide,
// "Resource names"): words that a directory of sources has rarely.
var gcpCollections = [...]string{
	"locations", "zones", "regions", "global", "topics", "subscriptions", "snapshots", "secrets", "serviceAccounts",
	"datasets", "instances", "databases", "logs", "sinks", "roles", "buckets", "keyRings", "services", "repos", "jobs",
	"models", "triggers", "alertPolicies", "notificationChannels", "managedZones", "disks", "images", "networks", "subnetworks",
	"firewalls", "clusters", "schemas",
}

// gcpName: the name of a resource below projects/, or an organization or a folder by its
// number. The slash at i follows that word.
func (l *lexer) gcpName(t token, i int) {
	if !l.runs[GCPResourceName] || i < l.until[longGCP] {
		return
	}
	start := i
	for start > t.start && i-start < 16 && isAlpha(l.text[start-1]) {
		start--
	}
	if isWord(l.before(t, start)) || l.before(t, start) == '-' || !l.gcpShape(start, i) {
		return
	}
	if end := l.pathEnd(i + 1); end > i+1 {
		l.until[longGCP] = end
		l.add(GCPResourceName, GCPResourceEntity, start, end)
	}
}

func (l *lexer) gcpShape(start, slash int) bool {
	rest := l.text[slash+1 : min(len(l.text), slash+1+96)]
	switch string(l.text[start:slash]) {
	case "organizations", "folders":
		id := rest[:digitsEnd(rest)]
		return len(id) >= 6 && (len(id) == len(rest) || !isWord(rest[len(id)]) && rest[len(id)] != '-')
	case "projects":
		id, tail, ok := bytes.Cut(rest, []byte{'/'})
		return ok && isProject(id) && inCollection(tail)
	}
	return false
}

func digitsEnd(s []byte) (n int) {
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// isProject reports whether s is the id or number of a project, with its domain or
// without: 6 to 30 small letters, digits and dashes, a letter first (Resource Manager,
// "Creating and managing projects").
func isProject(s []byte) bool {
	if colon := bytes.LastIndexByte(s, ':'); colon > 0 {
		s = s[colon+1:]
	}
	if len(s) < 6 || len(s) > 30 || s[len(s)-1] == '-' {
		return false
	}
	if isDigit(s[0]) {
		return all(s, classDigit)
	}
	return all(s, classSmall|classDigit|classDash) && bytes.IndexByte(s, '_') < 0 && s[0] != '-'
}

// inCollection reports whether a path is a collection of ours and something in it.
func inCollection(path []byte) bool {
	for _, c := range gcpCollections {
		if hasPrefix(path, 0, c) && len(path) > len(c)+1 && path[len(c)] == '/' && isAlnum(path[len(c)+1]) {
			return true
		}
	}
	return false
}
