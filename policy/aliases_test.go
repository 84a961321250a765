package policy_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// accounts are two that have an alias in the example, one inside other names, and one
// without.
const accounts = `{"account_id":"111111111111","owner_id":222222222222,"arn":"arn:aws:iam::111111111111:role/audit",` +
	`"host":"222222222222.dkr.ecr.eu-west-1.amazonaws.com","note":"see 111111111111, not 333333333334","tags":{"owner":"111111111111"}}`

func TestAnalystsSeeAliases(t *testing.T) {
	d := newDesk(t, socAnalyst, mcplayer.Hints{})
	shown, wire := d.show(t, accounts)
	names := parts(t, shown)
	same(t, names["account_id"], "prod-payments")
	same(t, names["owner_id"], "shared-services")
	for member, want := range map[string]string{"arn": "arn:aws:iam::prod-payments:role/res-", "note": "see prod-payments, not ", "tags": `{"owner":"prod-payments"}`, "host": "shared-services.dkr.ecr.eu-west-1.amazonaws.com"} {
		if !strings.HasPrefix(names[member], want) {
			t.Errorf("%s is %s, want %s", member, names[member], want)
		}
	}
	if strings.Contains(wire, "111111111111") || strings.Contains(wire, "333333333334") || !strings.Contains(wire, `"aliased":6`) {
		t.Errorf("shown: %s", wire)
	}
	same(t, d.ask(t, shown), strings.Replace(accounts, ":222222222222,", `:"222222222222",`, 1))
}

// TestLeadsSeeAliasesOnly shows values that nothing pseudonymises under their aliases.
func TestLeadsSeeAliasesOnly(t *testing.T) {
	d := newDesk(t, socAnalyst, mcplayer.Hints{})
	d.who = mcplayer.NewPrincipal("leo", "lead")
	shown, _ := d.show(t, `{"arn":"arn:aws:iam::111111111111:role/audit","account_id":"333333333334"}`)
	same(t, shown, `{"arn":"arn:aws:iam::prod-payments:role/audit","account_id":"333333333334"}`)
	same(t, d.ask(t, `{"account":"prod-payments"}`), `{"account":"111111111111"}`)
}

// TestAliasStandsAfterRedact moves an alias that stands before.
func TestAliasStandsAfterRedact(t *testing.T) {
	doc := `{"name": "x", "extends": "strict", "transforms": [
		{"type": "alias", "aliases": {"web-1": "the shop"}}, {"type": "redact", "strategies": {"identifier": "pseudonymize"}}]}`
	d := newDesk(t, doc, mcplayer.Hints{})
	shown, _ := d.show(t, `{"name":"web-1","region":"eu","note":"web-1 and web-2"}`)
	same(t, shown, `{"name":"the shop","region":"eu","note":"the shop and web-2"}`)
	same(t, d.ask(t, shown), `{"name":"web-1","region":"eu","note":"web-1 and web-2"}`)
}

// TestAliasesAreTheCallers shows pseudonyms of the caller's own namespace.
func TestAliasesAreTheCallers(t *testing.T) {
	doc, err := policy.LoadDocument(socAnalyst)
	if err != nil {
		t.Fatal(err)
	}
	doc.Vault = map[string]any{"namespace": "principal"}
	p := put(t, doc, nil)
	d := &desk{policy: p}
	d.Layer = newLayer(t, d.registry(mcplayer.Hints{}), p)
	var names []string
	for _, id := range []string{"ann", "bob"} {
		d.who = mcplayer.NewPrincipal(id, "analyst")
		shown, _ := d.show(t, `{"arn":"arn:aws:iam::111111111111:role/audit"}`)
		if !strings.HasPrefix(shown, `{"arn":"arn:aws:iam::prod-payments:role/res-`) {
			t.Errorf("%s sees %s", id, shown)
		}
		names = append(names, parts(t, shown)["arn"])
	}
	if names[0] == names[1] {
		t.Error("two callers see the same pseudonym")
	}
	same(t, d.ask(t, `{"a":"`+names[0]+`"}`), `{"a":"`+strings.Replace(names[0], "prod-payments", "111111111111", 1)+`"}`)
}

func TestAliasesThatContradict(t *testing.T) {
	_, err := policy.New(parsed(t, `
transforms: [{type: alias, id: a, aliases: {'1': x}}]
rules: [{transforms: [{type: alias, id: b, aliases: {'2': x}}]}]`), nil)
	if want := `rules[0]: step b: option aliases: "x" stands for both "1" and "2"`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
