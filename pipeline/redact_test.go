package pipeline_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

// buildWith makes a pipeline of one step with a vault and a fixed hash key.
func buildWith(t testing.TB, vault pipeline.Pseudonyms, typ string, opts options) mcplayer.Pipeline {
	t.Helper()
	p, err := pipeline.NewBuilder(&pipeline.BuilderOptions{Pseudonyms: vault, HashKey: []byte("key")}).
		Build([]pipeline.Spec{{Type: typ, Options: opts}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// standardRedact are the options of the ordinary policy.
func standardRedact() options {
	return options{"strategies": options{
		"secret": "redact", "private_key": "drop",
		"credential": options{"strategy": "mask", "keep_first": 4, "keep_last": 4},
	}}
}

// strictRedact are the options of the policy that pseudonymises.
func strictRedact() options {
	return options{"strategies": options{
		"secret": "redact", "private_key": "drop", "credential": "redact",
		"identifier": "pseudonymize", "network": "pseudonymize", "pii": "pseudonymize", "free_text": "pseudonymize",
		"uuid": "keep", "special_ip": "keep", "special_cidr": "keep", "temporal": "keep",
	}}
}

// join writes what looks like a secret in parts, so that no scanner of sources
// takes it for one.
func join(parts ...string) string { return strings.Join(parts, "") }

var (
	keyID   = join("AK", "IA", "Q3EGRTYU7IOPASD2")
	ghToken = join("gh", "p_", "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6")
	pem     = join("-----BEGIN RSA PRIV", "ATE KEY-----\\nMIIEowIBAAKCAQEA\\n-----END RSA PRIV", "ATE KEY-----")
)

func TestReferenceExample(t *testing.T) {
	doc := `{"dataset":"prod-core","assets":[` +
		`{"id":"i-0abc1234def567890","name":"web-prod-1","asset_type":"ec2","provider":"aws","account_id":"111122223333","arn":"arn:aws:ec2:eu-west-1:111122223333:instance/i-0abc1234def567890"},` +
		`{"id":"vm-7","name":"billing-vm","asset_type":"vm","provider":"azure","account_id":"3f8a2d61-5b0c-4e97-a1d4-92c7be60f315","resource_id":"/subscriptions/3f8a2d61-5b0c-4e97-a1d4-92c7be60f315/resourceGroups/rg1/providers/Microsoft.Compute/virtualMachines/billing-vm"}]}`
	out, report := run(t, buildWith(t, &namesInMemory{}, "redact", strictRedact()), doc)
	want := map[string]any{"dataset_name": 1, "resource_name": 4, "aws_account_id": 1, "aws_arn": 1, "azure_subscription_id": 1, "azure_resource_id": 1}
	if got := report["pseudonymized"]; !reflect.DeepEqual(got, want) || len(report) != 1 {
		t.Errorf("reported %v", report)
	}
	for _, shown := range []string{"111122223333", "3f8a2d61", "web-prod", "billing", "prod-core", "i-0abc"} {
		if strings.Contains(out, shown) {
			t.Errorf("%s is still there: %s", shown, out)
		}
	}
}

func TestStandardRedaction(t *testing.T) {
	doc := `{"a":"key ` + keyID + ` and ` + ghToken + `","password":"hunter22","n":{"key":"` + pem + `","id":7},"l":["` + pem + `",1],"account_id":"111122223333"}`
	out, report := run(t, build(t, "redact", standardRedact()), doc)
	want := `{"a":"key AKIA************ASD2 and [REDACTED:api_token]","password":"[REDACTED:secret_value]","n":{"id":7},"l":[1],"account_id":"111122223333"}`
	if out != want {
		t.Errorf("got  %s\nwant %s", out, want)
	}
	wantReport := mcplayer.Report{
		"redacted": map[string]any{"api_token": 1, "secret_value": 1}, "masked": map[string]any{"aws_access_key_id": 1}, "dropped": map[string]any{"private_key": 2},
	}
	if !reflect.DeepEqual(report, wantReport) {
		t.Errorf("reported %v", report)
	}
}

// TestStrategies shows what each strategy with each option makes of a value.
func TestStrategies(t *testing.T) {
	mask := func(more options) options {
		more["strategy"] = "mask"
		return options{"email": more}
	}
	coarse := func(entity string, more options) options {
		more["strategy"] = "generalize"
		return options{entity: more}
	}
	tests := []struct {
		name       string
		strategies options
		doc, want  string
		key        string // of the report
	}{
		{"redact", options{"email": "redact"}, `["to a.b@example.com!"]`, `["to [REDACTED:email]!"]`, "redacted"},
		{"replace", options{"email": "replace"}, `["a.b@example.com"]`, `["[REDACTED:email]"]`, "redacted"},
		{"true", options{"email": true}, `["a.b@example.com"]`, `["[REDACTED:email]"]`, "redacted"},
		{"an object", options{"email": options{"strategy": true}}, `["a.b@example.com"]`, `["[REDACTED:email]"]`, "redacted"},
		{"text", options{"email": options{"strategy": "redact", "text": "<{entity}, {length} bytes>"}}, `["a.b@example.com"]`, `["<email, 15 bytes>"]`, "redacted"},
		{"keep", options{"pii": "redact", "email": "keep"}, `["a.b@example.com"]`, `["a.b@example.com"]`, ""},
		{"none", options{"pii": "redact", "email": "none"}, `["a.b@example.com"]`, `["a.b@example.com"]`, ""},
		{"allow", options{"pii": "redact", "email": "allow"}, `["a.b@example.com"]`, `["a.b@example.com"]`, ""},
		{"false", options{"pii": "redact", "email": false}, `["a.b@example.com"]`, `["a.b@example.com"]`, ""},
		{"null", options{"pii": "redact", "email": nil}, `["a.b@example.com"]`, `["a.b@example.com"]`, ""},
		{"mask", mask(options{}), `["a.b@example.com"]`, `["***********.com"]`, "masked"},
		{"mask, ends", mask(options{"keep_first": 2, "keep_last": 1}), `["a.b@example.com"]`, `["a.************m"]`, "masked"},
		{"mask, character", mask(options{"char": "•"}), `["a.b@example.com"]`, `["•••••••••••.com"]`, "masked"},
		{"mask, preserve", mask(options{"preserve": "@."}), `["a.b@example.com"]`, `["*.*@*******.com"]`, "masked"},
		{"mask, length", mask(options{"max_length": 7}), `["a.b@example.com"]`, `["***.com"]`, "masked"},
		{"hash", options{"email": "hash"}, `["a.b@example.com"]`, `["email:ac6977f55b90"]`, "hashed"},
		{"hash, length", options{"email": options{"strategy": "hash", "length": 4}}, `["a.b@example.com"]`, `["email:ac69"]`, "hashed"},
		{"hash, template", options{"email": options{"strategy": "hash", "template": "#{digest}"}}, `["a.b@example.com"]`, `["#ac6977f55b90"]`, "hashed"},
		{"pseudonymize", options{"email": "pseudonymize"}, `["a.b@example.com"]`, `["ps-ac6bc05cb4"]`, "pseudonymized"},
		{"pseudonymise", options{"email": "pseudonymise"}, `["a.b@example.com"]`, `["ps-ac6bc05cb4"]`, "pseudonymized"},
		{"tokenize", options{"email": "tokenize"}, `["a.b@example.com"]`, `["ps-ac6bc05cb4"]`, "pseudonymized"},
		{"tokenise", options{"email": "tokenise"}, `["a.b@example.com"]`, `["ps-ac6bc05cb4"]`, "pseudonymized"},
		{"pseudonymize as", options{"email": options{"strategy": "pseudonymize", "as": "person"}}, `["a.b@example.com"]`, `["ps-71883c3128"]`, "pseudonymized"},
		{"generalize", options{"ip_address": "generalize"}, `["10.1.2.3, 2a00:1450:4001::200e"]`, `["10.1.2.0/24, 2a00:1450:4001::/48"]`, "generalized"},
		{"generalise", options{"ip_address": "generalise"}, `["10.1.2.3"]`, `["10.1.2.0/24"]`, "generalized"},
		{"bucket", options{"ip_address": "bucket"}, `["10.1.2.3"]`, `["10.1.2.0/24"]`, "generalized"},
		{"prefixes", coarse("ip_address", options{"ipv4_prefix": 8, "ipv6_prefix": 32}), `["10.1.2.3","2a00:1450:4001::200e"]`, `["10.0.0.0/8","2a00:1450::/32"]`, "generalized"},
		{"a network", coarse("cidr", options{"ipv4_prefix": 8}), `["10.1.2.0/24","10.0.0.0/6"]`, `["10.0.0.0/8","8.0.0.0/6"]`, "generalized"},
		{"days", coarse("timestamp", options{}), `["at 2026-03-01T08:09:10.5Z"]`, `["at 2026-03-01"]`, "generalized"},
		{"months", coarse("timestamp", options{"granularity": "month"}), `["2026-03-01T08:09:10Z"]`, `["2026-03"]`, "generalized"},
		{"hours", coarse("timestamp", options{"granularity": "hour"}), `["2026-03-01T08:09:10+01:00"]`, `["2026-03-01T08:00+01:00"]`, "generalized"},
		{"minutes", coarse("timestamp", options{"granularity": "minute"}), `["2026-03-01T08:09:10Z"]`, `["2026-03-01T08:09Z"]`, "generalized"},
		{"labels", coarse("hostname", options{}), `["db1.eu.prod.example.com"]`, `["example.com"]`, "generalized"},
		{"more labels", coarse("hostname", options{"keep_labels": 3}), `["db1.eu.prod.example.com"]`, `["prod.example.com"]`, "generalized"},
		{"mail", coarse("email", options{}), `["a.b@mail.example.com"]`, `["example.com"]`, "generalized"},
		{"nothing coarser", options{"uuid": "generalize"}, `["3f2b8c1e-9d4a-4e6b-8f70-1a2b3c4d5e6f"]`, `["[REDACTED:uuid]"]`, "redacted"},
		{"drop", options{"email": "drop"}, `{"a":"to a.b@example.com","b":["a.b@example.com",1],"c":2}`, `{"b":[1],"c":2}`, "dropped"},
		{"remove", options{"email": "remove"}, `["a.b@example.com"]`, `[]`, "dropped"},
		{"drop all there is", options{"email": "drop"}, `"to a.b@example.com"`, `"[REDACTED:content]"`, "dropped"},
		{"drop in a string", options{"email": "drop"}, `{"a":"{\"b\":\"a.b@example.com\",\"c\":1}"}`, `{"a":"{\"c\":1}"}`, "dropped"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := buildWith(t, &namesInMemory{}, "redact", options{"strategies": tt.strategies})
			out, report := run(t, p, tt.doc)
			if out != tt.want {
				t.Errorf("got  %s\nwant %s", out, tt.want)
			}
			if _, ok := report[tt.key]; (tt.key != "" || len(report) > 0) && (!ok || len(report) != 1) {
				t.Errorf("reported %v", report)
			}
			if again, _ := run(t, p, out); again != out && tt.name != "mail" {
				t.Errorf("again  %s", again)
			}
		})
	}
}

func TestMaskOfShortValues(t *testing.T) {
	p := build(t, "redact", options{"strategies": options{"code": options{"strategy": "mask", "keep_first": 4}}, "extra_key_rules": []any{options{"name": "code", "keys": "code"}}})
	for value, want := range map[string]string{
		"a": "*", "abcd": "****", "abcde": "****e", "abcdefgh": "******gh", "abcdefghi": "abcd*fghi", "größer!": "******!", "größenwahn": "größ**wahn",
	} {
		if got, _ := run(t, p, `{"code":"`+value+`"}`); got != `{"code":"`+want+`"}` {
			t.Errorf("%s became %s", value, got)
		}
	}
}

func TestBuckets(t *testing.T) {
	p := build(t, "redact", options{
		"strategies":      options{"age": options{"strategy": "generalize", "bucket": 10}},
		"extra_key_rules": []any{options{"name": "age_key", "entity": "age", "keys": []any{"age", "*_years"}}},
	})
	doc := `{"age":"37","in_years":"8","a":{"age":"90-99"},"b":{"age":"old"}}`
	if got, _ := run(t, p, doc); got != `{"age":"30-39","in_years":"0-9","a":{"age":"90-99"},"b":{"age":"[REDACTED:age]"}}` {
		t.Error(got)
	}
}

// TestWhichStrategy shows which of several strategies holds.
func TestWhichStrategy(t *testing.T) {
	tests := []struct {
		name       string
		strategies options
		byDefault  any
		doc, want  string
	}{
		{"the refined entity", options{"private_ip": "redact", "ip_address": "keep"}, nil, `["10.1.2.3 52.1.2.3"]`, `["[REDACTED:private_ip] 52.1.2.3"]`},
		{"its parent", options{"ip_address": "redact", "ipv4": "keep"}, nil, `["10.1.2.3"]`, `["[REDACTED:private_ip]"]`},
		{"the detector", options{"ipv4": "redact", "network": "keep"}, nil, `["10.1.2.3"]`, `["[REDACTED:private_ip]"]`},
		{"the category", options{"network": "redact"}, "keep", `["10.1.2.3"]`, `["[REDACTED:private_ip]"]`},
		{"the default", options{}, "redact", `["10.1.2.3"]`, `["[REDACTED:private_ip]"]`},
		{"no default for names", options{}, "redact", `{"password":"hunter22"}`, `{"password":"hunter22"}`},
		{"the rule's entity", options{"secret_value": "keep", "secret": "redact"}, nil, `{"password":"hunter22"}`, `{"password":"hunter22"}`},
		{"the rule's name", options{"sensitive_key": "drop", "secret": "redact"}, nil, `{"password":"hunter22","a":1}`, `{"a":1}`},
		{"an account by its shape", options{"gcp_project_id": "redact", "aws_account_id": "keep"}, nil, `{"account_id":"petrel-prod-4172"}`, `{"account_id":"[REDACTED:gcp_project_id]"}`},
		{"then any account", options{"cloud_account": "redact", "aws_account_id": "keep"}, nil, `{"account":"petrel-prod-4172"}`, `{"account":"[REDACTED:gcp_project_id]"}`},
		{"then as AWS", options{"aws_account_id": "redact"}, nil, `{"account":"Petrel"}`, `{"account":"[REDACTED:cloud_account]"}`},
		{"a person", options{"person": "redact", "pii": "keep"}, nil, `{"tags":{"owner":"ada"}}`, `{"tags":{"owner":"[REDACTED:person]"}}`},
		{"a person, as pii", options{"pii": "redact"}, nil, `{"tags":{"owner":"ada"}}`, `{"tags":{"owner":"[REDACTED:person]"}}`},
		{"a tag", options{"tag_value": "redact", "free_text": "keep"}, nil, `{"tags":{"app":"shop"}}`, `{"tags":{"app":"[REDACTED:tag_value]"}}`},
		{"a tag, as free text", options{"free_text": "redact"}, nil, `{"tags":{"app":"shop"}}`, `{"tags":{"app":"[REDACTED:tag_value]"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := options{"strategies": tt.strategies}
			if tt.byDefault != nil {
				opts["default"] = tt.byDefault
			}
			if got, _ := run(t, build(t, "redact", opts), tt.doc); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestStrategyOf(t *testing.T) {
	for spelling, want := range map[string]string{
		"tokenise": "pseudonymize", "pseudonymize": "pseudonymize", "none": "keep", "replace": "redact", "bucket": "generalize", "remove": "drop", "blur": "", "": "",
	} {
		if got := pipeline.StrategyOf(spelling); got != want {
			t.Errorf("%q means %q, want %q", spelling, got, want)
		}
	}
}
