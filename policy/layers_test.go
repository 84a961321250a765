package policy_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/pipeline/detect"
	"github.com/cloudg/mcplayer/policy"
)

// shown returns what a tool's result becomes for a caller with the role r.
func shown(t *testing.T, doc string, o *policy.Options, hints mcplayer.Hints, in string) string {
	t.Helper()
	d, err := policy.ParseDocument([]byte(doc), "x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.New(d, o)
	if err != nil {
		t.Fatal(err)
	}
	spec := &mcplayer.Spec{Kind: mcplayer.KindTool, Name: "t", Sensitivity: mcplayer.Internal, Capabilities: mcplayer.ReadState, Hints: hints}
	a := p.Bind(spec, mcplayer.NewPrincipal("somebody", "default", "r"))
	if a.Output == nil {
		return in
	}
	out, err := a.Output.Begin(t.Context(), mcplayer.CallInfo{Kind: mcplayer.KindTool, Name: "t", Spec: spec}).JSON([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Options are laid over others in the order of the documents and rules, however the type is
// spelt; a null stands for nothing.
func TestLayersOfOptions(t *testing.T) {
	const (
		email = `{"a":"ada@example.com"}`
		uuid  = `{"a":"3b241101-e2bb-4255-8caf-4136c566a962"}`
		pass  = `{"password":"hunter2hunter2"}`
	)
	tests := []struct{ name, doc, in, want string }{
		{"a role's, by alias", "transforms: [redact]\ntransform_options: {redact: {strategies: {email: keep}}}\nroles: {r: {transform_options: {dlp: {strategies: {email: redact}}}}}", email, `{"a":"[REDACTED:email]"}`},
		{"the policy's, by alias", "transforms: [redact]\ntransform_options: {redaction: {strategies: {email: redact}}}\nroles: {r: {transform_options: {redact: {strategies: {email: keep}}}}}", email, email},
		{"a child's, by alias", "extends: strict\ntransform_options: {dlp: {strategies: {uuid: redact}}}", uuid, `{"a":"[REDACTED:uuid]"}`},
		{"id after type", "transforms: [{type: redact, id: dlp2}]\ntransform_options: {dlp2: {strategies: {email: keep}}, dlp: {strategies: {email: redact}}}", email, email},
		{"an option that is null", "extends: standard\ntransform_options:\n  redact:\n    strategies:\n", pass, `{"password":"[REDACTED:secret_value]"}`},
		{"the same of a role", "extends: standard\nroles:\n  r:\n    transform_options:\n      redact:\n        strategies:\n", pass, `{"password":"[REDACTED:secret_value]"}`},
		{"a strategy that is null keeps", "transforms: [{type: redact, strategies: {email: redact}}]\ntransform_options:\n  redact:\n    strategies:\n      email:\n", email, email},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := shown(t, tt.doc, nil, mcplayer.Hints{}, tt.in); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// No hint switches off what is done to secrets, whoever finds them.
func TestSkipKeepsRedactionOfSecrets(t *testing.T) {
	b := pipeline.NewBuilder(&pipeline.BuilderOptions{Rules: []detect.Rule{{Name: "acme", Category: "secret", Pattern: `acme_[0-9]{6}`}}})
	skip := mcplayer.Hints{Skip: []string{"redact"}}
	for name, in := range map[string]string{"acme": `{"a":"acme_123456"}`, "npm_token": `{"a":"npm_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"}`} {
		doc := "transforms: [{type: redact, strategies: {" + name + ": redact}}]"
		if got := shown(t, doc, &policy.Options{Builder: b}, skip, in); !strings.HasPrefix(got, `{"a":"[REDACTED:`) {
			t.Errorf("%s: got %s", name, got)
		}
	}
	for _, rule := range detect.VendorRules() {
		doc := "transforms: [{type: redact, strategies: {" + rule.Name + ": redact, email: redact}}]"
		if got := shown(t, doc, nil, skip, `{"a":"ada@example.com"}`); !strings.Contains(got, "ada@") {
			t.Errorf("%s: %s", rule.Name, got)
		}
	}
}
