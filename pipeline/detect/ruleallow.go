package detect

import (
	"fmt"
	"regexp"

	"github.com/cloudg/mcplayer/internal/automaton"
)

// allow is an [Allow] that is ready to run.
type allow struct {
	regexes   []*regexp.Regexp
	stopWords *automaton.Keywords // nil: none
	target    string
	all       bool
}

const (
	targetSecret = "secret"
	targetMatch  = "match"
	targetLine   = "line"
)

func (c *ruleCompiler) allows() []allow {
	var list []allow
	for i := range c.from.Allow {
		list = append(list, c.allow(fmt.Sprintf("allow[%d]", i), &c.from.Allow[i]))
	}
	return list
}

func (c *ruleCompiler) allow(field string, from *Allow) allow {
	a := allow{target: from.Target, all: from.All}
	switch from.Target {
	case "", targetSecret, targetMatch, targetLine:
	default:
		c.fail(field+".target", "%q: must be secret, match or line", from.Target)
	}
	if len(from.Regexes)+len(from.StopWords) == 0 {
		c.fail(field, "must list regexes or stop_words")
	}
	for i, text := range from.Regexes {
		re, err := regexp.Compile(text)
		if err != nil {
			c.fail(fmt.Sprintf("%s.regexes[%d]", field, i), "%w", err)
			continue
		}
		a.regexes = append(a.regexes, re)
	}
	for i, word := range from.StopWords {
		if word == "" {
			c.fail(fmt.Sprintf("%s.stop_words[%d]", field, i), "must not be empty")
		}
	}
	if len(from.StopWords) > 0 {
		a.stopWords = automaton.NewKeywords(from.StopWords)
	}
	return a
}

func (a *allow) regexMatches(target []byte) bool {
	for _, re := range a.regexes {
		if re.Match(target) {
			return true
		}
	}
	return false
}

func (a *allow) holdsStopWord(value []byte) bool {
	if a.stopWords == nil {
		return false
	}
	words, _, _ := a.stopWords.Next(value, 0, 0)
	return words != nil
}
