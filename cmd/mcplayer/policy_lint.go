package main

import (
	"slices"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// lintBadHint is a hint of a primitive that the document does not take.
const lintBadHint = "bad-hint"

func policyLint() command {
	c := command{
		name:    "policy lint",
		usage:   "SOURCE [-specs FILE] [-json]",
		summary: "look through a policy for what is probably not meant",
		details: "It exits with 1 if it finds something. Without specs it leaves out what depends on\nthe primitives of a server. That a server does not have what a built-in profile names is\nno finding.\n\n" + sourceHelp + "\n\n" + specsHelp,
	}
	c.run = func(args []string, std streams) int {
		m := newMatter(c, std)
		if _, code, ok := m.load(args, 0, 0, noNames{}); !ok {
			return code
		}
		found, err := policy.Lint(m.doc, m.specs)
		if err != nil {
			return m.failed(err)
		}
		found = append(slices.DeleteFunc(found, unused), badHints(m.policy, m.specs)...)
		if m.json {
			printJSON(std.out, lintReport{findingsOf(found)})
		} else {
			printFindings(found, m.specs != nil, std)
		}
		return exitCode(len(found) == 0)
	}
	return c
}

// unused reports whether a finding tells that a server has not all that a built-in profile
// provides for. The author of the document can do nothing about it.
func unused(f policy.Finding) bool {
	ids := []string{policy.LintMatchesNothing, policy.LintNeverMatches, policy.LintUnreachable}
	return strings.HasPrefix(f.File, "profile ") && slices.Contains(ids, f.ID)
}

// badHints returns the primitives that the policy would not serve.
func badHints(p *policy.Policy, specs []*mcplayer.Spec) (found []policy.Finding) {
	for _, spec := range specs {
		if err := p.Admit(spec); err != nil {
			found = append(found, policy.Finding{ID: lintBadHint, Message: spec.Kind.String() + " '" + spec.Name + "': " + err.Error()})
		}
	}
	return found
}

func printFindings(found []policy.Finding, withSpecs bool, std streams) {
	for _, f := range found {
		say(std.out, "%v", f)
	}
	if len(found) == 0 {
		say(std.out, "ok")
	}
	if !withSpecs {
		say(std.out, "not looked at: what depends on the primitives of a server (-specs)")
	}
}

type lintReport struct {
	Findings []finding `json:"findings"`
}

type finding struct {
	ID      string `json:"id"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
}

func findingsOf(found []policy.Finding) []finding {
	list := []finding{}
	for _, f := range found {
		list = append(list, finding(f))
	}
	return list
}
