package detect

import "bytes"

// tagMaps are names, normalised, under which tags stand.
var tagMaps = map[string]bool{
	"tags": true, "labels": true, "tag": true, "resource_tags": true, "user_labels": true, "tag_set": true, "tag_list": true,
}

// IsTagMap reports whether tags stand under a name.
func IsTagMap(name []byte) bool {
	var buf [64]byte
	return tagMaps[string(AppendKey(buf[:0], name))]
}

// personWords are words, and words in a row, of tags that name a person.
var personWords = wordSet(
	"owner owners owned_by created_by creator contact contacts email emails maintainer maintainers author authors requester " +
		"requestor requested_by user username user_name team_lead manager approver approved_by assignee responsible steward " +
		"custodian on_call updated_by modified_by launched_by deployed_by")

// IsPersonKey reports whether the value of a tag of that name is a person.
func IsPersonKey(name []byte) bool {
	var buf [64]byte
	key := AppendKey(buf[:0], name)
	before := -1
	for i := 0; i < len(key); {
		stop := len(key)
		if n := bytes.IndexByte(key[i:], '_'); n >= 0 {
			stop = i + n
		}
		if personWords[string(key[i:stop])] || before >= 0 && personWords[string(key[before:stop])] {
			return true
		}
		before, i = i, stop+1
	}
	return false
}
