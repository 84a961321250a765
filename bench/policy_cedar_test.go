package bench_test

import (
	"testing"

	"github.com/cedar-policy/cedar-go"
	"github.com/cloudg/mcplayer"
)

// cedarPolicy says the same in Cedar. What has no word there:
//   - a ceiling that is the highest of those of the caller's roles: each combination
//     is written out, and sensitivities are numbers;
//   - a default denial that a grant lifts: forbid beats permit, so that each grant is
//     an exception of what it lifts;
//   - globs with ? and [abc] (like has only *), and lists of them with exclusions;
//   - the reason for the caller: it names policies, not what of them denied;
//   - hiding, rate limits, pipelines: it decides and nothing more.
const cedarPolicy = `
permit (principal, action == Action::"call", resource);

forbid (principal in Role::"analyst", action, resource) when { resource.name like "export_*" };
forbid (principal in Role::"contractor", action, resource) when { resource.category == "billing" };
forbid (principal in Role::"contractor", action, resource) when { resource.capabilities.contains("cloud_access") };

forbid (principal, action, resource) when { resource.sensitivity > 3 } unless { principal in Role::"admin" };
forbid (principal in Role::"contractor", action, resource) when { resource.sensitivity > 2 } unless { principal in Role::"admin" };

forbid (principal, action, resource)
when { resource.name like "drop_*" || resource.name like "*_raw" || resource.category == "live" }
unless {
	principal in Role::"admin" && resource.name like "drop_*" ||
	principal in Role::"operator" && resource.category == "live"
};

forbid (principal, action, resource) when { resource.capabilities.contains("exec") }
unless { principal in Role::"admin" || principal in Role::"operator" };
forbid (principal, action, resource) when { resource.capabilities.contains("reveal") };
`

// cedarEngine has policies and, as entities, everything that is asked about.
type cedarEngine struct {
	policies *cedar.PolicySet
	entities cedar.EntityMap
}

func newCedar(tb testing.TB, all []question) *cedarEngine {
	tb.Helper()
	policies, err := cedar.NewPolicySetFromBytes("server.cedar", []byte(cedarPolicy))
	if err != nil {
		tb.Fatal(err)
	}
	e := &cedarEngine{policies, cedar.EntityMap{}}
	for _, q := range all {
		user, tool := cedarUser(q.who), cedarTool(q.spec)
		e.entities[user.UID], e.entities[tool.UID] = user, tool
	}
	return e
}

func cedarUser(who *mcplayer.Principal) cedar.Entity {
	var roles []cedar.EntityUID
	for _, role := range who.Roles() {
		roles = append(roles, cedar.NewEntityUID("Role", cedar.String(role)))
	}
	return cedar.Entity{UID: cedar.NewEntityUID("User", cedar.String(who.ID())), Parents: cedar.NewEntityUIDSet(roles...)}
}

func cedarTool(spec *mcplayer.Spec) cedar.Entity {
	var capabilities []cedar.Value
	for _, name := range counted(spec).Names() {
		capabilities = append(capabilities, cedar.String(name))
	}
	return cedar.Entity{UID: cedarToolID(spec), Attributes: cedar.NewRecord(cedar.RecordMap{
		"name": cedar.String(spec.Name), "category": cedar.String(spec.Category),
		"sensitivity": cedar.Long(spec.Sensitivity), "capabilities": cedar.NewSet(capabilities...),
	})}
}

// cedarToolID tells tools apart that have one name here and differ otherwise.
func cedarToolID(spec *mcplayer.Spec) cedar.EntityUID {
	id := spec.Name + "/" + spec.Category + "/" + spec.Sensitivity.String() + "/" + spec.Capabilities.String()
	return cedar.NewEntityUID("Tool", cedar.String(id))
}

// request is made once for each question, as a server with a table of tools would.
func (e *cedarEngine) request(q question) cedar.Request {
	return cedar.Request{
		Principal: cedar.NewEntityUID("User", cedar.String(q.who.ID())),
		Action:    cedar.NewEntityUID("Action", "call"),
		Resource:  cedarToolID(q.spec),
	}
}

func (e *cedarEngine) allows(r cedar.Request) bool {
	decision, _ := cedar.Authorize(e.policies, e.entities, r)
	return decision == cedar.Allow
}
