package policy

import (
	"cmp"
	"slices"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// detectorList is what list_detectors says.
type detectorList struct {
	Detectors []detectorEntry `json:"detectors"`
	KeyRules  []keyRuleEntry  `json:"key_rules"`
}

// detectorEntry is a detector, without its pattern.
type detectorEntry struct {
	Name       string   `json:"detector"`
	Entities   []string `json:"entities"`
	Category   string   `json:"category"`
	Confidence float64  `json:"confidence,omitempty"`
	Custom     bool     `json:"custom,omitempty"`   // of the policy
	Optional   bool     `json:"optional,omitempty"` // it runs only where a strategy names what it finds
	Disabled   bool     `json:"disabled,omitempty"`
}

// keyRuleEntry is a rule about names of members.
type keyRuleEntry struct {
	Name     string `json:"rule"`
	Entity   string `json:"entity"`
	Category string `json:"category"`
}

// detectors lists what the document in force looks for: its own detectors first.
func (p *Policy) detectors() detectorList {
	doc := p.current.Load().doc
	var list detectorList
	for _, d := range doc.Detectors {
		list.Detectors = append(list.Detectors, customEntry(d))
	}
	for _, d := range detect.Detectors() {
		entities := d.Entities
		if len(entities) == 0 {
			entities = []string{d.Entity}
		}
		list.Detectors = append(list.Detectors, detectorEntry{Name: d.Name, Entities: entities, Category: d.Category, Confidence: d.Confidence, Optional: d.Optional})
	}
	for _, r := range slices.Concat(detect.VendorRules(), p.shared.build.Rules()) {
		list.Detectors = append(list.Detectors, ruleEntry(r))
	}
	for i := range list.Detectors {
		d := &list.Detectors[i]
		d.Disabled = d.Disabled || slices.Contains(doc.DisabledDetectors, d.Name)
	}
	for _, r := range detect.BuiltinKeyRules() {
		list.KeyRules = append(list.KeyRules, keyRuleEntry{r.Name, r.Entity, r.Category})
	}
	return list
}

// ruleEntry is a declarative rule: of a vendor's token, or of the host's builder.
func ruleEntry(r detect.Rule) detectorEntry {
	return detectorEntry{Name: r.Name, Entities: []string{cmp.Or(r.Entity, r.Name)}, Category: cmp.Or(r.Category, "custom"), Confidence: cmp.Or(r.Confidence, detect.DefaultConfidence)}
}

func customEntry(d map[string]any) detectorEntry {
	text := func(key string) string {
		n := nodeOf(d[key])
		return n.text
	}
	e := detectorEntry{Name: text("name"), Category: text("category"), Custom: true, Disabled: d["enabled"] == false}
	if entity := text("entity"); entity != "" {
		e.Entities = []string{entity}
	} else {
		e.Entities = []string{e.Name}
	}
	return e
}
