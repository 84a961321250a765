package pipeline

import (
	"context"
	"slices"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/internal/untrusted"
)

// settle does what a sanitize left to do until secrets are gone: a cut in front of
// them would show a part of one, and the places it tells hold names.
type settle struct{ *sanitize }

// pathsLabel is the member of the report that tells where suspicious texts stand.
const pathsLabel = "paths"

// Begin returns the step.
func (s *settle) Begin(_ context.Context, p *Pass) Step {
	step := room(p.out != nil && p.out.settler.settle == nil, func() *settler { return &p.out.settler })
	step.settle, step.counter = s, p.counter()
	return step
}

type settler struct {
	*settle
	counter
}

// Wants takes all kinds of values: also their names may be suspicious.
func (s *settler) Wants() jsondoc.Kind { return jsondoc.Any }

// Value makes settler a [Step]; the engine calls Do.
func (s *settler) Value(c *Cursor) error { return s.Do(c.v) }

// Fork returns a step for another part of the same document.
func (s *settler) Fork() jsondoc.Step { return &settler{s.settle, newCounter()} }

// Join adds what a fork did.
func (s *settler) Join(fork jsondoc.Step) {
	f := fork.(*settler)
	s.join(f.counter)
	s.tell(places(f.to)...)
}

// Do cuts a string and tells where it stands, if that was left to do.
func (s *settler) Do(v *jsondoc.Value) error {
	if v.Told() {
		s.tell(string(v.AppendShownPointer(nil)))
	}
	limit, option := v.Cut()
	if limit == 0 || v.Kind() != jsondoc.String {
		return nil
	}
	outside := func(at int) int { return before(v.Protected(), at) }
	if short, n := untrusted.CutOutside(string(v.Text()), limit, outside); n > 0 {
		s.to.add(untrustedKey, "truncated", 1)
		v.Because(option)
		v.SetTextString(short)
	}
	return nil
}

// before returns a place, or the start of what it would cut through.
func before(whole []jsondoc.Span, at int) int {
	for _, s := range whole {
		if s.Start < at && at < s.End {
			return s.Start
		}
	}
	return at
}

// tell adds places to the report, up to its limit.
func (s *settler) tell(more ...string) {
	told := places(s.to)
	more = more[:min(len(more), s.maxPaths-len(told))]
	if len(more) > 0 {
		s.to.setIn(untrustedKey, pathsLabel, append(slices.Clip(told), more...)) // others may have told as it was
	}
}

func places(t *tally) []string {
	told, _ := t.getIn(untrustedKey, pathsLabel).([]string)
	return told
}
