package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

const (
	readState   = mcplayer.ReadState
	writeState  = mcplayer.WriteState
	writeFS     = mcplayer.WriteFS
	cloudAccess = mcplayer.CloudAccess
	execCap     = mcplayer.Exec
	reveal      = mcplayer.Reveal
)

// verdict is the reason of a decision, "allowed" if there is none.
func verdict(d policy.Decision) string {
	if d.Allowed {
		return "allowed"
	}
	return d.Reason
}

// question is one decision of a table.
type question struct {
	name string
	spec *mcplayer.Spec
	who  *mcplayer.Principal
	want string
}

func ask(t *testing.T, doc *policy.Document, questions []question) {
	t.Helper()
	p := put(t, doc, nil)
	for _, q := range questions {
		t.Run(q.name, func(t *testing.T) {
			same(t, verdict(p.Decide(q.spec, q.who)), q.want)
			e := p.Explain(q.spec, q.who)
			same(t, verdict(e.Decision), q.want)
			if visible := p.Bind(q.spec, q.who).Visible; visible != (q.want == "allowed") {
				t.Errorf("visible: %v", visible)
			}
		})
	}
}

var (
	nobody  = mcplayer.NewPrincipal("nobody")
	anyone  = mcplayer.NewPrincipal("anyone", "default")
	admin   = mcplayer.NewPrincipal("root", "admin")
	analyst = mcplayer.NewPrincipal("ann", "analyst")
	both    = mcplayer.NewPrincipal("bo", "admin", "analyst")
)

func with(spec *mcplayer.Spec, change func(*mcplayer.Spec)) *mcplayer.Spec {
	change(spec)
	return spec
}

func tagged(name string, tags ...string) *mcplayer.Spec {
	return with(toolSpec(name), func(s *mcplayer.Spec) { s.Tags = tags })
}

func inCategory(name, category string) *mcplayer.Spec {
	return with(toolSpec(name), func(s *mcplayer.Spec) { s.Category = category })
}

func ranked(name string, sensitivity mcplayer.Sensitivity) *mcplayer.Spec {
	return with(toolSpec(name), func(s *mcplayer.Spec) { s.Sensitivity = sensitivity })
}

func able(name string, c mcplayer.Capabilities) *mcplayer.Spec {
	return with(toolSpec(name), func(s *mcplayer.Spec) { s.Capabilities = c })
}

func annotated(name string, readOnly, openWorld *bool) *mcplayer.Spec {
	return with(able(name, 0), func(s *mcplayer.Spec) { s.Annotations.ReadOnly, s.Annotations.OpenWorld = readOnly, openWorld })
}

func TestNothingIsDeniedByDefault(t *testing.T) {
	ask(t, &policy.Document{Name: "empty"}, []question{
		{"tool", toolSpec("x"), nobody, "allowed"},
		{"tool that can do all", able("x", execCap|reveal), nobody, "allowed"},
		{"tool that says nothing", able("x", 0), nobody, "allowed"},
		{"restricted", ranked("x", mcplayer.Restricted), nobody, "allowed"},
		{"resource", specOf(mcplayer.KindResource, "a://b"), nobody, "allowed"},
		{"template", specOf(mcplayer.KindResourceTemplate, "a://{b}"), nobody, "allowed"},
		{"prompt", specOf(mcplayer.KindPrompt, "p"), nobody, "allowed"},
	})
}

func TestExplicitDenials(t *testing.T) {
	ask(t, &policy.Document{Name: "d", Roles: []policy.Rule{
		forRole("analyst", policy.Access{
			DenyTools: []string{"export_*", "!export_none"}, DenyResources: []string{"docs://admin/*"},
			DenyPrompts: []string{"p_*"}, DenyCategories: []string{"live", "lab*"}, DenyCapabilities: cloudAccess | execCap,
		}),
		forRole("admin", policy.Access{
			AllowTools: []string{"*"}, AllowResources: []string{"*"}, AllowPrompts: []string{"*"}, AllowCategories: []string{"*"},
			AllowCapabilities: cloudAccess | execCap, MaxSensitivity: mcplayer.Restricted,
		}),
	}, Rules: []policy.Rule{
		{Name: "never", Match: policy.Match{Names: []string{"gone"}}, Access: policy.Access{DenyTools: []string{"*"}}},
		{Match: policy.Match{Roles: []string{"*"}, Tags: []string{"old"}}, Access: policy.Access{DenyTools: []string{"*"}}},
	}}, []question{
		{"a name", toolSpec("export_all"), analyst, "tool denied by rule 'role:analyst'"},
		{"a name that is excluded", toolSpec("export_none"), analyst, "allowed"},
		{"another name", toolSpec("import"), analyst, "allowed"},
		{"another role", toolSpec("export_all"), admin, "allowed"},
		{"a grant of another rule does not help", toolSpec("export_all"), both, "tool denied by rule 'role:analyst'"},
		{"no role", toolSpec("export_all"), nobody, "allowed"},
		{"a category", inCategory("x", "live"), analyst, "category 'live' denied by rule 'role:analyst'"},
		{"a category by a glob", inCategory("x", "lab2"), analyst, "category 'lab2' denied by rule 'role:analyst'"},
		{"a category, with a grant", inCategory("x", "live"), both, "category 'live' denied by rule 'role:analyst'"},
		{"a capability", able("x", execCap), analyst, "capability 'exec' denied by rule 'role:analyst'"},
		{"the first of two", able("x", execCap|cloudAccess), analyst, "capability 'cloud_access' denied by rule 'role:analyst'"},
		{"a capability, with a grant", able("x", execCap), both, "capability 'exec' denied by rule 'role:analyst'"},
		{"the name comes before the category", inCategory("export_x", "live"), analyst, "tool denied by rule 'role:analyst'"},
		{"the category before the capability", with(inCategory("x", "live"), func(s *mcplayer.Spec) { s.Capabilities = execCap }), analyst, "category 'live' denied by rule 'role:analyst'"},
		{"a tool that says nothing can do it", able("x", 0), analyst, "capability 'cloud_access' denied by rule 'role:analyst'"},
		{"a rule by name", toolSpec("gone"), admin, "tool denied by rule 'never'"},
		{"a rule without a name", tagged("x", "new", "old"), nobody, "tool denied by rule 'rule[1]'"},
		{"the first rule tells", tagged("gone", "old"), nobody, "tool denied by rule 'never'"},
		{"a role's rule comes before", tagged("export_x", "old"), analyst, "tool denied by rule 'role:analyst'"},
		{"a resource", specOf(mcplayer.KindResource, "docs://admin/x"), analyst, "resource denied by rule 'role:analyst'"},
		{"a resource as it is spelt", specOf(mcplayer.KindResource, "DOCS://admin/x"), analyst, "resource denied by rule 'role:analyst'"},
		{"a resource by its escapes", specOf(mcplayer.KindResource, "docs://%61dmin/x"), analyst, "resource denied by rule 'role:analyst'"},
		{"a resource by its host", specOf(mcplayer.KindResource, "docs://Admin/x"), analyst, "resource denied by rule 'role:analyst'"},
		{"a template", specOf(mcplayer.KindResourceTemplate, "docs://admin/{x}"), analyst, "resource denied by rule 'role:analyst'"},
		{"a wider template", specOf(mcplayer.KindResourceTemplate, "docs://{area}/{x}"), analyst, "allowed"},
		{"another resource", specOf(mcplayer.KindResource, "docs://public/x"), analyst, "allowed"},
		{"a resource is no tool", specOf(mcplayer.KindResource, "export_all:x"), analyst, "allowed"},
		{"a prompt", specOf(mcplayer.KindPrompt, "p_admin"), analyst, "prompt denied by rule 'role:analyst'"},
		{"a prompt is no tool", specOf(mcplayer.KindPrompt, "export_all"), analyst, "allowed"},
	})
}

func TestCeiling(t *testing.T) {
	raise := forRole("admin", policy.Access{MaxSensitivity: mcplayer.Restricted})
	lower := forRole("analyst", policy.Access{MaxSensitivity: mcplayer.Internal})
	none := forRole("plain", policy.Access{AllowTools: []string{"x"}})
	ask(t, &policy.Document{Name: "c", Access: policy.Access{MaxSensitivity: mcplayer.Confidential}, Roles: []policy.Rule{lower, raise, none}}, []question{
		{"within", ranked("x", mcplayer.Confidential), nobody, "allowed"},
		{"above", ranked("x", mcplayer.Restricted), nobody, "sensitivity 'restricted' exceeds the allowed 'confidential'"},
		{"raised", ranked("x", mcplayer.Restricted), admin, "allowed"},
		{"lowered", ranked("x", mcplayer.Confidential), analyst, "sensitivity 'confidential' exceeds the allowed 'internal'"},
		{"lowered, within", ranked("x", mcplayer.Internal), analyst, "allowed"},
		{"the highest of two", ranked("x", mcplayer.Restricted), both, "allowed"},
		{"a rule that sets none", ranked("x", mcplayer.Restricted), mcplayer.NewPrincipal("p", "plain"), "sensitivity 'restricted' exceeds the allowed 'confidential'"},
		{"of a resource", with(specOf(mcplayer.KindResource, "a:b"), func(s *mcplayer.Spec) { s.Sensitivity = mcplayer.Restricted }), nobody, "sensitivity 'restricted' exceeds the allowed 'confidential'"},
	})
	ask(t, &policy.Document{Name: "c", Roles: []policy.Rule{lower}}, []question{
		{"only a rule's", ranked("x", mcplayer.Public), analyst, "allowed"},
		{"only a rule's, above", ranked("x", mcplayer.Restricted), analyst, "sensitivity 'restricted' exceeds the allowed 'internal'"},
		{"nobody's", ranked("x", mcplayer.Restricted), nobody, "allowed"},
	})
}

func TestLists(t *testing.T) {
	ask(t, &policy.Document{Name: "lists", Access: policy.Access{
		AllowTools: []string{"get_*", "list_*", "!get_secret"}, DenyTools: []string{"*_raw"},
		AllowResources: []string{"docs://*"}, DenyResources: []string{"docs://drafts/*"},
		AllowPrompts:    []string{},
		AllowCategories: []string{"general", "live", "live2"}, DenyCategories: []string{"live"},
	}, Roles: []policy.Rule{
		forRole("admin", policy.Access{AllowTools: []string{"drop_*", "get_raw"}, AllowResources: []string{"docs://drafts/a"}, AllowPrompts: []string{"p"}}),
		forRole("analyst", policy.Access{AllowCategories: []string{"live", "odd"}}),
	}}, []question{
		{"allowed", toolSpec("get_x"), nobody, "allowed"},
		{"not in the list", toolSpec("drop_x"), nobody, "tool not in the allow list of policy 'lists'"},
		{"excluded from the list", toolSpec("get_secret"), nobody, "tool not in the allow list of policy 'lists'"},
		{"denied", toolSpec("get_raw"), nobody, "tool denied by policy 'lists'"},
		{"denied and not in the list", toolSpec("x_raw"), nobody, "tool denied by policy 'lists'"},
		{"denied category", inCategory("get_x", "live"), nobody, "category 'live' denied by policy 'lists'"},
		{"denied name comes before", inCategory("get_raw", "live"), nobody, "tool denied by policy 'lists'"},
		{"denied category before the list", inCategory("drop_x", "live"), nobody, "category 'live' denied by policy 'lists'"},
		{"category that is not allowed", inCategory("get_x", "odd"), nobody, "category 'odd' not allowed by policy 'lists'"},
		{"the list before the category", inCategory("drop_x", "odd"), nobody, "tool not in the allow list of policy 'lists'"},
		{"a grant skips the allow list", toolSpec("drop_x"), admin, "allowed"},
		{"a grant skips the deny list", toolSpec("get_raw"), admin, "allowed"},
		{"a grant skips denied categories", inCategory("drop_x", "live"), admin, "allowed"},
		{"no grant for this one", toolSpec("other"), admin, "tool not in the allow list of policy 'lists'"},
		{"a granted category", inCategory("any", "live"), analyst, "allowed"},
		{"a granted category that is not listed", inCategory("x_raw", "odd"), analyst, "allowed"},
		{"resource in the list", specOf(mcplayer.KindResource, "docs://x"), nobody, "allowed"},
		{"resource not in the list", specOf(mcplayer.KindResource, "data://x"), nobody, "resource not in the allow list of policy 'lists'"},
		{"resource denied", specOf(mcplayer.KindResource, "docs://drafts/a"), nobody, "resource denied by policy 'lists'"},
		{"resource granted", specOf(mcplayer.KindResource, "docs://drafts/a"), admin, "allowed"},
		{"what is allowed is the text, not another spelling", specOf(mcplayer.KindResource, "DOCS://x"), nobody, "resource not in the allow list of policy 'lists'"},
		{"template in the list", specOf(mcplayer.KindResourceTemplate, "docs://{x}"), nobody, "allowed"},
		{"template denied", specOf(mcplayer.KindResourceTemplate, "docs://drafts/{x}"), nobody, "resource denied by policy 'lists'"},
		{"an empty list allows nothing", specOf(mcplayer.KindPrompt, "p"), nobody, "prompt not in the allow list of policy 'lists'"},
		{"but a grant does", specOf(mcplayer.KindPrompt, "p"), admin, "allowed"},
	})
	ask(t, &policy.Document{Name: "odd", Access: policy.Access{AllowTools: []string{"!x"}, DenyPrompts: []string{"!p"}, AllowCategories: []string{}}}, []question{
		{"exclusions alone match nothing", toolSpec("y"), nobody, "tool not in the allow list of policy 'odd'"},
		{"nor do they deny", specOf(mcplayer.KindPrompt, "q"), nobody, "category 'general' not allowed by policy 'odd'"},
	})
}

func TestCapabilities(t *testing.T) {
	yes, no := new(true), new(false)
	ask(t, &policy.Document{Name: "strict-visible", Access: policy.Access{DenyCapabilities: cloudAccess | execCap | writeFS | reveal}, Roles: []policy.Rule{
		forRole("admin", policy.Access{AllowCapabilities: reveal}),
		forRole("analyst", policy.Access{AllowCapabilities: cloudAccess | execCap}),
	}, Rules: []policy.Rule{{Name: "by list", Match: policy.Match{Names: []string{"listed"}}, Access: policy.Access{AllowTools: []string{"*"}}}}}, []question{
		{"none of them", able("x", readState), nobody, "allowed"},
		{"one", able("x", cloudAccess), nobody, "capability 'cloud_access' is denied by policy 'strict-visible'"},
		{"one of several", able("x", readState|execCap), nobody, "capability 'exec' is denied by policy 'strict-visible'"},
		{"the first of several", able("x", execCap|writeFS), nobody, "capability 'write_fs' is denied by policy 'strict-visible'"},
		{"granted", able("x", reveal), admin, "allowed"},
		{"another one granted", able("x", execCap), admin, "capability 'exec' is denied by policy 'strict-visible'"},
		{"not all granted", able("x", execCap|reveal), admin, "capability 'exec' is denied by policy 'strict-visible'"},
		{"granted by two rules", able("x", execCap|reveal), both, "allowed"},
		{"a list grants no capability", able("listed", execCap), nobody, "capability 'exec' is denied by policy 'strict-visible'"},
		{"says nothing", able("x", 0), nobody, "capability 'write_fs' is denied by policy 'strict-visible'"},
		{"says nothing, in part granted", able("x", 0), analyst, "capability 'write_fs' is denied by policy 'strict-visible'"},
		{"read-only and closed", annotated("x", yes, no), nobody, "allowed"},
		{"read-only and open", annotated("x", yes, yes), nobody, "capability 'write_fs' is denied by policy 'strict-visible'"},
		{"read-only", annotated("x", yes, nil), nobody, "capability 'write_fs' is denied by policy 'strict-visible'"},
		{"closed", annotated("x", nil, no), nobody, "capability 'write_fs' is denied by policy 'strict-visible'"},
		{"not read-only and closed", annotated("x", no, no), nobody, "capability 'write_fs' is denied by policy 'strict-visible'"},
		{"what it declares counts, not its annotations", with(annotated("x", yes, no), func(s *mcplayer.Spec) { s.Capabilities = execCap }), nobody, "capability 'exec' is denied by policy 'strict-visible'"},
		{"a resource", specOf(mcplayer.KindResource, "a:b"), nobody, "allowed"},
		{"a resource that needs it", with(specOf(mcplayer.KindResource, "a:b"), func(s *mcplayer.Spec) { s.Capabilities = cloudAccess }), nobody, "capability 'cloud_access' is denied by policy 'strict-visible'"},
		{"a prompt", specOf(mcplayer.KindPrompt, "p"), nobody, "allowed"},
	})
	ask(t, &policy.Document{Name: "r", Access: policy.Access{DenyCapabilities: reveal}}, []question{
		{"what says nothing does not reveal", able("x", 0), nobody, "allowed"},
	})
	ask(t, &policy.Document{Name: "s", Access: policy.Access{DenyCapabilities: readState}}, []question{
		{"a resource that says nothing reads", specOf(mcplayer.KindResource, "a:b"), nobody, "capability 'read_state' is denied by policy 's'"},
		{"a template too", specOf(mcplayer.KindResourceTemplate, "a:{b}"), nobody, "capability 'read_state' is denied by policy 's'"},
		{"a prompt too", specOf(mcplayer.KindPrompt, "p"), nobody, "capability 'read_state' is denied by policy 's'"},
		{"not one that says something else", with(specOf(mcplayer.KindPrompt, "p"), func(s *mcplayer.Spec) { s.Capabilities = mcplayer.ReadFS }), nobody, "allowed"},
	})
}

func TestConditions(t *testing.T) {
	deny := policy.Access{DenyTools: []string{"*"}, DenyResources: []string{"*"}, DenyPrompts: []string{"*"}}
	template := specOf(mcplayer.KindResourceTemplate, "a:{b}")
	for _, tt := range []struct {
		name     string
		match    policy.Match
		spec     *mcplayer.Spec
		who      *mcplayer.Principal
		does     bool
		orMisses string
	}{
		{"none", policy.Match{}, toolSpec("x"), nobody, true, ""},
		{"role", policy.Match{Roles: []string{"x", "admin"}}, toolSpec("x"), admin, true, ""},
		{"another role", policy.Match{Roles: []string{"adm"}}, toolSpec("x"), admin, false, "roles"},
		{"anyone", policy.Match{Roles: []string{"*"}}, toolSpec("x"), nobody, true, ""},
		{"no role at all", policy.Match{Roles: []string{}}, toolSpec("x"), admin, false, "roles"},
		{"principal", policy.Match{Principals: []string{"ro*"}}, toolSpec("x"), admin, true, ""},
		{"another principal", policy.Match{Principals: []string{"ro*", "!root"}}, toolSpec("x"), admin, false, "principals"},
		{"name", policy.Match{Names: []string{"a", "x?"}}, toolSpec("xy"), admin, true, ""},
		{"another name", policy.Match{Names: []string{"x?"}}, toolSpec("x"), admin, false, "names"},
		{"category", policy.Match{Categories: []string{"l*"}}, inCategory("x", "live"), admin, true, ""},
		{"another category", policy.Match{Categories: []string{"l*"}}, toolSpec("x"), admin, false, "categories"},
		{"tag", policy.Match{Tags: []string{"a", "b"}}, tagged("x", "b", "c"), admin, true, ""},
		{"another tag", policy.Match{Tags: []string{"a"}}, tagged("x", "b"), admin, false, "tags"},
		{"a tag is no glob", policy.Match{Tags: []string{"*"}}, tagged("x", "b"), admin, false, "tags"},
		{"kind", policy.Match{Kinds: []mcplayer.Kind{mcplayer.KindPrompt, mcplayer.KindTool}}, toolSpec("x"), admin, true, ""},
		{"another kind", policy.Match{Kinds: []mcplayer.Kind{mcplayer.KindPrompt}}, toolSpec("x"), admin, false, "kinds"},
		{"resource covers templates", policy.Match{Kinds: []mcplayer.Kind{mcplayer.KindResource}}, template, admin, true, ""},
		{"template", policy.Match{Kinds: []mcplayer.Kind{mcplayer.KindResourceTemplate}}, template, admin, true, ""},
		{"template does not cover resources", policy.Match{Kinds: []mcplayer.Kind{mcplayer.KindResourceTemplate}}, specOf(mcplayer.KindResource, "a:b"), admin, false, "kinds"},
		{"sensitivity", policy.Match{Sensitivity: []mcplayer.Sensitivity{mcplayer.Confidential}}, toolSpec("x"), admin, true, ""},
		{"another sensitivity", policy.Match{Sensitivity: []mcplayer.Sensitivity{mcplayer.Restricted}}, toolSpec("x"), admin, false, "sensitivity"},
		{"capability", policy.Match{Capabilities: execCap | writeFS}, able("x", execCap|readState), admin, true, ""},
		{"another capability", policy.Match{Capabilities: execCap}, able("x", readState), admin, false, "capabilities"},
		{"capability that is not declared", policy.Match{Capabilities: execCap}, able("x", 0), admin, true, ""},
		{"reveal that is not declared", policy.Match{Capabilities: reveal}, able("x", 0), admin, false, "capabilities"},
		{"all", policy.Match{Roles: []string{"admin"}, Names: []string{"x"}}, toolSpec("x"), admin, true, ""},
		{"one of two", policy.Match{Roles: []string{"admin"}, Names: []string{"x"}}, toolSpec("x"), analyst, false, "roles"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := put(t, &policy.Document{Name: "m", Rules: []policy.Rule{{Name: "r", Match: tt.match, Access: deny}}}, nil)
			if d := p.Decide(tt.spec, tt.who); d.Allowed == tt.does {
				t.Errorf("decided %+v", d)
			}
			e := p.Explain(tt.spec, tt.who)
			if want := "does not match: " + tt.orMisses; !tt.does && e.Steps[0].Outcome != want {
				t.Errorf("the first step is %v, want %q", e.Steps[0], want)
			}
		})
	}
}

// A rule that matches only by what a tool counts as being able to do denies, but
// grants nothing and sets no ceiling.
func TestPresumedCapabilitiesGrantNothing(t *testing.T) {
	ask(t, &policy.Document{Name: "p", Access: policy.Access{DenyTools: []string{"*"}, MaxSensitivity: mcplayer.Confidential}, Rules: []policy.Rule{{
		Name: "exec", Match: policy.Match{Capabilities: execCap},
		Access: policy.Access{AllowTools: []string{"*"}, MaxSensitivity: mcplayer.Restricted},
	}}}, []question{
		{"declared", with(able("x", execCap), func(s *mcplayer.Spec) { s.Sensitivity = mcplayer.Restricted }), nobody, "allowed"},
		{"presumed", able("x", 0), nobody, "tool denied by policy 'p'"},
		{"presumed, above the ceiling", with(able("x", 0), func(s *mcplayer.Spec) { s.Sensitivity = mcplayer.Restricted }), nobody, "sensitivity 'restricted' exceeds the allowed 'confidential'"},
	})
}

func TestConcreteURIs(t *testing.T) {
	doc := &policy.Document{Name: "u", Access: policy.Access{DenyResources: []string{"docs://drafts/*", "!docs://drafts/open"}}, Roles: []policy.Rule{
		forRole("analyst", policy.Access{DenyResources: []string{"docs://admin/*"}}),
		forRole("admin", policy.Access{AllowResources: []string{"docs://{+path}"}}),
	}}
	spec := specOf(mcplayer.KindResourceTemplate, "docs://{+path}")
	tests := []struct {
		name, uri string
		who       *mcplayer.Principal
		reason    string
	}{
		{"nothing says so", "docs://public/x", analyst, ""},
		{"a rule", "docs://admin/x", analyst, "resource denied by rule 'role:analyst'"},
		{"a rule of others", "docs://admin/x", nobody, ""},
		{"the policy", "docs://drafts/x", nobody, "resource denied by policy 'u'"},
		{"excluded", "docs://drafts/open", nobody, ""},
		{"the template is granted", "docs://drafts/x", admin, ""},
		{"a rule denies in spite of the grant", "docs://admin/x", both, "resource denied by rule 'role:analyst'"},
		{"by the host's spelling", "docs://DRAFTS/x", nobody, "resource denied by policy 'u'"},
		{"by the scheme's spelling", "Docs://drafts/x", nobody, "resource denied by policy 'u'"},
		{"by escapes", "docs://%64rafts/x", nobody, "resource denied by policy 'u'"},
	}
	doc.DenyResources = append(doc.DenyResources, "DOCS://Upper/*", "docs://%65scaped/*", "docs://straße/*", "*geheimfächer*", "docs://two words/*", "docs://s/[äö]*", "!docs://OPEN/*", "docs://open/*")
	tests = append(tests, []struct {
		name, uri string
		who       *mcplayer.Principal
		reason    string
	}{
		{"by a pattern in another case", "docs://upper/x", nobody, "resource denied by policy 'u'"},
		{"by a pattern with escapes", "docs://escaped/x", nobody, "resource denied by policy 'u'"},
		{"by a pattern with letters", "docs://stra%c3%9fe/x", nobody, "resource denied by policy 'u'"},
		{"by a pattern with letters and no scheme", "docs://a/geheimf%C3%A4cher/x", nobody, "resource denied by policy 'u'"},
		{"by a pattern with a space", "docs://two%20words/x", nobody, "resource denied by policy 'u'"},
		{"by a set of letters", "docs://s/%C3%B6x", nobody, "resource denied by policy 'u'"},
		{"an exclusion is what it is", "docs://open/x", nobody, "resource denied by policy 'u'"},
	}...)
	for _, hide := range []bool{true, false} {
		doc.HideDenied = &hide
		p := put(t, doc, nil)
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				access := p.Bind(spec, tt.who)
				if !access.Visible {
					t.Fatal("the template is hidden")
				}
				if got := p.DecideURI(spec, tt.who, tt.uri); got.Reason != tt.reason || got.Allowed != (tt.reason == "") {
					t.Errorf("decided %+v", got)
				}
				if got := access.Hides != nil && access.Hides(tt.uri); got != (hide && tt.reason != "") {
					t.Errorf("hides: %v", got)
				}
				info := mcplayer.CallInfo{Kind: mcplayer.KindResource, Name: tt.uri, Spec: spec, Principal: tt.who}
				_, err := access.Check(t.Context(), info)
				want := ""
				if tt.reason != "" {
					want = "Access to resource '" + tt.uri + "' denied: " + tt.reason + ` {"policy":"u","reason":"` + tt.reason + `"}`
				}
				same(t, errorText(err), want)
				info.Name = "docs://pseudonym"
				want = strings.Replace(want, tt.uri, info.Name, 1)
				same(t, errorText(access.Denies(info, tt.uri)), want)
			})
		}
	}
}

func TestTheZeroDecisionDenies(t *testing.T) {
	p := put(t, &policy.Document{}, nil)
	for _, d := range []policy.Decision{{}, p.Decide(nil, nobody), p.Decide(toolSpec("x"), nil), p.Explain(nil, nobody).Decision, p.DecideURI(nil, nobody, "a:b")} {
		if d.Allowed {
			t.Errorf("%+v allows", d)
		}
	}
	if p.Bind(nil, nobody) != nil || p.Bind(toolSpec("x"), nil) != nil {
		t.Error("somebody gets access to something that is not there")
	}
}

func TestExplain(t *testing.T) {
	p := put(t, &policy.Document{
		Name: "e", Access: policy.Access{DenyTools: []string{"drop"}, DenyCapabilities: execCap | reveal, MaxSensitivity: mcplayer.Confidential},
		Roles: []policy.Rule{
			forRole("admin", policy.Access{AllowTools: []string{"drop"}, AllowCapabilities: execCap}),
			forRole("analyst", policy.Access{DenyTools: []string{"export"}}),
		},
		Rules: []policy.Rule{{Match: policy.Match{Names: []string{"other"}}}, {Name: "runs", Match: policy.Match{Capabilities: execCap}}},
	}, nil)
	for _, tt := range []struct {
		name       string
		spec       *mcplayer.Spec
		who        *mcplayer.Principal
		decision   policy.Decision
		rules      []string
		steps      []policy.Step
		notReached []string
	}{
		{
			"granted", able("drop", execCap), admin,
			policy.Decision{Allowed: true},
			[]string{"role:admin", "runs"},
			[]policy.Step{
				{"matching rules", "role:admin", "matches"},
				{"matching rules", "role:analyst", "does not match: roles"},
				{"matching rules", "rule[0]", "does not match: names"},
				{"matching rules", "runs", "matches"},
				{"explicit denials", "role:admin", "does not deny"},
				{"explicit denials", "runs", "does not deny"},
				{"sensitivity", "", "passes: within confidential"},
				{"grants", "role:admin", "grants: the policy's lists are skipped"},
				{"grants", "runs", "does not grant"},
				{"deny list", "", "skipped: granted"},
				{"deny categories", "", "skipped: granted"},
				{"allow list", "", "skipped: granted"},
				{"allow categories", "", "skipped: granted"},
				{"capabilities", "role:admin", "grants: exec"},
				{"capabilities", "", "passes"},
			},
			[]string{},
		},
		{
			"denied by a rule", toolSpec("export"), both,
			policy.Decision{Reason: "tool denied by rule 'role:analyst'", Check: "explicit denials", Rule: "role:analyst"},
			[]string{"role:admin", "role:analyst"},
			[]policy.Step{
				{"matching rules", "role:admin", "matches"},
				{"matching rules", "role:analyst", "matches"},
				{"matching rules", "rule[0]", "does not match: names"},
				{"matching rules", "runs", "does not match: capabilities"},
				{"explicit denials", "role:admin", "does not deny"},
				{"explicit denials", "role:analyst", "denies: tool denied by rule 'role:analyst'"},
			},
			[]string{"sensitivity", "grants", "deny list", "deny categories", "allow list", "allow categories", "capabilities"},
		},
		{
			"presumed", able("x", 0), nobody,
			policy.Decision{Reason: "capability 'exec' is denied by policy 'e'", Check: "capabilities"},
			nil,
			[]policy.Step{
				{"matching rules", "role:admin", "does not match: roles"},
				{"matching rules", "role:analyst", "does not match: roles"},
				{"matching rules", "rule[0]", "does not match: names"},
				{"matching rules", "runs", "matches for denials: the capabilities are not declared"},
				{"explicit denials", "runs", "does not deny"},
				{"sensitivity", "", "passes: within confidential"},
				{"deny list", "", "passes"},
				{"deny categories", "", "passes"},
				{"allow list", "", "passes"},
				{"allow categories", "", "passes"},
				{"capabilities", "", "denies: capability 'exec' is denied by policy 'e'"},
			},
			[]string{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := p.Explain(tt.spec, tt.who)
			if e.Decision != tt.decision {
				t.Errorf("decided %+v, want %+v", e.Decision, tt.decision)
			}
			if !slices.Equal(e.Rules, tt.rules) {
				t.Errorf("rules %q, want %q", e.Rules, tt.rules)
			}
			if !slices.Equal(e.NotReached, tt.notReached) {
				t.Errorf("not reached %q, want %q", e.NotReached, tt.notReached)
			}
			for i := range max(len(e.Steps), len(tt.steps)) {
				if i >= len(e.Steps) || i >= len(tt.steps) || e.Steps[i] != tt.steps[i] {
					t.Fatalf("step %d of\n%v, want\n%v", i, e.Steps, tt.steps)
				}
			}
		})
	}
}
