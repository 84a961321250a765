package policy_test

import (
	"testing"
	"testing/synctest"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// What a rule's condition matches is the template, whatever is read through it; denials
// see the concrete URI.
func TestMatchNamesNeverSeesConcreteURIs(t *testing.T) {
	template := specOf(mcplayer.KindResourceTemplate, "x://{id}")
	read := func(uri string) mcplayer.CallInfo {
		return mcplayer.CallInfo{Kind: mcplayer.KindResource, Name: uri, Spec: template, Principal: anyone}
	}
	for _, tt := range []struct {
		name    string
		names   []string
		access  policy.Access
		secret  string // how reading x://secret ends, after a read of x://another
		another string // and how another read of that ends
	}{
		{"the concrete URI", []string{"x://secret"}, policy.Access{DenyCategories: []string{"general"}}, "", ""},
		{"the template", []string{"x://{id}"}, policy.Access{}, "1/minute", "1/minute"},
		{"a denial of the concrete URI", nil, policy.Access{DenyResources: []string{"x://secret"}}, "resource denied by rule 'r'", "1/minute"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hide := false
				p := put(t, &policy.Document{HideDenied: &hide, Rules: []policy.Rule{{
					Name: "r", Match: policy.Match{Names: tt.names}, Access: tt.access, RateLimits: []policy.RateLimit{{Rate: 1}},
				}}}, nil)
				visit(t, p, read("x://another"))
				for uri, want := range map[string]string{"x://secret": tt.secret, "x://another": tt.another} {
					_, err := ticketOf(t, p, read(uri))
					same(t, refusalOf(err), want)
				}
			})
		})
	}
}

// refusalOf returns the limit or the reason of a refusal.
func refusalOf(err error) string {
	if err == nil {
		return ""
	}
	data := err.(*mcplayer.Error).Data.(map[string]any)
	if limit, ok := data["limit"].(string); ok {
		return limit
	}
	reason, _ := data["reason"].(string)
	return reason
}

// A limit that a new document changes is another limit, whose buckets are full.
func TestAChangedRateStartsANewBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		with := func(rate float64) *policy.Document {
			return &policy.Document{RateLimits: []policy.RateLimit{{Rate: rate, Per: "hour", Burst: 1}}}
		}
		p := put(t, with(1), nil)
		spec := toolSpec("x")
		visit(t, p, callOf(spec, anyone, ""))
		same(t, refusalOf(check(t, p, spec, anyone)), "1/hour")
		for _, step := range []struct {
			rate float64
			want string
		}{
			{2, ""}, // a new bucket
			{2, "2/hour"},
			{1, "1/hour"}, // the old one is still there
		} {
			if err := p.Reload(with(step.rate)); err != nil {
				t.Fatal(err)
			}
			same(t, refusalOf(check(t, p, spec, anyone)), step.want)
		}
	})
}

// Buckets live in the process: two policies of one document allow twice the rate, unless
// they share a store.
func TestBucketsLiveInTheProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		doc := &policy.Document{RateLimits: []policy.RateLimit{{Rate: 1, Scope: "global"}}}
		spec := toolSpec("x")
		a, b := put(t, doc, nil), put(t, doc, nil)
		for _, p := range []*policy.Policy{a, b} {
			same(t, refusalOf(check(t, p, spec, anyone)), "")
			same(t, refusalOf(check(t, p, spec, anyone)), "1/minute")
		}
		store, err := policy.NewMemoryStore(nil)
		if err != nil {
			t.Fatal(err)
		}
		a, b = put(t, doc, &policy.Options{Store: store}), put(t, doc, &policy.Options{Store: store})
		same(t, refusalOf(check(t, a, spec, anyone)), "")
		same(t, refusalOf(check(t, b, spec, anyone)), "1/minute")
	})
}
