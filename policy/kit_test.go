package policy_test

import (
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/testkit"
	"github.com/cloudg/mcplayer/policy"
)

// put puts a document in force, silently unless the options have a logger.
func put(t testing.TB, doc *policy.Document, o *policy.Options) *policy.Policy {
	t.Helper()
	if o == nil {
		o = &policy.Options{}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	p, err := policy.New(doc, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func toolSpec(name string) *mcplayer.Spec {
	return &mcplayer.Spec{Kind: mcplayer.KindTool, Name: name, Category: "general", Sensitivity: mcplayer.Confidential, Capabilities: mcplayer.ReadState}
}

func specOf(kind mcplayer.Kind, name string) *mcplayer.Spec {
	return &mcplayer.Spec{Kind: kind, Name: name, Category: "general", Sensitivity: mcplayer.Confidential}
}

// forRole is a rule for one role.
func forRole(role string, a policy.Access) policy.Rule {
	return policy.Rule{Match: policy.Match{Roles: []string{role}}, Access: a}
}

// check asks about a call without arguments.
func check(t testing.TB, p *policy.Policy, spec *mcplayer.Spec, who *mcplayer.Principal) error {
	t.Helper()
	_, err := ticketOf(t, p, mcplayer.CallInfo{Kind: callKind(spec), Name: spec.Name, Spec: spec, Principal: who})
	return err
}

func callKind(spec *mcplayer.Spec) mcplayer.Kind {
	if spec.Kind == mcplayer.KindResourceTemplate {
		return mcplayer.KindResource
	}
	return spec.Kind
}

func ticketOf(t testing.TB, p *policy.Policy, info mcplayer.CallInfo) (mcplayer.Ticket, error) {
	t.Helper()
	access := p.Bind(info.Spec, info.Principal)
	if access == nil {
		t.Fatal("no access")
	}
	return access.Check(t.Context(), info)
}

// errorText writes an error of the layer with its data.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	e, ok := err.(*mcplayer.Error)
	if !ok {
		return err.Error()
	}
	data, _ := json.Marshal(e.Data)
	return e.Message + " " + string(data)
}

func same(t testing.TB, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// logbook keeps log lines as JSON.
type logbook = testkit.Logbook

// visit makes a call of which only the traces matter.
func visit(t testing.TB, p *policy.Policy, info mcplayer.CallInfo) {
	t.Helper()
	_, _ = ticketOf(t, p, info)
}
