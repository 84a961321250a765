package mcplayer

import (
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/cloudg/mcplayer/result"
)

// metaKeys are the layer's metadata keys, built once.
type metaKeys struct {
	prefix                                                                    string
	category, sensitivity, tags, transforms, durationMS, errorCode, errorData string
	cache, retries                                                            string // of middleware
}

func newMetaKeys(prefix string) metaKeys {
	return metaKeys{
		prefix:      prefix,
		category:    prefix + "category",
		sensitivity: prefix + "sensitivity",
		tags:        prefix + "tags",
		transforms:  prefix + "transforms",
		durationMS:  prefix + "duration_ms",
		errorCode:   prefix + "error_code",
		errorData:   prefix + "error_data",
		cache:       prefix + "cache",
		retries:     prefix + "retries",
	}
}

// key returns the key of that name. Those that middleware asks for in each call are
// made already.
func (k *metaKeys) key(name string) string {
	switch name {
	case "transforms":
		return k.transforms
	case "duration_ms":
		return k.durationMS
	case "error_code":
		return k.errorCode
	case "cache":
		return k.cache
	case "retries":
		return k.retries
	}
	return k.prefix + name
}

// metaPrefixPattern is the key prefix of MCP's _meta: labels joined by dots, and
// a slash. (MCP 2025-11-25, basic, "_meta".)
var metaPrefixPattern = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?)*/$`)

func checkMetaPrefix(prefix string) error {
	if !metaPrefixPattern.MatchString(prefix) {
		return fmt.Errorf(`%q is not a reverse DNS name and a slash, like "com.example/"`, prefix)
	}
	labels := strings.Split(strings.TrimSuffix(prefix, "/"), ".")
	if len(labels) > 1 && (strings.EqualFold(labels[1], "mcp") || strings.EqualFold(labels[1], "modelcontextprotocol")) {
		return fmt.Errorf("%q is reserved: its second label must not be %q", prefix, labels[1])
	}
	return nil
}

// ownMeta returns a copy of a handler's metadata without the keys that are the
// layer's.
func (c *call) ownMeta(meta result.Meta) result.Meta {
	own := maps.Clone(meta)
	maps.DeleteFunc(own, func(key string, _ any) bool { return strings.HasPrefix(key, c.layer.meta.prefix) })
	return own
}
