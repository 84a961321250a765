package detect_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

const (
	digits = "0123456789"
	hex    = digits + "abcdef"
	alnum  = digits + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	bech32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
)

// chars returns n characters of an alphabet that look chosen at random. Tokens of the
// tests are put together here, so that no scanner takes them for real ones.
func chars(alphabet string, n int) string {
	var b strings.Builder
	for i, state := 0, uint32(len(alphabet)*1000+n); i < n; i++ {
		state = state*1664525 + 1013904223
		b.WriteByte(alphabet[int(state>>16)%len(alphabet)])
	}
	return b.String()
}

// vendorCase has a token and what is none: too short, another prefix, other characters.
// The lead stands before each.
type vendorCase struct {
	rule, lead, token string
	none              [3]string
}

var vendorCases = []vendorCase{
	{"gitlab_token", "", "glpat-" + chars(alnum, 20), [3]string{"glpat-" + chars(alnum, 19), "glpet-" + chars(alnum, 20), "glpat_" + chars(alnum, 20)}},
	{"gitlab_token", "", "glrt-" + chars(alnum, 27) + ".01." + chars(hex, 9), [3]string{"glrt-", "GLRT-" + chars(alnum, 27), "xglrt-" + chars(alnum, 27)}},
	{"gitlab_token", "", "glptt-" + chars(hex, 40), [3]string{"glptt-" + chars(hex, 10), "gl-" + chars(hex, 40), "glptt-" + strings.Repeat("x", 40)}},
	{"gitlab_runner_registration_token", "", "GR1348941" + chars(alnum, 20), [3]string{
		"GR1348941" + chars(alnum, 19), "GR1348942" + chars(alnum, 20), "GR1348941 " + chars(alnum, 20),
	}},
	{"npm_token", "", "npm_" + chars(alnum, 36), [3]string{"npm_" + chars(alnum, 35), "npx_" + chars(alnum, 36), "npm_config_" + chars(alnum, 20)}},
	{"pypi_token", "", "pypi-AgEI" + "cHlwaS5vcmc" + chars(alnum, 160), [3]string{
		"pypi-AgEI" + "cHlwaS5vcmc" + chars(alnum, 20), "pypi-AgEI" + chars(alnum, 160), "pip-AgEI" + "cHlwaS5vcmc" + chars(alnum, 160),
	}},
	{"pypi_token", "", "pypi-AgEN" + "dGVzdC5weXBpLm9yZw" + chars(alnum+"-_", 160), [3]string{"pypi-AgEN", "pypi-" + chars(alnum, 160), "pypi-server"}},
	{"openai_key", "", "sk-" + "proj-" + chars(alnum+"_-", 156), [3]string{"sk-" + "proj-" + chars(alnum, 19), "sk-" + "project-name", "ask-" + "proj-" + chars(alnum, 40)}},
	{"openai_key", "", "sk-" + "svcacct-" + chars(alnum, 60), [3]string{"sk-" + "svc-" + chars(alnum, 20), "task-svcacct-" + chars(alnum, 60), "sk-svcacct"}},
	{"openai_legacy_key", "", "sk-" + chars(alnum, 48), [3]string{"sk-" + chars(alnum, 31), "risk-" + chars(alnum, 48), "sk-" + strings.Repeat("x", 48)}},
	{"anthropic_key", "", "sk-" + "ant-api03-" + chars(alnum+"-_", 93) + "AA", [3]string{
		"sk-" + "ant-api03-" + chars(alnum, 19), "sk-" + "ant-" + chars(alnum, 10), "desk-" + "ant-api03-" + chars(alnum, 40),
	}},
	{"anthropic_key", "", "sk-" + "ant-admin01-" + chars(alnum, 95), [3]string{"sk-" + "ant-farm-at-home", "sk-" + "ants-api03-" + chars(alnum, 40)}},
	{"vault_token", "", "hvs." + chars(alnum+"_-", 90), [3]string{"hvs." + chars(alnum, 23), "hvx." + chars(alnum, 90), "hvs-" + chars(alnum, 90)}},
	{"vault_token", "", "hvb." + chars(alnum, 138), [3]string{"hvb.", "hvb. " + chars(alnum, 90), "ahvb." + chars(alnum, 90)}},
	{"vault_legacy_token", "VAULT_TOKEN: ", "s." + chars(alnum, 24), [3]string{"s." + chars(alnum, 23), "s." + chars(alnum, 25), "xs." + chars(alnum, 24)}},
	{"sendgrid_key", "", "SG." + chars(alnum+"_-", 22) + "." + chars(alnum+"_-", 43), [3]string{
		"SG." + chars(alnum, 22) + "." + chars(alnum, 42), "SG." + chars(alnum, 21) + "." + chars(alnum, 43), "MSG." + chars(alnum, 22) + "." + chars(alnum, 43),
	}},
	{"twilio_key", "twilio key ", "SK" + chars(hex, 32), [3]string{"SK" + chars(hex, 31), "SK" + chars(hex, 33), "AC" + chars(hex, 32)}},
	{"digitalocean_token", "", "dop_v1_" + chars(hex, 64), [3]string{"dop_v1_" + chars(hex, 63), "dox_v1_" + chars(hex, 64), "dop_v2_" + chars(hex, 64)}},
	{"digitalocean_token", "", "doo_v1_" + chars(hex, 64), [3]string{"doo_v1_", "doo_v1_" + chars("GHIJKLMN", 64), "ldoo_v1_" + chars(hex, 64)}},
	{"azure_client_secret", "", chars(alnum, 3) + "8Q~" + chars(alnum+"_~.-", 33) + "a", [3]string{
		chars(alnum, 3) + "8Q~" + chars(alnum, 30), chars(alnum, 3) + "xQ~" + chars(alnum, 34), chars(alnum, 20) + "8Q~" + chars(alnum, 34),
	}},
	{"huggingface_token", "", "hf_" + chars(alnum, 34), [3]string{"hf_" + chars(alnum, 33), "hg_" + chars(alnum, 34), "hf_hub_download" + "_and_so_on_for_long"}},
	{"huggingface_token", "", "api_org_" + chars(alnum, 34), [3]string{"api_org_" + chars(alnum, 12), "api_org_name", "api_orgs_" + chars(alnum, 34)}},
	{"telegram_bot_token", "", chars(digits, 10) + ":AA" + chars(alnum+"_-", 33), [3]string{
		chars(digits, 10) + ":AA" + chars(alnum, 32), chars(digits, 6) + ":AA" + chars(alnum, 33), chars(digits, 10) + ":AB" + chars(alnum, 33),
	}},
	{"discord_bot_token", "DISCORD_TOKEN=", "M" + chars(alnum, 25) + "." + chars(alnum, 6) + "." + chars(alnum, 38), [3]string{
		"M" + chars(alnum, 25) + "." + chars(alnum, 5) + "." + chars(alnum, 38), "P" + chars(alnum, 25) + "." + chars(alnum, 6) + "." + chars(alnum, 38),
		"M" + chars(alnum, 20) + "." + chars(alnum, 6) + "." + chars(alnum, 38),
	}},
	{"discord_webhook", "https://discord.com/api/webhooks/" + chars("12345678", 18) + "/", chars(alnum+"_-", 68), [3]string{chars(alnum, 59), "slack", "/" + chars(alnum, 68)}},
	{"shopify_token", "", "shpat_" + chars(hex, 32), [3]string{"shpat_" + chars(hex, 31), "shpxx_" + chars(hex, 32), "shpat_" + chars("ghijklmn", 32)}},
	{"shopify_token", "", "shpss_" + chars(hex, 32), [3]string{"shpss-" + chars(hex, 32), "shp_" + chars(hex, 32), "shpss_secret"}},
	{"square_token", "", "sq0atp-" + chars(alnum+"_-", 22), [3]string{"sq0atp-" + chars(alnum, 21), "sq0idp-" + chars(alnum, 22), "sq1atp-" + chars(alnum, 22)}},
	{"square_token", "", "sq0csp-" + chars(alnum, 43), [3]string{"sq0csp-" + chars(alnum, 42), "sq0csp_" + chars(alnum, 43), "sq0cspx-" + chars(alnum, 43)}},
	{"square_access_token", "", "EAAA" + chars(alnum, 60), [3]string{"EAAA" + chars(alnum, 59), "eaaa" + chars(alnum, 60), "xEAAA" + chars(alnum, 60)}},
	{"mailgun_key", "", "key-" + chars(hex, 32), [3]string{"key-" + chars(hex, 31), "key-" + chars(hex, 33), "pubkey-" + chars(hex, 32)}},
	{"mailgun_sending_key", "mailgun: ", chars(hex, 32) + "-" + chars(hex, 8) + "-" + chars(hex, 8), [3]string{
		chars(hex, 32) + "-" + chars(hex, 8), chars(hex, 31) + "-" + chars(hex, 8) + "-" + chars(hex, 8), chars(hex, 8) + "-" + chars(hex, 4) + "-" + chars(hex, 12),
	}},
	{"databricks_token", "", "dapi" + chars(hex, 32) + "-2", [3]string{"dapi" + chars(hex, 31), "dapi-" + chars(hex, 32), "grandapi" + chars(hex, 32)}},
	{"atlassian_token", "", "ATATT3" + chars(alnum+"_-=", 186), [3]string{"ATATT3" + chars(alnum, 99), "ATATT4" + chars(alnum, 186), "atatt3" + chars(alnum, 186)}},
	{"atlassian_token", "", "ATCTT3" + chars(alnum, 180) + "=" + chars("ABCDEF"+digits, 8), [3]string{"ATXTT3" + chars(alnum, 186), "ATCTT3", "BATCTT3" + chars(alnum, 186)}},
	{"bitbucket_app_password", "", "ATBB" + chars(alnum, 32), [3]string{"ATBB" + chars(alnum, 31), "ATBC" + chars(alnum, 32), "atbb" + chars(alnum, 32)}},
	{"linear_key", "", "lin_api_" + chars(alnum, 40), [3]string{"lin_api_" + chars(alnum, 31), "lin_app_" + chars(alnum, 40), "berlin_api_" + chars(alnum, 40)}},
	{"grafana_service_account_token", "", "glsa_" + chars(alnum, 32) + "_" + chars(hex, 8), [3]string{
		"glsa_" + chars(alnum, 32) + "_" + chars(hex, 7), "glsb_" + chars(alnum, 32) + "_" + chars(hex, 8), "glsa_" + chars(alnum, 31) + "_" + chars(hex, 8),
	}},
	{"grafana_cloud_token", "", "glc_" + chars(alnum+"+/", 120) + "==", [3]string{"glc_" + chars(alnum, 31), "gld_" + chars(alnum, 120), "glc_context_menu"}},
	{"newrelic_user_key", "", "NRAK-" + chars(digits+"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 27), [3]string{
		"NRAK-" + chars(digits, 26), "NRBK-" + chars(digits, 27), "NRAK-" + chars("abcdefgh", 27),
	}},
	{"newrelic_license_key", "", chars(hex, 36) + "NRAL", [3]string{chars(hex, 31) + "NRAL", chars(hex, 36) + "NRALX", chars(hex, 36) + "nral"}},
	{"age_secret_key", "", "AGE-SECRET-KEY-1" + chars(bech32, 58), [3]string{
		"AGE-SECRET-KEY-1" + chars(bech32, 57), "AGE-SECRET-KEY-2" + chars(bech32, 58), "AGE-SECRET-KEY-1" + chars("BIO1", 58),
	}},
	{"docker_token", "", "dckr_pat_" + chars(alnum+"_-", 27), [3]string{"dckr_pat_" + chars(alnum, 26), "dckr_put_" + chars(alnum, 27), "docker_pat_" + chars(alnum, 27)}},
	{"docker_token", "", "dckr_oat_" + chars(alnum, 32), [3]string{"dckr-oat-" + chars(alnum, 32), "dckr_oat_", "xdckr_oat_" + chars(alnum, 32)}},
	{"terraform_token", "", chars(alnum, 14) + ".atlas" + "v1." + chars(alnum, 67), [3]string{
		chars(alnum, 14) + ".atlas" + "v1." + chars(alnum, 59), chars(alnum, 13) + ".atlas" + "v1." + chars(alnum, 67), chars(alnum, 14) + ".atlas" + "v2." + chars(alnum, 67),
	}},
	{"doppler_token", "", "dp.pt." + chars(alnum, 43), [3]string{"dp.pt." + chars(alnum, 39), "dp.xx." + chars(alnum, 43), "udp.pt." + chars(alnum, 43)}},
	{"doppler_token", "", "dp.st.prd_eu." + chars(alnum, 43), [3]string{"dp.st.prd_eu", "dp.st.prd eu." + chars(alnum, 43), "dp-st-" + chars(alnum, 43)}},
	{"pulumi_token", "", "pul-" + chars(hex, 40), [3]string{"pul-" + chars(hex, 39), "pul-" + chars(hex, 41), "stipul-" + chars(hex, 40)}},
	{"postman_key", "", "PMAK-" + chars(hex, 24) + "-" + chars(hex, 34), [3]string{
		"PMAK-" + chars(hex, 24) + "-" + chars(hex, 33), "PMAK-" + chars(hex, 23) + "-" + chars(hex, 34), "PMAT-" + chars(hex, 24) + "-" + chars(hex, 34),
	}},
	{"cloudflare_origin_ca_key", "", "v1.0-" + chars(hex, 24) + "-" + chars(hex, 146), [3]string{
		"v1.0-" + chars(hex, 24) + "-" + chars(hex, 145), "v1.0-" + chars(hex, 24), "v1.1-" + chars(hex, 24) + "-" + chars(hex, 146),
	}},
}

// places are where tokens stand.
var places = []struct{ name, before, after string }{
	{"alone", "", ""},
	{"in a sentence", "use ", ", please"},
	{"in an assignment", `API_TOKEN="`, `"` + "\nNEXT=1"},
	{"behind an escape", `first\n`, `\nsecond`},
	{"in a URL", "https://host.example/?a=1&t%3D", "&b=2"},
	{"beside other scripts", "トークン", "です"},
}

func vendorSet(t testing.TB) *detect.RuleSet {
	t.Helper()
	s, err := detect.NewRuleSet(detect.VendorRules(), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestVendorRulesFind(t *testing.T) {
	s := vendorSet(t)
	for _, tt := range vendorCases {
		for _, place := range places {
			t.Run(tt.rule+" "+place.name, func(t *testing.T) {
				text := place.before + tt.lead + tt.token + place.after
				if got := values(s.Append(nil, []byte(text)), text); got != tt.rule+":"+tt.token {
					t.Errorf("found %q in %q", got, text)
				}
			})
		}
	}
}

func TestVendorRulesFindNothing(t *testing.T) {
	s := vendorSet(t)
	for _, tt := range vendorCases {
		none := tt.none[:]
		if tt.lead != "" {
			none = append(none, strings.Repeat("far ", 20)+tt.token) // without its lead
		}
		for i, text := range none {
			if i < len(tt.none) {
				text = tt.lead + text
			}
			if got := values(s.Append(nil, []byte(text)), text); got != "" {
				t.Errorf("%s: found %q in %q", tt.rule, got, text)
			}
		}
	}
}

func TestVendorRulesHaveCases(t *testing.T) {
	for _, r := range detect.VendorRules() {
		var n int
		for _, tt := range vendorCases {
			if tt.rule == r.Name {
				n++
			}
		}
		if n == 0 {
			t.Errorf("no case for %s", r.Name)
		}
		if r.Entity != "api_token" || r.Category != "secret" || r.Confidence < 0.95 || r.Confidence > 0.99 {
			t.Errorf("%s is %s, %s, %v", r.Name, r.Entity, r.Category, r.Confidence)
		}
	}
}

// TestVendorRulesRunAroundTheirHints keeps a format from running over whole texts.
func TestVendorRulesRunAroundTheirHints(t *testing.T) {
	s, n := vendorSet(t), len(detect.VendorRules())
	if s.Everywhere() != 0 || s.Windowed() != n {
		t.Errorf("of %d rules %d run around hints and %d everywhere", n, s.Windowed(), s.Everywhere())
	}
}

func TestVendorRulesAreTheCallers(t *testing.T) {
	detect.VendorRules()[0].Pattern = "changed"
	if got := detect.VendorRules()[0].Pattern; got == "changed" {
		t.Error("a change of the caller shows")
	}
}

func TestVendorRulesFindNothingInDocuments(t *testing.T) {
	s := vendorSet(t)
	for name, doc := range map[string][]byte{
		"assets": corpus.Assets(2000, 1), "prose": corpus.Prose(1<<20, 1), "hints": corpus.Hints(1<<20, 1),
	} {
		if got := values(s.Append(nil, doc), string(doc)); got != "" {
			t.Errorf("%s: found %q", name, got)
		}
	}
}

func TestVendorRulesOfAScanner(t *testing.T) {
	npm := "npm_" + chars("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 36) // no digit: random text to nobody else
	mine := detect.Rule{Name: "npm_token", Pattern: `npm_\w{8}`}
	for _, tt := range []struct {
		name string
		o    *detect.Options
		want string
	}{
		{"by default", nil, "npm_token:" + npm},
		{"disabled", &detect.Options{Disabled: []string{"npm_token"}}, ""},
		{"defined by the caller", &detect.Options{Custom: []detect.Rule{mine}}, "npm_token:" + npm[:12]},
		{"not sure enough", &detect.Options{MinConfidence: 1}, ""},
		{"not wanted", &detect.Options{Want: func(d *detect.Detector, entity string) bool { return entity != "api_token" }}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := detect.NewScanner(tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := values(s.Append(nil, []byte(npm)), npm); got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}
