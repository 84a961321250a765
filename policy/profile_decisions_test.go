package policy_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// profileSpecs are what the profiles are asked about.
func profileSpecs() []*mcplayer.Spec {
	return []*mcplayer.Spec{
		able("get_asset", readState),
		able("set_note", readState|writeState),
		able("write_file", writeFS),
		able("scan_cloud", readState|cloudAccess),
		able("run", execCap),
		able("reveal_token", reveal),
		able("silent", 0),
		annotated("silent_reader", new(true), new(false)),
		ranked("get_secret_plan", mcplayer.Restricted),
		inCategory("get_live", "live"),
		able("export_all", readState),
		specOf(mcplayer.KindResource, "docs://x"),
		specOf(mcplayer.KindResourceTemplate, "docs://{x}"),
		specOf(mcplayer.KindPrompt, "ask"),
	}
}

// TestDecisionsOfTheProfiles holds one answer for each of the specs: ok, or a letter
// for a reason.
func TestDecisionsOfTheProfiles(t *testing.T) {
	none, privacy := mcplayer.NewPrincipal("x"), mcplayer.NewPrincipal("pa", "default", "privacy-admin")
	lead, collector := mcplayer.NewPrincipal("le", "default", "lead"), mcplayer.NewPrincipal("co", "collector")
	reasons := map[string]string{
		"ok": "allowed",
		"S":  "capability 'write_state' is denied by policy 'NAME'",
		"F":  "capability 'write_fs' is denied by policy 'NAME'",
		"C":  "capability 'cloud_access' is denied by policy 'NAME'",
		"X":  "capability 'exec' is denied by policy 'NAME'",
		"R":  "capability 'reveal' is denied by policy 'NAME'",
		"N":  "capability 'reveal' denied by rule 'never-reveal'",
		"T":  "sensitivity 'restricted' exceeds the allowed 'confidential'",
		"L":  "category 'live' denied by rule 'role:analyst'",
		"D":  "tool denied by rule 'role:analyst'",
	}
	asked := 0
	for _, tt := range []struct {
		source, name string
		who          *mcplayer.Principal
		//    get set file cloud run reveal silent reader plan live export resource template prompt
		want string
	}{
		{"open", "open", none, "ok ok ok ok ok ok ok ok ok ok ok ok ok ok"},
		{"standard", "standard", anyone, "ok ok ok ok ok R ok ok ok ok ok ok ok ok"},
		{"standard", "standard", admin, "ok ok ok ok ok ok ok ok ok ok ok ok ok ok"},
		{"standard", "standard", privacy, "ok ok ok ok ok ok ok ok ok ok ok ok ok ok"},
		{"strict", "strict", anyone, "ok ok F C X N F ok T ok ok ok ok ok"},
		{"strict", "strict", admin, "ok ok F C X N F ok T ok ok ok ok ok"},
		{"read-only", "read_only", anyone, "ok S F C X R S ok ok ok ok ok ok ok"},
		{"read_only", "read_only", admin, "ok S F C X ok S ok ok ok ok ok ok ok"},
		{"airgapped", "airgapped", anyone, "ok ok ok C X R C ok ok ok ok ok ok ok"},
		{"airgapped", "airgapped", admin, "ok ok ok C X ok C ok ok ok ok ok ok ok"},
		{"audit", "audit", anyone, "ok S F C X R S ok ok ok ok ok ok ok"},
		{"audit", "audit", privacy, "ok S F C X ok S ok ok ok ok ok ok ok"},
		{socAnalyst, "soc-analyst", none, "ok ok F C X R F ok T ok ok ok ok ok"},
		{socAnalyst, "soc-analyst", admin, "ok ok F C X R F ok T ok ok ok ok ok"},
		{socAnalyst, "soc-analyst", analyst, "ok ok F C X R F ok T L D ok ok ok"},
		{socAnalyst, "soc-analyst", lead, "ok ok ok C X ok C ok ok ok ok ok ok ok"},
		{socAnalyst, "soc-analyst", collector, "ok ok ok ok ok R ok ok T ok ok ok ok ok"},
	} {
		t.Run(tt.source+" "+tt.who.ID(), func(t *testing.T) {
			doc := loaded(t, tt.source)
			p := put(t, doc, &policy.Options{Builder: builder(t)})
			wants := strings.Fields(tt.want)
			for i, spec := range profileSpecs() {
				asked++
				want := strings.ReplaceAll(reasons[wants[i]], "NAME", tt.name)
				d := p.Decide(spec, tt.who)
				same(t, spec.Name+": "+verdict(d), spec.Name+": "+want)
				if e := p.Explain(spec, tt.who); e.Decision != d {
					t.Errorf("explained %+v, decided %+v", e.Decision, d)
				}
				if visible := p.Bind(spec, tt.who).Visible; visible != d.Allowed {
					t.Errorf("%s: visible %v", spec.Name, visible)
				}
			}
		})
	}
	if t.Logf("%d decisions", asked); asked < 120 {
		t.Errorf("only %d decisions", asked)
	}
}
