package validate

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/cloudg/mcplayer/internal/nearest"
)

// keysRead are the keys of a struct tag that this package reads.
var keysRead = []string{"json", "validate", "default", "jsonschema"}

// keysOfOthers look like misspelt ones of ours and are not.
var keysOfOthers = map[string]bool{"bson": true, "jsonb": true}

// splitTag reads a struct tag strictly. reflect stops silently at the first thing it does not understand, and
// with it every rule behind that point.
func splitTag(tag reflect.StructTag) (map[string]string, error) {
	rest, found := string(tag), map[string]string{}
	for rest = strings.TrimLeft(rest, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, after, ok := strings.Cut(rest, ":")
		if !ok || key == "" || strings.ContainsAny(key, " \"\t\n") || !strings.HasPrefix(after, `"`) {
			return nil, fmt.Errorf("malformed struct tag `%s`: want key:\"value\" pairs separated by spaces", tag)
		}
		quoted, err := strconv.QuotedPrefix(after)
		if err != nil {
			return nil, fmt.Errorf("malformed struct tag `%s`: the value of %s is not quoted", tag, key)
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("malformed struct tag `%s`: the value of %s is not quoted", tag, key)
		}
		rest = after[len(quoted):]
		if rest != "" && rest[0] != ' ' {
			return nil, fmt.Errorf("malformed struct tag `%s`: no space after the value of %s", tag, key)
		}
		if _, twice := found[key]; twice {
			return nil, fmt.Errorf("struct tag `%s` has the key %s twice", tag, key)
		}
		if meant := misspelt(key); meant != "" {
			return nil, fmt.Errorf("struct tag key %q is not read (did you mean %q?)", key, meant)
		}
		found[key] = value
	}
	return found, nil
}

// misspelt returns the key that was probably meant by one that nobody reads, or "".
func misspelt(key string) string {
	folded := strings.ToLower(key)
	for _, k := range keysRead {
		if key == k || keysOfOthers[key] {
			return ""
		}
	}
	if strings.HasPrefix(folded, "valid") {
		return "validate"
	}
	for _, k := range keysRead {
		most := 2
		if k == "json" {
			most = 1
		}
		if folded[0] == k[0] && nearest.Distance([]rune(folded), []rune(k)) <= most {
			return k
		}
	}
	return ""
}

// member is what the json tag of a field says.
type member struct {
	name      string
	named     bool
	skip      bool // json:"-"
	omitempty bool // or omitzero
	inline    bool
	quoted    bool // the option string
}

// jsonTag reads a json tag. lenient is how encoding/json reads it: what it does not know it ignores.
func jsonTag(f reflect.StructField, tag string, lenient bool) (member, error) {
	m := member{name: f.Name}
	if tag == "-" {
		m.skip = true
		return m, nil
	}
	name, options, _ := strings.Cut(tag, ",")
	if name != "" {
		m.name, m.named = name, true
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "":
		case "omitempty", "omitzero":
			m.omitempty = true
		case "string":
			m.quoted = true
		case "inline", "embed":
			m.inline = !lenient
		default:
			if !lenient {
				return m, fmt.Errorf("json tag option %q is not supported; known are omitempty, omitzero, inline and embed", option)
			}
		}
	}
	if m.quoted && !lenient {
		return m, fmt.Errorf(`json tag option "string" is not supported: number fields accept a number in quotes without it`)
	}
	return m, nil
}
