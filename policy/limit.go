package policy

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/glob"
)

// limit is a compiled [RateLimit].
type limit struct {
	id    string // the same in every process with the same document
	text  string // 2/minute
	scope string
	each  [2]bool // its buckets are apart for each principal, for each primitive
	rate  float64 // tokens in a second
	burst float64
	names *glob.List // nil: all
	kinds []mcplayer.Kind
}

// perSeconds are the seconds in what a rate is per.
var perSeconds = map[string]float64{"second": 1, "minute": 60, "hour": 3600, "day": 86400}

// scopes tell for what a limit keeps buckets apart: principals, primitives.
var scopes = map[string][2]bool{
	"principal":      {true, false},
	"tool":           {false, true},
	"principal_tool": {true, true},
	"global":         {false, false},
}

// limits compiles the limits of a rule, or of the policy.
func (c *compiler) limits(path, rule string, written []RateLimit) []limit {
	var all []limit
	if c.limited == nil {
		c.limited = map[string]int{}
	}
	for i := range written {
		l := c.limit(fmt.Sprintf("%s[%d]", path, i), &written[i])
		id := fmt.Sprintf("%s %s burst %s %s %q %v", rule, l.text, number(l.burst), l.scope, written[i].Tools, l.kinds)
		c.limited[id]++ // rules may share a name, too
		l.id = id
		if n := c.limited[id]; n > 1 {
			l.id += " #" + strconv.Itoa(n)
		}
		all = append(all, l)
	}
	return all
}

func (c *compiler) limit(path string, w *RateLimit) limit {
	per, scope := cmp.Or(w.Per, "minute"), cmp.Or(w.Scope, "principal_tool")
	seconds, known := perSeconds[per]
	if !known {
		c.fail(path, "is per %q; allowed are second, minute, hour, day", per)
	}
	each, known := scopes[scope]
	if !known {
		c.fail(path, "has the scope %q; allowed are principal, tool, principal_tool, global", scope)
	}
	if !(w.Rate/seconds > 0) || math.IsInf(w.Rate, 1) {
		c.fail(path, "has the rate %v; it must be positive", w.Rate)
	}
	burst := w.Burst
	if burst == 0 {
		burst = max(1, math.Ceil(w.Rate))
	}
	if !(burst >= 1) || math.IsInf(burst, 1) {
		c.fail(path, "has the burst %v; it must be 1 or more", w.Burst)
	}
	c.kinds(path+" kinds", w.Kinds, mcplayer.KindCompletion)
	return limit{
		text:  number(w.Rate) + "/" + per,
		scope: scope,
		each:  each,
		rate:  w.Rate / seconds,
		burst: burst,
		names: c.globs(path+" tools", w.Tools),
		kinds: w.Kinds,
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// counts reports whether calls of a kind for a primitive take a token.
func (l *limit) counts(spec *mcplayer.Spec, kind mcplayer.Kind) bool {
	return (l.kinds == nil || coversKind(l.kinds, kind)) && (l.names == nil || l.names.Match(spec.Name))
}

// limitsFor returns what limits calls of the primitive itself, and completions for it.
func (r *revision) limitsFor(q *inquiry) (calls, completions []*limit) {
	add := func(limits []limit) {
		for i := range limits {
			l := &limits[i]
			if l.counts(q.plan.spec, q.plan.spec.Kind) {
				calls = append(calls, l)
			}
			if l.counts(q.plan.spec, mcplayer.KindCompletion) {
				completions = append(completions, l)
			}
		}
	}
	add(r.limits)
	for _, i := range q.matched {
		add(r.rules[i].limits)
	}
	return calls, completions
}

// bucket returns the bucket of a call.
func (l *limit) bucket(info *mcplayer.CallInfo, primitive string) Bucket {
	b := Bucket{Limit: l.id, Rate: l.rate, Burst: l.burst}
	if l.each[0] {
		b.Principal = info.Principal.ID()
	}
	if l.each[1] {
		b.Primitive = primitive
	}
	return b
}
