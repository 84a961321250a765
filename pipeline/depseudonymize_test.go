package pipeline_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

func TestDepseudonymize(t *testing.T) {
	vault := &namesInMemory{}
	var names [3]string
	for i, value := range []string{"web-1", "arn:aws:s3:::logs", "111122223333"} {
		name, _ := vault.AppendPseudonym(nil, "ada", "x", []byte(value))
		names[i] = string(name)
	}
	r := strings.NewReplacer("W", names[0], "A", names[1], "N", names[2])
	info := mcplayer.CallInfo{Principal: mcplayer.NewPrincipal("ada")}
	aliases := options{"prod": "444455556666", "ps": "no"}
	tests := []struct {
		name, args, want string
		opts             options
	}{
		{"whole", `{"id":"W"}`, `{"id":"web-1"}`, nil},
		{"in a text", `["see W, A.","cloudg://assets/W/x?y=N"]`, `["see web-1, arn:aws:s3:::logs.","cloudg://assets/web-1/x?y=111122223333"]`, nil},
		{"in JSON in a string", `{"q":"{\"id\":[\"W\"]}"}`, `{"q":"{\"id\":[\"web-1\"]}"}`, nil},
		{"fences go", `["⟦untrusted⟧ W ⟦/untrusted⟧","a ⟦untrusted⟧ b"]`, `["web-1","a b"]`, nil},
		{"what is none passes", `{"a":"ps-0000000000","b":[1,111122223333,true,null],"c":"x"}`, `{"a":"ps-0000000000","b":[1,111122223333,true,null],"c":"x"}`, nil},
		{"aliases", `["prod","arn:aws:iam::prod:role/W","production prod-1"]`, `["444455556666","arn:aws:iam::444455556666:role/web-1","production prod-1"]`, options{"aliases": aliases}},
		{"no names", `{"W":{"W":1}}`, `{"W":{"W":1}}`, nil},
		{"names", `{"W":{"x W":1}}`, `{"web-1":{"x web-1":1}}`, options{"keys": true}},
		{"names that are taken", `{"W":1,"web-1":2}`, `{"W":1,"web-1":2}`, options{"keys": true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := buildWith(t, vault, "depseudonymize", tt.opts)
			out, err := p.Begin(t.Context(), info).JSON([]byte(r.Replace(tt.args)))
			if want := r.Replace(tt.want); string(out) != want || err != nil {
				t.Errorf("got  %s, %v\nwant %s", out, err, want)
			}
		})
	}
	other := mcplayer.CallInfo{Principal: mcplayer.NewPrincipal("bob")}
	if out, err := buildWith(t, vault, "depseudonymize", nil).Begin(t.Context(), other).Text(names[0]); out != names[0] || err != nil {
		t.Errorf("somebody else's name became %s, %v", out, err)
	}
}

func TestDepseudonymizeRefuses(t *testing.T) {
	vault := &namesInMemory{refuse: errors.New("the name ps-0123456789 has expired")}
	_, err := buildWith(t, vault, "depseudonymize", nil).Begin(t.Context(), mcplayer.CallInfo{}).JSON([]byte(`{"a":"x ps-0123456789"}`))
	e, ok := errors.AsType[*mcplayer.Error](err)
	if !ok || e.Message != "the name ps-0123456789 has expired" || !errors.Is(err, mcplayer.ErrInvalidArguments) {
		t.Errorf("got %v", err)
	}
}

func TestDepseudonymizeWithoutVault(t *testing.T) {
	p := build(t, "depseudonymize", options{"aliases": options{"prod": "111"}})
	if out, _ := run(t, p, `["⟦untrusted⟧ prod ⟦/untrusted⟧"]`); out != `["111"]` {
		t.Error(out)
	}
}

func TestRoundTrip(t *testing.T) {
	vault := &namesInMemory{}
	doc := `{"dataset":"prod-core","assets":[{"id":"i-0abc1234def567890","name":"web-prod-1","asset_type":"ec2","account_id":"111122223333",` +
		`"private_ip":"10.1.2.3","tags":{"owner":"Ada L.","app":"shop"},"note":"web-prod-1 runs on 10.1.2.3, ask a.b@example.com"}]}`
	shown, _ := run(t, buildWith(t, vault, "redact", strictRedact()), doc)
	if back, _ := run(t, buildWith(t, vault, "depseudonymize", nil), shown); back != doc {
		t.Errorf("got  %s\nwant %s\nover %s", back, doc, shown)
	}
}

func TestAliasesOfPseudonyms(t *testing.T) {
	vault := &namesInMemory{}
	p, err := pipeline.NewBuilder(&pipeline.BuilderOptions{Pseudonyms: vault}).Build([]pipeline.Spec{
		{Type: "redact", Options: strictRedact()},
		{Type: "alias", Options: options{"aliases": options{"111122223333": "prod-payments", "web-1": "the web"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, who := range []string{"ada", "bob", "ada"} {
		pass := p.Begin(t.Context(), mcplayer.CallInfo{Principal: mcplayer.NewPrincipal(who)})
		doc := `{"account_id":"111122223333","note":"in 111122223333","source":"web-1","target":"web-2"}`
		out, err := pass.JSON([]byte(doc))
		want := `{"account_id":"prod-payments","note":"in prod-payments","source":"the web","target":"ps-`
		if err != nil || !strings.HasPrefix(string(out), want) {
			t.Errorf("%s sees %s, %v", who, out, err)
		}
		back := buildWith(t, vault, "depseudonymize", options{"aliases": p.(*pipeline.Pipeline).Aliases()})
		in, err := back.Begin(t.Context(), mcplayer.CallInfo{Principal: mcplayer.NewPrincipal(who)}).JSON(out)
		if err != nil || string(in) != doc {
			t.Errorf("%s gets back %s, %v", who, in, err)
		}
	}
}

func TestReversible(t *testing.T) {
	tests := []struct {
		name          string
		vault         pipeline.Pseudonyms
		typ           string
		opts          options
		turns, pseudo bool
	}{
		{"strict", &namesInMemory{}, "redact", strictRedact(), true, true},
		{"without a vault", nil, "redact", strictRedact(), false, false},
		{"not allowed", &namesInMemory{}, "redact", options{"strategies": options{"pii": "pseudonymize"}, "allow_pseudonymize": false}, false, false},
		{"standard", &namesInMemory{}, "redact", standardRedact(), false, false},
		{"alias", nil, "alias", options{"aliases": options{"111": "prod"}}, true, false},
		{"no alias", nil, "alias", nil, false, false},
		{"project", nil, "project", nil, false, false},
	}
	for _, tt := range tests {
		p := buildWith(t, tt.vault, tt.typ, tt.opts).(*pipeline.Pipeline)
		if p.Reversible() != tt.turns || p.Pseudonymizes() != tt.pseudo || p.Empty() {
			t.Errorf("%s: %v, %v, %v", tt.name, p.Reversible(), p.Pseudonymizes(), p.Empty())
		}
	}
	var none *pipeline.Pipeline
	if none.Reversible() || none.Pseudonymizes() || !none.Empty() {
		t.Error("nothing does something")
	}
}
