package policy_test

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

const socAnalyst = "../examples/policies/soc-analyst.yaml"

func loaded(t testing.TB, source string) *policy.Document {
	t.Helper()
	d, err := policy.LoadDocument(source)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestProfilesAreEmbedded(t *testing.T) {
	var names []string
	entries, err := fs.ReadDir(os.DirFS("profiles"), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	if got := policy.Profiles(); !slices.Equal(got, names) {
		t.Errorf("got %v, want %v", got, names)
	}
}

// TestProfiles tells the table of the profiles.
func TestProfiles(t *testing.T) {
	const (
		reveals   = "reveal_token:30/minute:principal"
		fence     = `sanitize{"max_free_text":2000,"on_suspicious":"fence"}`
		redacts   = `redact{"strategies":{"credential":{"keep_first":4,"keep_last":4,"strategy":"mask"},"private_key":"drop","secret":"redact"}}`
		projects  = `project{"exclude":["**.raw_data","**._raw"],"max_chars":120000,"max_string":20000}`
		shortened = `project{"exclude":["**.raw_data","**._raw","**.user_data"],"max_chars":100000,"max_string":4000}`
		names     = `"free_text":"pseudonymize","identifier":"pseudonymize","network":"pseudonymize","pii":"pseudonymize","private_key":"drop","secret":"redact","special_cidr":"keep","special_ip":"keep","temporal":"keep","uuid":"keep"}}`
	)
	annotates := func(name string) string { return ` annotate{"policy":"` + name + `"}` }
	standard := fence + " " + redacts + " " + projects
	for _, tt := range []struct {
		source, name, denied, ceiling, limits, in, out string
		binary                                         string
		audit                                          int
	}{
		{source: "open", name: "open"},
		{source: "standard", name: "standard", denied: "reveal", limits: reveals, in: "guard_secrets depseudonymize", out: standard + annotates("standard")},
		{
			source: "strict", name: "strict", denied: "write_fs,cloud_access,exec,reveal", ceiling: "confidential", limits: reveals + " *:240/minute:burst 120:principal",
			in: "guard_secrets depseudonymize", binary: "withhold",
			out: `sanitize{"max_free_text":1000,"on_suspicious":"fence"} redact{"strategies":{"credential":"redact",` + names + " " + shortened + annotates("strict"),
		},
		{source: "read_only", name: "read_only", denied: "write_state,write_fs,cloud_access,exec,reveal", limits: reveals, in: "guard_secrets depseudonymize", out: standard + annotates("read_only")},
		{source: "airgapped", name: "airgapped", denied: "cloud_access,exec,reveal", limits: reveals, in: "guard_secrets depseudonymize", out: standard + annotates("airgapped")},
		{
			source: "audit", name: "audit", denied: "write_state,write_fs,cloud_access,exec,reveal", limits: reveals, audit: 10_000,
			in: "guard_secrets depseudonymize", out: standard + ` annotate{"inline":true,"label_findings":true,"policy":"audit"}`,
		},
		{
			source: socAnalyst, name: "soc-analyst", denied: "write_fs,cloud_access,exec,reveal", ceiling: "confidential", limits: reveals + " *:300/minute:burst 100:principal", audit: 1000,
			in: "guard_secrets depseudonymize", out: standard + annotates("soc-analyst"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := loaded(t, tt.source)
			check := func(what string, got, want any) {
				t.Helper()
				if got != want {
					t.Errorf("%s\n     %v\nwant %v", what, got, want)
				}
			}
			check("name", d.Name, tt.name)
			check("denied", d.DenyCapabilities.String(), tt.denied)
			if tt.ceiling == "" {
				check("ceiling", d.MaxSensitivity, mcplayer.Sensitivity(0))
			} else {
				check("ceiling", d.MaxSensitivity.String(), tt.ceiling)
			}
			check("limits", limitsOf(d.RateLimits), tt.limits)
			check("binary", d.Binary, tt.binary)
			check("audit", d.Audit != nil && *d.Audit, tt.audit > 0)
			if tt.audit > 0 {
				check("audit size", *d.AuditSize, tt.audit)
			}
			in, out, err := policy.Steps(d, builder(t), &mcplayer.Spec{Kind: mcplayer.KindTool})
			if err != nil {
				t.Fatal(err)
			}
			check("input", strings.Join(in, " "), tt.in)
			check("output", strings.Join(out, " "), tt.out)
		})
	}
}

func limitsOf(limits []policy.RateLimit) string {
	var texts []string
	for _, l := range limits {
		tools := strings.Join(l.Tools, ",")
		if tools == "" {
			tools = "*"
		}
		text := fmt.Sprintf("%s:%v/%s:", tools, l.Rate, l.Per)
		if l.Burst != 0 {
			text += fmt.Sprintf("burst %v:", l.Burst)
		}
		texts = append(texts, text+l.Scope)
	}
	return strings.Join(texts, " ")
}

// TestProfilesReveal tells who may use a tool that undoes protection.
func TestProfilesReveal(t *testing.T) {
	reveal := &mcplayer.Spec{Kind: mcplayer.KindTool, Name: "reveal_token", Category: "privacy", Sensitivity: mcplayer.Confidential, Capabilities: mcplayer.Reveal}
	const byPolicy = "capability 'reveal' is denied by policy '%s'"
	for _, tt := range []struct{ source, role, want string }{
		{"open", "default", ""},
		{"standard", "default", fmt.Sprintf(byPolicy, "standard")},
		{"standard", "admin", ""},
		{"standard", "privacy-admin", ""},
		{"strict", "admin", "capability 'reveal' denied by rule 'never-reveal'"},
		{"strict", "default", "capability 'reveal' denied by rule 'never-reveal'"},
		{"read_only", "admin", ""},
		{"airgapped", "privacy-admin", ""},
		{"audit", "admin", ""},
		{"audit", "default", fmt.Sprintf(byPolicy, "audit")},
		{socAnalyst, "lead", ""},
		{socAnalyst, "admin", fmt.Sprintf(byPolicy, "soc-analyst")},
		{socAnalyst, "analyst", fmt.Sprintf(byPolicy, "soc-analyst")},
	} {
		t.Run(tt.source+"/"+tt.role, func(t *testing.T) {
			p, err := policy.Load(tt.source, &policy.Options{Builder: builder(t)})
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Decide(reveal, mcplayer.NewPrincipal("u", "default", tt.role)).Reason; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSOCAnalyst(t *testing.T) {
	spec := func(name, category string, s mcplayer.Sensitivity, c mcplayer.Capabilities) *mcplayer.Spec {
		return &mcplayer.Spec{Kind: mcplayer.KindTool, Name: name, Category: category, Sensitivity: s, Capabilities: c}
	}
	p, err := policy.Load(socAnalyst, &policy.Options{Builder: builder(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, role string
		spec       *mcplayer.Spec
		want       string
	}{
		{"analyst reads", "analyst", spec("find", "assets", mcplayer.Confidential, mcplayer.ReadState), ""},
		{"analyst's ceiling", "analyst", spec("find", "assets", mcplayer.Restricted, mcplayer.ReadState), "sensitivity 'restricted' exceeds the allowed 'confidential'"},
		{"analyst, live", "analyst", spec("find", "live", mcplayer.Public, mcplayer.ReadState), "category 'live' denied by rule 'role:analyst'"},
		{"analyst, export", "analyst", spec("find", "export", mcplayer.Public, mcplayer.ReadState), "category 'export' denied by rule 'role:analyst'"},
		{"analyst, export by name", "analyst", spec("export_all", "assets", mcplayer.Public, mcplayer.ReadState), "tool denied by rule 'role:analyst'"},
		{"analyst, subgraph", "analyst", spec("subgraph_export", "assets", mcplayer.Public, mcplayer.ReadState), "tool denied by rule 'role:analyst'"},
		{"lead's ceiling", "lead", spec("find", "assets", mcplayer.Restricted, mcplayer.ReadState), ""},
		{"lead writes files", "lead", spec("export", "export", mcplayer.Public, mcplayer.WriteFS), ""},
		{"lead does not run", "lead", spec("run", "live", mcplayer.Public, mcplayer.Exec), "capability 'exec' is denied by policy 'soc-analyst'"},
		{"collector", "collector", spec("run", "live", mcplayer.Public, mcplayer.Exec|mcplayer.CloudAccess|mcplayer.WriteFS), ""},
		{"collector does not reveal", "collector", spec("reveal_token", "privacy", mcplayer.Public, mcplayer.Reveal), "capability 'reveal' is denied by policy 'soc-analyst'"},
		{"others", "default", spec("run", "live", mcplayer.Public, mcplayer.CloudAccess), "capability 'cloud_access' is denied by policy 'soc-analyst'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := p.Decide(tt.spec, mcplayer.NewPrincipal("u", tt.role)).Reason; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	d := loaded(t, socAnalyst)
	if got, want := limitsOf(d.Roles[3].RateLimits), "reveal_token:20/hour:principal"; got != want {
		t.Errorf("the lead's limits: %s, want %s", got, want)
	}
	// roles admin, privacy-admin, analyst, lead, collector; rules label-findings, friendly-account-names
	in, out, err := policy.Steps(d, builder(t), &mcplayer.Spec{Kind: mcplayer.KindTool}, 2, 5, 6)
	if err != nil {
		t.Fatal(err)
	}
	wantOut := `sanitize{"max_free_text":2000,"on_suspicious":"fence"} redact{"strategies":{"credential":{"keep_first":4,"keep_last":4,"strategy":"mask"},` +
		`"free_text":"pseudonymize","identifier":"pseudonymize","network":"pseudonymize","pii":"pseudonymize","private_key":"drop","secret":"redact","special_cidr":"keep","special_ip":"keep","temporal":"keep","uuid":"keep"}} ` +
		`project{"exclude":["**.raw_data","**._raw"],"max_chars":120000,"max_string":20000} annotate{"label_findings":true,"policy":"soc-analyst"} ` +
		`alias{"aliases":{"cloud_account":{"111111111111":"prod-payments","222222222222":"shared-services"}}}`
	if got := strings.Join(out, " "); got != wantOut {
		t.Errorf("output\n     %s\nwant %s", got, wantOut)
	}
	wantIn := `guard_secrets depseudonymize{"aliases":{"prod-payments":"111111111111","shared-services":"222222222222"}}`
	if got := strings.Join(in, " "); got != wantIn {
		t.Errorf("input\n     %s\nwant %s", got, wantIn)
	}
}
