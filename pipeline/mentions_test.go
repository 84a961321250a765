package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/pipeline"
)

// mentioning are options that pseudonymise names alone.
func mentioning() options {
	return options{"strategies": options{
		"resource_name": "pseudonymize", "dataset_name": "pseudonymize", "person": "pseudonymize", "tag_value": "pseudonymize", "private_ip": "redact",
	}}
}

func TestNameMentions(t *testing.T) {
	vault := &namesInMemory{}
	name := func(entity, value string) string {
		out, _ := vault.AppendPseudonym(nil, "", entity, []byte(value))
		return string(out)
	}
	web, ada, set := name("resource_name", "web-1"), name("person", "Ada Lovelace"), name("dataset_name", "core set")
	shop := name("tag_value", "shop")
	r := strings.NewReplacer("WEB", web, "ADA", ada, "SET", set, "SHOP", shop)
	tests := []struct{ name, doc, want string }{
		{"before and after", `{"note":"web-1 is up","source":"web-1","more":["and web-1."]}`, `{"note":"WEB is up","source":"WEB","more":["and WEB."]}`},
		{
			"whole tokens only", `{"source":"web-1","note":"web-1x my-web-1 web-10 éweb-1 web-1é Web-1 (web-1) web-1/web-1"}`,
			`{"source":"WEB","note":"web-1x my-web-1 web-10 éweb-1 web-1é Web-1 (WEB) WEB/WEB"}`,
		},
		{
			"names of several words", `{"tags":{"owner":"Ada Lovelace"},"dataset":"core set","note":"Ada Lovelace keeps the core set; Ada Smith does not"}`,
			`{"tags":{"owner":"ADA"},"dataset":"SET","note":"ADA keeps the SET; Ada Smith does not"}`,
		},
		{"other tags are not looked for", `{"tags":{"app":"shop"},"note":"the shop"}`, `{"tags":{"app":"SHOP"},"note":"the shop"}`},
		{"a finding goes first", `{"source":"web-1","to":"3.x","note":"web-1 at 10.1.2.3 3.x"}`, ""},
		{"in names of members", `{"source":"web-1","by":{"web-1":1}}`, `{"source":"WEB","by":{"WEB":1}}`},
		{"in JSON in a string", `{"source":"web-1","s":"{\"a\":\"web-1 is\"}"}`, `{"source":"WEB","s":"{\"a\":\"WEB is\"}"}`},
		{"from JSON in a string", `{"s":"{\"source\":\"web-1\"}","a":"web-1 is"}`, `{"s":"{\"source\":\"WEB\"}","a":"WEB is"}`},
		{"too short", `{"source":"db","node":"1234","note":"db 1234"}`, ""},
		{"not a name of members", `{"source":"region","region":"x region"}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := run(t, buildWith(t, vault, "redact", mentioning()), tt.doc)
			switch {
			case tt.want != "":
				if want := r.Replace(tt.want); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			case tt.name == "a finding goes first":
				if !strings.Contains(got, web+" at [REDACTED:private_ip] "+name("resource_name", "3.x")) {
					t.Error(got)
				}
			case tt.name == "too short":
				if !strings.Contains(got, `"db 1234"`) {
					t.Error(got)
				}
			default:
				if !strings.Contains(got, `"region":"x ps-`) {
					t.Error(got)
				}
			}
		})
	}
}

func TestNamesAreKnownInLaterPieces(t *testing.T) {
	vault := &namesInMemory{}
	pass := buildWith(t, vault, "redact", mentioning()).Begin(t.Context(), mcplayer.CallInfo{})
	if _, err := pass.JSON([]byte(`{"source":"web-1"}`)); err != nil {
		t.Fatal(err)
	}
	if out, err := pass.Text("web-1 is up"); err != nil || !strings.HasPrefix(out, "ps-") {
		t.Errorf("got %s, %v", out, err)
	}
	opts := mentioning()
	opts["name_mentions"] = false
	if out, _ := run(t, buildWith(t, vault, "redact", opts), `{"source":"web-1","a":"web-1 is"}`); !strings.HasSuffix(out, `"a":"web-1 is"}`) {
		t.Error(out)
	}
}

// TestParallelRedaction compares what many goroutines make of a document with what
// one does.
func TestParallelRedaction(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"all":{`)
	for i := range 12_000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"10.0.%d.%d":{"id":"i-%d","arn":null,"name":"web-%d","password":"p%d!","note":"web-%d at 10.1.1.%d, %s"}`,
			i/250, i%250, i, i, i, (i+6000)%12_000, i%250, strings.Repeat("x ", 20))
	}
	b.WriteString("}}")
	doc := []byte(b.String())
	p := buildWith(t, &namesInMemory{}, "redact", options{"strategies": options{
		"secret": "redact", "private_ip": "redact", "resource_name": "pseudonymize",
	}})
	var outs [2]string
	var reports [2]mcplayer.Report
	for i, workers := range []int{1, 4} {
		pass := p.Begin(t.Context(), mcplayer.CallInfo{})
		pipeline.SetWorkers(pass, workers)
		out, err := pass.JSON(doc)
		if err != nil {
			t.Fatal(err)
		}
		outs[i], reports[i] = string(out), pass.Report()
	}
	if outs[0] != outs[1] {
		t.Error("the results differ")
	}
	if a, b := fmt.Sprint(reports[0]), fmt.Sprint(reports[1]); a != b || !strings.Contains(a, "resource_name:36000") {
		t.Errorf("reported %s and %s", a, b)
	}
	for _, shown := range []string{`"10.`, `web-`, `!"`} {
		if strings.Contains(outs[0], shown) {
			t.Errorf("%s is still there", shown)
		}
	}
	d, err := jsondoc.Open([]byte(outs[0]))
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	if fault := jsondoc.CheckObject([]byte(outs[0]), 10); fault != nil {
		t.Error(fault)
	}
}
