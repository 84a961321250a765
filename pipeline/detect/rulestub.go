package detect

// This file holds the place of the declarative rules.

// Rule is a declarative detector.
type Rule struct{ Name string }

// VendorRules returns no rules yet.
func VendorRules() []Rule { return nil }

func withVendorRules(custom []Rule, _ []string) []Rule { return custom }

type ruleSet struct{}

func newRuleSet([]Rule, func(*Detector, string) bool, float64) (*ruleSet, error) { return nil, nil }

func (s *ruleSet) append(dst []Finding, _ []byte) []Finding { return dst }
