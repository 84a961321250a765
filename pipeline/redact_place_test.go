package pipeline_test

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

// showing are options under which each kind of entity becomes its name.
func showing(more options) options {
	o := options{"strategies": options{
		"secret": "redact", "credential": "redact", "identifier": "redact", "network": "redact", "pii": "redact", "free_text": "redact", "uuid": "keep",
	}, "redact_template": "{entity}!"}
	maps.Copy(o, more)
	return o
}

func TestRedactByPlace(t *testing.T) {
	tests := []struct {
		name, doc, want string
		more            options
	}{
		{
			"under a secret every leaf goes", `{"credentials":{"user":"ada","n":1,"b":true,"z":null,"l":["y",2,[3]],"e":"","in":{"a":"b"}},"after":1}`,
			`{"credentials":{"user":"secret_value!","n":"secret_value!","b":true,"z":null,"l":["secret_value!","secret_value!",["secret_value!"]],"e":"","in":{"a":"secret_value!"}},"after":1}`, nil,
		},
		{
			"and in JSON in a string", `{"password":"{\"a\":[1,\"w\"]}","secret":"[\"y\"]","token":"\"z\"","n":"{\"password\":\"p\"}"}`,
			`{"password":"{\"a\":[\"secret_value!\",\"secret_value!\"]}","secret":"[\"secret_value!\"]","token":"\"secret_value!\"","n":"{\"password\":\"secret_value!\"}"}`, nil,
		},
		{
			"not what is no secret", `{"password":"","secret":"none","token":"${TOKEN}","auth":"[REDACTED:x]","cookie":"********"}`,
			`{"password":"","secret":"none","token":"${TOKEN}","auth":"[REDACTED:x]","cookie":"********"}`, nil,
		},
		{
			"a parameter of a stack", `[{"ParameterKey":"DbPassword","ParameterValue":"hunter22"},{"ParameterKey":"Port","ParameterValue":"5432"},{"OutputKey":"ApiKey","OutputValue":"x7y8z9"}]`,
			`[{"ParameterKey":"DbPassword","ParameterValue":"secret_value!"},{"ParameterKey":"Port","ParameterValue":"5432"},{"OutputKey":"ApiKey","OutputValue":"secret_value!"}]`, nil,
		},
		{
			"a variable", `[{"name":"DB_PASSWORD","value":"hunter22"},{"name":"DB_PORT","value":"5432"},{"Key":"apiKey","Value":7}]`,
			`[{"name":"DB_PASSWORD","value":"secret_value!"},{"name":"DB_PORT","value":"5432"},{"Key":"apiKey","Value":"secret_value!"}]`, nil,
		},
		{
			"tags", `{"tags":{"owner":"ada","app":"shop","env":"prod","n":17,"password":"pw","more":{"author":"bob"},"list":["a"]}}`,
			`{"tags":{"owner":"person!","app":"tag_value!","env":"prod","n":"tag_value!","password":"secret_value!","more":{"author":"person!"},"list":["tag_value!"]}}`, nil,
		},
		{
			"tags as a list", `{"TagSet":[{"Key":"Owner","Value":"ada"},{"Key":"env","Value":"prod"},{"Key":"App","Value":"shop"},{"Key":"Password","Value":"pw"},"bare"]}`,
			`{"TagSet":[{"Key":"Owner","Value":"person!"},{"Key":"env","Value":"prod"},{"Key":"App","Value":"tag_value!"},{"Key":"Password","Value":"secret_value!"},"tag_value!"]}`, nil,
		},
		{
			"tags as a list, small letters", `{"labels":[{"key":"created-by","value":"ada","account_id":"111122223333"}]}`,
			`{"labels":[{"key":"created-by","value":"person!","account_id":"aws_account_id!"}]}`, nil,
		},
		{"tags in a string", `{"tags":"{\"owner\":\"ada\"}"}`, `{"tags":"{\"owner\":\"person!\"}"}`, nil},
		{"tags that show their value are scanned", `{"tags":{"env":"10.1.2.3"}}`, `{"tags":{"env":"private_ip!"}}`, nil},
		{"no tags", `{"tags":{"owner":"ada","env":"x"}}`, `{"tags":{"owner":"ada","env":"x"}}`, options{"tags": false}},
		{"other tags", `{"tags":{"Cost Center":"7","env":"dev"}}`, `{"tags":{"Cost Center":"7","env":"tag_value!"}}`, options{"tag_key_allowlist": []any{"cost_center"}}},
		{
			"accounts", `{"account_id":"111122223333","accounts":["petrel-prod-4172",111122223333,"Main"],"n":"{\"ownerId\":\"Me\"}"}`,
			`{"account_id":"aws_account_id!","accounts":["gcp_project_id!","aws_account_id!","cloud_account!"],"n":"{\"ownerId\":\"cloud_account!\"}"}`, nil,
		},
		{
			"assets and others", `{"a":{"id":"x1","name":"web"},"b":{"id":"x1","name":"web","region":"r"},"c":{"name":"set","asset_count":3},"d":{"Id":7,"AssetType":"t"},"e":{"id":123456,"arn":null}}`,
			`{"a":{"id":"x1","name":"web"},"b":{"id":"resource_name!","name":"resource_name!","region":"r"},"c":{"name":"dataset_name!","asset_count":3},"d":{"Id":7,"AssetType":"t"},"e":{"id":"resource_name!","arn":null}}`, nil,
		},
		{
			"references", `{"source":"a","members":["b",["c"],{"x":"d"}],"from":"2026-03-01","to":"2026-03-01T08:00:00Z","path":[1,2],"node":"3f2b8c1e-9d4a-4e6b-8f70-1a2b3c4d5e6f"}`,
			`{"source":"resource_name!","members":["resource_name!",["resource_name!"],{"x":"d"}],"from":"2026-03-01","to":"2026-03-01T08:00:00Z","path":[1,2],"node":"resource_name!"}`, nil,
		},
		{
			"a detector knows better", `{"resource_id":"arn:aws:s3:::x","host":"10.1.2.3","target":"see 10.1.2.3","source":"x ` + ghToken + `"}`,
			`{"resource_id":"aws_arn!","host":"private_ip!","target":"resource_name!","source":"api_token!"}`, nil,
		},
		{"numbers", `{"n":111122223333,"m":[111122223333.5,-111122223333,1750000000009,12]}`, `{"n":"aws_account_id!","m":[111122223333.5,-111122223333,1750000000009,12]}`, nil},
		{
			"what is skipped", `{"_meta":{"account_id":"111122223333","a":["` + ghToken + `",{"password":"pw","10.1.2.3":1}]},"cursor":"eyJvZmZzZXQiOjEwMCwiaWQiOiJhYmNkZWYifQ==","next_cursor":"10.1.2.3"}`,
			`{"_meta":{"account_id":"111122223333","a":["api_token!",{"password":"pw","10.1.2.3":1}]},"cursor":"eyJvZmZzZXQiOjEwMCwiaWQiOiJhYmNkZWYifQ==","next_cursor":"10.1.2.3"}`, nil,
		},
		{"other things are skipped", `{"_meta":"10.1.2.3","raw_x":"10.1.2.3"}`, `{"_meta":"private_ip!","raw_x":"10.1.2.3"}`, options{"skip_keys": "raw_*"}},
		{"names of members", `{"10.1.2.3":1,"10.1.2.4":{"` + keyID + `":null},"a":2}`, `{"private_ip!":1,"private_ip!#1":{"aws_access_key_id!":null},"a":2}`, nil},
		{"names that are taken", `{"10.1.2.3":1,"private_ip!":2}`, `{"private_ip!#0":1,"private_ip!":2}`, nil},
		{"names are left", `{"10.1.2.3":"10.1.2.3"}`, `{"10.1.2.3":"private_ip!"}`, options{"scan_keys": false}},
		{
			"fences", `{"source":"⟦untrusted⟧ ignore this ⟦/untrusted⟧","password":"⟦untrusted⟧ pw ⟦/untrusted⟧","a":"⟦untrusted⟧ at 10.1.2.3 ⟦/untrusted⟧"}`,
			`{"source":"⟦untrusted⟧ resource_name! ⟦/untrusted⟧","password":"⟦untrusted⟧ secret_value! ⟦/untrusted⟧","a":"⟦untrusted⟧ at private_ip! ⟦/untrusted⟧"}`, nil,
		},
		{"several in a text", `["a.one@example.com b.two@example.org;c.three@example.net\r\na.one@example.com"]`, `["email! email!;email!\r\nemail!"]`, nil},
		{"escapes", `["\u0031\u0030.1.2.3 \"é\""]`, `["private_ip! \"é\""]`, nil},
		{
			"rules of ones own", `{"badge":"B-17","Badge-No":"B-18","x_badge":"B-19","password":"pw"}`, `{"badge":"badge!","Badge-No":"badge!","x_badge":"B-19","password":"secret_value!"}`,
			options{"extra_key_rules": []any{options{"name": "badge_key", "entity": "badge", "keys": []any{"badge", "badge_n*"}}}},
		},
		{
			"rules of ones own with a sibling", `{"badge":"B-17","site":1,"a":{"badge":"B-18"}}`, `{"badge":"badge!","site":1,"a":{"badge":"B-18"}}`,
			options{"extra_key_rules": []any{options{"name": "badge", "keys": "badge", "siblings": "site"}}},
		},
		{"only some rules", `{"password":"pw","dataset":"d","source":"s"}`, `{"password":"pw","dataset":"dataset_name!","source":"s"}`, options{"key_rules": []any{"dataset_key"}}},
		{"only rules of ones own", `{"dataset":"d","x":"s"}`, `{"dataset":"d","x":"x_key!"}`, options{"key_rules": []any{options{"name": "x_key", "keys": "x"}}}},
		{"no rules", `{"password":"pw","dataset":"d"}`, `{"password":"pw","dataset":"d"}`, options{"key_rules": []any{}}},
		{"detectors of ones own", `["job J-1234 and j-77, ` + ghToken + `"]`, `["job job! and j-77, api_token!"]`, options{
			"strategies":       options{"secret": "redact", "job": "redact", "ticket": "keep"},
			"custom_detectors": []any{options{"name": "job_id", "entity": "job", "pattern": `\bJ-\d+`}, options{"name": "ticket", "pattern": `j-\d+`, "category": "c", "enabled": false}},
		}},
		{"a detector of ones own that is off", `["job J-1234 10.1.2.3"]`, `["job J-1234 10.1.2.3"]`, options{
			"strategies": options{"job": "redact", "network": "redact"}, "custom_detectors": []any{options{"name": "job", "pattern": `\bJ-\d+`}},
			"disabled_detectors": []any{"job", "ipv4"},
		}},
		{"detectors that are off", `["10.1.2.3 a.b@example.com"]`, `["10.1.2.3 email!"]`, options{"disabled_detectors": []any{"ipv4"}}},
		{"sure detectors", `["52.1.2.3 111122223333"]`, `["public_ip! 111122223333"]`, options{"min_confidence": 0.8}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := build(t, "redact", showing(tt.more))
			got, _ := run(t, p, tt.doc)
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if again, report := run(t, p, got); again != got || len(report) > 0 {
				t.Errorf("again %s, %v", again, report)
			}
		})
	}
}

func TestRedactOptionMistakes(t *testing.T) {
	_, err := pipeline.NewBuilder(nil).Build([]pipeline.Spec{{Type: "redact", Options: options{
		"strategies": options{
			"secret": "redcat", "emial": "redact", "email": options{"strategy": "mask", "char": "**", "keep_first": -1, "max_length": 3, "x": 1},
			"uuid": options{"strategy": "hash", "length": 3, "template": "{entity}"}, "pii": options{"strategy": "hash", "length": 65},
			"network":    options{"strategy": "generalize", "ipv4_prefix": 33, "ipv6_prefix": 129, "granularity": "week", "keep_labels": 0},
			"credential": options{"strategy": "redact", "text": "{nope}"}, "temporal": 7, "identifier": options{"strategy": 7},
		},
		"default": "some", "min_confidence": 2, "redact_template": "", "hash_template": "{x}", "allow_pseudonymize": "maybe", "scan_keys": 1,
		"skip_keys": "[", "disabled_detectors": "nope", "key_rules": []any{"nope", options{"name": "a"}}, "extra_key_rules": []any{options{"nome": "x"}},
		"custom_detectors": []any{options{"name": "x", "pattern": "(", "confidence": 2}, options{"nome": 1}},
		"nope":             1,
	}}})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"option strategies.secret: option strategy: must be redact, mask, hash, pseudonymize, generalize, drop or keep",
		`option strategies: "emial" is no entity, detector, key rule or category (did you mean "email"?)`,
		"option strategies.email: option char: must be one character", "option strategies.email: option keep_first: must be at least 0",
		"option strategies.email: option max_length: must be greater than keep_first and keep_last together (4)", "option strategies.email: option x: unknown",
		"option strategies.uuid: option length: must be at least 4", "option strategies.uuid: option template: must have {digest} in it",
		"option strategies.pii: option length: must be at most 64",
		"option strategies.network: option ipv4_prefix: must be at most 32", "option strategies.network: option ipv6_prefix: must be at most 128",
		"option strategies.network: option granularity: must be year, month, day, hour or minute", "option strategies.network: option keep_labels: must be at least 1",
		"option strategies.credential: option text: unknown name {nope}; there are {entity} and {length}",
		"option strategies.temporal: must be the name of a strategy, true, false or an object", "option strategies.identifier: option strategy: must be",
		"option default: option strategy: must be", "option min_confidence: must be a number from 0 to 1", "option redact_template: must not be empty",
		"option hash_template: unknown name {x}", "option allow_pseudonymize: must be true, false, hash or keep", "option scan_keys: must be true or false",
		"option skip_keys: pattern", `"nope" is not the name of a detector`, `option key_rules: element 0: "nope" is no built-in rule; there are sensitive_key`,
		`key rule "a": keys are missing`, "option extra_key_rules: element 0: option nome: unknown", "option nope: unknown",
		`option custom_detectors: element 0: option confidence: must be a number from 0 to 1`, "option custom_detectors: element 1: option nome: unknown", `rule "x": pattern`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("not told: %s", want)
		}
	}
	if t.Failed() {
		t.Log(err)
	}
}

func TestWithoutPseudonyms(t *testing.T) {
	tests := []struct {
		name  string
		vault pipeline.Pseudonyms
		allow any
		doc   string
		want  string
		note  any
	}{
		{"no vault", nil, true, `["10.1.2.3"]`, `["private_ip:8cd3a2"]`, "hashed: no vault"},
		{"a full one", &namesInMemory{full: true}, nil, `["10.1.2.3"]`, `["private_ip:8cd3a2"]`, "hashed: the vault has no room"},
		{"not allowed", &namesInMemory{}, false, `["10.1.2.3"]`, `["private_ip:8cd3a2"]`, nil},
		{"not allowed, shown", &namesInMemory{}, "keep", `["10.1.2.3","` + keyID + `"]`, `["10.1.2.3","aws_access_key_id:26d22a"]`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := buildWith(t, tt.vault, "redact", options{
				"strategies": options{"network": "pseudonymize", "credential": "pseudonymize"}, "allow_pseudonymize": tt.allow,
			})
			got, report := run(t, p, tt.doc)
			if !sameButDigests(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if !reflect.DeepEqual(report["pseudonyms"], tt.note) || report["hashed"] == nil {
				t.Errorf("reported %v", report)
			}
			if again, _ := run(t, p, got); again != got {
				t.Errorf("again %s", again)
			}
		})
	}
}

// sameButDigests compares texts whose digests are cut in the second one.
func sameButDigests(got, want string) bool {
	return len(strings.Split(got, ":")) == len(strings.Split(want, ":")) && strings.HasPrefix(got, strings.SplitAfter(want, ":")[0])
}

func TestPreviewTellsFindings(t *testing.T) {
	p := build(t, "redact", standardRedact())
	preview, err := pipeline.NewPreview(t.Context(), p, mcplayer.CallInfo{}, `{"a":["`+keyID+` `+ghToken+`"],"password":"hunter22"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []pipeline.Finding{
		{Pointer: "/a/0", Entity: "aws_access_key_id", Detector: "aws_access_key_id", Confidence: 0.99, Strategy: "mask", Option: "strategies.credential"},
		{Pointer: "/a/0", Entity: "api_token", Detector: "github_token", Confidence: 0.99, Strategy: "redact", Option: "strategies.secret"},
		{Pointer: "/password", Entity: "secret_value", Detector: "sensitive_key", Confidence: 0.9, Strategy: "redact", Option: "strategies.secret"},
	}
	if !reflect.DeepEqual(preview.Findings, want) {
		t.Errorf("got  %v\nwant %v", preview.Findings, want)
	}
	if len(preview.Changes) != 2 || preview.Changes[1].Option != "strategies.secret" {
		t.Errorf("changes %v", preview.Changes)
	}
}
