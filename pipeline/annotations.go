package pipeline

import (
	"maps"
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pseudonymNote tells the reader what to do with pseudonyms.
const pseudonymNote = "Identifiers are pseudonyms; pass them back unchanged and tools resolve the real resources."

// withheld are the members of a report that count what was taken away.
var withheld = []string{"redacted", "masked", "hashed", "generalized", "dropped"}

// annotations says of a result what the report of the other steps does not.
func (a *annotater) annotations(r mcplayer.Report) map[string]any {
	out := map[string]any{"classification": a.classification(r), "provenance": a.provenance()}
	if totals := transformed(r); len(totals) > 0 {
		out["transformed"] = totals
	}
	if u, ok := r["untrusted"].(map[string]any); ok && u["notice"] != nil {
		out["untrusted_content"] = u["notice"]
	}
	findings := map[string]any{}
	for _, c := range a.to.counts {
		if c.key == seenFinding {
			findings[c.label] = c.n
		}
	}
	if len(findings) > 0 {
		out["findings_by_severity"] = findings
	}
	return out
}

func (a *annotater) classification(r mcplayer.Report) map[string]any {
	out := map[string]any{"sensitivity": a.sensitivity().String()}
	if names := entities(r, withheld...); len(names) > 0 {
		out["withheld_entities"] = names
	}
	if names := entities(r, "pseudonymized"); len(names) > 0 {
		out["pseudonymized_entities"] = names
		out["note"] = pseudonymNote
	}
	return out
}

// sensitivity is that of the primitive; what has none counts as confidential.
func (a *annotater) sensitivity() mcplayer.Sensitivity {
	if spec := a.pass.info.Spec; spec != nil && spec.Sensitivity != 0 {
		return spec.Sensitivity
	}
	return mcplayer.Confidential
}

// entities returns the names of what some members of the report count, sorted.
func entities(r mcplayer.Report, keys ...string) []string {
	names := map[string]bool{}
	for _, key := range keys {
		counts, _ := r[key].(map[string]any)
		for name := range counts {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func (a *annotater) provenance() map[string]any {
	info := a.pass.info
	out := map[string]any{
		"kind":         info.Kind.String(),
		"name":         info.Name,
		"generated_at": a.begun.UTC().Format("2006-01-02T15:04:05") + "+00:00",
	}
	if a.policy != "" {
		out["policy"] = a.policy
	}
	if info.Spec != nil {
		out["category"] = info.Spec.Category
	}
	if info.Principal != nil {
		roles := info.Principal.Roles()
		slices.Sort(roles)
		out["principal_roles"] = roles
	}
	if d, ok := a.to.get(seenDataset).(dataset); ok {
		out["dataset"] = d.name
	}
	return out
}

// transformed returns the total of each member of a report that counts.
func transformed(r mcplayer.Report) map[string]any {
	totals := map[string]any{}
	for key, value := range r {
		total := 0
		switch v := value.(type) {
		case int:
			total = v
		case map[string]any:
			total = sum(v)
		}
		if total > 0 {
			totals[key] = total
		}
	}
	return totals
}

// sum adds up counts; sizes before and after are none.
func sum(counts map[string]any) (total int) {
	for label, value := range counts {
		if n, ok := value.(int); ok && label != charsBefore && label != charsAfter {
			total += n
		}
	}
	return total
}

// hints returns what the protocol's annotations of content say: for whom, how
// important from 0 to 1.
func (a *annotater) hints() *mcp.Annotations {
	h := &mcp.Annotations{Audience: []mcp.Role{"user", "assistant"}}
	if a.sensitivity() == mcplayer.Restricted {
		h.Audience = h.Audience[:1]
	}
	h.Priority = map[mcplayer.Sensitivity]float64{
		mcplayer.Public: 0.3, mcplayer.Internal: 0.45, mcplayer.Confidential: 0.6, mcplayer.Restricted: 0.75,
	}[a.sensitivity()]
	for _, c := range a.to.counts {
		if c.key == seenFinding && (c.label == "critical" || c.label == "high") {
			h.Priority = 0.9
		}
	}
	return h
}

// contentAnnotations returns the hints as a member of the report.
func (a *annotater) contentAnnotations() map[string]any {
	h := a.hints()
	audience := make([]string, len(h.Audience))
	for i, role := range h.Audience {
		audience[i] = string(role)
	}
	return map[string]any{"audience": audience, "priority": h.Priority}
}

// BlockAnnotations returns the hints for content blocks if an annotate step was asked
// to put them there. See [mcplayer.BlockAnnotator].
func (p *Pass) BlockAnnotations() *mcp.Annotations {
	if p.annotater == nil || !p.annotater.blocks {
		return nil
	}
	return p.annotater.hints()
}
