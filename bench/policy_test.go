package bench_test

import (
	"testing"

	"github.com/cedar-policy/cedar-go"
)

func TestPoliciesAgree(t *testing.T) {
	all := questions()
	ours, theirs, enforcer := loadPolicy(t), newCedar(t, all), newCasbin(t, all, false)
	allowed := 0
	for _, q := range all {
		decision := ours.Decide(q.spec, q.who)
		if decision.Allowed {
			allowed++
		}
		if got := theirs.allows(theirs.request(q)); got != decision.Allowed {
			t.Errorf("cedar says %v of %v and %v; we: %+v", got, q.who.Roles(), q.spec, decision)
		}
		got, err := enforcer.Enforce(q.who.ID(), newCasbinTool(q.spec))
		if err != nil || got != decision.Allowed {
			t.Errorf("casbin says %v, %v of %v and %v; we: %+v", got, err, q.who.Roles(), q.spec, decision)
		}
	}
	if len(all) != 1800 || allowed != 422 {
		t.Errorf("%d of %d are allowed", allowed, len(all))
	}
}

// BenchmarkPolicy asks all questions by turns; the time is that of one.
func BenchmarkPolicy(b *testing.B) {
	all := questions()
	b.Run("ours", func(b *testing.B) { benchmarkOurs(b, all) })
	b.Run("ours, cold", func(b *testing.B) { benchmarkCold(b, all) })
	b.Run("cedar", func(b *testing.B) { benchmarkCedar(b, all) })
	b.Run("casbin", func(b *testing.B) { benchmarkCasbin(b, all, false) })
	b.Run("casbin, cached", func(b *testing.B) { benchmarkCasbin(b, all, true) })
}

func benchmarkOurs(b *testing.B, all []question) {
	p := loadPolicy(b)
	for _, q := range all {
		p.Decide(q.spec, q.who)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		q := &all[i%len(all)]
		p.Decide(q.spec, q.who)
	}
}

// benchmarkCold asks about tools that nobody asked about before: specs are known by
// their addresses.
func benchmarkCold(b *testing.B, all []question) {
	p := loadPolicy(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		q := &all[i%len(all)]
		spec := *q.spec
		p.Decide(&spec, q.who)
	}
}

func benchmarkCedar(b *testing.B, all []question) {
	e := newCedar(b, all)
	requests := make([]cedar.Request, len(all))
	for i, q := range all {
		requests[i] = e.request(q)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		e.allows(requests[i%len(requests)])
	}
}

func benchmarkCasbin(b *testing.B, all []question, cached bool) {
	e := newCasbin(b, all, cached)
	asked := make([][]any, len(all))
	for i, q := range all {
		asked[i] = []any{q.who.ID(), newCasbinTool(q.spec)}
		if _, err := e.Enforce(asked[i]...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := e.Enforce(asked[i%len(asked)]...); err != nil {
			b.Fatal(err)
		}
	}
}
