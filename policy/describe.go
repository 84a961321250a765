package policy

import (
	"slices"
	"strconv"

	"github.com/cloudg/mcplayer/pipeline"
	"github.com/go-json-experiment/json/jsontext"
)

// Describe returns the policy in force as JSON, see [Document.Describe].
func (p *Policy) Describe() (jsontext.Value, error) { return p.current.Load().doc.Describe() }

// Fingerprint identifies the document in force, see [Document.Fingerprint].
func (p *Policy) Fingerprint() string { return p.current.Load().doc.Fingerprint() }

// Describe returns the document as JSON, with its defaults, the names of its rules and its
// fingerprint, and without what may be secret: of transforms only options that hold no real
// values are shown, and all others counted, among them aliases, patterns, rules, templates
// and every option of a host's type; of the vault only numbers and the namespace are shown.
func (d *Document) Describe() (jsontext.Value, error) {
	full := *d
	full.withDefaults()
	n := full.node()
	n.set("fingerprint", textOf(d.Fingerprint()))
	s := describer{pipeline.NewBuilder(nil)}
	for _, m := range n.members {
		if m.key == "roles" {
			for _, role := range m.value.members {
				s.rule(role.value)
			}
		}
		if m.key == "rules" {
			for _, rule := range m.value.list {
				s.rule(rule)
			}
		}
	}
	s.rule(n)
	s.detectors(n)
	s.vault(n)
	return n.json()
}

// withDefaults fills in what the author left out.
func (d *Document) withDefaults() {
	setDefault(&d.HideDenied, true)
	setDefault(&d.HonorHints, true)
	setDefault(&d.Audit, false)
	setDefault(&d.AuditSize, DefaultAuditSize)
	d.Name = d.name()
	for _, word := range []struct {
		to   *string
		text string
	}{{&d.Binary, "scan"}, {&d.Depseudonymize, "auto"}} {
		if *word.to == "" {
			*word.to = word.text
		}
	}
	d.Roles, d.Rules = slices.Clone(d.Roles), slices.Clone(d.Rules)
	for i := range d.Roles {
		d.Roles[i].Name = d.roleName(i)
	}
	for i := range d.Rules {
		d.Rules[i].Name = d.ruleName(i)
	}
}

func setDefault[T any](to **T, value T) {
	if *to == nil {
		*to = &value
	}
}

// describer takes out of a document what is not to be shown.
type describer struct{ known *pipeline.Builder }

// harmless are the options that hold no real values: names of members and of detectors, words,
// numbers.
var harmless = []string{
	"action", "allow_keys", "allow_keys_by_sensitivity", "allow_pseudonymize", "annotate_blocks", "as", "bucket",
	"categories", "char", "detect", "disabled_detectors", "drop_empty", "drop_nulls", "exclude", "exempt",
	"free_text_keys", "granularity", "include", "inline", "ipv4_prefix", "ipv6_prefix", "keep_first", "keep_labels",
	"keep_last", "keys", "label_findings", "length", "list_marker", "max_chars", "max_depth", "max_free_text",
	"max_length", "max_list", "max_paths", "max_string", "min_confidence", "min_length", "min_list", "min_string",
	"name_mentions", "on_suspicious", "policy", "preserve", "scan_keys", "skip_keys", "strategy", "strip",
	"tag_key_allowlist", "tags",
}

// rule covers the transforms of a policy or a rule.
func (s describer) rule(n *node) {
	for _, key := range []string{"transforms", "input_transforms"} {
		if list := n.member(key); list != nil {
			for _, t := range list.list {
				if options := t.member("options"); options != nil {
					t.set("options", s.options(t.member("type").text, options))
				}
			}
		}
	}
	if overrides := n.member("transform_options"); overrides != nil {
		for i, m := range overrides.members {
			overrides.members[i].value = s.options(m.key, m.value)
		}
	}
}

func (s describer) options(typ string, options *node) *node {
	if s.known.TypeOf(typ) == "" {
		return options.count()
	}
	return options.countOthers()
}

// countOthers shows of an object of options, and of the strategies among them, what may be
// shown.
func (n *node) countOthers() *node {
	for i, m := range n.members {
		switch {
		case m.key == "default":
			n.members[i].value = m.value.strategy()
		case m.key == "strategies":
			for j, s := range m.value.members {
				m.value.members[j].value = s.value.strategy()
			}
		case !slices.Contains(harmless, m.key):
			n.members[i].value = m.value.count()
		}
	}
	return n
}

// strategy is a word or an object of options.
func (n *node) strategy() *node {
	if n.kind == objectNode {
		return n.countOthers()
	}
	return n
}

func (s describer) detectors(n *node) {
	list := n.member("detectors")
	if list == nil {
		return
	}
	for _, d := range list.list {
		d.members = slices.DeleteFunc(d.members, func(m member) bool {
			return !slices.Contains([]string{"name", "entity", "category", "confidence", "enabled"}, m.key)
		})
	}
}

func (s describer) vault(n *node) {
	vault := n.member("vault")
	if vault == nil {
		return
	}
	for i, m := range vault.members {
		if m.key != "namespace" && m.value.kind != numberNode && m.value.kind != boolNode {
			vault.members[i].value = textOf("set")
		}
	}
}

// count returns how many values there are inside a node.
func (n *node) count() *node {
	leaves := 0
	n.walk("", func(_ string, n *node) {
		if n.kind != listNode && n.kind != objectNode {
			leaves++
		}
	})
	return &node{kind: numberNode, text: strconv.Itoa(leaves)}
}
