package pipeline

import (
	"github.com/cloudg/mcplayer/pipeline/detect"
)

// outcome is what becomes of one entity, however it was found.
type outcome struct {
	strategy
	entity     string // that is counted
	category   string
	source     string // the detector or the rule
	confidence float64
	placed     marker // of a redaction
	hashed     marker // of a hash, also of one that stands for a pseudonym
}

func newOutcome(s *strategy, entity, category, source string, confidence float64) *outcome {
	return &outcome{
		strategy: *s, entity: entity, category: category, source: source, confidence: confidence,
		placed: newMarker(s.text, entity, "length"), hashed: newMarker(s.hash.text, entity, "digest"),
	}
}

// secret reports whether the entity beats all that it overlaps.
func (o *outcome) secret() bool { return o.category == detect.CategorySecret }

// strategies choose outcomes.
type strategies struct {
	reader    *strategyReader
	by        map[string]*strategy // by entity, detector, rule or category
	byDefault *strategy
}

// choose returns the outcome by the first of some names that there is a strategy
// for; nil if the value stays.
func (s *strategies) choose(entity, category, source string, confidence float64, names ...string) *outcome {
	for _, name := range names {
		if found := s.by[name]; found != nil {
			return s.outcome(found, entity, category, source, confidence)
		}
	}
	return nil
}

func (s *strategies) outcome(found *strategy, entity, category, source string, confidence float64) *outcome {
	if found = s.reader.allowed(found, category); found.action == doKeep {
		return nil
	}
	return newOutcome(found, entity, category, source, confidence)
}

// ofDetector chooses for what a detector finds.
func (s *strategies) ofDetector(d *detect.Detector, entity string) *outcome {
	names := append(append([]string{entity}, detect.Parents(entity)...), d.Name, d.Category)
	for _, name := range names {
		if s.by[name] != nil {
			return s.choose(entity, d.Category, d.Name, d.Confidence, name)
		}
	}
	if s.byDefault == nil {
		return nil
	}
	return s.outcome(s.byDefault, entity, d.Category, d.Name, d.Confidence)
}

// keyConfidence is how sure the name of a member is.
const keyConfidence = 0.9

// ofRule chooses for what a key rule finds.
func (s *strategies) ofRule(r *detect.KeyRule, entity string) *outcome {
	names := append([]string{entity}, detect.Parents(entity)...)
	if r.ByShape {
		names = []string{entity, "cloud_account", "aws_account_id"}
	}
	return s.choose(entity, r.Category, r.Name, keyConfidence, append(names, r.Name, r.Category)...)
}

// Sources of what stands in tags.
const (
	tagSource    = "tags"
	entityPerson = "person"
	entityTag    = "tag_value"
)

func (s *strategies) ofPerson() *outcome {
	return s.choose(entityPerson, detect.CategoryPII, tagSource, keyConfidence, entityPerson, detect.CategoryPII)
}

func (s *strategies) ofTag() *outcome {
	const category = "free_text"
	return s.choose(entityTag, category, tagSource, keyConfidence, entityTag, category)
}
