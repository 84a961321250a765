package bench_test

import (
	"strconv"
	"testing"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"
	"github.com/cloudg/mcplayer"
)

// casbinModel is role-based access with conditions on the object: a rule denies or
// allows to a role what its condition holds for, and denials win.
const casbinModel = `
[request_definition]
r = sub, obj

[policy_definition]
p = sub, when, eft

[role_definition]
g = _, _

[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))

[matchers]
m = g(r.sub, p.sub) && eval(p.when)
`

// casbinRules say the same. What has no word there: what Cedar has none for
// either (see cedarPolicy), and
//   - sets: capabilities are members of the object, one for each that matters;
//   - "*" that covers a slash: globMatch is that of paths, which is the same here;
//   - anyone: each caller has the role any.
func casbinRules() [][]string {
	return [][]string{
		{"any", "true", "allow"},
		{"analyst", "globMatch(r.obj.Name, 'export_*')", "deny"},
		{"contractor", "r.obj.Category == 'billing'", "deny"},
		{"contractor", "r.obj.CloudAccess", "deny"},
		{"any", "r.obj.Sensitivity > 3 && !g(r.sub, 'admin')", "deny"},
		{"contractor", "r.obj.Sensitivity > 2 && !g(r.sub, 'admin')", "deny"},
		{"any", "(globMatch(r.obj.Name, 'drop_*') || globMatch(r.obj.Name, '*_raw') || r.obj.Category == 'live') && " +
			"!(g(r.sub, 'admin') && globMatch(r.obj.Name, 'drop_*') || g(r.sub, 'operator') && r.obj.Category == 'live')", "deny"},
		{"any", "r.obj.Exec && !g(r.sub, 'admin') && !g(r.sub, 'operator')", "deny"},
		{"any", "r.obj.Reveal", "deny"},
	}
}

// casbinTool is a tool as conditions see it.
type casbinTool struct {
	Name, Category            string
	Sensitivity               int
	Exec, Reveal, CloudAccess bool
	key                       string
}

// GetCacheKey makes decisions about tools fit for the cached enforcer.
func (t casbinTool) GetCacheKey() string { return t.key }

func newCasbinTool(spec *mcplayer.Spec) casbinTool {
	c := counted(spec)
	return casbinTool{
		Name: spec.Name, Category: spec.Category, Sensitivity: int(spec.Sensitivity),
		Exec: c.Has(mcplayer.Exec), Reveal: c.Has(mcplayer.Reveal), CloudAccess: c.Has(mcplayer.CloudAccess),
		key: spec.Name + "/" + spec.Category + "/" + strconv.Itoa(int(spec.Sensitivity)) + "/" + strconv.Itoa(int(c)),
	}
}

// casbinEnforcer is what the enforcers, cached and not, have in common.
type casbinEnforcer interface {
	AddPolicies(rules [][]string) (bool, error)
	AddGroupingPolicies(rules [][]string) (bool, error)
	Enforce(values ...any) (bool, error)
}

func newCasbin(tb testing.TB, all []question, cached bool) casbinEnforcer {
	tb.Helper()
	m, err := model.NewModelFromString(casbinModel)
	if err != nil {
		tb.Fatal(err)
	}
	var e casbinEnforcer
	if cached {
		e, err = casbin.NewCachedEnforcer(m)
	} else {
		e, err = casbin.NewEnforcer(m)
	}
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := e.AddPolicies(casbinRules()); err != nil {
		tb.Fatal(err)
	}
	if _, err := e.AddGroupingPolicies(casbinRoles(all)); err != nil {
		tb.Fatal(err)
	}
	return e
}

// casbinRoles are the pairs of caller and role, each once.
func casbinRoles(all []question) (pairs [][]string) {
	seen := map[string]bool{}
	for _, q := range all {
		if seen[q.who.ID()] {
			continue
		}
		seen[q.who.ID()] = true
		for _, role := range append(q.who.Roles(), "any") {
			pairs = append(pairs, []string{q.who.ID(), role})
		}
	}
	return pairs
}
