package main

import (
	"encoding/json"
	"fmt"

	"github.com/cloudg/mcplayer"
)

// sameAs compares what was answered and said.
func sameAs(first, other *stage) error {
	if got, want := len(other.answers), len(first.answers); got != want {
		return fmt.Errorf("%d answers, want %d", got, want)
	}
	for i, want := range first.answers {
		if err := same(other.answers[i], want); err != nil {
			return fmt.Errorf("answer %d: %w", i+1, err)
		}
	}
	return same(other.said(), first.said())
}

// same reports where two texts begin to differ.
func same(got, want string) error {
	if got == want {
		return nil
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	from := max(0, at-40)
	return fmt.Errorf("differs at byte %d\n got ...%.120s\nwant ...%.120s", at, got[from:], want[from:])
}

// normal writes an answer as JSON with sorted keys, without the time and how long it
// took, the name of the server, the random id of an error, and what only the newest
// revision of the protocol says.
func normal(answer any) string {
	var tree any
	if err := json.Unmarshal([]byte(compact(answer)), &tree); err != nil {
		return fmt.Sprint(answer)
	}
	return compact(without(tree, map[string]bool{
		mcplayer.MetaPrefix + "duration_ms":  true,
		"io.modelcontextprotocol/serverInfo": true,
		"resultType":                         true,
		"error_id":                           true,
		"generated_at":                       true,
	}))
}

func without(tree any, keys map[string]bool) any {
	switch v := tree.(type) {
	case map[string]any:
		for key, member := range v {
			v[key] = without(member, keys)
			if keys[key] || key == "_meta" && len(member.(map[string]any)) == 0 {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			v[i] = without(v[i], keys)
		}
	}
	return tree
}
