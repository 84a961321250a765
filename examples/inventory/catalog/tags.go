package catalog

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Tags are an asset's tags by key.
type Tags map[string]string

// UnmarshalJSON reads tags as providers write them: an object, a list of
// {"Key", "Value"} pairs, or null.
func (t *Tags) UnmarshalJSON(doc []byte) error {
	if jsontext.Value(doc).Kind() != '[' {
		return json.Unmarshal(doc, (*map[string]string)(t))
	}
	var pairs []struct{ Key, Value string }
	if err := json.Unmarshal(doc, &pairs); err != nil {
		return err
	}
	*t = make(Tags, len(pairs))
	for _, pair := range pairs {
		(*t)[pair.Key] = pair.Value
	}
	return nil
}
