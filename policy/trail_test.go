package policy_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var trailKey = []byte("a key of the test")

// hashOf is what the trail keeps of a value in canonical form.
func hashOf(canonical string) string {
	mac := hmac.New(sha256.New, trailKey)
	mac.Write([]byte(canonical))
	return hex.EncodeToString(mac.Sum(nil))[:12]
}

func callOf(spec *mcplayer.Spec, who *mcplayer.Principal, args string) mcplayer.CallInfo {
	return mcplayer.CallInfo{Kind: callKind(spec), Name: spec.Name, Spec: spec, Principal: who, Arguments: jsontext.Value(args)}
}

// outcomes tells decisions and names of what the trail holds.
func outcomes(p *policy.Policy, f policy.EntryFilter) string {
	var all []string
	for _, e := range p.Entries(f) {
		all = append(all, string(e.Decision)+" "+e.Name)
	}
	return strings.Join(all, ", ")
}

func TestTrail(t *testing.T) {
	hide := false
	for _, audit := range []bool{false, true} {
		t.Run(fmt.Sprintf("audit %v", audit), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				book := &logbook{}
				doc := &policy.Document{
					Name: "p", HideDenied: &hide, Audit: &audit, Access: policy.Access{DenyTools: []string{"bad"}},
					RateLimits: []policy.RateLimit{{Rate: 1, Tools: []string{"slow"}}},
				}
				p := put(t, doc, &policy.Options{Logger: book.Logger(), HashKey: trailKey})
				who := mcplayer.NewPrincipal("ann", "b", "a")
				begin := time.Now()
				args := `{"b" : 1.50,"a":{"y":[1, 12345678901234567890],"x":"é"}}`
				sums := map[string]string{"a": hashOf(`{"x":"é","y":[1,12345678901234567890]}`), "b": hashOf("1.5")}

				visit(t, p, callOf(toolSpec("good"), who, args))
				time.Sleep(time.Second)
				visit(t, p, callOf(toolSpec("bad"), who, args))
				visit(t, p, callOf(toolSpec("slow"), who, `{}`))
				visit(t, p, callOf(toolSpec("slow"), who, args))
				p.NotFound(t.Context(), mcplayer.CallInfo{Kind: mcplayer.KindTool, Name: "none", Principal: who, Arguments: jsontext.Value(args)})
				p.NotFound(t.Context(), callOf(toolSpec("bad"), who, ""))
				ticket, _ := ticketOf(t, p, callOf(toolSpec("rejected"), who, args))
				ticket.Reject("Arguments appear to contain secrets (password)")
				ticket.Reject("again")
				visit(t, p, callOf(able("show", reveal), who, args))

				entry := func(after time.Duration, d policy.Outcome, name, reason string, sums map[string]string) policy.Entry {
					return policy.Entry{Time: begin.Add(after), Decision: d, Kind: mcplayer.KindTool, Name: name, Principal: "ann", Roles: []string{"a", "b"}, Arguments: sums, Reason: reason}
				}
				audited := sums
				if !audit {
					audited = nil
				}
				want := []policy.Entry{
					entry(0, policy.OutcomeAllowed, "good", "", audited),
					entry(time.Second, policy.OutcomeDenied, "bad", "tool denied by policy 'p'", sums),
					entry(time.Second, policy.OutcomeAllowed, "slow", "", nil),
					entry(time.Second, policy.OutcomeRateLimited, "slow", "rate limit 1/minute", sums),
					entry(time.Second, policy.OutcomeNotFound, "none", "unknown", nil),
					entry(time.Second, policy.OutcomeNotFound, "bad", "hidden", nil),
					entry(time.Second, policy.OutcomeRejected, "rejected", "Arguments appear to contain secrets (password)", sums),
					entry(time.Second, policy.OutcomeAllowed, "show", "", sums),
				}
				got := p.Entries(policy.EntryFilter{})
				if !slices.EqualFunc(got, want, sameEntry) {
					t.Errorf("the trail is\n%+v, want\n%+v", got, want)
				}
				if got, want := p.Counters(), (policy.Counters{Allowed: 3, Denied: 1, RateLimited: 1, Rejected: 1, Hidden: 2, Reveal: 1}); got != want {
					t.Errorf("counted %+v, want %+v", got, want)
				}
				checkLog(t, book.Take(), want, audit)
			})
		})
	}
}

func TestARejectedCallRevealsNothing(t *testing.T) {
	p := put(t, &policy.Document{}, nil)
	ticket, err := ticketOf(t, p, callOf(able("show", reveal), anyone, `{}`))
	if err != nil {
		t.Fatal(err)
	}
	ticket.Reject("no")
	if got, want := p.Counters(), (policy.Counters{Rejected: 1}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

func sameEntry(a, b policy.Entry) bool {
	return a.Time.Equal(b.Time) && a.Decision == b.Decision && a.Kind == b.Kind && a.Name == b.Name && a.Principal == b.Principal &&
		slices.Equal(a.Roles, b.Roles) && maps.Equal(a.Arguments, b.Arguments) && a.Reason == b.Reason
}

// checkLog holds the lines against entries: what is not allowed is logged, what reveals
// as a warning, the rest with audit.
func checkLog(t *testing.T, lines []string, entries []policy.Entry, audit bool) {
	t.Helper()
	var want []string
	for _, e := range entries {
		if e.Decision == policy.OutcomeRejected && audit { // it was logged as allowed, too
			was := e
			was.Decision, was.Reason = policy.OutcomeAllowed, ""
			want = append(want, lineOf("INFO", was))
		}
		switch {
		case e.Name == "show":
			want = append(want, lineOf("WARN", e))
		case audit || e.Decision != policy.OutcomeAllowed:
			want = append(want, lineOf("INFO", e))
		}
	}
	same(t, strings.Join(lines, "\n"), strings.Join(want, "\n"))
}

func lineOf(level string, e policy.Entry) string {
	roles, _ := json.Marshal(e.Roles)
	line := fmt.Sprintf(`{"level":"%s","msg":"policy decision","logger":"cloudg.mcp.policy","decision":"%s","kind":"%s","name":"%s","principal":"%s","roles":%s`,
		level, e.Decision, e.Kind, e.Name, e.Principal, roles)
	if e.Arguments != nil {
		sums, _ := json.Marshal(e.Arguments)
		line += `,"arguments":` + string(sums)
	}
	if e.Reason != "" {
		line += `,"reason":"` + e.Reason + `"`
	}
	return line + "}"
}

func TestEntryAsJSON(t *testing.T) {
	doc, err := json.Marshal(policy.Entry{
		Time: time.Date(2026, 10, 8, 15, 15, 37, 0, time.UTC), Decision: policy.OutcomeDenied, Kind: mcplayer.KindTool, Name: "x",
		Principal: "p", Roles: []string{"a"}, Arguments: map[string]string{"id": "0123456789ab"}, Reason: "r",
	})
	if err != nil {
		t.Fatal(err)
	}
	same(t, string(doc), `{"ts":"2026-10-08T15:15:37Z","decision":"denied","kind":"tool","name":"x","principal":"p","roles":["a"],"arguments":{"id":"0123456789ab"},"reason":"r"}`)
}

func TestRings(t *testing.T) {
	p := put(t, &policy.Document{AuditSize: new(3)}, nil)
	for i := range 5 {
		visit(t, p, callOf(toolSpec(fmt.Sprint("t", i)), anyone, ""))
	}
	same(t, outcomes(p, policy.EntryFilter{}), "allowed t2, allowed t3, allowed t4")
	for i := range 100 {
		p.NotFound(t.Context(), mcplayer.CallInfo{Kind: mcplayer.KindTool, Name: fmt.Sprint("n", i), Principal: anyone})
	}
	same(t, outcomes(p, policy.EntryFilter{}), "allowed t2, allowed t3, allowed t4, not_found n97, not_found n98, not_found n99")
	visit(t, p, callOf(toolSpec("t5"), admin, ""))
	for _, tt := range []struct {
		name   string
		filter policy.EntryFilter
		want   string
	}{
		{"decision", policy.EntryFilter{Decision: policy.OutcomeAllowed}, "allowed t3, allowed t4, allowed t5"},
		{"name", policy.EntryFilter{Name: "t4"}, "allowed t4"},
		{"principal", policy.EntryFilter{Principal: "root"}, "allowed t5"},
		{"kind", policy.EntryFilter{Kind: mcplayer.KindPrompt}, ""},
		{"the newest", policy.EntryFilter{Limit: 2}, "not_found n99, allowed t5"},
		{"since", policy.EntryFilter{Since: time.Now().Add(time.Hour)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) { same(t, outcomes(p, tt.filter), tt.want) })
	}
	for _, tt := range []struct {
		size int
		want string
	}{
		{5, "allowed t3, not_found n97, not_found n98, not_found n99, allowed t4"},
		{1, "not_found n99, allowed t5"},
		{0, ""},
	} {
		if err := p.Reload(&policy.Document{AuditSize: &tt.size}); err != nil {
			t.Fatal(err)
		}
		if tt.size == 5 {
			visit(t, p, callOf(toolSpec("t6"), anyone, ""))
			visit(t, p, callOf(toolSpec("t7"), anyone, ""))
			visit(t, p, callOf(toolSpec("t8"), anyone, ""))
			same(t, outcomes(p, policy.EntryFilter{Decision: policy.OutcomeAllowed}), "allowed t4, allowed t5, allowed t6, allowed t7, allowed t8")
			continue
		}
		if tt.size == 1 {
			tt.want = "not_found n99, allowed t8"
		}
		same(t, outcomes(p, policy.EntryFilter{}), tt.want)
	}
}

// With a ring of size 0 nothing is kept, but counted and logged.
func TestNoRing(t *testing.T) {
	book := &logbook{}
	p := put(t, &policy.Document{AuditSize: new(0)}, &policy.Options{Logger: book.Logger()})
	ticket, _ := ticketOf(t, p, callOf(toolSpec("x"), anyone, "{}"))
	ticket.Reject("no")
	if lines := book.Take(); len(lines) != 1 || !strings.Contains(lines[0], `"rejected"`) {
		t.Errorf("logged %s", lines)
	}
	if c := p.Counters(); c.Rejected != 1 || c.Allowed != 0 || len(p.Entries(policy.EntryFilter{})) != 0 {
		t.Errorf("counted %+v, kept %s", c, outcomes(p, policy.EntryFilter{}))
	}
}

func TestArgumentsOfTheTrail(t *testing.T) {
	long := strings.Repeat("n", 100)
	for _, tt := range []struct {
		name, args string
		want       map[string]string
	}{
		{"none", ``, nil},
		{"empty", ` {} `, nil},
		{"no object", `[1]`, nil},
		{"no JSON", `{"a":`, nil},
		{"order and space do not matter", `{"a": {"y":1, "x":[true , null]}}`, map[string]string{"a": hashOf(`{"x":[true,null],"y":1}`)}},
		{"spellings of a text", `{"a":"\u0041\/"}`, map[string]string{"a": hashOf(`"A/"`)}},
		{"spellings of a name", `{"\u0061":1}`, map[string]string{"a": hashOf(`1`)}},
		{"a large integer", `{"a":9007199254740993}`, map[string]string{"a": hashOf(`9007199254740993`)}},
		{"brackets and quotes in texts", `{"a":"}],\\\"{","b\"}:":"\\\\","c":[{"x":"]"},[]]}`, map[string]string{"a": hashOf(`"}],\\\"{"`), `b"}:`: hashOf(`"\\\\"`), "c": hashOf(`[{"x":"]"},[]]`)}},
		{"not plain", `{"a":-0,"b":1e2,"c":"\u007f","d":[ ]}`, map[string]string{"a": hashOf(`0`), "b": hashOf(`100`), "c": hashOf("\"\u007f\""), "d": hashOf(`[]`)}},
		{"no text", `{a:1}`, nil},
		{"more follows", `{"a":1} {}`, nil},
		{"a bad name", `{"\x":1}`, nil},
		{"a bad value", `{"a":tru}`, nil},
		{"a long name", `{"` + long + `":1}`, map[string]string{long[:61] + "…": hashOf(`1`)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := put(t, &policy.Document{Audit: new(true)}, &policy.Options{HashKey: trailKey})
			visit(t, p, callOf(toolSpec("x"), anyone, tt.args))
			if got := p.Entries(policy.EntryFilter{})[0].Arguments; !maps.Equal(got, tt.want) {
				t.Errorf("recorded %v, want %v", got, tt.want)
			}
		})
	}
}

func TestTheTrailIsBounded(t *testing.T) {
	var args strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&args, `,"a%d":1`, i)
	}
	p := put(t, &policy.Document{Audit: new(true)}, nil)
	visit(t, p, callOf(toolSpec("x"), anyone, "{"+args.String()[1:]+"}"))
	p.NotFound(t.Context(), mcplayer.CallInfo{Kind: mcplayer.KindTool, Name: strings.Repeat("é", 10_000), Principal: anyone})
	entries := p.Entries(policy.EntryFilter{})
	if got := len(entries[0].Arguments); got != 64 {
		t.Errorf("%d arguments, want 64", got)
	}
	if got := entries[1].Name; len(got) > 1024 || !strings.HasSuffix(got, "é…") {
		t.Errorf("a name of %d bytes, which ends in %q", len(got), got[len(got)-5:])
	}
}

// Names of arguments are cut; those that begin alike count as one.
func TestTheTrailCutsNamesOfArguments(t *testing.T) {
	p := put(t, &policy.Document{Audit: new(true)}, nil)
	long := strings.Repeat("a ", 40)
	visit(t, p, callOf(toolSpec("x"), anyone, `{"`+long+`1":1,"`+long+`2":2,"b":3}`))
	arguments := p.Entries(policy.EntryFilter{})[0].Arguments
	if _, kept := arguments[long[:61]+"…"]; !kept || len(arguments) != 2 {
		t.Errorf("got %v", arguments)
	}
}

// Names that nobody registered may hold secrets.
func TestNamesWithoutSecrets(t *testing.T) {
	const secret = "AKIAIOSFODNN7EXAMPLE"
	p := put(t, &policy.Document{Audit: new(true)}, nil)
	template := specOf(mcplayer.KindResourceTemplate, "docs://{x}")
	info := callOf(template, anyone, `{"x":1,"`+secret+`":2,"password=hunter2hunter2":3,"token":4}`)
	info.Name = "docs://" + secret
	visit(t, p, info)
	p.NotFound(t.Context(), mcplayer.CallInfo{Kind: mcplayer.KindTool, Name: "get_" + secret, Principal: anyone})
	p.NotFound(t.Context(), mcplayer.CallInfo{Kind: mcplayer.KindResource, Name: "x://u:hunter2hunter2@h/" + secret, Principal: anyone})
	p.NotFound(t.Context(), callOf(toolSpec("registered"), anyone, ""))
	visit(t, p, callOf(toolSpec("password=registered12"), anyone, ""))
	for i, e := range p.Entries(policy.EntryFilter{}) {
		if doc, _ := json.Marshal(e); strings.Contains(string(doc), secret) || strings.Contains(string(doc), "hunter2") {
			t.Errorf("entry %d is %s", i, doc)
		}
		for name := range e.Arguments {
			if len(e.Arguments) != 4 || name != "x" && name != "token" && !strings.Contains(name, "REDACTED") {
				t.Errorf("recorded the arguments %v", e.Arguments)
			}
		}
	}
	same(t, outcomes(p, policy.EntryFilter{Kind: mcplayer.KindTool, Decision: policy.OutcomeAllowed}), "allowed password=registered12")
}

func TestHashesNeedTheKey(t *testing.T) {
	sum := func(o *policy.Options) string {
		p := put(t, &policy.Document{Audit: new(true)}, o)
		visit(t, p, callOf(toolSpec("x"), anyone, `{"a":1}`))
		return p.Entries(policy.EntryFilter{})[0].Arguments["a"]
	}
	if a, b := sum(&policy.Options{HashKey: []byte("1")}), sum(&policy.Options{HashKey: []byte("2")}); a == b {
		t.Error("two keys give one hash")
	}
	if a, b := sum(nil), sum(nil); a == b || len(a) != 12 {
		t.Errorf("without a key two policies give %s and %s", a, b)
	}
}

func TestTheTrailIsSafeForConcurrentUse(t *testing.T) {
	p := put(t, &policy.Document{Audit: new(true), AuditSize: new(50)}, nil)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 100 {
				ticket, _ := ticketOf(t, p, callOf(toolSpec("x"), anyone, `{"a":1,"b":[2]}`))
				if i%2 == 0 {
					ticket.Reject("no")
				}
				p.Entries(policy.EntryFilter{Limit: 5})
			}
		})
	}
	wg.Wait()
	if c := p.Counters(); c.Allowed != 400 || c.Rejected != 400 {
		t.Errorf("counted %+v", c)
	}
}

// What is JSON has the names that a decoder reads; what is not harms nobody.
func FuzzArguments(f *testing.F) {
	for _, doc := range []string{`{}`, `{"a":1}`, ` { "a" : "b\"}" , "c" : [ { } , "]" ] } `, `{"a":`, `{"\u0041\\":{"":"\\"}}`} {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		p := put(t, &policy.Document{Audit: new(true)}, nil)
		visit(t, p, callOf(toolSpec("x"), anyone, doc))
		recorded := p.Entries(policy.EntryFilter{})[0].Arguments
		var members map[string]jsontext.Value
		if jsontext.Value(doc).Kind() != '{' || !jsontext.Value(doc).IsValid() || json2.Unmarshal([]byte(doc), &members) != nil {
			return
		}
		if len(recorded) > len(members) || len(members) <= 64 && recorded == nil && len(members) > 0 {
			t.Fatalf("recorded %v of %s", recorded, doc)
		}
		for name := range members {
			if len(members) <= 64 && len(name) <= 64 && recorded[name] == "" && !strings.Contains(fmt.Sprint(recorded), "REDACTED") {
				t.Fatalf("recorded %v of %s", recorded, doc)
			}
		}
	})
}
