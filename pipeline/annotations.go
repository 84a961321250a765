package pipeline

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pseudonymNote tells the reader what to do with pseudonyms.
const pseudonymNote = "Identifiers are pseudonyms; pass them back unchanged and tools resolve the real resources."

// withheld are the members of a report that count what was taken away.
var withheld = []string{"redacted", "masked", "hashed", "generalized", "dropped"}

// annotations returns as JSON what is known of the result beside the counts in its
// report: a tree of maps would cost more than all steps on a small result.
func (a *annotater) annotations() jsontext.Value {
	t := &a.pass.tally
	n := &a.notes
	n.b = append(make([]byte, 0, 512), '{')
	n.object("classification", func(n *notes) { a.classification(n, t) })
	var few [8]count
	n.counts("findings_by_severity", some(a.to.counts, ofFindings, few[:0]))
	n.object("provenance", a.provenance)
	n.counts("transformed", some(t.counts, ofAll, few[:0]))
	notice, _ := t.getIn(untrustedKey, "notice").(string)
	n.text("untrusted_content", notice)
	return append(n.b, '}')
}

func ofFindings(c *count) string {
	if c.key != seenFinding {
		return ""
	}
	return c.label
}

// ofAll adds up what each member of the report counts. Sizes are no counts, and what
// was taken out of a field or found in it counts with the field.
func ofAll(c *count) string {
	if strings.HasPrefix(c.key, hidden) {
		return ""
	}
	switch c.label {
	case charsBefore, charsAfter, "stripped_chars", "suspicious":
		return ""
	}
	return c.key
}

func ofWithheld(c *count) string {
	if !slices.Contains(withheld, c.key) {
		return ""
	}
	return c.label
}

func ofPseudonymized(c *count) string {
	if c.key != "pseudonymized" {
		return ""
	}
	return c.label
}

func (a *annotater) classification(n *notes, t *tally) {
	var names [16]string
	pseudonymized := labels(names[:0], t, ofPseudonymized)
	if len(pseudonymized) > 0 {
		n.text("note", pseudonymNote)
	}
	n.texts("pseudonymized_entities", pseudonymized)
	n.text("sensitivity", a.sensitivity().String())
	n.texts("withheld_entities", labels(names[:0], t, ofWithheld))
}

// labels appends the labels of some counts, sorted.
func labels(dst []string, t *tally, label func(*count) string) []string {
	var few [16]count
	for _, c := range some(t.counts, label, few[:0]) {
		dst = append(dst, c.label)
	}
	return dst
}

// sensitivity is that of the primitive; what has none counts as confidential.
func (a *annotater) sensitivity() mcplayer.Sensitivity {
	if spec := a.pass.info.Spec; spec != nil && spec.Sensitivity != 0 {
		return spec.Sensitivity
	}
	return mcplayer.Confidential
}

func (a *annotater) provenance(n *notes) {
	info := &a.pass.info
	if info.Spec != nil {
		n.text("category", info.Spec.Category)
	}
	if d, ok := a.to.get(seenDataset).(dataset); ok {
		n.text("dataset", d.name)
	}
	var at [32]byte
	now := a.begun.UTC().AppendFormat(at[:0], time.RFC3339) // faster than other layouts
	n.text("generated_at", string(append(now[:len(now)-len("Z")], "+00:00"...)))
	n.text("kind", info.Kind.String())
	n.text("name", info.Name)
	n.text("policy", a.policy)
	if info.Principal != nil {
		n.texts("principal_roles", info.Principal.Roles()) // sorted
	}
}

// hints returns what the protocol's annotations of content say: for whom, and how
// important from 0 to 1.
func (a *annotater) hints() *mcp.Annotations {
	h := &mcp.Annotations{Audience: []mcp.Role{"user", "assistant"}, Priority: a.priority()}
	if a.sensitivity() == mcplayer.Restricted {
		h.Audience = h.Audience[:1]
	}
	return h
}

func (a *annotater) priority() float64 {
	for _, c := range a.to.counts {
		if c.key == seenFinding && (c.label == "critical" || c.label == "high") {
			return 0.9
		}
	}
	switch a.sensitivity() {
	case mcplayer.Public:
		return 0.3
	case mcplayer.Internal:
		return 0.45
	case mcplayer.Restricted:
		return 0.75
	}
	return 0.6
}

// contentAnnotations appends the hints as a member of the report.
func (a *annotater) contentAnnotations(b []byte) jsontext.Value {
	audience := `{"audience":["user","assistant"],"priority":`
	if a.sensitivity() == mcplayer.Restricted {
		audience = `{"audience":["user"],"priority":`
	}
	b = append(b, audience...)
	return append(strconv.AppendFloat(b, a.priority(), 'g', -1, 64), '}')
}

// BlockAnnotations returns the hints for content blocks if an annotate step was asked
// to put them there. See [mcplayer.BlockAnnotator].
func (p *Pass) BlockAnnotations() *mcp.Annotations {
	if p.annotater == nil || !p.annotater.blocks {
		return nil
	}
	return p.annotater.hints()
}
