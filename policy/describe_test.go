package policy_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/policy"
)

func TestDescribe(t *testing.T) {
	const text = `
rules:
- {allow_tools: [a]}
- name: n
  transforms: [{type: hosted, id: h, options: {token: s3cr3t, url: [s3cr3t]}}]
roles: {a: {transform_options: {alias: {aliases: {x: {'111111111111': s3cr3t, '222222222222': b}}, note: s3cr3t}, h: {token: s3cr3t}}}}
transforms:
- {type: regex_replace, rules: [{pattern: s3cr3t, replace: x}]}
- {type: template, templates: {label: s3cr3t}}
- {type: project, exclude: [raw]}
- {type: redact, redact_template: 's3cr3t', default: hash, strategies: {pii: {strategy: redact, text: s3cr3t}, secret: drop}, later: [s3cr3t, true]}
detectors: [{name: ticket, pattern: s3cr3t, category: secret}]
vault: {key: s3cr3t, namespace: principal, ttl_seconds: 5, path: s3cr3t}
`
	d := parsed(t, text)
	was := written(t, d)
	got, err := d.Describe()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"custom","hide_denied":true,"honor_hints":true,"audit":false,"audit_size":1000,` +
		`"transforms":[{"type":"regex_replace","options":{"rules":2}},{"type":"template","options":{"templates":1}},{"type":"project","options":{"exclude":["raw"]}},` +
		`{"type":"redact","options":{"default":"hash","later":2,"redact_template":1,"strategies":{"pii":{"strategy":"redact","text":1},"secret":"drop"}}}],` +
		`"binary":"scan","depseudonymize":"auto","detectors":[{"category":"secret","name":"ticket"}],` +
		`"roles":{"a":{"name":"role:a","transform_options":{"alias":{"aliases":2,"note":1},"h":1}}},` +
		`"rules":[{"name":"rule[0]","allow_tools":["a"]},{"name":"n","transforms":[{"type":"hosted","id":"h","options":2}]}],` +
		`"vault":{"key":"set","namespace":"principal","path":"set","ttl_seconds":5},"fingerprint":"FP"}`
	if got, want := string(got), strings.Replace(want, "FP", d.Fingerprint(), 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if written(t, d) != was {
		t.Error("the document was changed")
	}
}

func TestDescribePolicy(t *testing.T) {
	p, err := policy.Load("open", nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Describe()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":"open","description":"Everybody sees and calls everything, and nothing is transformed.","hide_denied":true,"honor_hints":true,` +
		`"audit":false,"audit_size":1000,"binary":"scan","depseudonymize":"auto","fingerprint":"` + loaded(t, "open").Fingerprint() + `"}`
	if string(got) != want || p.Fingerprint() != loaded(t, "open").Fingerprint() {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
