package policy_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/go-json-experiment/json/jsontext"
)

// private is a desk with the privacy tools.
func private(t *testing.T, source string) (*desk, *logbook) {
	t.Helper()
	doc, err := policy.LoadDocument(source)
	if err != nil {
		t.Fatal(err)
	}
	doc.Vault = map[string]any{"key": vaultKey}
	book := &logbook{}
	d := &desk{who: mcplayer.NewPrincipal("ann", "default", "analyst"), policy: put(t, doc, &policy.Options{Logger: book.Logger()})}
	reg := d.registry(mcplayer.Hints{})
	policy.AddPrivacyTools(reg, d.policy)
	d.Layer = newLayer(t, reg, d.policy)
	return d, book
}

// use calls a tool and decodes its structured result, or returns the message of its
// error.
func (d *desk) use(t *testing.T, tool string, args map[string]any, into any) (failure string) {
	t.Helper()
	doc, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	res, err := d.CallTool(t.Context(), tool, doc, mcplayer.As(d.who))
	if err != nil {
		return err.Error()
	}
	if res.IsError {
		return told(res.ToWire(), nil)
	}
	if err := json.Unmarshal(res.Structured, into); err != nil {
		t.Fatalf("%v in %s", err, res.Structured)
	}
	return ""
}

var (
	privacyAdmin = mcplayer.NewPrincipal("eve", "privacy-admin")
	lead         = mcplayer.NewPrincipal("leo", "lead")
)

func TestWhoSeesPrivacyTools(t *testing.T) {
	const open, all = "list_detectors preview_transform privacy_status", "list_detectors preview_transform privacy_audit_log privacy_status reveal_token"
	for _, tt := range []struct {
		source string
		who    *mcplayer.Principal
		want   string
	}{
		{"open", anyone, all},
		{"standard", anyone, open},
		{"standard", privacyAdmin, all},
		{"strict", privacyAdmin, open},
		{socAnalyst, analyst, open},
		{socAnalyst, lead, all},
	} {
		d, _ := private(t, tt.source)
		var names []string
		for _, tool := range d.ListTools(t.Context(), mcplayer.As(tt.who)) {
			if tool.Name != "ask" && tool.Name != "show" {
				names = append(names, tool.Name)
			}
		}
		same(t, strings.Join(names, " "), tt.want)
		if err := d.Registry().Err(); err != nil {
			t.Error(err)
		}
	}
}

func TestRevealToken(t *testing.T) {
	d, book := private(t, socAnalyst)
	shown, _ := d.show(t, `{"account_id":"111111111111","name":"web-1","arn":"arn:aws:iam::333333333334:role/audit","role":"arn:aws:iam::111111111111:role/audit"}`)
	names := parts(t, shown)
	book.Lines()
	d.who = lead
	for token, want := range map[string]string{
		names["name"]: "web-1", names["arn"]: "arn:aws:iam::333333333334:role/audit", "prod-payments": "111111111111",
		names["role"]: "arn:aws:iam::111111111111:role/audit",
	} {
		var got struct{ Pseudonym, Value string }
		if failure := d.use(t, "reveal_token", map[string]any{"pseudonym": " " + token + " "}, &got); failure != "" {
			t.Fatal(failure)
		}
		same(t, got.Pseudonym+" is "+got.Value, token+" is "+want)
	}
	if failure := d.use(t, "reveal_token", map[string]any{"pseudonym": "res-0123456789"}, nil); !strings.Contains(failure, "Unknown pseudonym: nothing was shown to this caller under that name") {
		t.Errorf("got %s", failure)
	}
	quiet := func(line string) bool { return !strings.Contains(line, `"level":"WARN"`) }
	if lines := slices.DeleteFunc(book.Lines(), quiet); len(lines) != 5 || strings.Contains(strings.Join(lines, ""), "web-1") {
		t.Errorf("logged %s", lines)
	} else {
		for _, line := range lines {
			if !strings.Contains(line, `"level":"WARN","msg":"policy decision","logger":"cloudg.mcp.policy","decision":"allowed","kind":"tool","name":"reveal_token","principal":"leo"`) {
				t.Errorf("logged %s", line)
			}
		}
	}
	entries := d.policy.Entries(policy.EntryFilter{Name: "reveal_token"})
	if len(entries) != 5 || len(entries[0].Arguments["pseudonym"]) != 12 || d.policy.Counters().Reveal != 5 {
		t.Errorf("recorded %+v, counted %+v", entries, d.policy.Counters())
	}
	d.who = analyst
	if failure := d.use(t, "reveal_token", map[string]any{"pseudonym": names["name"]}, nil); failure != "Unknown tool: reveal_token" {
		t.Errorf("an analyst gets %s", failure)
	}
}

type previewed struct {
	After    string
	Changes  []struct{ Pointer, Step, Option string }
	Findings []struct{ Pointer, Entity, Detector, Strategy string }
}

// TestPreviewIsNoOracle compares a preview with what really is shown.
func TestPreviewIsNoOracle(t *testing.T) {
	const doc = `{"account_id":"123456789012","name":"web-1","region":"eu-west-1"}`
	d, _ := private(t, "strict")
	shown, _ := d.show(t, doc)
	names := parts(t, shown)
	var status struct{ Vault struct{ Entries int } }
	d.use(t, "privacy_status", nil, &status)
	entries := status.Vault.Entries
	seen := map[string]bool{names["account_id"]: true, names["name"]: true}
	for range 2 {
		var p previewed
		if failure := d.use(t, "preview_transform", map[string]any{"text": doc}, &p); failure != "" {
			t.Fatal(failure)
		}
		after := parts(t, p.After)
		for _, member := range []string{"account_id", "name"} {
			if seen[after[member]] || strings.Contains(doc, after[member]) {
				t.Errorf("%s is %s", member, after[member])
			}
			seen[after[member]] = true
		}
		if after["region"] != "eu-west-1" || len(p.Changes) != 2 || len(p.Findings) != 2 || p.Findings[0].Entity != "aws_account_id" || p.Findings[0].Pointer != "/account_id" {
			t.Errorf("%+v", p)
		}
	}
	if d.use(t, "privacy_status", nil, &status); status.Vault.Entries != entries || entries == 0 {
		t.Errorf("the vault had %d entries, has %d", entries, status.Vault.Entries)
	}
	var p previewed
	d.use(t, "preview_transform", map[string]any{"text": names["name"]}, &p)
	if strings.Contains(p.After, "web-1") {
		t.Errorf("it turned back %s", p.After)
	}
}

func TestPreviewLeavesAliasesOut(t *testing.T) {
	for _, source := range []string{socAnalyst, `{"transforms": [{"type": "substitute", "aliases": {"111111111111": "prod-payments"}, "rules": [{"pattern": "x", "replace": "y"}]}]}`} {
		d, _ := private(t, source)
		var p previewed
		if failure := d.use(t, "preview_transform", map[string]any{"text": "account 111111111111 x"}, &p); failure != "" {
			t.Fatal(failure)
		}
		if strings.Contains(p.After, "prod-payments") {
			t.Errorf("%s: %s", source, p.After)
		}
	}
}

func TestPreviewTakesSecrets(t *testing.T) {
	d, _ := private(t, "standard")
	var p previewed
	if failure := d.use(t, "preview_transform", map[string]any{"text": "password=hunter2hunter2", "tool": "show"}, &p); failure != "" {
		t.Fatal(failure)
	}
	same(t, p.After, "password=[REDACTED:secret_value]")
	for _, tool := range []string{"reveal_token", "nothing"} {
		if failure := d.use(t, "preview_transform", map[string]any{"text": "x", "tool": tool}, &p); !strings.Contains(failure, "Unknown tool: "+tool) {
			t.Errorf("%s: %s", tool, failure)
		}
	}
}

func TestPrivacyAuditLog(t *testing.T) {
	d, _ := private(t, "standard")
	d.ask(t, `{"id":"web-1"}`)
	d.use(t, "nothing", nil, nil)
	d.who = privacyAdmin
	var log struct {
		Entries  []struct{ Decision, Kind, Name, Principal string }
		Counters policy.Counters
	}
	if failure := d.use(t, "privacy_audit_log", map[string]any{"principal": "ann", "limit": 5}, &log); failure != "" {
		t.Fatal(failure)
	}
	if len(log.Entries) != 2 || log.Entries[0].Name != "ask" || log.Entries[0].Decision != "allowed" || log.Entries[1].Decision != "not_found" || log.Counters.Reveal != 1 {
		t.Errorf("%+v", log)
	}
	if failure := d.use(t, "privacy_audit_log", map[string]any{"decision": "maybe"}, &log); !strings.Contains(failure, "decision: ") {
		t.Errorf("got %s", failure)
	}
}

func TestPrivacyStatus(t *testing.T) {
	d, _ := private(t, "strict")
	res, err := d.CallTool(t.Context(), "privacy_status", nil, mcplayer.As(d.who))
	if err != nil || res.IsError {
		t.Fatal(err)
	}
	want := `{"policy":{"policy_name":"strict","description":"Identifiers are pseudonyms, nothing outside is touched, and nobody undoes protection.","fingerprint":"` + d.policy.Fingerprint() + `"},` +
		`"caller":{"roles":["analyst","default"],"output_transforms":["sanitize","redact","project","annotate"],"input_transforms":["guard_secrets","depseudonymize"],` +
		`"sees_pseudonyms":true,"aliases":0,"may_reveal":false},` +
		`"vault":{"namespace":"global","ttl_seconds":0,"in_file":false,"entries":0,"collisions":0,"refused":0},` +
		`"counters":{"allowed":1,"denied":0,"rate_limited":0,"rejected":0,"hidden":0,"reveal":0}}`
	same(t, string(res.Structured), want)
	d, _ = private(t, socAnalyst)
	d.who = lead
	var status struct {
		Caller struct {
			Pseudonyms bool `json:"sees_pseudonyms"`
			Reveals    bool `json:"may_reveal"`
			Aliases    int
		}
	}
	d.use(t, "privacy_status", nil, &status)
	if c := status.Caller; c.Pseudonyms || !c.Reveals || c.Aliases != 2 {
		t.Errorf("%+v", c)
	}
}

func TestPrivacyResources(t *testing.T) {
	d, _ := private(t, "strict")
	read := func(uri string) string {
		res, err := d.ReadResource(t.Context(), uri, mcplayer.As(d.who))
		if err != nil {
			t.Fatal(err)
		}
		return res.Contents[0].Text
	}
	described, err := d.policy.Describe()
	if err != nil {
		t.Fatal(err)
	}
	got := jsontext.Value(read(policy.PolicyURI))
	if err := got.Compact(); err != nil {
		t.Fatal(err)
	}
	const table = `{"credential":"redact","free_text":"pseudonymize","identifier":"pseudonymize","network":"pseudonymize","pii":"pseudonymize",` +
		`"special_cidr":"keep","special_ip":"keep","temporal":"keep","uuid":"keep"}`
	const first = `{"credential":{"keep_first":4,"keep_last":4,"strategy":"mask"},"private_key":"drop","secret":"redact"}`
	want := strings.Replace(string(described), table, `[{"of":"credential","is":"redact"},{"of":"free_text","is":"pseudonymize"},{"of":"identifier","is":"pseudonymize"},`+
		`{"of":"network","is":"pseudonymize"},{"of":"pii","is":"pseudonymize"},{"of":"special_cidr","is":"keep"},{"of":"special_ip","is":"keep"},{"of":"temporal","is":"keep"},{"of":"uuid","is":"keep"}]`, 1)
	want = strings.Replace(want, first, `[{"of":"credential","is":{"keep_first":4,"keep_last":4,"strategy":"mask"}},{"of":"private_key","is":"drop"},{"of":"secret","is":"redact"}]`, 1)
	same(t, string(got), want)
	var fromTool, fromResource struct {
		Detectors []struct {
			Name     string `json:"detector"`
			Entities []string
			Disabled bool
		}
		Rules []struct {
			Name string `json:"rule"`
		} `json:"key_rules"`
	}
	if err := json.Unmarshal([]byte(read(policy.DetectorsURI)), &fromResource); err != nil {
		t.Fatal(err)
	}
	d.use(t, "list_detectors", nil, &fromTool)
	if a, b := told(fromTool, nil), told(fromResource, nil); a != b || len(fromTool.Detectors) < 28 || len(fromTool.Rules) < 10 {
		t.Errorf("%s\n%s", a, b)
	}
}

func TestListDetectorsOfADocument(t *testing.T) {
	d, _ := private(t, `{"detectors": [{"name": "ticket", "pattern": "T-[0-9]+", "category": "identifier", "confidence": 0.9}], "disabled_detectors": ["uuid"]}`)
	var list struct {
		Detectors []struct {
			Detector, Category string
			Entities           []string
			Custom, Disabled   bool
		}
	}
	d.use(t, "list_detectors", nil, &list)
	if first := list.Detectors[0]; first.Detector != "ticket" || !first.Custom || first.Disabled || first.Entities[0] != "ticket" || first.Category != "identifier" {
		t.Errorf("%+v", first)
	}
	for _, d := range list.Detectors {
		if d.Disabled != (d.Detector == "uuid") {
			t.Errorf("%+v", d)
		}
	}
}

// TestRevealNeedsHints shows that a policy that honours no hints reveals nothing: it
// turns the pseudonym back before the tool sees it, and hides the answer again.
func TestRevealNeedsHints(t *testing.T) {
	d, _ := private(t, `{"honor_hints": false, "transforms": [{"type": "redact", "strategies": {"identifier": "pseudonymize"}}]}`)
	shown, _ := d.show(t, `{"name":"web-1","region":"eu-west-1"}`)
	failure := d.use(t, "reveal_token", map[string]any{"pseudonym": parts(t, shown)["name"]}, nil)
	if !strings.Contains(failure, "Unknown pseudonym") || strings.Contains(failure, "web-1") {
		t.Errorf("got %s", failure)
	}
}
