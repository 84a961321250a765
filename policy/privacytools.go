package policy

import (
	"context"

	"github.com/cloudg/mcplayer"
)

// PrivacyCategory is the category of what [AddPrivacyTools] adds.
const PrivacyCategory = "privacy"

// The resources that [AddPrivacyTools] adds.
const (
	PolicyURI    = "cloudg://policy"
	DetectorsURI = "cloudg://privacy/detectors"
)

// AddPrivacyTools adds to a registry what tells about a policy and what it protects:
//
//	privacy_status     what holds for the caller
//	preview_transform  what the caller would see of a text
//	list_detectors     what is looked for
//	privacy_audit_log  the trail of the policy
//	reveal_token       what a pseudonym or an alias stands for
//
// and the resources [PolicyURI] and [DetectorsURI]. The last two tools are restricted
// and have the capability reveal: who may not reveal does not see them, and every call
// that is allowed stands in the trail and, as a warning, in the log. None of the tools
// is cached.
//
// The registry has to belong to a layer under that policy. A host that wants less
// leaves it out by a [mcplayer.Filter].
func AddPrivacyTools(reg *mcplayer.Registry, p *Policy) {
	mcplayer.AddTool(reg, privacyTool("privacy_status", "Tell which policy holds, what it protects from you, and what it has counted."), p.status)
	mcplayer.AddTool(reg, previewTool(), newPreviewer(reg, p).preview)
	mcplayer.AddTool(reg, privacyTool("list_detectors", "List what is looked for in results and arguments: detectors, and rules about the names of members."),
		func(context.Context, *mcplayer.ToolContext, struct{}) (any, error) { return p.detectors(), nil })
	mcplayer.AddTool(reg, revealingTool("privacy_audit_log", "Show the policy's record of calls, the newest last. Argument values are in it as keyed hashes only."), p.auditLog)
	mcplayer.AddTool(reg, revealingTool("reveal_token", "Tell what a pseudonym or an alias stands for. Each use is recorded."), p.reveal)
	addPrivacyResources(reg, p)
}

// privacyTool is a tool that shows no data, so that there is nothing to hide in what it
// says and nothing to turn back in what it is asked.
func privacyTool(name, description string) mcplayer.Tool {
	return mcplayer.Tool{
		Name: name, Description: description, Category: PrivacyCategory,
		Sensitivity: mcplayer.Internal, Capabilities: mcplayer.ReadState,
		Annotations: mcplayer.Annotations{Idempotent: new(false)}, // what it says changes: it must not be cached
		Hints:       mcplayer.Hints{Skip: []string{typeRedact, typeProject}, Depseudonymize: new(false)},
	}
}

// revealingTool is a tool that undoes protection.
func revealingTool(name, description string) mcplayer.Tool {
	t := privacyTool(name, description)
	t.Sensitivity, t.Capabilities = mcplayer.Restricted, mcplayer.Reveal
	t.Hints.Skip = append(t.Hints.Skip, typeAlias, typeSubstitute)
	return t
}

func addPrivacyResources(reg *mcplayer.Registry, p *Policy) {
	for _, r := range []struct {
		uri, name, description string
		read                   func() (any, error)
	}{
		{PolicyURI, "policy", "The policy in force, without what may be secret.", p.shown},
		{DetectorsURI, "detectors", "What is looked for in results and arguments.", func() (any, error) { return p.detectors(), nil }},
	} {
		hints := mcplayer.Hints{Skip: []string{typeRedact, typeProject}, Depseudonymize: new(false)}
		mcplayer.AddResource(reg, mcplayer.Resource{
			URI: r.uri, Name: r.name, Description: r.description, Category: PrivacyCategory,
			Sensitivity: mcplayer.Internal, Capabilities: mcplayer.ReadState, Hints: hints,
		}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return r.read() })
	}
}

// shown returns the policy in force for its resource. Strategies are a list: as an object
// they would have members called secret and private_key, whose values are redacted.
func (p *Policy) shown() (any, error) {
	described, err := p.Describe()
	if err != nil {
		return nil, err
	}
	n, bad := readJSON(described, "")
	if n == nil {
		return nil, bad
	}
	n.walk("", func(_ string, n *node) {
		if table := n.member("strategies"); table != nil && table.kind == objectNode {
			n.set("strategies", listOf(table.members, strategyNode))
		}
	})
	return n.json()
}

func strategyNode(m member) *node {
	n := &node{kind: objectNode}
	n.set("of", textOf(m.key))
	n.set("is", m.value)
	return n
}
