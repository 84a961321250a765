package policy_test

import (
	"fmt"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// busyDocument has the size of a real one: lists, four roles, six rules, two limits.
func busyDocument(audit bool) *policy.Document {
	doc := &policy.Document{
		Name: "busy", Audit: &audit,
		Access:     policy.Access{DenyTools: []string{"drop_*", "*_raw"}, DenyCategories: []string{"live"}, DenyCapabilities: execCap | reveal, MaxSensitivity: mcplayer.Confidential},
		RateLimits: []policy.RateLimit{{Rate: 1e9, Per: "second"}, {Rate: 1e9, Per: "second", Scope: "principal", Tools: []string{"get_*"}}},
	}
	for _, role := range []string{"admin", "analyst", "lead", "collector"} {
		doc.Roles = append(doc.Roles, forRole(role, policy.Access{AllowTools: []string{"set_*"}, DenyTools: []string{"export_*"}}))
	}
	for i := range 6 {
		doc.Rules = append(doc.Rules, policy.Rule{Match: policy.Match{Names: []string{fmt.Sprintf("list_%d*", i)}}, Access: policy.Access{DenyTools: []string{"*"}}})
	}
	return doc
}

func BenchmarkDecideFromCache(b *testing.B) {
	p := put(b, busyDocument(false), nil)
	spec := toolSpec("get_asset")
	b.ReportAllocs()
	for b.Loop() {
		if !p.Decide(spec, analyst).Allowed {
			b.Fatal("denied")
		}
	}
}

func BenchmarkBindFromCache(b *testing.B) {
	p := put(b, busyDocument(false), nil)
	spec := toolSpec("get_asset")
	b.ReportAllocs()
	for b.Loop() {
		if !p.Bind(spec, analyst).Visible {
			b.Fatal("hidden")
		}
	}
}

// BenchmarkDecideCold asks about a primitive that nobody asked about before.
func BenchmarkDecideCold(b *testing.B) {
	p := put(b, busyDocument(false), nil)
	b.ReportAllocs()
	for b.Loop() {
		if !p.Decide(toolSpec("get_asset"), analyst).Allowed {
			b.Fatal("denied")
		}
	}
}

// BenchmarkDecideColdRole asks about a known primitive for roles that nobody had before.
func BenchmarkDecideColdRole(b *testing.B) {
	p := put(b, busyDocument(false), nil)
	spec := toolSpec("get_asset")
	who := make([]*mcplayer.Principal, 1<<16)
	for i := range who {
		who[i] = mcplayer.NewPrincipal("p", "analyst", fmt.Sprint(i))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if !p.Decide(spec, who[i%len(who)]).Allowed {
			b.Fatal("denied")
		}
	}
}

// BenchmarkCheck is a call with two limits and three arguments.
func BenchmarkCheck(b *testing.B) {
	for _, audit := range []bool{false, true} {
		b.Run(fmt.Sprintf("audit %v", audit), func(b *testing.B) {
			p := put(b, busyDocument(audit), nil)
			info := callOf(toolSpec("get_asset"), analyst, threeArguments)
			access := p.Bind(info.Spec, info.Principal)
			ctx := b.Context()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := access.Check(ctx, info); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

const threeArguments = `{"id":"a-1","limit":5,"filter":{"kind":"vm","region":"eu"}}`

func BenchmarkTake(b *testing.B) {
	s := newShop(b, 0)
	buckets := []policy.Bucket{{Limit: "a", Principal: "p", Rate: 1e9, Burst: 1e9}, {Limit: "b", Principal: "p", Primitive: "tool:x", Rate: 1e9, Burst: 1e9}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Take(b.Context(), s.now, buckets); err != nil {
			b.Fatal(err)
		}
	}
}
