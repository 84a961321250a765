package detect

// RuleSet opens the set of rules to tests.
type RuleSet = ruleSet

var NewRuleSet = newRuleSet

func (s *ruleSet) Append(dst []Finding, text []byte) []Finding { return s.append(dst, text) }

// Everywhere counts the rules that have no hints to wait for; Windowed those that run
// only around their hints.
func (s *ruleSet) Everywhere() int { return len(s.always) }

func (s *ruleSet) Windowed() (n int) {
	for _, r := range s.rules {
		if r.window.before >= 0 && len(r.hints) > 0 {
			n++
		}
	}
	return n
}

// Hints returns what a rule waits for.
func (s *ruleSet) Hints(rule int) []string { return s.rules[rule].hints }
